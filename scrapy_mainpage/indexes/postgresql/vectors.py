"""Vectors of the PostgreSQL engine, in a table of pgvector."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from psycopg import sql

from ..vectors import Unembedded
from .query import Search, found_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractAsyncContextManager

    import numpy as np
    from numpy.typing import NDArray

    from ..query import Query
    from ..ranking import Found
    from .connections import Connection

    Lender = Callable[[], AbstractAsyncContextManager[Connection]]

#: Values of a vector that the index of nearest neighbours takes.
MAX_INDEXED: Final = 2_000
#: Candidates of that index; more are sought among all vectors.
MAX_CANDIDATES: Final = 1_000
#: Nearest passages of a search with filters, at most.
MAX_NEAREST: Final = 20_000

_MAKE: Final = """
CREATE EXTENSION IF NOT EXISTS vector;
DROP TABLE IF EXISTS {0}.vectors;
CREATE TABLE {0}.vectors (passage text PRIMARY KEY, path jsonb, vector vector({1}));
CREATE INDEX IF NOT EXISTS passages_by_id ON {0}.passages (passage)
"""
_INDEX: Final = "CREATE INDEX ON {0}.vectors USING hnsw (vector vector_cosine_ops)"
_WITHOUT: Final = """
SELECT p.passage, p.text, p.path FROM {0}.passages AS p
LEFT JOIN {0}.vectors AS v ON v.passage = p.passage
    AND v.path IS NOT DISTINCT FROM p.path
WHERE v.passage IS NULL AND (%(urls)s::text[] IS NULL OR p.document IN (
    SELECT d.id FROM {0}.documents AS d WHERE d.url = ANY(%(urls)s::text[])))
LIMIT %(limit)s
"""
_OF_NONE: Final = """
DELETE FROM {0}.vectors AS v
WHERE NOT EXISTS (SELECT FROM {0}.passages AS p WHERE p.passage = v.passage)
"""
_PUT: Final = """
INSERT INTO {0}.vectors VALUES (%s, %s::jsonb, %s::vector)
ON CONFLICT (passage) DO UPDATE SET path = excluded.path, vector = excluded.vector
"""


class PostgresqlVectors:
    """A :class:`~..vectors.VectorStore`: *connect* and *write* lend connections."""

    def __init__(self, schema: sql.Identifier, connect: Lender, write: Lender):
        self._schema, self._connect, self._write = schema, connect, write

    async def make(self, size: int) -> None:
        """Make the table, empty; it needs the right to create an extension."""
        statements = [*_MAKE.split(";\n"), *([_INDEX] if size <= MAX_INDEXED else [])]
        async with self._write() as connection:
            for statement in statements:
                await connection.execute(self._sql(statement, sql.Literal(size)))

    async def missing(self, urls: Sequence[str] | None, limit: int) -> list[Unembedded]:
        """Return passages without a vector, of these pages or all."""
        values = {"urls": urls if urls is None else list(urls), "limit": limit}
        async with self._write() as connection:
            found = await connection.execute(self._sql(_WITHOUT), values)
            rows = await found.fetchall()
            if not rows and urls is None:
                await connection.execute(self._sql(_OF_NONE))
        return [Unembedded(id_, text, tuple(path or ())) for id_, text, path in rows]

    async def put(
        self, passages: Sequence[Unembedded], vectors: NDArray[np.float32]
    ) -> None:
        """Store the vectors, each with the headings that it was made with."""
        rows = [
            (each.id, json.dumps(each.path), _literal(vector))
            for each, vector in zip(passages, vectors, strict=True)
        ]
        async with self._write() as connection, connection.cursor() as cursor:
            await cursor.executemany(self._sql(_PUT), rows)

    async def nearest(
        self, query: Query, vector: NDArray[np.float32], count: int
    ) -> tuple[list[Found], bool]:
        """Return those of the nearest passages that pass the query's filters."""
        settings = {"hnsw.ef_search": str(min(count, MAX_CANDIDATES))}
        if count > MAX_CANDIDATES:
            settings = {"enable_indexscan": "off", "enable_seqscan": "on"}
        search = Search(self._schema, replace(query, terms=(), passages=True), (), ())
        statement = search.nearest(_literal(vector), count)
        async with self._connect() as connection:
            for item in settings.items():
                await connection.execute("SELECT set_config(%s, %s, true)", item)
            rows = await (await connection.execute(statement)).fetchall()
        # The index of vectors may give fewer than there are.
        is_exact = count > MAX_CANDIDATES
        is_all = is_exact and (not rows or rows[0][-1] < count or count >= MAX_NEAREST)
        return found_in(row[:-1] for row in rows), is_all

    def _sql(self, statement: str, *values: sql.Composable) -> sql.Composed:
        return sql.SQL(statement).format(self._schema, *values)


def _literal(vector: NDArray[np.float32]) -> str:
    return json.dumps([round(float(value), 6) for value in vector])
