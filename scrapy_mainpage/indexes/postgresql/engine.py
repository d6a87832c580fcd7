"""The PostgreSQL engine: the server's full-text search, one vector per document."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from itertools import starmap
from typing import TYPE_CHECKING, Final

import psycopg
from psycopg import sql
from psycopg.rows import scalar_row
from psycopg_pool import PoolTimeout

from ..base import Index, IndexUnavailable
from ..documents import storable_text
from ..failures import IndexFailure, Rejection, reading
from ..fields import FieldTypeError
from .connections import Address, failure_of, message_of, rejection_reason
from .query import (
    Search,
    Stem,
    found_of,
    known_statement,
    patterns_of,
    stems_statement,
    value_of,
)
from .rows import Rows, Statements, id_of
from .schema import UnusableSchemaError, prepare

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping, Sequence, Set
    from contextlib import AbstractAsyncContextManager

    from typing_extensions import Self

    from ..documents import IndexDocument
    from ..fields import Facets
    from ..query import Query
    from ..ranking import Found
    from .connections import Connection

#: URLs read at once.
URL_BATCH: Final = 1_000


class PostgresqlIndex(Index):
    """Documents in a schema of a PostgreSQL database, version 12 or newer.

    The URL is libpq's, with ``?schema=NAME`` for the schema of the tables. A word also
    finds its other forms, in documents of the languages that the server stems. After a
    restart of the server the next call connects again.
    """

    def __init__(
        self, address: Address, configurations: frozenset[str], *, read_only: bool
    ):
        self._address = address
        self._configurations = configurations
        self._read_only = read_only
        self._schema = sql.Identifier(address.schema)
        self._statements = Statements(address.schema)
        self._pool = address.pool(read_only=read_only)

    @classmethod
    async def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open ``postgresql://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME``."""
        try:
            address = Address.of(url)
            async with await address.connect() as connection:
                names = await prepare(connection, address.schema, read_only=read_only)
        except (psycopg.Error, UnusableSchemaError, OSError, ValueError) as exc:
            raise IndexUnavailable(url, message_of(exc)) from None
        index = cls(address, names, read_only=read_only)
        await index._pool.open()
        return index

    async def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        rows = await asyncio.to_thread(Rows, documents, self._configurations)
        async with self._to_write() as connection:
            try:
                async with connection.transaction():
                    await self._statements.put(connection, rows)
                return []
            except (psycopg.Error, FieldTypeError) as exc:
                if rejection_reason(exc) is None:
                    raise
            return await self._put_each(connection, documents)

    async def _put_each(
        self, connection: Connection, documents: Sequence[IndexDocument]
    ) -> Sequence[Rejection]:
        """Write the documents one by one; return those that the server refuses."""
        rejections = []
        async with connection.transaction():
            for document in sorted(documents, key=lambda item: id_of(item.url)):
                one = (document,)
                rows = await asyncio.to_thread(Rows, one, self._configurations)
                try:
                    async with connection.transaction():  # a savepoint
                        await self._statements.put(connection, rows)
                except (psycopg.Error, FieldTypeError) as exc:
                    if (reason := rejection_reason(exc)) is None:
                        raise
                    rejections.append(Rejection(document.url, reason, message_of(exc)))
        return rejections

    async def delete(self, urls: Iterable[str]) -> int:
        """Remove the documents in one transaction; return how many existed."""
        stored = list(map(storable_text, urls))
        async with self._to_write() as connection:
            return await self._statements.delete(connection, stored)

    async def _candidates(self, query: Query) -> list[Found]:
        async with self._connection() as connection:
            search = await self._search_of(query, connection)
            if search is None:
                return []
            rows = await (await connection.execute(search.statement())).fetchall()
        return list(map(found_of, rows))

    async def _search_of(self, query: Query, connection: Connection) -> Search | None:
        """Return the search with the stems of its words; ``None`` without any word."""
        patterns = patterns_of(query.terms)
        if query.wanted and all(item.excluded for item in patterns):
            return None
        single = [item.stemmed for item in patterns if item.stemmed]
        found = await connection.execute(stems_statement(self._schema), [single])
        stems = list(starmap(Stem, await found.fetchall()))
        return Search(self._schema, query, patterns, stems)

    async def _facets(self, query: Query, names: Sequence[str]) -> Facets:
        counts: Facets = {}
        async with self._connection() as connection:
            search = await self._search_of(query, connection)
            if search is None:
                return {}
            for name in names:
                found = await connection.execute(search.counts(name))
                rows = await found.fetchall()
                counts[name] = {value_of(*row[:2]): row[2] for row in rows}
        return counts

    async def field_types(self) -> Mapping[str, str]:
        """Return the names and types of the documents' own fields."""
        statement = sql.SQL("SELECT name, type FROM {}.field_types")
        async with self._connection() as connection:
            found = await connection.execute(statement.format(self._schema))
            return dict(await found.fetchall())

    async def languages(self) -> Sequence[str]:
        """Return the language tags of the documents."""
        statement = sql.SQL(
            "SELECT DISTINCT language FROM {}.documents WHERE language IS NOT NULL"
        ).format(self._schema)
        async with self._connection() as connection:
            rows = await (await connection.execute(statement)).fetchall()
        return [language for (language,) in rows]

    async def known_words(
        self, words: Set[str], *, as_written: bool = False
    ) -> Set[str]:
        """Return those of the words that the index has, in any form."""
        statement, values = known_statement(
            self._schema, words, by_stems=not as_written
        )
        async with self._connection() as connection:
            rows = await (await connection.execute(statement, values)).fetchall()
        return {word for (word,) in rows}

    async def urls(self) -> AsyncIterator[str]:
        """Yield the URLs that exist at the beginning."""
        statement = sql.SQL("SELECT url FROM {}.documents").format(self._schema)
        async with self._connection() as connection:
            cursor = connection.cursor("urls", row_factory=scalar_row)
            cursor.itersize = URL_BATCH
            async with cursor:
                await cursor.execute(statement)
                async for url in cursor:
                    yield url

    async def mark(self, name: str) -> str | None:
        """Return the mark of that name; ``None`` without one."""
        read = sql.SQL("SELECT value FROM {}.marks WHERE name = %s")
        async with self._connection() as connection:
            found = await connection.execute(read.format(self._schema), [name])
            row = await found.fetchone()
        return row[0] if row else None

    async def put_mark(self, name: str, value: str) -> bool:
        """Leave a mark."""
        put = sql.SQL(
            "INSERT INTO {}.marks VALUES (%s, %s) "
            "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        )
        async with self._to_write() as connection:
            await connection.execute(put.format(self._schema), [name, value])
        return True

    async def close(self) -> None:
        """Close the connections; running calls fail."""
        await self._pool.close()

    def _to_write(self) -> AbstractAsyncContextManager[Connection]:
        if self._read_only and not self._pool.closed:
            raise IndexFailure("read_only", "the index was opened to be read")
        return self._connection()

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        """Lend a connection for one transaction; errors become failures."""
        try:
            async with reading(), self._pool.connection() as connection:
                yield connection
        except PoolTimeout as exc:
            raise failure_of(await self._cause() or exc) from exc
        except psycopg.Error as exc:
            raise failure_of(exc) from exc

    async def _cause(self) -> psycopg.Error | None:
        """Return the error of a new connection, which the pool does not report."""
        try:
            await (await self._address.connect()).close()
        except psycopg.Error as exc:
            return exc
        return None
