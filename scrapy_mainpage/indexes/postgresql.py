"""The PostgreSQL engine: the server's text search vectors, ranked by ``ts_rank``."""

from __future__ import annotations

import hashlib
import re
from contextlib import contextmanager
from math import log
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, Final
from uuid import UUID

import psycopg

from ..redaction import error_line
from .base import IndexFailure, IndexUnavailable, reading
from .documents import WEIGHTS, storable_text, types_of
from .fields import type_clash
from .postgresql_server import Address, UnusableSchemaError, failure_of, prepare
from .sql import (
    COLUMNS,
    PASSAGE_COLUMNS,
    SqlIndex,
    document_values,
    field_rows,
    passage_values,
)
from .tokens import fold, name_word, segment
from .word_forms import rarity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from typing_extensions import Self

    from .base import Rejection
    from .documents import IndexDocument
    from .postgresql_server import Connection
    from .query import Query, Term
    from .sql import Row, Values

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

#: Documents with the rarest words that are ranked by vectors: 50 µs for each.
RANKED: Final = 400

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
#: sequential scan, because it does not consider that vectors are compressed. A call
#: that waits for a lock for a minute is tried again later.
_PREPARE: Final = (
    "SELECT set_config('search_path', %s, true), set_config('jit', 'off', true), "
    "set_config('enable_seqscan', 'off', true), "
    "set_config('max_parallel_workers_per_gather', '0', true), "
    "set_config('lock_timeout', '60s', true)"
)
_NAMED_VALUE: Final = re.compile(r"(?<!:):([a-z]\w*)")
#: Normalisation 1: of equal matches, those in a shorter text rank higher.
_RANK: Final = f"ts_rank(ARRAY{_WEIGHTS}::real[], t.words, :rank::tsquery, 1)"
_MATCHES: Final = (
    "(t.words @@ :match::tsquery OR (NOT t.is_whole AND t.words @@ :loose::tsquery))"
)
#: From the inverted index alone: which words a document has, and what they weigh.
_HAS: Final = (
    "SELECT t.id AS row, {weight:.4f} AS weight FROM documents AS t "
    "WHERE t.words @@ :{name}::tsquery AND {where}"
)
_BEST: Final = (
    "SELECT t.id AS row, CAST(b.weights + {rank} AS real) AS score FROM "
    "(SELECT row, sum(weight) AS weights FROM ({has}) AS h GROUP BY row "
    f"ORDER BY weights DESC LIMIT {RANKED}) AS b JOIN documents AS t ON t.id = b.row "
    "WHERE {where}"
)


def _insert(table: str, columns: Sequence[str], more: str = "") -> str:
    names, marks = ", ".join(columns), ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {table} ({names}) VALUES ({marks}) {more}"


