"""From a file of pages to a Parquet file of their extractions, in one process.

Each file is one such task, with every engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from time import process_time
from typing import Any, Final, NamedTuple

import pyarrow as pa

from .batch_errors import BatchError
from .extract import BatchExtractor, Extraction
from .formats import MAX_ROWS, Opening, Source
from .locations import Location
from .outputs import (
    ParquetOutput,
    Totals,
    origin_of,
    output_location,
    waiting_location,
)
from .schema import DOCUMENT, output_schema, to_batch


class Result(NamedTuple):
    """The totals of a file, or the problem that kept it from being read."""

    path: str
    totals: str | None = None
    problem: str | None = None


#: Answer of a task for each file: its totals in JSON, or the problem that ended it.
RESULT: Final = pa.schema([(name, pa.string()) for name in Result._fields])


@dataclass(frozen=True)
class Conversion:
    """Options of a run: files go to *folder*, documents of indexes to *documents*.

    *options* are those that make outputs of one file differ; *labels* are those of
    files, by path, that are not named by its last part.
    """

    extraction: Extraction
    opening: Opening
    folder: str | None = None
    documents: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def locate(self, path: str) -> Location:
        """The file at a path, with its label."""
        return Location(path, self.labels.get(path))


class Watcher:
    """Sees each page of a file before and after its extraction."""

    def begin(self, number: int, share: float) -> dict[str, Any] | None:
        """Note a page; the row of an error passes it over."""

    def end(self) -> None:
        """Note the end of the page's extraction."""


def convert(
    source: Location, conversion: Conversion, watcher: Watcher | None = None
) -> Totals:
    """Write the Parquet file for the pages in a file, and return its totals.

    Documents for indexes become a file of their own; the other one then waits for
    :func:`publish`. Raises :exc:`.BatchError` if the file cannot be read, ``OSError``
    if an output cannot be written.
    """
    started = process_time()
    watcher = watcher or Watcher()
    extractor = BatchExtractor(conversion.extraction)
    totals = Totals()
    with ExitStack() as stack:
        pages = stack.enter_context(Source(source, conversion.opening))
        outputs = [
            (stack.enter_context(output), names)
            for output, names in _make_outputs(source, conversion)
        ]
        rows: list[dict[str, Any]] = []

        def write() -> None:
            batch = to_batch(rows, extractor.schema)
            totals.add_batch(batch)
            for output, names in outputs:
                output.write(batch.select(names))
            rows.clear()

        for number, given in enumerate(pages.read(totals.skipped)):
            if error := watcher.begin(number, pages.share):
                given = {**given, "html": None, **error}
            rows.append(extractor.extract_row(given))
            watcher.end()
            if len(rows) >= MAX_ROWS:
                write()
        write()
        totals.seconds = process_time() - started
        for output, _ in outputs:
            output.finish(totals)
    return totals


def _make_outputs(
    source: Location, conversion: Conversion
) -> Iterator[tuple[ParquetOutput, list[str]]]:
    """The output for the pages and that for documents, each with its columns."""
    schema = output_schema(conversion.extraction.extra)
    if conversion.folder:
        place = waiting_location if conversion.documents else output_location
        target = place(Location(conversion.folder), source)
        origin = origin_of(source, conversion.options)
        yield ParquetOutput(target, schema, origin), schema.names
    if conversion.documents:
        target = output_location(Location(conversion.documents), source)
        names = ("url", "error", DOCUMENT)
        schema = pa.schema([pa.field(name, pa.string()) for name in names])
        yield ParquetOutput(target, schema, {}), schema.names


def publish(source: Location, folder: Location) -> None:
    """Put the file for the pages of *source* in its place."""
    waiting_location(folder, source).move(output_location(folder, source))


def make_task(
    conversion: Conversion,
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function that a cluster calls with batches of paths, for :data:`RESULT`."""

    def convert_all(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            paths = batch.column("path").to_pylist()
            results = [try_convert(path, conversion)._asdict() for path in paths]
            yield pa.RecordBatch.from_pylist(results, schema=RESULT)

    return convert_all


def try_convert(
    path: str, conversion: Conversion, watcher: Watcher | None = None
) -> Result:
    """:func:`convert`, with the problem of the file instead of an error."""
    try:
        totals = convert(conversion.locate(path), conversion, watcher)
    except (BatchError, OSError, pa.ArrowException) as error:
        return Result(path, problem=str(error))
    return Result(path, totals.to_json())
