"""Where the pages of each file go to: a Parquet file, indexes, or both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_mainpage.batch.converting import Conversion
from scrapy_mainpage.batch.outputs import ParquetOutput, origin_of, output_path
from scrapy_mainpage.batch.schema import DOCUMENT, output_schema
from scrapy_mainpage.batch.totals import Totals

if TYPE_CHECKING:
    from scrapy_mainpage.batch.worker import Answer

    from .indexing import IndexOutput


@dataclass(frozen=True)
class Work:
    """What is to be done: *folder* and *indexes* are where results go to."""

    conversion: Conversion
    folder: Path | None
    indexes: Sequence[str] = ()
    engine: str = "local"
    processes: int | None = None
    address: str | None = None
    overwrite: bool = False


class Output:
    """Where the rows of one file go to: a Parquet file, indexes, or both."""

    def __init__(self, work: Work, path: Path, index: IndexOutput | None) -> None:
        self.path = path
        self._index = index
        self._file: ParquetOutput | None = None
        self._totals = Totals()
        if work.folder is not None:
            schema = output_schema(work.conversion.setup.extraction.extra)
            origin = origin_of(path, work.conversion.making)
            target = output_path(work.folder, path)
            self._file = ParquetOutput(target, schema, origin)

    @property
    def totals(self) -> Totals:
        """What was written."""
        return self._file.totals if self._file else self._totals

    def take(self, answer: Answer) -> None:
        """Write the rows of an answer."""
        self.totals.seconds += answer.seconds
        self.totals.skipped.update(answer.skipped)
        batch = answer.batch
        if batch is None:
            return
        if self._index is not None:
            self._index.write(batch.column(DOCUMENT))
            batch = batch.drop_columns([DOCUMENT])
        if self._file is not None:
            self._file.write(batch)
        else:
            self._totals.add_batch(batch)

    def finish(self) -> None:
        """Put the file in its place, when what it holds is in the indexes."""
        if self._file is not None:
            if self._index is not None:
                self._index.wait()
            self._file.finish()

    def close(self) -> None:
        """Leave no half of a file."""
        if self._file is not None:
            self._file.close()


class Outputs:
    """The output of the file that is read now: one at a time."""

    def __init__(self, work: Work, index: IndexOutput | None) -> None:
        self._work, self._index = work, index
        self._current: Output | None = None

    def of(self, path: Path) -> Output:
        """The output for a file; that of the one before ends."""
        if self._current is None or self._current.path != path:
            self.close()
            self._current = Output(self._work, path, self._index)
        return self._current

    def close(self) -> None:
        """Leave no half of a file."""
        if self._current is not None:
            self._current.close()
            self._current = None

    def __enter__(self) -> Outputs:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