_STORED: Final = ("id", *COLUMNS, "text", "words", "is_whole")
_SET: Final = ", ".join(f"{name} = excluded.{name}" for name in _STORED[1:])
_PUT: Final = _insert("documents", _STORED, f"ON CONFLICT (id) DO UPDATE SET {_SET}")
_PUT_PASSAGE: Final = _insert("passages", ("document", *PASSAGE_COLUMNS))
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

    IDS: ClassVar[str] = (
        "(SELECT CAST(x AS uuid) FROM json_array_elements_text(:ids::json) AS x)"
    )

    def __init__(self, address: Address, *, read_only: bool):
        self._address = address
        self._read_only = read_only
        self._lock = Lock()
        self._is_open = True
        self._title_ends = {}
        self._connection: Connection | None = None

    @classmethod
    def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open ``postgresql://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME``."""
        try:
            address = Address.of(url)
            with address.connect(read_only=read_only) as connection:
                prepare(connection, address.schema, read_only=read_only)
        except (psycopg.Error, UnusableSchemaError, OSError, ValueError) as exc:
            raise IndexUnavailable(url, error_line(exc)) from None
        return cls(address, read_only=read_only)

    def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        self._languages = self._size = None
        self._title_ends.clear()
        # The same order in every process: no two writers deadlock.
        ordered = sorted(documents, key=lambda each: id_of(each.url))
        with self._to_write() as connection:
            _put_rows(connection, ordered)
        return ()

    def _delete(self, urls: Sequence[str]) -> int:
        """Remove the documents in one transaction; return how many existed."""
        ids = [id_of(storable_text(url)) for url in urls]
        with self._to_write() as connection:
            return (connection.execute(_DELETE, [ids])).rowcount

    def _rows(self, statement: str, values: Mapping[str, Any]) -> list[Row]:
        with self._transaction() as connection:
            done = connection.execute(_for_psycopg(statement), values)
            return done.fetchall()

    def _write(self, statement: str, values: Mapping[str, Any]) -> None:
        with self._to_write() as connection:
            connection.execute(_for_psycopg(statement), values)

    def _matched(self, query: Query, values: Values, condition: str) -> str:
        where, any_of = condition.format(row="t.id"), ""
        if query.wanted and not query.is_strict:
            any_of = f"({_any(query.wanted)} | {_named(query)})"
        wanted = [any_of, *map(_tsquery, query.required)]
        if not query.passages:
            wanted += (f"!{_tsquery(term)}" for term in query.unwanted)
        exact = " & ".join(filter(None, wanted)) if query.wanted else ""
        if exact and (exact != any_of or "<->" in exact):
            values["match"] = exact
            # A vector without every place has the words of a phrase, perhaps elsewhere.
            values["loose"] = exact.replace("<->", "&")
            has_phrase = "<->" in exact
            where += f" AND {_MATCHES if has_phrase else 't.words @@ :match::tsquery'}"
        if any_of:
            return self._best(query, values, where, condition.format(row="t.id"))
        return (
            f"SELECT t.id AS row, CAST(0 AS real) AS score FROM documents AS t "
            f"WHERE {where}"
        )

    def _best(self, query: Query, values: Values, where: str, filters: str) -> str:
        """The SQL of scores: whether it is named so, which words it has, how often.

        The server's own rank knows nothing of rare words.
        """
        size = self.size()
        values["rank"] = _any(query.wanted)
        values["names"] = _named(query)
        found = {"names": log(1 + size)}  # no word is rarer
        for number, term in enumerate(query.wanted):
            values[f"term{number}"] = _tsquery(term).replace("<->", "&")
            found[f"term{number}"] = rarity(term, size)
        inside = where if query.required or query.unwanted else filters
        has = " UNION ALL ".join(
            _HAS.format(name=name, weight=weight, where=inside)
            for name, weight in found.items()
        )
        return _BEST.format(rank=_RANK, has=has, where=where)

    def close(self) -> None:
        """Close the connection; later calls fail."""
        with self._lock:
            self._is_open = False
            self._disconnect()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextmanager
    def _to_write(self) -> Iterator[Connection]:
        if self._read_only and self._is_open:
            raise IndexFailure("read_only", "the index was opened to be read")
        with self._transaction() as connection:
            yield connection

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Lend the connection for one transaction; errors become failures."""
        with self._lock, reading():
            if not self._is_open:
                raise IndexFailure("closed", "the index is closed")
            try:
                connection = self._connected()
                with connection.transaction():
                    quoted = self._address.schema.replace('"', '""')
                    connection.execute(_PREPARE, [f'"{quoted}"'])
                    yield connection
            except psycopg.Error as exc:
                raise failure_of(exc) from exc

    def _connected(self) -> Connection:
        """The connection, or another one if the server was restarted meanwhile."""
        try:
            if self._connection is not None:
                self._connection.execute("SELECT 1")
        except psycopg.OperationalError:
            self._disconnect()
        if self._connection is None:
            self._connection = self._address.connect(read_only=self._read_only)
        return self._connection


def id_of(url: str) -> UUID:
    """Return the key of the document: a URL may be too long for an index."""
    return UUID(bytes=hashlib.sha256(url.encode()).digest()[:16])


def _put_rows(connection: Connection, documents: Sequence[IndexDocument]) -> None:
    """Write the documents in place of the existing ones, in a transaction."""
    words: set[str] = set()
    made = [(id_of(each.url), each, _vector(each, words)) for each in documents]
    types = types_of(documents)
    with connection.cursor() as cursor:
        # First the tables that writers share: who waits for them holds nothing else.
        cursor.execute(_PUT_TERMS, [sorted(words)])
        if types:
            cursor.executemany(_PUT_TYPE, sorted(types.items()))
            cursor.execute("SELECT name, type FROM field_types")
            if clash := type_clash(types, dict(cursor.fetchall())):
                raise IndexFailure("field_type", clash)
        rows = [(id_, *document_values(x), x.text, *vector) for id_, x, vector in made]
        cursor.executemany(_PUT, rows)
        for table in ("passages", "fields"):
            clear = f"DELETE FROM {table} WHERE document = ANY(%s)"
            cursor.execute(clear, [[id_ for id_, *_ in made]])
        passages = [
            (id_, *values)
            for id_, document, _ in made
            for values in passage_values(document.passages, document.text)
        ]
        cursor.executemany(_PUT_PASSAGE, passages)
        fields = [(id_, *row) for id_, x, _ in made for row in field_rows(x)]
        cursor.executemany(_PUT_FIELD, fields)


def _vector(document: IndexDocument, words: set[str]) -> tuple[str, bool]:
    named = document.named()
    texts = ((getattr(named, name) or "", LETTERS[name]) for name in LETTERS)
    return vector_of(texts, words)


def vector_of(texts: Iterable[tuple[str, str]], words: set[str]) -> tuple[str, bool]:
    """Return the text search vector of texts with their letters, and if it is whole.

    Its words are added to *words*. What a vector cannot hold is left out.

    >>> vector_of([("Hide glue", "A"), ("glue!", "C")], set())[0]
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
    return vector, is_whole and position < MAX_POSITION


def _words(text: str) -> list[str]:
    """The folded words of a text, which have no sign of syntax."""
    return [word[:WORD_CHARS] for word in fold(segment(text)).split()]


def _any(terms: Iterable[Term]) -> str:
    return " | ".join(map(_tsquery, terms))


def _named(query: Query) -> str:
    return " | ".join(f"'{name_word(name)}'" for name in query.names)


def _tsquery(term: Term) -> str:
    """Return the words of a term, or of one of its forms, as PostgreSQL reads them."""
    phrases = [_phrase(text) for text in (term.text, *term.forms)]
    if term.prefix:  # the whole word counts twice
        phrases.append(f"{_phrase(term.text)}:*")
    return f"({' | '.join(phrases)})"


def _phrase(text: str) -> str:
    return " <-> ".join(f"'{word}'" for word in _words(text))


def _for_psycopg(statement: str) -> str:
    """Return a statement with its values as psycopg names them."""
    return _NAMED_VALUE.sub(r"%(\1)s", statement.replace("%", "%%"))
