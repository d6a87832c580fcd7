"""The writers of a command that fills indexes."""

from __future__ import annotations

from concurrent.futures import wait
from dataclasses import fields
from typing import TYPE_CHECKING, Final

from scrapy_mainpage.indexes import open_index
from scrapy_mainpage.indexes.delivery import IndexWriter, WriterOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Future
    from pathlib import Path

    from scrapy_mainpage.indexes.delivery import Operation
    from scrapy_mainpage.settings import Settings

_TICK: Final = 0.1
"""Seconds between looks at the progress while there is nothing else to do."""


class Writers:
    """A writer for each index; ``tick`` is called again and again while they are busy.

    What finally fails goes to the file of dead letters. There is no journal: what is
    written is in a file anyway.
    """

    def __init__(
        self, settings: Settings, dead_letters: Path, tick: Callable[[], None]
    ):
        self._options = _options(settings)
        self._dead_letters = dead_letters
        self._tick = tick
        self._writers: dict[str, IndexWriter] = {}

    def open(self, url: str) -> None:
        """Begin to write into the index, if that has not begun.

        Raises :exc:`.IndexUnavailable` if it cannot be used.
        """
        if url not in self._writers:
            open_index(url).close()
            writer = IndexWriter(url, self._dead_letters, self._options)
            writer.start()
            self._writers[url] = writer

    def write(self, operation: Operation, urls: Iterable[str]) -> None:
        """Write into these indexes, when there is room."""
        for url in urls:
            writer, document = self._writers[url], operation.document
            future = writer.put(document) if document else writer.delete(operation.url)
            if future is not None:
                self._wait(future)

    def close(self) -> None:
        """Return when all is written."""
        ends = [writer.close() for writer in self._writers.values()]
        for end in ends:
            self._wait(end)
        for writer in self._writers.values():
            writer.stop()

    def _wait(self, future: Future[None]) -> None:
        while not wait([future], _TICK).done:
            self._tick()
        future.result()

    @property
    def counts(self) -> dict[str, dict[str, float]]:
        """What was counted for each index, by its URL without password."""
        return {each.shown_url: each.counts for each in self._writers.values()}

    def total(self, name: str) -> int:
        """The sum of a count over all indexes."""
        return int(sum(counts.get(name, 0) for counts in self.counts.values()))

    @property
    def pending(self) -> int:
        """How many documents are not written yet, over all indexes."""
        return sum(writer.pending for writer in self._writers.values())


def _options(settings: Settings) -> WriterOptions:
    names = [item.name for item in fields(WriterOptions)]
    return WriterOptions(**{name: getattr(settings, f"index_{name}") for name in names})
