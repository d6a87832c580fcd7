"""Run of ``scrapy mainpage-index``: a feed, or dead letters, into indexes."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections import Counter
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Final

from scrapy_mainpage.commands.cli import (
    TERMINAL_PAUSE_SECONDS,
    Progress,
    interruptible,
    make_embedder,
)
from scrapy_mainpage.feeds import Feed
from scrapy_mainpage.indexes import IndexUnavailable, open_index
from scrapy_mainpage.indexes.outbox import Outbox, index_name
from scrapy_mainpage.indexes.search_records import records_of
from scrapy_mainpage.indexes.writer import IndexWriter
from scrapy_mainpage.pipelines.index import outbox_path
from scrapy_mainpage.pipelines.index_documents import DocumentMaker

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scrapy_mainpage.indexes import IndexDocument
    from scrapy_mainpage.indexes.embedders import Embedder
    from scrapy_mainpage.indexes.outbox import Row
    from scrapy_mainpage.settings import Settings

logger = logging.getLogger(__name__)

#: Documents on their way to an index, while more of the feed are not read.
MAX_PENDING: Final = 1_000

#: Documents of which none has a heading that are worth a hint.
MIN_WITHOUT_HEADINGS: Final = 10

#: Counts of :class:`.IndexWriter` in the report, and their words there.
_COUNTS: Final = {
    "put": "indexed",
    "embedded": "passages embedded",
    "deleted": "deleted",
    "superseded": "superseded by a later one of the same page",
    "dead": "failed",
    "lost": "lost",
}


class IndexRun:
    """One run into the indexes of these URLs, with its progress on standard error.

    Documents go directly into the indexes, as they are in a file anyway; those that
    finally fail are dead letters in the outbox. ``read`` counts the entries, ``line``
    is the last one. If the run ``is_stopped``, more lines follow; if it ``is_aborted``,
    documents are pending. If it ``is_unavailable``, an index could not be used.
    """

    def __init__(self, settings: Settings, urls: Sequence[str]):
        self.settings, self._urls = settings, urls
        self._source, self._noun = "", "items"
        self._progress = Progress(sys.stderr)
        self._writers: list[IndexWriter] = []
        self._problems: Counter[str] = Counter()
        self._first_lines: dict[str, int] = {}
        self._without_headings = 0
        self.read = self.line = 0
        self.is_stopped = self.is_aborted = self.is_unavailable = False

    def index(self, name: str, form: str | None) -> None:
        """Index the feed of that name.

        Raises :exc:`~scrapy_mainpage.feeds.FeedError`, :exc:`.IndexUnavailable` or
        :exc:`.IndexFailure` before anything is indexed.
        """
        with Feed(name, form) as feed, self._writing():
            for url in self._urls:
                self._open(url)
            maker = DocumentMaker.from_settings(self.settings)
            for document in self._documents(feed, maker):
                self._without_headings += not document.headings
                for writer in self._writers:
                    while writer.pending >= MAX_PENDING:
                        self._wait()
                    writer.put(document)
                self._tick()

    def write_records(self, name: str, form: str | None, records: str) -> None:
        """Print the records of the feed's items as JSON lines.

        Raises :exc:`~scrapy_mainpage.feeds.FeedError`.
        """
        maker = DocumentMaker.from_settings(self.settings, for_records=True)
        with Feed(name, form) as feed, self._stoppable(), interruptible():
            for document in self._documents(feed, maker):
                for record in records_of(document, records):
                    sys.stdout.write(f"{json.dumps(record)}\n")

    def _documents(self, feed: Feed, maker: DocumentMaker) -> Iterator[IndexDocument]:
        """The documents of a feed's items; problems are noted."""
        self._source = feed.name
        for entry in feed.entries():
            self.read, self.line = self.read + 1, entry.line
            made = entry.problem if entry.item is None else maker.make(entry.item)
            if not isinstance(made, str):
                yield made
                continue
            self._problems[made] += 1
            self._first_lines.setdefault(made, entry.line)

    def retry(self) -> None:
        """Index the dead letters of the outbox, and what killed crawls left in it.

        Those that fail again stay in it, and those for an index that cannot be used.
        Raises :exc:`.OutboxError`.
        """
        rows = outbox_rows()
        self._source, self._noun, self.read = str(outbox_path()), "documents", len(rows)
        known = {index_name(url): url for url in self._urls}
        with self._writing():
            for name, number in Counter(row.index_url for row in rows).items():
                url = known.get(name, name)
                if "***" in url:
                    self._problems[f"no_password: {name}"] += number
                    continue
                try:
                    self._open(url, retry=True)
                except IndexUnavailable as exc:
                    logger.warning("%s", exc)
                    self._problems[f"unavailable: {name}"] += number
                    self.is_unavailable = True

    # --- Writers ---------------------------------------------------------------

    @cached_property
    def _embedder(self) -> Embedder | None:
        return make_embedder(self.settings)

    def _open(self, url: str, *, retry: bool = False) -> None:
        """Start the writer of an index; with *retry* it writes its dead letters."""
        open_index(url, embedder=self._embedder).close()
        outbox, embedder = outbox_path(), self._embedder
        writer = IndexWriter(url, outbox, embedder, direct=True, retry=retry)
        writer.start()
        self._writers.append(writer)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """At the end everything is written, unless Ctrl-C came twice."""
        try:
            with self._progress, interruptible():
                try:
                    with self._stoppable():
                        yield
                finally:
                    self._close()
        except KeyboardInterrupt:
            self.is_aborted = True

    @contextmanager
    def _stoppable(self) -> Iterator[None]:
        """End the block at Ctrl-C."""
        try:
            yield
        except KeyboardInterrupt:
            self.is_stopped = True

    def _close(self) -> None:
        """Write everything, and close the indexes."""
        for end in [writer.close() for writer in self._writers]:
            while not end.done():
                self._wait()
            end.result()
        for writer in self._writers:
            writer.stop()

    def _wait(self) -> None:
        time.sleep(TERMINAL_PAUSE_SECONDS)
        self._tick()

    def _tick(self) -> None:
        if self._progress.is_due:
            numbers = (
                (self.read, self._noun),
                (self.total("put"), "indexed"),
                (self._problems.total(), self._verb),
                (self.total("dead"), "failed"),
            )
            text = ", ".join(f"{number:,} {word}" for number, word in numbers if number)
            self._progress.show(text)

    # --- Report ----------------------------------------------------------------

    def total(self, name: str) -> int:
        """The sum of a count over all indexes."""
        return int(sum(writer.counts.get(name, 0) for writer in self._writers))

    @property
    def pending(self) -> int:
        """Documents that are not written, over all indexes."""
        return sum(writer.pending for writer in self._writers)

    @property
    def is_complete(self) -> bool:
        """Whether everything that was read is in the indexes."""
        return not (self._problems or self.total("dead") or self.total("lost"))

    @property
    def _verb(self) -> str:
        """The word for entries with a problem."""
        return "skipped" if self._noun == "items" else "kept"

    def report(self) -> str:
        """The counts in a few lines."""
        seconds = self._progress.seconds
        lines = [f"{self.read:,} {self._noun} of {self._source} in {seconds:.1f} s"]
        lines += [
            f"{each.shown_url}: {_summary(each.counts)}" for each in self._writers
        ]
        lines += [
            f"{self._verb}: {number:,}, {problem}{self._place(problem)}"
            for problem, number in self._problems.most_common()
        ]
        if MIN_WITHOUT_HEADINGS <= self._without_headings == self.total("put"):
            lines.append(
                f"without headings: {self._without_headings:,}; the feed needs the "
                "field headings, sections, markdown or html (MAINPAGE_ITEM_FIELDS)"
            )
        return "\n".join(lines)

    def _place(self, problem: str) -> str:
        """The first line of a feed with a problem."""
        line = self._first_lines.get(problem)
        first = "first in " * (self._problems[problem] > 1)
        return f" ({first}line {line:,})" if line else ""


def _summary(counts: Mapping[str, float]) -> str:
    """The counts of an index, with the reasons of what failed."""
    reasons = ", ".join(
        f"{name.removeprefix('dead/')} {number:,.0f}"
        for name, number in counts.items()
        if name.startswith("dead/")
    )
    parts = [
        f"{counts[name]:,.0f} {word}{f' ({reasons})' if name == 'dead' else ''}"
        for name, word in _COUNTS.items()
        if counts.get(name)
    ]
    return ", ".join(parts) or "nothing indexed"


def outbox_rows() -> list[Row]:
    """What is in the project's outbox. Raises :exc:`.OutboxError`."""
    outbox = Outbox(outbox_path())
    try:
        return outbox.rows() if outbox.exists else []
    finally:
        outbox.close()
