"""Run of ``scrapy mainpage-index``: a feed, or a file of dead letters, into indexes."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from concurrent.futures import wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scrapy_mainpage.commands.cli import Progress, Stop, show_log
from scrapy_mainpage.commands.retry_file import RetryFile
from scrapy_mainpage.feeds import Feed
from scrapy_mainpage.indexes import IndexUnavailable, open_index
from scrapy_mainpage.indexes.delivery import IndexWriter, Operation, WriterOptions
from scrapy_mainpage.indexes.delivery.dead_letters import read_letter
from scrapy_mainpage.indexes.search_records import records_of
from scrapy_mainpage.pipelines.index_documents import DocumentMaker
from scrapy_mainpage.redaction import redacted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Future

    from scrapy_mainpage.feeds import Entry
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

    Documents that finally fail go to the file of dead letters. No journal is written,
    as the documents are in a file anyway.
    """

    def __init__(
        self, settings: Settings, dead_letters: Path, tick: Callable[[], None]
    ):
        self._options = WriterOptions.of(settings)
        self._dead_letters = dead_letters
        self._tick = tick
        self._writers: dict[str, IndexWriter] = {}

    def open(self, url: str) -> None:
        """Start the writer of an index, unless it is running.

        Raises :exc:`.IndexUnavailable`, or :exc:`.IndexFailure`, if it cannot be used.
        """
        if url not in self._writers:
            open_index(url, embedder=self._options.embedder).close()
            writer = IndexWriter(url, self._dead_letters, self._options)
            writer.start()
            self._writers[url] = writer

    def write(self, operation: Operation, urls: Iterable[str]) -> None:
        """Write into these indexes, when their queues have room."""
        for url in urls:
            writer, document = self._writers[url], operation.document
            future = writer.put(document) if document else writer.delete(operation.url)
            if future is not None:
                self._wait(future)

    def close(self) -> None:
        """Return when everything is written."""
        ends = [writer.close() for writer in self._writers.values()]
        for end in ends:
            self._wait(end)
        for writer in self._writers.values():
            writer.stop()

    def _wait(self, future: Future[None]) -> None:
        while not wait([future], _TICK_SECONDS).done:
            self._tick()
        future.result()

    @property
    def counts(self) -> dict[str, dict[str, float]]:
        """The counts of each index, by its URL without password."""
        return {each.shown_url: each.counts for each in self._writers.values()}

    def total(self, name: str) -> int:
        """The sum of a count over all indexes."""
        return int(sum(counts.get(name, 0) for counts in self.counts.values()))

    @property
    def pending(self) -> int:
        """Documents that are not written yet, over all indexes."""
        return sum(writer.pending for writer in self._writers.values())


#: Documents of which none has a heading that are worth a hint.
MIN_WITHOUT_HEADINGS: Final = 10


