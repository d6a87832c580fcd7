"""Documents as rows of the PostgreSQL engine: putting them, taking them out."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from psycopg import sql

from .parts import parts_of
from .schema import (
    COLUMNS,
    FIELDS,
    PASSAGE_FIELDS,
    SIMPLE,
    configuration_of,
    searched_columns,
)
from .tsvectors import BREAK, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from psycopg import AsyncConnection

    from ..documents import IndexDocument

_TYPES: Final = {
    "id": "uuid",
    "document": "uuid",
    "number": "integer",
    "part": "integer",
    "position": "integer",
    "is_only": "boolean",
    "first_char": "integer",
    "chars": "integer",
}
_CASTS: Final = {"sections": "::jsonb", "configuration": "::regconfig"}

#: Table -> the columns of what :class:`Rows` holds for it.
_WRITTEN: Final = {
    "documents": ("id", *COLUMNS, "sections"),
    "parts": (
        "document",
        "part",
        "is_only",
        "first_char",
        "chars",
        "configuration",
        *searched_columns(FIELDS),
    ),
    "passages": (
        "document",
        "number",
        "passage",
        "position",
        "heading",
        "anchor",
        "text",
        "configuration",
        *searched_columns(PASSAGE_FIELDS),
    ),
}
_UPSERT: Final = "ON CONFLICT (id) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in _WRITTEN["documents"][1:]
)

Row = tuple[Any, ...]


class Rows:
    """Rows of all tables for some documents, in the order of their columns."""

    def __init__(self, documents: Iterable[IndexDocument], known: frozenset[str]):
        self.tables: dict[str, list[Row]] = {name: [] for name in _WRITTEN}
        self.configurations: set[str] = set()
        # In one order everywhere: no two writers wait for each other.
        by_id = sorted((id_of(item.url), item) for item in documents)
        self.ids = [number for number, _ in by_id]
        for number, document in by_id:
            self._add(number, document, known)

    def _add(
        self, number: UUID, document: IndexDocument, known: frozenset[str]
    ) -> None:
        name = configuration_of(document.language)
        configuration = f"pg_catalog.{name}" if name in known else SIMPLE
        self.configurations.add(configuration)
        self.tables["documents"].append(_document_row(number, document))
        parts = parts_of(document)
        is_only = len(parts) == 1
        for place, part in enumerate(parts):
            start, stop = part.main
            searched = _searched(part.texts, configuration)
            self.tables["parts"].append(
                (number, place, is_only, start, stop - start, configuration, *searched)
            )
        for place, passage in enumerate(document.passages):
            id_, position, text, heading, anchor = passage
            texts = (Text.of(heading or ""), Text.of(text))
            searched = _searched(texts, configuration)
            kept = (number, place, id_, position, heading, anchor, text, configuration)
            self.tables["passages"].append((*kept, *searched))


class Statements:
    """What is sent to the server to write into the tables of one schema."""

    def __init__(self, schema: str):
        self._schema = sql.Identifier(schema)
        self._inserts = {name: self._insert(name) for name in _WRITTEN}
        self._configurations = self._sql(
            "INSERT INTO {0}.configurations SELECT unnest(%s::text[])::regconfig "
            "ON CONFLICT DO NOTHING"
        )
        self._clear = [
            self._sql(f"DELETE FROM {{0}}.{table} WHERE document = ANY(%s)")
            for table in ("parts", "passages")
        ]
        self._delete = self._sql(
            "DELETE FROM {0}.documents WHERE id IN (SELECT id FROM {0}.documents "
            "WHERE id = ANY(%s) ORDER BY id FOR UPDATE)"
        )

    async def put(self, connection: AsyncConnection[Any], rows: Rows) -> None:
        """Write the rows in place of what is there for their documents."""
        # First what all writers share: who waits for it holds nothing else.
        names = sorted(rows.configurations)
        await connection.execute(self._configurations, [names])
        for table, insert in self._inserts.items():
            columns = [list(column) for column in zip(*rows.tables[table], strict=True)]
            if columns:
                await connection.execute(insert, columns)
            if table == "documents":
                for statement in self._clear:
                    await connection.execute(statement, [rows.ids])

    async def delete(
        self, connection: AsyncConnection[Any], urls: Iterable[str]
    ) -> int:
        """Take out the documents; return how many there were."""
        ids = list(map(id_of, urls))
        return (await connection.execute(self._delete, [ids])).rowcount

    def _sql(self, statement: str) -> sql.Composed:
        return sql.SQL(statement).format(self._schema)

    def _insert(self, table: str) -> sql.Composed:
        """One statement for any number of rows: an array for each column."""
        columns = _WRITTEN[table]
        names = ", ".join(columns)
        values = ", ".join(f"{name}{_CASTS.get(name, '')}" for name in columns)
        arrays = ", ".join(f"%s::{_TYPES.get(name, 'text')}[]" for name in columns)
        return self._sql(
            f"INSERT INTO {{0}}.{table} ({names}) SELECT {values} "
            f"FROM unnest({arrays}) AS r ({names}) "
            f"{_UPSERT if table == 'documents' else ''}"
        )


def id_of(url: str) -> UUID:
    """The key of the document with this URL, which may be too long to be one itself."""
    return UUID(bytes=hashlib.sha256(url.encode()).digest()[:16])


def _document_row(number: UUID, document: IndexDocument) -> Row:
    sections = json.dumps(document.sections) if document.sections else None
    return number, *(getattr(document, name) for name in COLUMNS), sections


def _searched(texts: Sequence[Text], configuration: str) -> list[str | None]:
    """The plain words of each text; then those for stemmers, where they differ."""
    plain = [_joined(text.words) for text in texts]
    if configuration == SIMPLE:
        return plain + [None] * len(plain)
    return plain + [_joined(text.accented) for text in texts]


def _joined(found: list[str] | None) -> str | None:
    return " ".join([*found, BREAK]) if found else None
