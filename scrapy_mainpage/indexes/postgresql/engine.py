"""The PostgreSQL engine: the server's text search vectors, ranked by ``ts_rank``."""

from __future__ import annotations

import asyncio
import hashlib
import re
from contextlib import asynccontextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple
from uuid import UUID

import psycopg
from psycopg_pool import PoolTimeout

from ..base import IndexUnavailable
from ..documents import WEIGHTS, storable_text, types_of
from ..failures import IndexFailure, Rejection, reading
from ..fields import FieldTypeError, type_clash
from ..sql import (
    COLUMNS,
    PASSAGE_COLUMNS,
    SqlIndex,
    document_values,
    field_rows,
    packed_json,
)
from ..tokens import fold, segment
from .connections import Address, failure_of, message_of, rejection_reason
from .schema import UnusableSchemaError, prepare

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence

    from typing_extensions import Self

    from ..documents import IndexDocument
    from ..query import Query, Term
    from ..sql import Row, Values
    from .connections import Connection

#: Searched field -> the letter of its weight.
LETTERS: Final = {
    "title": "A",
    "headings": "B",
    "description": "B",
    "text": "C",
    "comments": "D",
}
#: The weights of the letters D, C, B and A; the greatest may be 1.
_WEIGHTS: Final = [
    WEIGHTS[name] / max(WEIGHTS.values())
    for name in ("comments", "text", "headings", "title")
]

#: Bytes of a vector, of which the server allows 1,048,575, and of a lexeme in it.
VECTOR_BYTES: Final = 900_000
WORD_CHARS: Final = 500
#: Positions of a word that a vector keeps, and bytes of each.
POSITIONS: Final = 255
POSITION_BYTES: Final = 2
#: The last position in a vector: what follows has it, too.
MAX_POSITION: Final = 16_383
#: Bytes of a lexeme beside its letters.
LEXEME_BYTES: Final = 8

#: Compiling a search takes longer than the search; and the planner underestimates a
#: sequential scan, because it does not consider that vectors are compressed.
_PREPARE: Final = (
    "SELECT set_config('search_path', %s, true), set_config('jit', 'off', true), "
    "set_config('enable_seqscan', 'off', true)"
)
_NAMED_VALUE: Final = re.compile(r"(?<!:):([a-z]\w*)")
#: Normalisation 1: of equal matches, those in a shorter text rank higher.
_RANK: Final = f"ts_rank(ARRAY{_WEIGHTS}::real[], t.words, :rank::tsquery, 1)"


def _insert(table: str, columns: Sequence[str], more: str = "") -> str:
    names, marks = ", ".join(columns), ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {table} ({names}) VALUES ({marks}) {more}"


_STORED: Final = ("id", *COLUMNS, "text", "words", "is_whole")
_SET: Final = ", ".join(f"{name} = excluded.{name}" for name in _STORED[1:])
_PUT: Final = _insert("documents", _STORED, f"ON CONFLICT (id) DO UPDATE SET {_SET}")
_PUT_PASSAGE: Final = _insert(
    "passages", ("document", *PASSAGE_COLUMNS, "text", "words", "is_whole")
)
_PUT_FIELD: Final = _insert("fields", ("document", "name", "key", "number", "value"))
_PUT_TERMS: Final = (
    "INSERT INTO vocabulary SELECT unnest(%s::text[]) ON CONFLICT DO NOTHING"
)
_PUT_TYPE: Final = _insert("field_types", ("name", "type"), "ON CONFLICT DO NOTHING")
_DELETE: Final = (
    "DELETE FROM documents WHERE id IN (SELECT id FROM documents "
    "WHERE id = ANY(%s) ORDER BY id FOR UPDATE)"
)


