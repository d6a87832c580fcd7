"""What is left at the end of a run: pages to ask for again, documents that are gone."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

from ..crawl.crawl_ledger import CrawlLedger
from ..crawl.crawl_scope import STATE_KEY, load_request, request_hash
from ..crawl.crawl_state import Component
from ..indexes import IndexFailure, IndexUnavailable, open_index
from ..indexes.documents import storable_text
from ..memory import judgement
from ..memory.tables import UNKNOWN_CONTENT
from ..pipelines.index import IndexPipeline
from ..redaction import redacted
from ..settings import DELETE, OFF

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scrapy import Request
    from scrapy.crawler import Crawler

    from ..memory import Memory, PageRow
    from ..memory.judgement import Verdict

logger = logging.getLogger(__name__)

MAX_LISTED: Final = 5


class Sweep(Component):
    """Finds what the run has missed, then deletes or reports what is gone.

    ``refusals`` are reasons to delete nothing, ``counts`` what became of documents.
    The documents of *foreign* indexes, which another memory knew, are taken over first.
    """

    def __init__(self, crawler: Crawler, ledger: CrawlLedger, *, was_broken: bool):
        super().__init__(crawler)
        self.ledger = ledger
        self.foreign: list[str] = []
        self.refusals: set[str] = set()
        self.counts: dict[str, Any] = {}
        self._was_broken = was_broken
        self._asked_again: set[int] = set()

    @property
    def index(self) -> IndexPipeline | None:
        """The pipeline that writes the indexes, if there are any."""
        return self.crawler.get_item_pipeline(IndexPipeline)

    # --- What is missing --------------------------------------------------------------

    def missing(self) -> list[PageRow]:
        """Return pages that are to be asked for again, each once in a crawl."""
        ledger, store = self.ledger, self.ledger.store
        found: list[PageRow] = []
        if self._was_broken or ledger.crawl:  # a worker may have been killed
            lost = "requested_run = :run AND coalesce(last_seen_run, 0) <> :run"
            values = {"scope": ledger.scope, "run": ledger.run.id}
            found += store.select(f"scope = :scope AND {lost}", **values)
        if self.settings.sweep != OFF:
            for url in self.foreign:
                self._adopt(url)
            self.foreign = []
            if not self.find_refusals():
                found += store.to_check_again(ledger.scope, ledger.run.id)
        rows = {row.id: row for row in found if row.id not in self._asked_again}
        # Also those that have just been asked for, and stepped back then.
        for row in ledger.stepped_back():
            ledger.settled.add(row.id)
            ledger.fetch_whole(row)
            rows[row.id] = row
        return [*rows.values()]

    def ask_again(self, row: PageRow) -> Request | None:
        """Return the request for a page that is missing, if it can be made."""
        self._asked_again.add(row.id)
        request = load_request(row, self.ledger.spider)
        if request is None:
            return None
        request = request.replace(dont_filter=True)
        request.meta[STATE_KEY] = request_hash(row.request)
        if row.requested_run != self.ledger.run.id:  # no links to it: none beyond it
            request.meta["depth"] = self.crawler.settings.getint("DEPTH_LIMIT")
        self.count("state/asked_again")
        return request

    def _adopt(self, url: str) -> None:
        """Take documents of an index for the scope's that are known in no scope.

        They are on the hosts of the crawl: the memory of them was lost.
        """
        ledger = self.ledger
        came = "scope = :scope AND last_ok IS NOT NULL"
        pages = ledger.store.count("url", came, scope=ledger.scope)
        hosts = {urlsplit(page)[:2] for (page,) in pages if isinstance(page, str)}
        try:
            for address in _addresses_in(url, hosts):
                known = ledger.store.in_all_scopes(address)
                if all(each.content_hash is None for each in known):
                    row = ledger.store.page(ledger.scope, address)
                    row.content_hash = UNKNOWN_CONTENT
                    ledger.store.put(row)
        except (IndexUnavailable, IndexFailure, ValueError) as error:
            self.log(logging.WARNING, "The index cannot be listed: %s", error)

    # --- Refusals ---------------------------------------------------------------------

    def find_refusals(self) -> set[str]:
        """Return the reasons to delete nothing that are known by now."""
        ledger = self.ledger
        found = judgement.find_refusals(ledger.store, ledger.scope, ledger.run.id)
        self.note_own_refusals()
        self.refusals |= found
        return self.refusals

    def note_own_refusals(self) -> None:
        """Note what this process has met, which no row says."""
        if any(self.ledger.robots_failed.values()):
            self.refusals.add(judgement.ROBOTS_FAILED)
        if self._was_broken:
            self.refusals.add(judgement.QUEUE_BROKEN)
        if self.index is not None and self.index.failed_urls:
            self.refusals.add(judgement.DEAD_LETTERS)

    def share_refusals(self, *, is_leader: bool) -> None:
        """Tell the worker that sweeps what this one has met, or read it."""
        store = self.ledger.store
        for reason in judgement.REFUSALS:
            name = f"refused {self.ledger.run.id} {reason}"
            if not is_leader and reason in self.refusals:
                store.put_fact(name, "yes")
            elif store.fact(name):
                self.refusals.add(reason)

    # --- The sweep --------------------------------------------------------------------

    async def sweep(self) -> None:
        """Delete, report or keep the documents that are gone."""
        if self.settings.sweep == OFF:
            return
        ledger = self.ledger
        verdicts = judgement.judge(ledger.store, ledger.scope, ledger.run.id)
        going = [each for each in verdicts if each.gone]
        total = ledger.store.count_documents(ledger.scope)
        if judgement.is_over_share(len(going), total, self.settings.sweep_share):
            self.refusals.add(judgement.OVER_SHARE)
        self.find_refusals()
        self._note(verdicts)
        if self.refusals:
            self.refuse(going)
        elif self.settings.sweep == DELETE:
            await self._delete(going)
        else:
            self._report(going)

    def _note(self, verdicts: list[Verdict]) -> None:
        """Write the verdicts, for ``scrapy mainpage-sweep``."""
        ledger, store = self.ledger, self.ledger.store
        doubted = {each.document.url for each in verdicts if each.gone}
        marked = "scope = :scope AND verdict IS NOT NULL"
        for row in store.select(marked, scope=ledger.scope):
            if row.url not in doubted:
                row.verdict = None
                store.put(row)
        for each in verdicts:
            each.document.verdict = each.gone
            store.put(each.document)
            for page in store.pages([each.document.parent or 0]):
                ledger.fetch_whole(page)
        kept = Counter(each.kept for each in verdicts if each.kept)
        if unseen := store.count_unseen(ledger.scope, ledger.run.id):
            kept["unseen"] = unseen
        if kept:
            self.count("sweep/kept", kept.total())
        self.counts["kept"] = dict(kept)

    async def _delete(self, going: list[Verdict]) -> None:
        for each in going:
            url = each.document.url
            self.log(logging.DEBUG, "Deleted (%s): %s", each.gone, url)
            if self.index is not None:
                await self.index.delete(url)
            self.ledger.deleted(url)
        self.counts["deleted"] = reasons = _reasons(going)
        if going:
            self.count("sweep/deleted", len(going))
            self.log(logging.INFO, "Sweep: %d deleted: %s", len(going), reasons)

    def _report(self, going: list[Verdict]) -> None:
        self.counts["would_delete"] = _reasons(going)
        if going:
            self.count("sweep/would_delete", len(going))
            line = "Sweep: %s. To delete them: scrapy mainpage-sweep --apply, or %s"
            setting = 'MAINPAGE_SWEEP = "delete"'
            self.log(logging.WARNING, line, _summary(going), setting)

    def refuse(self, going: Iterable[Verdict] = ()) -> None:
        """Delete nothing, and say why."""
        listed, reasons = list(going), sorted(self.refusals)
        self.counts["refused"] = reasons
        for reason in reasons:
            self.count(f"sweep/refused/{reason}")
        why = "; ".join(judgement.REFUSALS[reason] for reason in reasons)
        more = f". {_summary(listed)}: see scrapy mainpage-sweep" if listed else ""
        # Who ends a crawl knows that it is not complete.
        is_ended = reasons == [judgement.NOT_FINISHED]
        level = logging.WARNING if is_ended else logging.ERROR
        self.log(level, "Sweep refused, nothing is deleted: %s%s", why, more)


def _reasons(going: Iterable[Verdict]) -> dict[str, int]:
    return dict(Counter(str(each.gone) for each in going))


def _summary(going: list[Verdict]) -> str:
    reasons = judgement.count_reasons(str(each.gone) for each in going)
    shown = ", ".join(each.document.url for each in going[:MAX_LISTED])
    more = ", ..." if len(going) > MAX_LISTED else ""
    return f"{len(going)} documents would go ({reasons}): {shown}{more}"


# --- Marks of indexes: whether one is as the last crawl of a scope left it -----------


def find_foreign(memory: Memory, scope: int, urls: Iterable[str]) -> list[str]:
    """Return the indexes that were made anew, or are older copies, or are not known.

    They have another mark than the memory.
    """
    foreign = []
    for url in urls:
        known, found = memory.fact(_name(url, scope)), ""
        try:
            with open_index(url) as index:
                found = index.mark(_mark(memory, scope)) or ""
        except (IndexUnavailable, IndexFailure) as error:
            logger.warning("The mark of the index cannot be read: %s", error)
        if known is not None and known != found:
            line = "%s is not as the last crawl left it: all pages are written again"
            logger.warning(line, redacted(url))
        if known != found:
            foreign.append(url)
    return foreign


def put_marks(
    memory: Memory, scope: int, urls: Iterable[str], *, is_known: bool = True
) -> None:
    """Give the indexes a new mark, which the memory knows unless it has failed."""
    for url in urls:
        mark = uuid4().hex
        try:
            with open_index(url) as index:
                is_kept = index.put_mark(_mark(memory, scope), mark)
        except (IndexUnavailable, IndexFailure) as error:
            logger.warning("The index cannot be marked: %s", error)
            continue
        if is_known:
            memory.put_fact(_name(url, scope), mark if is_kept else "")


def _name(url: str, scope: int) -> str:
    return f"index {scope} {redacted(url)}"


def _mark(memory: Memory, scope: int) -> str:
    return f"{memory.id} {scope}"


def _addresses_in(url: str, hosts: set[tuple[str, str]]) -> Iterator[str]:
    """Yield the addresses of the documents of an index that are on these hosts."""
    with open_index(url, read_only=True) as index:
        for address in map(storable_text, index.urls()):
            if urlsplit(address)[:2] in hosts:
                yield address
