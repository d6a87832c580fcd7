"""The tables of the PostgreSQL engine: creating and checking them.

``documents`` has a row per page. ``parts`` has the searched texts: words from
:mod:`.tsvectors`, and the text search vectors that the server computes from them. A
document has one part, a very long one several (``is_only`` is false then), because a
vector ends at position 16,383 and at a megabyte. ``passages`` has the passages of a
document, with vectors of their own.

``words`` finds words as written. ``stems`` also finds their other forms, in the
languages that the server stems. Both weigh titles as A, headings and descriptions as
B, texts as C and comments as D: PostgreSQL has no fifth letter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from psycopg import sql

from ..documents import FIELDS_VERSION, STORED, WEIGHTS
from ..word_forms import SNOWBALL

if TYPE_CHECKING:
    from psycopg import AsyncConnection

SCHEMA_VERSION: Final = 3 + FIELDS_VERSION
DEFAULT_SCHEMA: Final = "mainpage"

#: The first PostgreSQL with generated columns.
MIN_VERSION: Final = 12

#: The configuration that splits words and does not stem.
SIMPLE: Final = "pg_catalog.simple"

#: Language -> the server's text search configuration. Hindi, Nepali and Tamil are left
#: out: not every server reads their vowel signs as parts of words.
CONFIGURATIONS: Final = {
    language: name
    for language, name in SNOWBALL.items()
    if language not in ("hi", "ta")
}

#: Searched field -> the letter of its weight.
FIELDS: Final = {
    "title": "A",
    "headings": "B",
    "description": "B",
    "text": "C",
    "comments": "D",
}
PASSAGE_FIELDS: Final = {"heading": "A", "text": "C"}

#: The columns of ``documents`` beside its ``id`` and ``sections``.
COLUMNS: Final = ("url", "site", *WEIGHTS, "language", *STORED)


class UnusableSchemaError(Exception):
    """A database or schema that is not, or cannot hold, an index of this version."""


def searched_columns(fields: dict[str, str]) -> tuple[str, ...]:
    """Return the columns of plain words, then of accented ones for stemmers."""
    return *(f"{name}_words" for name in fields), *(
        f"{name}_accents" for name in fields
    )


def _vectors(fields: dict[str, str]) -> str:
    """Return the SQL of the word columns and of the vectors computed from them."""
    columns = ", ".join(f"{name} text" for name in searched_columns(fields))
    plain = " || ".join(
        f"setweight(to_tsvector('{SIMPLE}', coalesce({name}_words, '')), '{weight}')"
        for name, weight in fields.items()
    )
    stems = " || ".join(
        "setweight(to_tsvector(configuration, "
        f"coalesce({name}_accents, {name}_words, '')), '{weight}')"
        for name, weight in fields.items()
    )
    return f"""
    configuration regconfig NOT NULL,
    {columns},
    words tsvector GENERATED ALWAYS AS ({plain}) STORED,
    stems tsvector GENERATED ALWAYS AS (
        CASE WHEN configuration = '{SIMPLE}'::regconfig THEN NULL
        ELSE {stems} END) STORED
