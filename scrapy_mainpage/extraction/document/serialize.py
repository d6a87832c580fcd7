"""Compression of a document's tables: differences in one, two or four bytes each."""

from __future__ import annotations

import pickle
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt

    Ints = npt.NDArray[np.int32]


def pack(tables: Iterable[Sequence[Ints]], rest: object) -> bytes:
    """Compress *tables*, each of columns of one length, and pickle *rest*."""
    shapes: list[tuple[int, bytes]] = []
    parts: list[bytes] = []
    for table in tables:
        rows, widths = len(table[0]), bytearray()
        for column in _narrow(np.stack(table)):
            widths.append(column.itemsize)
            parts.append(column.tobytes())
        shapes.append((rows, bytes(widths)))
    data = pickle.dumps((shapes, rest, b"".join(parts)), 5)
    # Higher levels take several times as long and save little.
    return zlib.compress(data, 1)


def _narrow(columns: Ints) -> Iterator[npt.NDArray[Any]]:
    """Differences between successive values, which are mostly small, in few bytes."""
    steps = np.diff(columns, axis=1, prepend=np.int32(0))
    least, most = steps.min(axis=1, initial=0), steps.max(axis=1, initial=0)
    for step, low, high in zip(steps, least.tolist(), most.tolist(), strict=True):
        width = 1 if low >= -128 and high < 128 else 2
        if low < -(1 << 15) or high >= 1 << 15:
            width = 4
        yield step.astype(f"<i{width}")


def unpack(packed: bytes) -> tuple[list[Ints], Any]:
    """The inverse of :func:`pack`: tables with a row per column, and the rest."""
    shapes, rest, data = pickle.loads(zlib.decompress(packed))
    tables: list[Ints] = []
    start = 0
    for rows, widths in shapes:
        table = np.empty((len(widths), rows), np.int32)
        for column, width in zip(table, widths, strict=True):
            steps = np.frombuffer(data, f"<i{width}", rows, start)
            # Overflows of the differences cancel out.
            np.cumsum(steps, dtype=np.int32, out=column)
            start += rows * width
        tables.append(table)
    return tables, rest
