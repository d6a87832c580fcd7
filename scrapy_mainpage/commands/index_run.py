"""Run of ``scrapy mainpage-index``: a feed, or dead letters, into indexes."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter, defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from scrapy_mainpage.commands.cli import Progress, Stop, show_log
from scrapy_mainpage.feeds import Feed
from scrapy_mainpage.indexes import IndexUnavailable, open_index
from scrapy_mainpage.indexes.delivery import (
    IndexWriter,
    Outbox,
    index_name,
)
from scrapy_mainpage.indexes.embedders import embedder_of
from scrapy_mainpage.indexes.search_records import records_of
from scrapy_mainpage.pipelines.index import outbox_path
from scrapy_mainpage.pipelines.index_documents import DocumentMaker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scrapy_mainpage.feeds import Entry
    from scrapy_mainpage.indexes import IndexDocument
    from scrapy_mainpage.indexes.delivery.outbox import Row
    from scrapy_mainpage.settings import Settings

_TICK_SECONDS: Final = 0.1
"""Time between updates of the progress while the writers are busy."""

MAX_LINES_PER_PROBLEM: Final = 5
"""Line numbers in the report, for each problem."""

#: Counts of :class:`.IndexWriter` in the report, and their words there.
_COUNTS: Final = {
    "put": "indexed",
    "embedded": "passages embedded",
    "deleted": "deleted",
    "superseded": "superseded by a later one of the same page",
    "dead": "failed",
    "lost": "lost",
}


class Writers:
    """A writer for each index; *tick* is called ten times a second while they are busy.

    Documents go directly into the indexes, as they are in a file anyway; those that
    finally fail are dead letters in the outbox.
    """

    def __init__(self, settings: Settings, tick: Callable[[], None]):
        self._embedder = embedder_of(settings)
        self._tick = tick
        self._writers: dict[str, IndexWriter] = {}

    def open(self, url: str, *, retry: bool = False) -> None:
        """Start the writer of an index; with *retry* it writes its dead letters.

        Raises :exc:`.IndexUnavailable`, or :exc:`.IndexFailure`, if it cannot be used.
        """
        open_index(url, embedder=self._embedder).close()
        outbox, embedder = outbox_path(), self._embedder
        writer = IndexWriter(url, outbox, embedder, direct=True, retry=retry)
        writer.start()
        self._writers[url] = writer

    def write(self, made: IndexDocument | str, urls: Iterable[str]) -> None:
        """Put a document into these indexes, or delete that of a URL from them."""
        for writer in (self._writers[url] for url in urls):
            while writer.pending >= writer.max_pending:
                self._wait()
            if isinstance(made, str):
                writer.delete(made)
            else:
                writer.put(made)

    def settle(self) -> None:
        """Return when everything is written that was put so far."""
        while self.pending:
            self._wait()

    def close(self) -> None:
        """Write everything, and close the indexes."""
        for end in [writer.close() for writer in self._writers.values()]:
            while not end.done():
                self._wait()
            end.result()
        for writer in self._writers.values():
            writer.stop()

    def _wait(self) -> None:
        time.sleep(_TICK_SECONDS)
        self._tick()

    @property
    def counts(self) -> dict[str, dict[str, float]]:
        """The counts of each index, by its URL without password."""
        return {each.shown_url: each.counts for each in self._writers.values()}

    def total(self, name: str) -> int:
        """The sum of a count over all indexes."""
        return int(sum(counts.get(name, 0) for counts in self.counts.values()))

    @property
    def is_lossy(self) -> bool:
        """Whether a document could not be written."""
        return bool(self.total("dead") or self.total("lost"))

    @property
    def pending(self) -> int:
        """Documents that are not written yet, over all indexes."""
        return sum(writer.pending for writer in self._writers.values())


#: Documents of which none has a heading that are worth a hint.
MIN_WITHOUT_HEADINGS: Final = 10


@dataclass
class IndexOutcome:
    """Counts of a run: entries read, their problems, and documents in each index.

    ``counts`` are by the index's URL without password; if the run ``is_unavailable``,
    one could not be used. ``line`` is the last one that was read. If the run
    ``is_stopped``, more lines follow; if it ``is_aborted``, ``pending`` documents are
    not written.
    """

    source: str
    noun: str = "items"
    read: int = 0
    line: int = 0
    seconds: float = 0.0
    counts: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    problems: Counter[str] = field(default_factory=Counter)
    is_stopped: bool = False
    is_aborted: bool = False
    is_unavailable: bool = False
    pending: int = 0
    without_headings: int = 0
    _lines: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def note(self, problem: str) -> None:
        """Count a problem of the line that was read last."""
        self.problems[problem] += 1
        lines = self._lines[problem]
        # Many items of a JSON list may be on one line.
        if len(lines) < MAX_LINES_PER_PROBLEM and self.line not in lines:
            lines.append(self.line)

    def total(self, name: str) -> int:
        """The sum of a count over all indexes."""
        return int(sum(counts.get(name, 0) for counts in self.counts.values()))

    @property
    def is_complete(self) -> bool:
        """Whether everything that was read is in the indexes."""
        return not (self.problems or self.total("dead") or self.total("lost"))

    def report(self) -> str:
        """The counts in a few lines."""
        lines = [f"{self.read:,} {self.noun} of {self.source} in {self.seconds:.1f} s"]
        lines += describe(self.counts)
        lines += [
            f"{self.verb}: {number:,}, {problem}{self._places(problem)}"
            for problem, number in self.problems.most_common()
        ]
        if MIN_WITHOUT_HEADINGS <= self.without_headings == self.total("put"):
            lines.append(
                f"without headings: {self.without_headings:,}; the feed needs the "
                "field headings, sections, markdown or html (MAINPAGE_ITEM_FIELDS)"
            )
        return "\n".join(lines)

    @property
    def verb(self) -> str:
        """The word for lines with a problem."""
        return "skipped" if self.noun == "items" else "kept"

    def _places(self, problem: str) -> str:
        if problem not in self._lines:
            return ""
        lines = self._lines[problem]
        is_cut = len(lines) == MAX_LINES_PER_PROBLEM < self.problems[problem]
        more = ", ..." if is_cut else ""
        noun = "line" if len(lines) == 1 else "lines"
        return f" ({noun} {', '.join(map(str, lines))}{more})"


def describe(counts: Mapping[str, Mapping[str, float]]) -> list[str]:
    """A line for each index with its counts."""
    return [f"{url}: {_summarize(each)}" for url, each in counts.items()]


def _summarize(counts: Mapping[str, float]) -> str:
    parts = [
        f"{counts[name]:,.0f} {word}{_reasons(counts) if name == 'dead' else ''}"
        for name, word in _COUNTS.items()
        if counts.get(name)
    ]
    return ", ".join(parts) or "nothing indexed"


def _reasons(counts: Mapping[str, float]) -> str:
    reasons = [
        f"{name.removeprefix('dead/')} {number:,.0f}"
        for name, number in counts.items()
        if name.startswith("dead/")
    ]
    return f" ({', '.join(reasons)})"


class IndexRun:
    """One run into the indexes of these URLs, with its progress on standard error."""

    def __init__(self, settings: Settings, urls: Sequence[str]):
        self._settings, self._urls = settings, urls
        self._progress = Progress(sys.stderr)
        self._stop = Stop()
        self._outcome = IndexOutcome("")
        self._share: float | None = None

    def index(self, name: str, form: str | None) -> IndexOutcome:
        """Index the feed of that name.

        Raises :exc:`~scrapy_mainpage.feeds.FeedError` or :exc:`.IndexUnavailable`
        before anything is indexed.
        """
        maker = DocumentMaker.from_settings(self._settings)
        with Feed(name, form) as feed:
            self._outcome = IndexOutcome(feed.name)
            with self._open_writers() as writers:
                for url in self._urls:
                    writers.open(url)
                for entry in self._stop.read(feed.entries()):
                    self._share = feed.share
                    if document := self._make(entry, maker):
                        self._outcome.without_headings += not document.headings
                        writers.write(document, self._urls)
                    self._tick()
        return self._outcome

    def _make(self, entry: Entry, maker: DocumentMaker) -> IndexDocument | None:
        """The document of an entry; a problem is noted."""
        outcome = self._outcome
        outcome.read, outcome.line = outcome.read + 1, entry.line
        made = entry.problem if entry.item is None else maker.make(entry.item)
        if isinstance(made, str):
            outcome.note(made)
            return None
        return made

    def write_records(self, name: str, form: str | None, records: str) -> IndexOutcome:
        """Print the records of the feed's items as JSON lines.

        Raises :exc:`~scrapy_mainpage.feeds.FeedError`.
        """
        maker = DocumentMaker.from_settings(self._settings, for_records=True)
        with Feed(name, form) as feed, self._stop:
            self._outcome = outcome = IndexOutcome(feed.name)
            for entry in self._stop.read(feed.entries()):
                if document := self._make(entry, maker):
                    for record in records_of(document, records):
                        sys.stdout.write(f"{json.dumps(record)}\n")
        outcome.is_stopped = self._stop.is_set
        return outcome

    def retry(self) -> IndexOutcome:
        """Index the dead letters of the outbox, and what killed crawls left in it.

        Those that fail again stay in it, and those for an index that cannot be used.
        Raises :exc:`.OutboxError`.
        """
        rows = outbox_rows()
        source = str(outbox_path())
        self._outcome = outcome = IndexOutcome(source, "documents", len(rows))
        known = {index_name(url): url for url in self._urls}
        with self._open_writers() as writers:
            for name, number in Counter(row.index_url for row in rows).items():
                if problem := self._retry(known.get(name, name), writers):
                    outcome.problems[f"{problem}: {name}"] += number
        return outcome

    def _retry(self, url: str, writers: Writers) -> str | None:
        """Write an index's dead letters; return the code of why that is impossible."""
        if "***" in url:
            return "no_password"
        try:
            writers.open(url, retry=True)
        except IndexUnavailable as exc:
            self._progress.say(str(exc))
            self._outcome.is_unavailable = True
            return "unavailable"
        return None

    @contextmanager
    def _open_writers(self) -> Iterator[Writers]:
        """The writers; at the end everything is written, unless Ctrl-C came twice."""
        writers = self._writers = Writers(self._settings, self._tick)
        outcome = self._outcome
        try:
            with show_log(self._progress), self._stop:
                try:
                    yield writers
                finally:
                    if not self._stop.is_urgent:
                        writers.close()
        except KeyboardInterrupt:
            outcome.is_aborted = True
        finally:
            self._progress.close()
            outcome.is_stopped = self._stop.is_set
            outcome.counts, outcome.pending = writers.counts, writers.pending
            outcome.seconds = self._progress.seconds

    def _tick(self) -> None:
        if self._progress.is_due:
            outcome, total = self._outcome, self._writers.total
            numbers = (
                (outcome.read, outcome.noun),
                (total("put"), "indexed"),
                (outcome.problems.total(), outcome.verb),
                (total("dead"), "failed"),
            )
            text = ", ".join(f"{number:,} {word}" for number, word in numbers if number)
            self._progress.show(text, self._share)


def outbox_rows() -> list[Row]:
    """What is in the project's outbox. Raises :exc:`.OutboxError`."""
    outbox = Outbox(outbox_path())
    try:
        return outbox.rows() if outbox.exists else []
    finally:
        outbox.close()
