"""A scope whose pages are in archives: a new one replaces the old."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Final

from scrapy_mainpage.crawl.crawl_scope import content_hash
from scrapy_mainpage.indexes.documents import storable_text
from scrapy_mainpage.memory import (
    CHANGED,
    FAILED,
    NEW,
    UNCHANGED,
    MemoryUnavailable,
    open_memory,
)
from scrapy_mainpage.memory.judgement import (
    DEAD_LETTERS,
    OVER_SHARE,
    REFUSALS,
    count_reasons,
    is_over_share,
)
from scrapy_mainpage.settings import DELETE, OFF

if TYPE_CHECKING:
    from scrapy_mainpage.indexes import IndexDocument
    from scrapy_mainpage.memory import PageRow
    from scrapy_mainpage.settings import Settings

#: Why a document goes that no archive has.
NOT_IN_ARCHIVE: Final = "not_in_archive"

_REFUSED: Final = "refused"
"""Key of the reasons in what a run over archives counts, while it is not ended."""


class ArchiveScope:
    """The run of a scope over archives, in the state that the settings name.

    A run that was stopped goes on. Raises :exc:`.MemoryUnavailable`.
    """

    def __init__(self, settings: Settings, name: str) -> None:
        assert settings.state is not None
        self._settings = settings
        self.store = open_memory(settings.state)
        self._scope = self.store.scope(name)
        if not self.store.lock(self._scope):
            self.store.close()
            raise MemoryUnavailable(f"a crawl of {name} is running")
        last = next(iter(self.store.runs(self._scope, 1)), None)
        is_open = last is not None and last.ended is None
        # A run of a crawl that was killed knows nothing of archives.
        self.goes_on = is_open and bool(last and _REFUSED in last.counts)
        self.run = last if self.goes_on and last else self.store.begin_run(self._scope)
        self.run.counts.setdefault(_REFUSED, [])
        self.store.put_run(self.run)
        self._outcomes: Counter[str] = Counter()

    def found(self, document: IndexDocument) -> None:
        """Note that an archive has a page."""
        row, digest = self._page(document.url), content_hash(document)
        outcome = CHANGED if row.content_hash else NEW
        outcome = UNCHANGED if row.content_hash == digest else outcome
        row.content_hash = digest
        row.document_run, row.parent, row.verdict = self.run.id, None, None
        row.status, row.failures, row.reason, row.last_ok = 200, 0, None, time.time()
        self._end(row, outcome)

    def refuse(self, reason: str) -> None:
        """Delete nothing at the end of the run, whichever call ends it."""
        if reason not in self.run.counts[_REFUSED]:
            self.run.counts[_REFUSED].append(reason)
            self.store.put_run(self.run)

    def failed(self, url: str, reason: str) -> None:
        """Note that an archive has a page that cannot be read: its document stays."""
        row = self._page(url)
        row.reason = reason
        self._end(row, FAILED)

    def _page(self, url: str) -> PageRow:
        return self.store.page(self._scope, storable_text(url))

    def _end(self, row: PageRow, outcome: str) -> None:
        self._outcomes[outcome] += row.last_seen_run != self.run.id
        row.outcome, row.last_seen_run = outcome, self.run.id
        row.config_hash = None  # a crawl of the scope asks without conditions
        self.store.put(row)

    def sweep(self) -> tuple[list[PageRow], str]:
        """Judge the documents of the scope; return those to delete, and a line on all.

        Nothing is deleted in a run that was refused, or if too many would go.
        """
        where = "scope = :scope AND content_hash IS NOT NULL"
        unseen = f"{where} AND coalesce(last_seen_run, 0) <> :run"
        going = [*self.store.select(unseen, scope=self._scope, run=self.run.id)]
        going = [] if self._settings.sweep == OFF else going
        total = self.store.count("count(*)", where, scope=self._scope)[0][0]
        reasons = set(self.run.counts[_REFUSED])
        if is_over_share(len(going), total, self._settings.sweep_share):
            reasons.add(OVER_SHARE)
        for row in going:
            row.verdict = NOT_IN_ARCHIVE
            self.store.put(row)
        counted = count_reasons(NOT_IN_ARCHIVE for _ in going)
        kind = "refused" if reasons else "would_delete"
        if not reasons and self._settings.sweep == DELETE:
            kind = "deleted"
        self.run.counts = {
            "outcomes": dict(self._outcomes),
            "documents": total - len(going) * (kind == "deleted"),
            "sweep": {kind: sorted(reasons) or {NOT_IN_ARCHIVE: len(going)}},
        }
        self.run.complete = not reasons
        if reasons:
            why = "; ".join(REFUSALS[reason] for reason in sorted(reasons))
            return [], f"sweep refused: {why}: {counted or 'none would go'}"
        return going if kind == "deleted" else [], f"{kind}: {counted or 0}"

    def end(self, deleted: list[PageRow], *, is_written: bool) -> None:
        """End the run; it is not complete if a document is in the dead letters."""
        for row in deleted if is_written else ():
            row.forget_document()
            self.store.put(row)
        if not is_written:
            # Which documents failed is in the dead letters: all are doubtful.
            given = "scope = :scope AND document_run = :run"
            for row in self.store.select(given, scope=self._scope, run=self.run.id):
                row.content_hash = b""
                self.store.put(row)
            self.run.complete = False
            self.run.counts["sweep"] = {"refused": [DEAD_LETTERS]}
        self.run.ended, self.run.reason = time.time(), "finished"
        self.store.put_run(self.run)
        self.store.sync()
