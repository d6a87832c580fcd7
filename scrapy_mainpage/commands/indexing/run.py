"""Filling indexes from a feed, or from a file of dead letters."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_mainpage.commands.progress import Progress, shown_log
from scrapy_mainpage.feeds import Feed
from scrapy_mainpage.indexes import IndexUnavailable
from scrapy_mainpage.indexes.delivery import Operation
from scrapy_mainpage.indexes.delivery.dead_letters import read_letter
from scrapy_mainpage.indexes.errors import redacted
from scrapy_mainpage.pipelines.index_documents import DocumentMaker

from .outcome import Outcome
from .retryfile import RetryFile
from .stopping import Stop
from .writers import Writers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scrapy_mainpage.feeds import Entry
    from scrapy_mainpage.settings import Settings


class IndexRun:
    """One run, into the indexes of these URLs; says how far it is on standard error."""

    def __init__(self, settings: Settings, urls: Sequence[str]):
        self._settings, self._urls = settings, urls
        self._progress = Progress(sys.stderr)
        self._stop = Stop()
        self._outcome = Outcome("")
        self._share: float | None = None

    def index(self, name: str, form: str | None) -> Outcome:
        """Index the feed of that name.

        Raises :exc:`~scrapy_mainpage.feeds.FeedError` or :exc:`.IndexUnavailable`, and
        nothing is done then.
        """
        maker = DocumentMaker.from_settings(self._settings)
        dead_letters = Path(self._settings.index_dead_letters)
        with Feed(name, form) as feed:
            self._outcome = Outcome(feed.name)
            with self._writing(dead_letters) as writers:
                for url in self._urls:
                    writers.open(url)
                for entry in self._stop.reading(feed.entries()):
                    self._begin(entry.line, feed.share)
                    self._index(entry, maker, writers)
        return self._outcome

    def _index(self, entry: Entry, maker: DocumentMaker, writers: Writers) -> None:
        made = entry.problem if entry.item is None else maker.make(entry.item)
        if isinstance(made, str):
            self._outcome.note(made, entry.line)
        else:
            writers.write(Operation.put(made), self._urls)

    def retry(self, path: Path) -> Outcome:
        """Work off the file of dead letters.

        What fails again stays in it, as does what is for an index that is not known
        here or cannot be used. Raises :exc:`.RetryError`, and nothing is lost then.
        """
        file = RetryFile(path)
        self._outcome = outcome = Outcome(str(path), "letters")
        with file.taken():
            with self._writing(file.failed) as writers:
                for number, line, share in self._stop.reading(file.lines()):
                    self._begin(number, share)
                    if problem := self._retry(line, writers):
                        outcome.note(problem, number)
                        file.keep([line])
            if not outcome.is_aborted:
                rest = file.keep(file.lines_after(outcome.line))
                kept = outcome.problems.total() + outcome.total("dead")
                file.finish(kept + outcome.total("lost") + rest)
        return outcome

    def _retry(self, line: bytes, writers: Writers) -> str | None:
        """Write what is in the letter; return what is in the way."""
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
    def _writing(self, dead_letters: Path) -> Iterator[Writers]:
        """The writers; in the end all is written, unless it is stopped twice."""
        writers = self._writers = Writers(self._settings, dead_letters, self._tick)
        outcome = self._outcome
        try:
            with shown_log(self._progress), self._stop:
                try:
                    yield writers
                finally:
                    if not self._stop.is_urgent:
                        writers.close()
        except KeyboardInterrupt:
            outcome.is_aborted = True
        finally:
            self._progress.clear()
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
