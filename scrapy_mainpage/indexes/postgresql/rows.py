"""Rows of the PostgreSQL engine: inserting and deleting documents."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from psycopg import sql

from ..documents import types_of
from ..fields import FieldTypeError, type_clash
from .schema import (
    COLUMNS,
    CONFIGURATIONS,
    FIELDS,
    PASSAGE_FIELDS,
    SIMPLE,
    searched_columns,
)
from .tsvectors import BREAK, Text, split_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from psycopg import AsyncConnection

    from ..documents import IndexDocument

_TYPES: Final = {
    **dict.fromkeys(("id", "document"), "uuid"),
    **dict.fromkeys(("number", "part", "position", "first_char", "chars"), "integer"),
    "is_only": "boolean",
    "weight": "real",
}
_CASTS: Final = {
    "sections": "::jsonb",
    "path": "::jsonb",
    "configuration": "::regconfig",
}

#: Table -> the columns of its tuples in :class:`Rows`.
_WRITTEN: Final = {
    "documents": ("id", *COLUMNS, "weight", "sections"),
    "parts": (
        *("document", "part", "is_only", "first_char", "chars", "configuration"),
        *searched_columns(FIELDS),
    ),
    "passages": (
        *("document", "number", "passage", "position", "heading", "anchor", "path"),
        *("text", "configuration", *searched_columns(PASSAGE_FIELDS)),
    ),
    "fields": ("document", "name", "key", "number", "value"),
}
_UPSERT: Final = "ON CONFLICT (id) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in _WRITTEN["documents"][1:]
)

Row = tuple[Any, ...]


class Rows:
    """The rows of some documents in all tables, in the order of the columns."""

    def __init__(self, documents: Iterable[IndexDocument], known: frozenset[str]):
        self.tables: dict[str, list[Row]] = {name: [] for name in _WRITTEN}
        self.configurations: set[str] = set()
        # The same order in every process: no two writers deadlock.
        by_id = sorted((id_of(item.url), item) for item in documents)
        self.types = types_of(item for _, item in by_id)
        self.ids = [number for number, _ in by_id]
        for number, document in by_id:
            self._add(number, document, known)

    def _add(
        self, number: UUID, document: IndexDocument, known: frozenset[str]
    ) -> None:
        language = (document.language or "").partition("-")[0]
        name = CONFIGURATIONS.get(language, "simple")
        configuration = f"pg_catalog.{name}" if name in known else SIMPLE
        self.configurations.add(configuration)
        sections = json.dumps(document.sections) if document.sections else None
        values = (getattr(document, name) for name in COLUMNS)
        self.tables["documents"].append((number, *values, document.weight, sections))
        for own, field in document.fields.items():
            for key, value in field.rows():
                keys = (key, None) if isinstance(key, str) else (None, key)
                shown = value if isinstance(value, str) else None
                self.tables["fields"].append((number, own, *keys, shown))
        parts = split_parts(document)
        for place, part in enumerate(parts):
            start, stop = part.main
            row = (number, place, len(parts) == 1, start, stop - start, configuration)
            searched = _searched(part.texts, configuration)
            self.tables["parts"].append((*row, *searched))
        for place, passage in enumerate(document.passages):
            id_, position, text, heading, anchor, path = passage
            texts = (Text.of(passage.searched_heading), Text.of(text))
            searched = _searched(texts, configuration)
            kept = (number, place, id_, position, heading, anchor, json.dumps(path))
            self.tables["passages"].append((*kept, text, configuration, *searched))


class Statements:
    """The SQL that writes into the tables of one schema."""

    def __init__(self, schema: str):
        self._schema = sql.Identifier(schema)
        self._inserts = {name: self._insert(name) for name in _WRITTEN}
        self._configurations = self._sql(
            "INSERT INTO {0}.configurations SELECT unnest(%s::text[])::regconfig "
            "ON CONFLICT DO NOTHING"
        )
        self._types = self._sql(
            "INSERT INTO {0}.field_types SELECT * FROM unnest(%s::text[], %s::text[]) "
            "ON CONFLICT DO NOTHING"
        )
        self._known_types = self._sql("SELECT name, type FROM {0}.field_types")
        self._clear = [
            self._sql(f"DELETE FROM {{0}}.{table} WHERE document = ANY(%s)")
            for table in ("parts", "passages", "fields")
        ]
        self._delete = self._sql(
            "DELETE FROM {0}.documents WHERE id IN (SELECT id FROM {0}.documents "
            "WHERE id = ANY(%s) ORDER BY id FOR UPDATE)"
        )

    async def put(self, connection: AsyncConnection[Any], rows: Rows) -> None:
        """Write the rows in place of the existing ones of their documents."""
        # First the table that all writers share: who waits for it holds nothing else.
        names = sorted(rows.configurations)
        await connection.execute(self._configurations, [names])
        if rows.types:
            names = sorted(rows.types)
            types = [names, [rows.types[name] for name in names]]
            await connection.execute(self._types, types)
            known = dict(await (await connection.execute(self._known_types)).fetchall())
            if clash := type_clash(rows.types, known):
                raise FieldTypeError(clash)
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
        """Remove the documents; return how many existed."""
        ids = list(map(id_of, urls))
        return (await connection.execute(self._delete, [ids])).rowcount

    def _sql(self, statement: str) -> sql.Composed:
        return sql.SQL(statement).format(self._schema)

    def _insert(self, table: str) -> sql.Composed:
        """Return one statement for any number of rows: an array per column."""
        columns = _WRITTEN[table]
        names = ", ".join(columns)
        values = ", ".join(f"{name}{_CASTS.get(name, '')}" for name in columns)
        types = (
            {**_TYPES, "number": "double precision"} if table == "fields" else _TYPES
        )
        arrays = ", ".join(f"%s::{types.get(name, 'text')}[]" for name in columns)
        return self._sql(
            f"INSERT INTO {{0}}.{table} ({names}) SELECT {values} "
            f"FROM unnest({arrays}) AS r ({names}) "
            f"{_UPSERT if table == 'documents' else ''}"
        )


def id_of(url: str) -> UUID:
    """Return the key of the document: a URL may be too long for an index."""
    return UUID(bytes=hashlib.sha256(url.encode()).digest()[:16])


def _searched(texts: Sequence[Text], configuration: str) -> list[str | None]:
    """Return the plain words of each text, then the accented ones that differ."""
    plain = [_join(text.words) for text in texts]
    if configuration == SIMPLE:
        return plain + [None] * len(plain)
    return plain + [_join(text.accented) for text in texts]


def _join(words: list[str] | None) -> str | None:
    return " ".join([*words, BREAK]) if words else None
