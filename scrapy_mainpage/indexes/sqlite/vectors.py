"""Vectors of the SQLite engine: rows of one byte a value, scanned by NumPy.

A scan is exact, and needs nothing that not every Python's SQLite has. The connection
keeps the vectors in memory until the file changes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import numpy as np

from ..vectors import Unembedded
from .query import find_passages
from .schema import transaction, unpack

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

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


def make_vectors(connection: sqlite3.Connection) -> None:
    """Make the table of vectors, empty."""
    with transaction(connection):
        for statement in _TABLE:
            connection.execute(statement)


def without_vector(
    connection: sqlite3.Connection, urls: Sequence[str] | None, limit: int
) -> list[Unembedded]:
    """Return passages without a vector, of these pages or all."""
    pages = [] if urls is None else [json.dumps(urls)]
    statement = _WITHOUT.format(_OF_PAGES if pages else "")
    rows = connection.execute(statement, (*pages, limit)).fetchall()
    if not rows and not pages:
        connection.execute(_OF_NONE)
    return [
        Unembedded(id_, unpack(text)[0], tuple(json.loads(path or "[]")))
        for id_, text, path in rows
    ]


def put_vectors(
    connection: sqlite3.Connection,
    passages: Sequence[Unembedded],
    vectors: NDArray[np.float32],
) -> None:
    """Store the vectors, each with the headings that it was made with."""
    rows = [
        (each.id, json.dumps(each.path) if each.path else None, packed.tobytes())
        for each, packed in zip(passages, _packed(vectors), strict=True)
    ]
    with transaction(connection):
        connection.executemany(_PUT, rows)


class Vectors:
    """The vectors of a file in memory, read again when it has changed."""

    def __init__(self) -> None:
        self._state: object = None
        self._rows = np.empty(0, np.int64)
        self._values = np.empty((0, 0), np.int8)
        self._lengths = np.empty(0, np.float32)

    def nearest(
        self,
        connection: sqlite3.Connection,
        query: Query,
        vector: NDArray[np.float32],
        count: int,
    ) -> tuple[list[Found], bool]:
        """Return those of the nearest passages that pass the query's filters.

        The second value says whether there are no more passages.
        """
        self._read(connection, len(vector))
        scores = np.empty(len(self._rows), np.float32)
        for start in range(0, len(scores), _ROWS):
            part = slice(start, start + _ROWS)
            scores[part] = self._values[part].astype(np.float32) @ vector
        scores /= self._lengths
        first = scores.argpartition(-count)[-count:] if count < len(scores) else ...
        best = {
            int(r): float(s)
            for r, s in zip(self._rows[first], scores[first], strict=True)
        }
        found = find_passages(connection, query, best)
        return found, count >= len(scores)

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


def _packed(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """The vectors with whole values from -127 to 127; their lengths do not matter."""
    greatest = np.abs(vectors).max(axis=1, keepdims=True)
    packed: NDArray[np.int8] = (
        (vectors * (127 / np.maximum(greatest, 1e-12))).round().astype(np.int8)
    )
    return packed
