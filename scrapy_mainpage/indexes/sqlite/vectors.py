"""Vectors of the SQLite engine: rows of one byte a value, scanned by NumPy.

A scan is exact, and needs nothing that not every Python's SQLite has. The connection
keeps the vectors in memory until the file changes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..vectors import Unembedded
from .query import find_passages
from .schema import transaction, unpack

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from ..query import Query
    from ..ranking import Found

#: Passages compared at once: they are in the processor's cache.
_ROWS: Final = 4_096

_TABLE: Final = (
    "DROP TABLE IF EXISTS vectors",
    "CREATE TABLE vectors (passage TEXT PRIMARY KEY, path TEXT, vector BLOB NOT NULL) "
    "WITHOUT ROWID",
)
_PUT: Final = "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)"
_OF_NONE: Final = (
    "DELETE FROM vectors WHERE passage IN (SELECT v.passage FROM vectors AS v "
    "LEFT JOIN passages AS p ON p.id = v.passage WHERE p.id IS NULL)"
)
_WITHOUT: Final = (
    "SELECT p.id, p.text, p.path FROM passages AS p "
    "LEFT JOIN vectors AS v ON v.passage = p.id AND v.path IS p.path "
    "WHERE v.passage IS NULL {} LIMIT ?"
)
_OF_PAGES: Final = (
    "AND p.document IN (SELECT d.id FROM json_each(?) AS u "
    "JOIN documents AS d ON d.url = u.value)"
)
_ALL: Final = (
    "SELECT p.row, v.vector FROM passages AS p JOIN vectors AS v ON v.passage = p.id "
    "WHERE length(v.vector) = ?"
)


class SqliteVectors:
    """A :class:`~..vectors.VectorStore`, in memory until the file changes.

    *run* calls a function with the connection, in its thread.
    """

    def __init__(self, run: Callable[..., Any]) -> None:
        self._run = run
        self._state: object = None
        self._paths: dict[str, str | None] = {}  # of missing ones, as they are stored
        self._rows = np.empty(0, np.int64)
        self._values = np.empty((0, 0), np.int8)
        self._lengths = np.empty(0, np.float32)

    async def make(self, size: int) -> None:
        """Make the table, empty."""
        await self._run(_execute, _TABLE)

    async def missing(self, urls: Sequence[str] | None, limit: int) -> list[Unembedded]:
        """Return passages without a vector, of these pages or all."""
        pages = [] if urls is None else [json.dumps(urls)]
        statement = _WITHOUT.format(_OF_PAGES if pages else "")
        rows = await self._run(_fetch, statement, (*pages, limit))
        if not rows and not pages:
            await self._run(_execute, [_OF_NONE])
        self._paths = {id_: path for id_, _, path in rows}
        return [
            Unembedded(id_, unpack(text)[0], tuple(json.loads(path or "[]")))
            for id_, text, path in rows
        ]

    async def put(
        self, passages: Sequence[Unembedded], vectors: NDArray[np.float32]
    ) -> None:
        """Store the vectors, each with the headings that it was made with."""
        rows = [
            (each.id, self._paths.get(each.id), packed.tobytes())
            for each, packed in zip(passages, _packed(vectors), strict=True)
        ]
        await self._run(_put, rows)

    async def nearest(
        self, query: Query, vector: NDArray[np.float32], count: int
    ) -> tuple[list[Found], bool]:
        """Return those of the nearest passages that pass the query's filters."""
        found: tuple[list[Found], bool] = await self._run(
            self._nearest, query, vector, count
        )
        return found

    def _nearest(
        self,
        connection: sqlite3.Connection,
        query: Query,
        vector: NDArray[np.float32],
        count: int,
    ) -> tuple[list[Found], bool]:
        self._read(connection, len(vector))
        scores = np.empty(len(self._rows), np.float32)
        for start in range(0, len(scores), _ROWS):
            part = slice(start, start + _ROWS)
            scores[part] = self._values[part].astype(np.float32) @ vector
        scores /= self._lengths
        first = scores.argpartition(-count)[-count:] if count < len(scores) else ...
        best = dict(
            zip(self._rows[first].tolist(), scores[first].tolist(), strict=True)
        )
        return find_passages(connection, query, best), count >= len(scores)

    def _read(self, connection: sqlite3.Connection, size: int) -> None:
        (version,) = connection.execute("PRAGMA data_version").fetchone()
        state = version, connection.total_changes
        if state == self._state:
            return
        rows = connection.execute(_ALL, (size,)).fetchall()
        self._rows = np.array([row for row, _ in rows], np.int64)
        values = np.frombuffer(b"".join(packed for _, packed in rows), np.int8)
        self._values = values.reshape(-1, size)
        squares = np.einsum("ij,ij->i", self._values, self._values, dtype=np.int32)
        self._lengths = np.sqrt(np.maximum(squares, 1)).astype(np.float32)
        self._state = state


def _execute(connection: sqlite3.Connection, statements: Iterable[str]) -> None:
    with transaction(connection):
        for statement in statements:
            connection.execute(statement)


def _fetch(connection: sqlite3.Connection, statement: str, values: Any) -> list[Any]:
    return connection.execute(statement, values).fetchall()


def _put(connection: sqlite3.Connection, rows: Iterable[Any]) -> None:
    with transaction(connection):
        connection.executemany(_PUT, rows)


def _packed(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """The vectors with whole values from -127 to 127; their lengths do not matter."""
    greatest = np.abs(vectors).max(axis=1, keepdims=True)
    packed: NDArray[np.int8] = (
        (vectors * (127 / np.maximum(greatest, 1e-12))).round().astype(np.int8)
    )
    return packed