@dataclass
class IndexOutcome:
    """Counts of a run: entries read, their problems, and documents in each index.

    ``counts`` are by the index's URL without password. ``unavailable`` indexes could
    not be used. ``line`` is the last one that was read. If the run ``is_stopped``, more
    lines follow; if it ``is_aborted``, ``pending`` documents are not written.
    """

    source: str
    noun: str = "items"
    read: int = 0
    line: int = 0
    seconds: float = 0.0
    counts: dict[str, dict[str, float]] = field(default_factory=dict)
    problems: Counter[str] = field(default_factory=Counter)
    is_stopped: bool = False
    is_aborted: bool = False
    unavailable: set[str] = field(default_factory=set)
    pending: int = 0
    without_headings: int = 0
    _lines: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def note(self, problem: str, line: int) -> None:
        """Count a problem of the line."""
        self.problems[problem] += 1
        lines = self._lines[problem]
        # Many items of a JSON list may be on one line.
        if len(lines) < MAX_LINES_PER_PROBLEM and line not in lines:
            lines.append(line)

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
            f"{self.verb}: {number:,}, {problem} ({self._places(problem)})"
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
        lines = self._lines[problem]
        is_cut = len(lines) == MAX_LINES_PER_PROBLEM < self.problems[problem]
        more = ", ..." if is_cut else ""
        noun = "line" if len(lines) == 1 else "lines"
        return f"{noun} {', '.join(map(str, lines))}{more}"


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
        dead_letters = Path(self._settings.index_dead_letters)
        with Feed(name, form) as feed:
            self._outcome = IndexOutcome(feed.name)
            with self._open_writers(dead_letters) as writers:
                for url in self._urls:
                    writers.open(url)
                for entry in self._stop.read(feed.entries()):
                    self._begin(entry.line, feed.share)
                    self._index(entry, maker, writers)
        return self._outcome

    def _index(self, entry: Entry, maker: DocumentMaker, writers: Writers) -> None:
        made = entry.problem if entry.item is None else maker.make(entry.item)
        if isinstance(made, str):
            self._outcome.note(made, entry.line)
        else:
            self._outcome.without_headings += not made.headings
            writers.write(Operation.put(made), self._urls)

    def write_records(self, name: str, form: str | None, records: str) -> IndexOutcome:
        """Print the records of the feed's items as JSON lines.

        Raises :exc:`~scrapy_mainpage.feeds.FeedError`.
        """
        maker = DocumentMaker.for_records(self._settings)
        with Feed(name, form) as feed, self._stop:
            self._outcome = outcome = IndexOutcome(feed.name)
            for entry in self._stop.read(feed.entries()):
                outcome.read, outcome.line = outcome.read + 1, entry.line
                made = entry.problem if entry.item is None else maker.make(entry.item)
                if isinstance(made, str):
                    outcome.note(made, entry.line)
                    continue
                for record in records_of(made, records):
                    sys.stdout.write(f"{json.dumps(record)}\n")
        outcome.is_stopped = self._stop.is_set
        return outcome

    def retry(self, path: Path) -> IndexOutcome:
        """Index the documents of a file of dead letters.

        Those that fail again stay in it, and those for an index that is unknown or
        cannot be used. Raises :exc:`.RetryError` and loses no letter then.
        """
        file = RetryFile(path)
        self._outcome = outcome = IndexOutcome(str(path), "letters")
        with file.acquire():
            with self._open_writers(file.failed) as writers:
                for number, line, share in self._stop.read(file.lines()):
                    self._begin(number, share)
                    if problem := self._retry(line, writers):
                        outcome.note(problem, number)
                        file.keep([line])
            if not outcome.is_aborted:
                lines, last = file.lines(), outcome.line
                rest = file.keep(line for number, line, _ in lines if number > last)
                kept = outcome.problems.total() + outcome.total("dead")
                file.finish(kept + outcome.total("lost") + rest)
        return outcome

    def _retry(self, line: bytes, writers: Writers) -> str | None:
        """Write the letter's document; return the code of why that is impossible."""
        letter = read_letter(line, f"{self._outcome.source}:{self._outcome.line}")
        if letter is None:
            return "no_letter"
        known = (url for url in self._urls if redacted(url) == letter.index)
        url = next(known, letter.index)
        if "***" in url:
            return "no_password"
        if not self._is_open(url, writers):
            return "unavailable"
        writers.write(letter.operation, [url])
        return None

    def _is_open(self, url: str, writers: Writers) -> bool:
        if url not in self._outcome.unavailable:
            try:
                writers.open(url)
            except IndexUnavailable as exc:
                self._progress.say(str(exc))
                self._outcome.unavailable.add(url)
        return url not in self._outcome.unavailable

    @contextmanager
    def _open_writers(self, dead_letters: Path) -> Iterator[Writers]:
        """The writers; at the end everything is written, unless Ctrl-C came twice."""
        writers = self._writers = Writers(self._settings, dead_letters, self._tick)
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

    def _begin(self, line: int, share: float | None) -> None:
        self._outcome.read += 1
        self._outcome.line = line
        self._share = share
        self._tick()

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
