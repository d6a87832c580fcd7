"""The tables of the PostgreSQL engine: creating and checking them.

They are those of :mod:`..sql`, with a text search vector of the words in ``documents``
and ``passages``, and the words of all of them in ``vocabulary``. Vectors weigh titles
as A, headings and descriptions as B, texts as C and comments as D: PostgreSQL has no
fifth letter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from psycopg import sql

from ..documents import FIELDS_VERSION
from ..sql import COLUMNS

if TYPE_CHECKING:
    from psycopg import AsyncConnection

SCHEMA_VERSION: Final = 4 + FIELDS_VERSION
DEFAULT_SCHEMA: Final = "mainpage"

#: The oldest that was ever tested with.
MIN_VERSION: Final = 12


class UnusableSchemaError(Exception):
    """A database or schema that is not, or cannot hold, an index of this version."""


_OF_DOCUMENT: Final = "uuid NOT NULL REFERENCES {schema}.documents ON DELETE CASCADE"
_TABLES: Final = f"""
CREATE TABLE {{schema}}.mainpage_index (version integer NOT NULL);
INSERT INTO {{schema}}.mainpage_index VALUES ({SCHEMA_VERSION});
CREATE TABLE {{schema}}.documents (
    id uuid PRIMARY KEY,
    {", ".join(f"{name} {'real' if name == 'weight' else 'text'}" for name in COLUMNS)},
    text text NOT NULL,
    words tsvector NOT NULL,
    is_whole boolean NOT NULL
);
CREATE INDEX ON {{schema}}.documents USING gin (words);
CREATE TABLE {{schema}}.passages (
    row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document {_OF_DOCUMENT},
    id text NOT NULL,
    position integer NOT NULL,
    heading text,
    anchor text,
    path text,
    text text NOT NULL,
    words tsvector NOT NULL,
    is_whole boolean NOT NULL
);
CREATE INDEX ON {{schema}}.passages (document);
CREATE INDEX ON {{schema}}.passages USING gin (words);
CREATE TABLE {{schema}}.vocabulary (term text COLLATE "C" PRIMARY KEY);
CREATE TABLE {{schema}}.field_types (name text PRIMARY KEY, type text);
CREATE TABLE {{schema}}.fields (
    document {_OF_DOCUMENT},
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
_OURS: Final = frozenset(
    (
        *("mainpage_index", "documents", "passages", "vocabulary"),
        *("fields", "field_types", "marks"),
    )
)


async def prepare(
    connection: AsyncConnection[Any], schema: str, *, read_only: bool
) -> None:
    """Check or create the tables.

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
