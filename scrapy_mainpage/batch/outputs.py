"""One Parquet file for each file that was read: there when it is whole."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from .errors import BatchError
from .totals import Totals

if TYPE_CHECKING:
    # typing.Self requires Python 3.11
    from typing_extensions import Self

_KEY: Final = b"scrapy_mainpage"
"""Where a file says what it was made from, and what came of it."""

_GROUP: Final = 16 * 2**20
"""Bytes of a row group, about, before they are packed."""


def output_path(folder: Path, source: Path) -> Path:
    """The file with the pages of *source*."""
    return folder / f"{source.name}.parquet"


def origin_of(source: Path, making: Mapping[str, Any]) -> dict[str, Any]:
    """What a file is known by that was made from *source*. Raises ``OSError``."""
    return {"source": source.name, "size": source.stat().st_size, **making}


def known_totals(path: Path, origin: Mapping[str, Any]) -> Totals | None:
    """What came of the file at *path*; ``None`` if there is none yet.

    Raises :exc:`.BatchError` if it was not made from that origin.
    """
    try:
        with pq.ParquetFile(path) as file:
            said = json.loads((file.schema_arrow.metadata or {}).get(_KEY, b"{}"))
            kept = (file.metadata.metadata or {}).get(_KEY + b".totals", b"{}")
    except FileNotFoundError:
        return None
    except (OSError, pa.ArrowException, ValueError) as error:
        raise BatchError(f"{path}: {error}") from None
    if said != json.loads(json.dumps(origin)):
        raise BatchError(
            f"{path} was made from something else, or with other options: "
            "name another folder, or --overwrite it"
        )
    return Totals.from_dict(json.loads(kept))


class ParquetOutput:
    """Writes a file beside its place, and puts it there in :meth:`finish`.

    A context manager: what is not finished is removed. Raises ``OSError``.
    """

    def __init__(self, path: Path, schema: pa.Schema, origin: Mapping[str, Any]):
        self.totals = Totals()
        self._path = path
        self._part = path.with_name(f".{path.name}.{os.getpid()}.part")
        path.parent.mkdir(parents=True, exist_ok=True)
        said = {**(schema.metadata or {}), _KEY: json.dumps(origin).encode()}
        self._schema = schema.with_metadata(said)
        self._writer = pq.ParquetWriter(self._part, self._schema, compression="zstd")
        self._batches: list[pa.RecordBatch] = []
        self._size = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """Take some rows, and count them."""
        self.totals.add_batch(batch)
        self._batches.append(batch)
        self._size += batch.nbytes
        if self._size >= _GROUP:
            self._write_group()

    def _write_group(self) -> None:
        schema = self._batches[0].schema
        table = pa.Table.from_batches(self._batches, schema).cast(self._schema)
        self._writer.write_table(table)
        self._batches, self._size = [], 0

    def finish(self) -> None:
        """Put the file in its place, whole."""
        if self._batches:
            self._write_group()
        totals = json.dumps(self.totals.as_dict()).encode()
        self._writer.add_key_value_metadata({_KEY + b".totals": totals})
        self._writer.close()
        with self._part.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(self._part, self._path)
        for left in self._path.parent.glob(f".{self._path.name}.*.part"):
            left.unlink(missing_ok=True)  # by a run that was killed

    def close(self) -> None:
        """Remove what is not finished."""
        if self._part.exists():
            self._writer.close()
            self._part.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
