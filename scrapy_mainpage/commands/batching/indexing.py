"""The pages of a batch into indexes, as those of a crawl."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scrapy_mainpage.commands.indexing.outcome import Outcome
from scrapy_mainpage.commands.indexing.writers import Writers
from scrapy_mainpage.indexes import IndexDocument
from scrapy_mainpage.indexes.delivery import Operation

if TYPE_CHECKING:
    import pyarrow as pa

    from scrapy_mainpage.settings import Settings

_TICK: Final = 0.05


class IndexOutput:
    """Writes documents into the indexes of these URLs, once they are open."""

    def __init__(
        self, settings: Settings, urls: Sequence[str], tick: Callable[[], None]
    ) -> None:
        self._urls, self._tick = urls, tick
        dead_letters = Path(settings.index_dead_letters)
        self._writers = Writers(settings, dead_letters, tick)

    def open(self) -> None:
        """Begin to write. Raises :exc:`.IndexUnavailable` if one cannot be used."""
        for url in self._urls:
            self._writers.open(url)

    def write(self, documents: pa.Array) -> None:
        """Take documents in JSON; where one is null nothing can be indexed."""
        for text in documents.drop_null().to_pylist():
            document = IndexDocument.from_dict(json.loads(text))
            self._writers.write(Operation.put(document), self._urls)

    def wait(self) -> None:
        """Return when all that was taken is in the indexes, or has failed for good."""
        while self._writers.pending:
            self._tick()
            time.sleep(_TICK)

    def close(self) -> None:
        """Write what is pending, and end."""
        self._writers.close()

    @property
    def is_complete(self) -> bool:
        """Whether all that was taken is in the indexes."""
        return not (self._writers.total("dead") or self._writers.total("lost"))

    def report(self) -> str:
        """What was written into each index, a line for each."""
        outcome = Outcome("", counts=self._writers.counts)
        return "\n".join(outcome.report().splitlines()[1:])