class PostgresqlIndex(SqlIndex):
    """Documents in a schema of a PostgreSQL database, version 12 or newer.

    The URL is libpq's, with ``?schema=NAME`` for the schema of the tables. After a
    restart of the server the next call connects again. The vocabulary keeps the words
    of deleted documents.
    """

    KNOWN: ClassVar[str] = (
        "SELECT term FROM vocabulary WHERE term IN "
        "(SELECT json_array_elements_text(:words::json))"
    )

    def __init__(self, address: Address, *, read_only: bool):
        self._address = address
        self._read_only = read_only
        self._pool = address.pool(read_only=read_only)

    @classmethod
    async def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open ``postgresql://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME``."""
        try:
            address = Address.of(url)
            async with await address.connect() as connection:
                await prepare(connection, address.schema, read_only=read_only)
        except (psycopg.Error, UnusableSchemaError, OSError, ValueError) as exc:
            raise IndexUnavailable(url, message_of(exc)) from None
        index = cls(address, read_only=read_only)
        await index._pool.open()
        return index

    async def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        self._languages = None
        # The same order in every process: no two writers deadlock.
        ordered = sorted(documents, key=lambda each: id_of(each.url))
        async with self._to_write() as connection:
            try:
                async with connection.transaction():
                    await _put_rows(connection, ordered)
                return []
            except (psycopg.Error, FieldTypeError) as exc:
                if rejection_reason(exc) is None:
                    raise
            return await self._put_each(connection, ordered)

    async def _put_each(
        self, connection: Connection, documents: Sequence[IndexDocument]
    ) -> Sequence[Rejection]:
        """Write the documents one by one; return those that the server refuses."""
        rejections = []
        for document in documents:
            try:
                async with connection.transaction():  # a savepoint
                    await _put_rows(connection, [document])
            except (psycopg.Error, FieldTypeError) as exc:  # noqa: PERF203 a savepoint
                if (reason := rejection_reason(exc)) is None:
                    raise
                rejections.append(Rejection(document.url, reason, message_of(exc)))
        return rejections

    async def delete(self, urls: Iterable[str]) -> int:
        """Remove the documents in one transaction; return how many existed."""
        ids = [id_of(storable_text(url)) for url in urls]
        async with self._to_write() as connection:
            return (await connection.execute(_DELETE, [ids])).rowcount

    async def _rows(self, statement: str, values: Mapping[str, Any]) -> list[Row]:
        async with self._connection() as connection:
            done = await connection.execute(_for_psycopg(statement), values)
            return await done.fetchall()

    async def _write(self, statement: str, values: Mapping[str, Any]) -> None:
        async with self._to_write() as connection:
            await connection.execute(_for_psycopg(statement), values)

    async def _matched(self, query: Query, values: Values, condition: str) -> str:
        table, row = ("passages", "row") if query.passages else ("documents", "id")
        where = condition.format(row=f"t.{row}")
        if not query.wanted:
            every = f"SELECT t.{row} AS row, CAST(0 AS real) AS score FROM {table} AS t"
            return f"{every} WHERE {where}"
        letters = "AB" if query.in_headings else ""
        between = " & " if query.minimum is None else " | "
        wanted = [_tsquery(term, letters) for term in query.wanted]
        unwanted = "".join(f" & !{_tsquery(term)}" for term in query.unwanted)
        values["match"] = f"({between.join(wanted)}){unwanted}"
        # A vector without every place has the words of a phrase, perhaps elsewhere.
        values["loose"] = values["match"].replace("<->", "&")
        values["rank"] = " | ".join(wanted)
        return (
            f"SELECT t.{row} AS row, {_RANK} AS score FROM {table} AS t "
            "WHERE (t.words @@ :match::tsquery OR "
            f"(NOT t.is_whole AND t.words @@ :loose::tsquery)) AND {where}"
        )

    async def close(self) -> None:
        """Close the connections; running calls fail."""
        await self._pool.close()

    @asynccontextmanager
    async def _to_write(self) -> AsyncIterator[Connection]:
        if self._read_only and not self._pool.closed:
            raise IndexFailure("read_only", "the index was opened to be read")
        async with self._connection() as connection:
            yield connection

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        """Lend a connection for one transaction; errors become failures."""
        try:
            async with reading(), self._pool.connection() as connection:
                quoted = self._address.schema.replace('"', '""')
                await connection.execute(_PREPARE, [f'"{quoted}"'])
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


def id_of(url: str) -> UUID:
    """Return the key of the document: a URL may be too long for an index."""
    return UUID(bytes=hashlib.sha256(url.encode()).digest()[:16])


class Vector(NamedTuple):
    """A text search vector as PostgreSQL reads it, and whether it has every place."""

    literal: str
    is_whole: bool


class _Searched(NamedTuple):
    """A document with its vectors: its own, and those of its passages."""

    id: UUID
    document: IndexDocument
    vector: Vector
    passages: list[Vector]
    words: set[str]


