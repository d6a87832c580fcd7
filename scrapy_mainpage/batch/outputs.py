"""One Parquet file for each input file, in its place only when it is complete."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .batch_errors import BatchError
from .locations import Location

if TYPE_CHECKING:
    from typing_extensions import Self

_KEY: Final = b"scrapy_mainpage"
"""Key of the file's metadata for its origin and, with a suffix, its totals."""

_ROW_GROUP_BYTES: Final = 16 * 2**20
"""Bytes of a row group, about, before compression."""


_PART: Final = re.compile(r"\.(parquet|waiting)\.\d+\.part$")
"""End of the hidden name of an output that is being written."""


@dataclass
class Totals:
    """Counts of rows, of one file or of a run.

    ``pages`` are rows without an error, ``failed`` the others by their code,
    ``skipped`` the records that are not pages. ``size`` are bytes of HTML, ``seconds``
    of processor time.
    """

    pages: int = 0
    words: int = 0
    words_total: int = 0
    size: int = 0
    seconds: float = 0.0
    failed: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)

    def add_batch(self, batch: pa.RecordBatch) -> None:
        """Count the rows of an extracted batch."""
        errors = batch.column("error")
        self.pages += errors.null_count
        for name in ("words", "words_total", "size"):
            total = pc.sum(batch.column(name)).as_py() or 0
            setattr(self, name, getattr(self, name) + total)
        self.failed.update(errors.drop_null().to_pylist())

    def add(self, other: Totals) -> None:
        """Add the counts of another file."""
        for name in ("pages", "words", "words_total", "size", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.failed.update(other.failed)
        self.skipped.update(other.skipped)

    def to_json(self) -> str:
        """The counts in JSON."""
        return json.dumps(vars(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> Totals:
        """The counts that :meth:`to_json` wrote."""
        data = json.loads(text)
        counters = {name: Counter(data[name]) for name in ("failed", "skipped")}
        return cls(**{**data, **counters})


def output_location(folder: Location, source: Location) -> Location:
    """The Parquet file for the pages of *source*."""
    return folder.child(f"{source.label}.parquet")


def waiting_location(folder: Location, source: Location) -> Location:
    """The complete file for the pages of *source* that are not in an index yet."""
    return folder.child(f".{source.label}.waiting")


def origin_of(source: Location, options: Mapping[str, Any]) -> dict[str, Any]:
    """The identity of a file that is made from *source*. Raises ``OSError``."""
    return {"source": source.label, "size": source.size, **options}


def read_totals(location: Location, origin: Mapping[str, Any]) -> Totals | None:
    """The totals of an output file; ``None`` if it does not exist.

    Raises :exc:`.BatchError` if it was not made from that origin.
    """
    if not location.exists:
        return None
    try:
        with location.open() as stream, pq.ParquetFile(stream) as file:
            known = json.loads((file.schema_arrow.metadata or {}).get(_KEY, b"{}"))
            totals = (file.metadata.metadata or {}).get(_KEY + b".totals", b"{}")
    except (OSError, pa.ArrowException, ValueError) as error:
        raise BatchError(f"{location}: {error}") from None
    if known != json.loads(json.dumps(origin)):
        raise BatchError(
            f"{location} was made from something else, or with other options: "
            "name another folder, or --overwrite it"
        )
    return Totals.from_json(totals)


class ParquetOutput:
    """Writes a Parquet file under a hidden name beside its place.

    :meth:`finish` renames it. A context manager: an unfinished file is deleted. Raises
    ``OSError``.
    """

    def __init__(
        self, location: Location, schema: pa.Schema, origin: Mapping[str, Any]
    ) -> None:
        self._location = location
        name = location.base.removeprefix(".")
        self._part = location.sibling(f".{name}.{os.getpid()}.part")
        metadata = {**(schema.metadata or {}), _KEY: json.dumps(origin).encode()}
        self._schema = schema.with_metadata(metadata)
        self._stream = self._part.create()
        self._writer = pq.ParquetWriter(self._stream, self._schema, compression="zstd")
        self._batches: list[pa.RecordBatch] = []
        self._bytes = 0
        self._is_finished = False

    def write(self, batch: pa.RecordBatch) -> None:
        """Write the rows of a batch."""
        self._batches.append(batch)
        self._bytes += batch.nbytes
        if self._bytes >= _ROW_GROUP_BYTES:
            self._write_group()

    def _write_group(self) -> None:
        schema = self._batches[0].schema
        table = pa.Table.from_batches(self._batches, schema).cast(self._schema)
        self._writer.write_table(table)
        self._batches, self._bytes = [], 0

    def finish(self, totals: Totals) -> None:
        """Complete the file, with its totals, and put it in its place."""
        if self._batches:
            self._write_group()
        metadata = {_KEY + b".totals": totals.to_json().encode()}
        self._writer.add_key_value_metadata(metadata)
        self._writer.close()
        self._stream.close()
        self._part.move(self._location)
        self._is_finished = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        if not self._is_finished:
            self._writer.close()
            self._stream.close()
            self._part.delete()


def delete_leftovers(folder: Location, sources: Sequence[Location]) -> None:
    """Delete the unfinished outputs of these files, of processes that were killed."""
    stems = {f".{source.label}" for source in sources}
    for each in folder.files():
        stem, _, _ = each.base.rpartition(".waiting")
        if _PART.sub("", each.base) in stems or stem in stems:
            each.delete()
