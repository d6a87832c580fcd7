"""Transactions of a connection, and texts that are stored compressed."""

from __future__ import annotations

import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from ..failures import IndexFailure

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

#: Of compression: higher ones make texts hardly shorter.
_LEVEL: Final = 5


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit the changes of the block, or roll all of them back."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def pack(texts: Sequence[str]) -> bytes:
    """Return the texts compressed."""
    return zlib.compress("\0".join(texts).encode("utf-8", "surrogatepass"), _LEVEL)


def unpack(packed: bytes) -> list[str]:
    """Return the texts from :func:`pack`; raise :exc:`IndexFailure` for others."""
    try:
        return zlib.decompress(packed).decode("utf-8", "surrogatepass").split("\0")
    except (TypeError, ValueError, zlib.error) as exc:
        raise IndexFailure("corrupt", f"a text cannot be unpacked: {exc}") from exc
