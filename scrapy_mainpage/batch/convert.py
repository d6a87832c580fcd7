"""From a file of pages to a Parquet file of their extractions.

A file is in its place only when it is complete. With every engine its bytes are the
same: they depend on the pages and the options only.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from .extract import BatchExtractor, Extraction
from .locations import BatchError, Location
from .schema import Row, output_schema, to_batch
from .sources import MAX_ROWS, Opening, Source, in_batches

_KEY: Final = b"scrapy_mainpage"
"""Key of the file's metadata for its origin and, with a suffix, its totals."""

_ROW_GROUP_BYTES: Final = 16 * 2**20
"""Bytes of a row group, about, before compression."""

#: A function that extracts lists of rows, in order.
Extract = Callable[[Iterable[list[Row]]], Iterator[list[Row]]]


@dataclass(frozen=True)
class Conversion:
    """Options of a run; *options* are those that make outputs of one file differ.

    Without a *folder* no file is written.
    """

    extraction: Extraction
    opening: Opening = field(default_factory=Opening)
    folder: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def output(self, source: Location) -> Location:
        """The Parquet file for the pages of *source*."""
        name = f"{source.label or source.base}.parquet"
        return Location(self.folder or "").child(name)

    def origin(self, source: Location) -> dict[str, Any]:
        """What the file is made from. Raises ``OSError``."""
        name = source.label or source.base
        return {"source": name, "size": source.size, **self.options}

    def read_totals(self, source: Location) -> Counter[str] | None:
        """The totals of the output for *source*; ``None`` if it does not exist.

        Raises :exc:`.BatchError` if it was made from something else.
        """
        location = self.output(source)
        if not self.folder or not location.info:
            return None
        try:
            with location.open() as stream, pq.ParquetFile(stream) as file:
                metadata = file.metadata.metadata or {}
            known = json.loads(metadata.get(_KEY, b"{}"))
        except (OSError, pa.ArrowException, ValueError) as error:
            raise BatchError(f"{location}: {error}") from None
        if known != json.loads(json.dumps(self.origin(source))):
            raise BatchError(
                f"{location} was made from something else, or with other options: "
                "name another folder, or --overwrite it"
            )
        return Counter(json.loads(metadata[_KEY + b".totals"]))


class FileConversion:
    """The conversion of one file, with its counts so far.

    ``totals`` has ``pages``, ``words``, ``words_total``, and for each code of an error
    or of a record that is no page ``failed/CODE`` and ``skipped/CODE``.
    """

    def __init__(self, source: Location, conversion: Conversion) -> None:
        self.source, self._conversion = source, conversion
        self.totals: Counter[str] = Counter()
        self.share = 0.0

    def run(
        self,
        extract: Extract,
        receive: Callable[[list[Row]], None] = lambda rows: None,
        settle: Callable[[], None] = lambda: None,
    ) -> str | None:
        """Write the file; return the problem if it cannot be read or written.

        *receive* is called with the extracted rows; *settle*, before the file is put in
        its place.
        """
        try:
            self._run(extract, receive, settle)
        except (BatchError, OSError, pa.ArrowException) as error:
            return str(error) or type(error).__name__
        return None

    def _run(
        self,
        extract: Extract,
        receive: Callable[[list[Row]], None],
        settle: Callable[[], None],
    ) -> None:
        conversion, source = self._conversion, self.source
        schema = output_schema(conversion.extraction.extra)
        with ExitStack() as stack:
            pages = stack.enter_context(Source(source, conversion.opening))
            writer = None
            if conversion.folder:
                output = _write_parquet(conversion.output(source), schema)
                writer = stack.enter_context(output)
            for rows in extract(in_batches(pages.rows(), MAX_ROWS)):
                self.share = pages.share
                self._count(rows)
                receive(rows)
                if writer:
                    writer.write(to_batch(rows, schema))
            skipped = pages.skipped.items()
            self.totals.update({f"skipped/{code}": n for code, n in skipped})
            settle()
            if writer:
                origin = conversion.origin(source)
                writer.finish({"": origin, ".totals": self.totals})

    def _count(self, rows: list[Row]) -> None:
        for row in rows:
            if error := row.get("error"):
                self.totals[f"failed/{error}"] += 1
                continue
            self.totals["pages"] += 1
            for name in ("words", "words_total"):
                self.totals[name] += row[name]


class _Writer:
    """Writes batches in groups of rows."""

    def __init__(self, writer: pq.ParquetWriter) -> None:
        self._writer = writer
        self._batches: list[pa.RecordBatch] = []

    def write(self, batch: pa.RecordBatch) -> None:
        self._batches.append(batch)
        if sum(each.nbytes for each in self._batches) >= _ROW_GROUP_BYTES:
            self._write_group()

    def _write_group(self) -> None:
        if self._batches:
            self._writer.write_table(pa.Table.from_batches(self._batches))
        self._batches = []

    def finish(self, metadata: Mapping[str, Any]) -> None:
        self._write_group()
        pairs = {_KEY + k.encode(): json.dumps(v) for k, v in metadata.items()}
        self._writer.add_key_value_metadata(pairs)


@contextmanager
def _write_parquet(location: Location, schema: pa.Schema) -> Iterator[_Writer]:
    """Write a file under a hidden name, and rename it if there was no error."""
    part = location.sibling(f".{location.base}.{os.getpid()}.part")
    try:
        with (
            part.create() as stream,
            pq.ParquetWriter(stream, schema, compression="zstd") as writer,
        ):
            yield _Writer(writer)
        part.move(location)
    finally:
        part.delete()


def delete_leftovers(conversion: Conversion, sources: Sequence[Location]) -> None:
    """Delete the unfinished outputs of these files, of processes that were killed."""
    stems = {f".{conversion.output(source).base}" for source in sources}
    for each in Location(conversion.folder or "").files():
        stem, _, number = each.base.removesuffix(".part").rpartition(".")
        if stem in stems and number.isdigit():
            each.delete()


# --- In one process ------------------------------------------------------------


def extract_here(extraction: Extraction) -> Extract:
    """The function that extracts in this process."""
    extractor = BatchExtractor(extraction)

    def extract(batches: Iterable[list[Row]]) -> Iterator[list[Row]]:
        for rows in batches:
            yield [extractor.extract_row(row) for row in rows]

    return extract