"""


_TABLES: Final = f"""
CREATE TABLE {{schema}}.mainpage_index (version integer NOT NULL);
INSERT INTO {{schema}}.mainpage_index VALUES ({SCHEMA_VERSION});
CREATE TABLE {{schema}}.documents (
    id uuid PRIMARY KEY,
    {", ".join(f"{name} text" for name in COLUMNS)},
    weight real NOT NULL DEFAULT 1,
    sections jsonb
);
CREATE TABLE {{schema}}.parts (
    document uuid NOT NULL REFERENCES {{schema}}.documents ON DELETE CASCADE,
    part integer NOT NULL,
    is_only boolean NOT NULL,
    first_char integer NOT NULL,
    chars integer NOT NULL,
    {_vectors(FIELDS)},
    PRIMARY KEY (document, part)
);
CREATE INDEX ON {{schema}}.parts USING gin (words, stems) WHERE is_only;
CREATE INDEX ON {{schema}}.parts USING gin (words, stems) WHERE NOT is_only;
CREATE TABLE {{schema}}.passages (
    document uuid NOT NULL REFERENCES {{schema}}.documents ON DELETE CASCADE,
    number integer NOT NULL,
    passage text NOT NULL,
    position integer NOT NULL,
    heading text,
    anchor text,
    path jsonb,
    text text NOT NULL,
    {_vectors(PASSAGE_FIELDS)},
    PRIMARY KEY (document, number)
);
CREATE INDEX ON {{schema}}.passages USING gin (words, stems);
CREATE TABLE {{schema}}.configurations (configuration regconfig PRIMARY KEY);
CREATE TABLE {{schema}}.field_types (name text PRIMARY KEY, type text);
CREATE TABLE {{schema}}.fields (
    document uuid NOT NULL REFERENCES {{schema}}.documents ON DELETE CASCADE,
    name text NOT NULL,
    key text COLLATE "C",
    number double precision,
    value text
);
CREATE INDEX fields_of_documents ON {{schema}}.fields (document, name);
CREATE INDEX documents_of_fields ON {{schema}}.fields (name, number);
CREATE TABLE {{schema}}.marks (name text PRIMARY KEY, value text);
"""

_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 5066067))"
_HAS_SCHEMA: Final = "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = %s"
_TABLE_NAMES: Final = """
SELECT c.relname FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = %s
"""
_CONFIGURATIONS: Final = """
SELECT cfgname FROM pg_catalog.pg_ts_config
WHERE cfgnamespace = 'pg_catalog'::regnamespace
"""
_OURS: Final = frozenset(
    (
        *("mainpage_index", "documents", "parts", "passages", "configurations"),
        *("fields", "field_types", "marks"),
    )
)


async def prepare(
    connection: AsyncConnection[Any], schema: str, *, read_only: bool
) -> frozenset[str]:
    """Check or create the tables; return the names of the server's configurations.

    Raises :exc:`UnusableSchemaError`, or an error of psycopg.
    """
    _check_server(connection)
    async with connection.transaction():
        if not read_only:
            await connection.execute(_LOCK, [schema])
        names = {row[0] for row in await _rows(connection, _TABLE_NAMES, [schema])}
        if not names & _OURS and not read_only:
            await _create(connection, schema)
        elif "mainpage_index" not in names:
            raise UnusableSchemaError(_problem(names, schema))
        await _check_version(connection, schema)
    return frozenset(row[0] for row in await _rows(connection, _CONFIGURATIONS))


def _problem(names: set[str], schema: str) -> str:
    if not names:
        return f"there is no such index: nothing in the schema {schema!r}"
    if clash := ", ".join(sorted(names & _OURS)):
        return f"schema {schema!r} has tables of another program: {clash}"
    return f"there is no such index: no tables of one in the schema {schema!r}"


def _check_server(connection: AsyncConnection[Any]) -> None:
    version = connection.info.server_version
    if version < MIN_VERSION * 10_000:
        raise UnusableSchemaError(
            f"the server is PostgreSQL {version // 10_000}, "
            f"and an index needs {MIN_VERSION} or newer"
        )
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise UnusableSchemaError(
            f"the database has the encoding {encoding}, and an index needs UTF8"
        )


async def _create(connection: AsyncConnection[Any], schema: str) -> None:
    name = sql.Identifier(schema)
    if not await _rows(connection, _HAS_SCHEMA, [schema]):
        await connection.execute(sql.SQL("CREATE SCHEMA {}").format(name))
    for statement in filter(str.strip, _TABLES.split(";\n")):
        await connection.execute(sql.SQL(statement).format(schema=name))


async def _check_version(connection: AsyncConnection[Any], schema: str) -> None:
    statement = sql.SQL("SELECT version FROM {}.mainpage_index").format(
        sql.Identifier(schema)
    )
    versions = [row[0] for row in await _rows(connection, statement)]
    if versions != [SCHEMA_VERSION]:
        found = ", ".join(map(str, versions)) or "none"
        known = f"this scrapy-mainpage reads version {SCHEMA_VERSION}; make it anew"
        raise UnusableSchemaError(f"the index has schema version {found}, {known}")


async def _rows(
    connection: AsyncConnection[Any], statement: Any, values: Any = None
) -> list[tuple[Any, ...]]:
    return await (await connection.execute(statement, values)).fetchall()
