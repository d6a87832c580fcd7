"""What runs in a process of a batch: it reads a part of a file, and extracts it."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

import pyarrow as pa

from ..processes.messages import Failure
from .errors import BatchError
from .extracting import BatchExtractor, Extraction, to_batch
from .reading import Chunk, chunks
from .schema import INPUT_SCHEMA
from .sources import Opening, Source, open_source


@dataclass(frozen=True)
class Setup:
    """How files are opened and pages extracted; ``limit`` is in seconds for a task."""

    extraction: Extraction
    opening: Opening
    limit: float


@dataclass(frozen=True)
class Task:
    """Some *rows* of a file to extract, of those from *start* to before *end*.

    If *start* is not ``exact``, they begin where something does. With a *verdict*, an
    error's code and message, they are not extracted: it is what becomes of them.
    """

    path: Path
    start: int
    end: int
    exact: bool
    rows: int
    verdict: tuple[str, str] | None = None


@dataclass(frozen=True)
class Answer:
    """The rows that were asked for, extracted, or none if all ``is_done``.

    They stand in the file from ``first`` to before ``next``, where something begins if
    that is ``exact``. ``seconds`` are of the processor, in the ``process`` of that
    number; ``skipped`` is what was left out.
    """

    batch: pa.RecordBatch | None
    first: int
    next: int
    is_done: bool = False
    seconds: float = 0.0
    skipped: Mapping[str, int] = field(default_factory=dict)
    exact: bool = True
    process: int = field(default_factory=os.getpid)


class Reader:
    """Does tasks; the next one goes on at once where the last one has ended."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._extractor = BatchExtractor(setup.extraction)
        self._source: Source | None = None
        self._at: tuple[Path, int, int, int] | None = None
        self._chunks: Iterator[Chunk] = iter(())

    def do(self, task: Task) -> Answer | Failure:
        """Read and extract; a file that cannot be read is a failure."""
        started = process_time()
        try:
            return self._done(task, started)
        except BatchError as error:
            return Failure(type(error).__name__, str(error))
        except Exception as error:  # noqa: BLE001 - it is that of one file
            return Failure(type(error).__name__, traceback.format_exc())

    def _done(self, task: Task, started: float) -> Answer:
        first = self._begun(task)
        chunk = next(self._chunks, None)
        if chunk is None:
            self.close()
            seconds = process_time() - started
            return Answer(None, first, first, is_done=True, seconds=seconds)
        self._at = (task.path, chunk.next, task.end, task.rows)
        rows = chunk.rows
        if task.verdict:
            error, message = task.verdict
            found = {"html": None, "error": error, "error_message": message}
            rows = [{**row, **found} for row in rows]
        batch = self._extractor.extract(to_batch(rows, INPUT_SCHEMA))
        seconds = process_time() - started
        return Answer(batch, first, chunk.next, False, seconds, dict(chunk.skipped))

    def _begun(self, task: Task) -> int:
        """Open the file where that is to be done; return where the rows begin."""
        if self._at == (task.path, task.start, task.end, task.rows):
            return task.start
        self.close()
        self._source = source = open_source(task.path, self._setup.opening)
        first = task.start if task.exact else source.locate(task.start)
        self._chunks = chunks(source.read(first, task.end), task.rows)
        return first

    def close(self) -> None:
        """Close the file that is being read."""
        self._at, self._chunks = None, iter(())
        if self._source is not None:
            self._source.close()
            self._source = None


def prepare(setup: Setup) -> Callable[[Task], Answer | Failure]:
    """Return the function that does tasks in a worker."""
    return Reader(setup).do