def _searched(document: IndexDocument) -> _Searched:
    words: set[str] = set()
    named = document.named()
    texts = ((getattr(named, name) or "", LETTERS[name]) for name in LETTERS)
    vector = vector_of(texts, words)
    passages = [
        vector_of([(each.searched_heading, "A"), (each.text, "C")], words)
        for each in document.passages
    ]
    return _Searched(id_of(document.url), named, vector, passages, words)


async def _put_rows(connection: Connection, documents: Sequence[IndexDocument]) -> None:
    """Write the documents in place of the existing ones, in a transaction."""
    made = await asyncio.to_thread(lambda: list(map(_searched, documents)))
    types = types_of(documents)
    async with connection.cursor() as cursor:
        # First the tables that writers share: who waits for them holds nothing else.
        terms = sorted(set().union(*(each.words for each in made)))
        await cursor.execute(_PUT_TERMS, [terms])
        if types:
            await cursor.executemany(_PUT_TYPE, sorted(types.items()))
            await cursor.execute("SELECT name, type FROM field_types")
            if clash := type_clash(types, dict(await cursor.fetchall())):
                raise FieldTypeError(clash)
        await cursor.executemany(_PUT, [_row(each) for each in made])
        for table in ("passages", "fields"):
            clear = f"DELETE FROM {table} WHERE document = ANY(%s)"
            await cursor.execute(clear, [[each.id for each in made]])
        passages = chain.from_iterable(map(_passage_rows, made))
        await cursor.executemany(_PUT_PASSAGE, list(passages))
        fields = [(x.id, *row) for x in made for row in field_rows(x.document)]
        await cursor.executemany(_PUT_FIELD, fields)


def _row(made: _Searched) -> Row:
    values = document_values(made.document)
    return (made.id, *values, made.document.text, *made.vector)


def _passage_rows(made: _Searched) -> Iterator[Row]:
    for passage, vector in zip(made.document.passages, made.passages, strict=True):
        id_, position, text, heading, anchor, path = passage
        yield (
            *(made.id, id_, position, heading, anchor, packed_json(path)),
            *(text, *vector),
        )


def vector_of(texts: Iterable[tuple[str, str]], words: set[str]) -> Vector:
    """Return the text search vector of texts with their letters.

    Its words are added to *words*. What a vector cannot hold is left out.

    >>> vector_of([("Hide glue", "A"), ("glue!", "C")], set()).literal
    "'hide':1A 'glue':2A,4C"
    """
    places: dict[str, list[str]] = {}
    position = size = 0
    is_whole = True
    for text, letter in texts:
        for word in _words(text):
            position += 1
            if word not in places:
                size += len(word.encode()) + LEXEME_BYTES
            is_kept = size < VECTOR_BYTES
            found = places.setdefault(word, []) if is_kept else places.get(word, [])
            if is_kept and len(found) < POSITIONS:
                found.append(f"{position}{letter}")
                size += POSITION_BYTES
            else:
                is_whole = False
        position += 1  # no phrase spans two texts
    words.update(places)
    vector = " ".join(f"'{word}':{','.join(found)}" for word, found in places.items())
    return Vector(vector, is_whole and position < MAX_POSITION)


def _words(text: str) -> list[str]:
    """The folded words of a text, which have no sign of syntax."""
    return [word[:WORD_CHARS] for word in fold(segment(text)).split()]


def _tsquery(term: Term, letters: str = "") -> str:
    """Return the words of a term, or of one of its forms, as PostgreSQL reads them."""
    star = "*" if term.prefix else ""
    phrases = [_phrase(term.text, letters, star)]
    phrases += [_phrase(form, letters, "") for form in term.forms]
    return f"({' | '.join(phrases)})"


def _phrase(text: str, letters: str, star: str) -> str:
    words = _words(text)
    flags = [letters] * (len(words) - 1) + [letters + star]
    each = (
        f"'{word}':{flag}" if flag else f"'{word}'"
        for word, flag in zip(words, flags, strict=True)
    )
    return f"({' <-> '.join(each)})"


def _for_psycopg(statement: str) -> str:
    """Return a statement with its values as psycopg names them."""
    return _NAMED_VALUE.sub(r"%(\1)s", statement.replace("%", "%%"))
