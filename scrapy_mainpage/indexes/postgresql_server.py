"""A PostgreSQL server with an index: its address, its tables, its errors.

The tables are those of :mod:`.sql`, with a text search vector of the words in
``documents``, and the words of all of them in ``vocabulary``. Vectors weigh titles as
A, headings and descriptions as B, texts as C and comments as D: PostgreSQL has no
fifth letter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote_plus

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from ..redaction import error_line
from .base import IndexFailure
from .documents import FIELDS_VERSION
from .sql import COLUMNS

Connection = psycopg.Connection[tuple[Any, ...]]

SCHEMA_VERSION: Final = 5 + FIELDS_VERSION
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
    start integer NOT NULL,
    length integer NOT NULL,
    text text
);
CREATE INDEX ON {{schema}}.passages (document);
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


def prepare(connection: Connection, schema: str, *, read_only: bool) -> None:
    """Check or create the tables.

    Raises :exc:`UnusableSchemaError`, or an error of psycopg.
    """
    _check_server(connection)
    with connection.transaction():
        if not read_only:
            connection.execute(_LOCK, [schema])
        names = {name for (name,) in connection.execute(_TABLE_NAMES, [schema])}
        if not names & _OURS and not read_only:
            _create(connection, schema)
        elif "mainpage_index" not in names:
            raise UnusableSchemaError(_problem(names, schema))
        _check_version(connection, schema)


def _problem(names: set[str], schema: str) -> str:
    if clash := ", ".join(sorted(names & _OURS)):
        return f"schema {schema!r} has tables of another program: {clash}"
    return f"there is no such index: no tables of one in the schema {schema!r}"


def _check_server(connection: Connection) -> None:
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


def _create(connection: Connection, schema: str) -> None:
    name = sql.Identifier(schema)
    if not connection.execute(_HAS_SCHEMA, [schema]).fetchall():
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(name))
    for statement in filter(str.strip, _TABLES.split(";\n")):
        connection.execute(sql.SQL(statement).format(schema=name))


def _check_version(connection: Connection, schema: str) -> None:
    statement = sql.SQL("SELECT version FROM {}.mainpage_index").format(
        sql.Identifier(schema)
    )
    versions = [version for (version,) in connection.execute(statement)]
    if versions != [SCHEMA_VERSION]:
        found = ", ".join(map(str, versions)) or "none"
        known = f"this scrapy-mainpage reads version {SCHEMA_VERSION}; make it anew"
        raise UnusableSchemaError(f"the index has schema version {found}, {known}")


#: Seconds to wait for a connection, unless the URL says ``connect_timeout``.
CONNECT_TIMEOUT: Final = 10

MAX_NAME_BYTES: Final = 63

#: SQLSTATE or its beginning -> reason code.
_RETRYABLE: Final = {
    "08": "connection_lost",
    "25006": "read_only",  # a standby server, which may take over
    "40": "conflict",
    "53": "no_resources",
    "53100": "disk_full",
    "53300": "too_many_connections",
    "55P03": "locked",
    "57014": "timeout",
    "57P": "restarting",
    "58": "disk_error",
}
_FINAL: Final = {
    "28": "refused",
    "3D": "no_database",
    "3F": "no_tables",
    "42501": "no_permission",
    "42P01": "no_tables",
    "XX001": "corrupt",
    "XX002": "corrupt",
    # Of one document: its values or its size.
    "22": "unsupported",
    "23": "unsupported",
    "54": "too_big",
}
#: Messages of a server that refuses the connection; libpq gives no code with them.
_REFUSED: Final = ("authentication failed", "no pg_hba.conf entry", "does not exist")


@dataclass(frozen=True)
class Address:
    """The location of an index: libpq's parameters, and the schema of the tables."""

    parameters: dict[str, Any] = field(repr=False)  # with the password
    schema: str

    @classmethod
    def of(cls, url: str) -> Address:
        """Parse ``postgresql://...?schema=NAME``; raise :exc:`.UnusableSchemaError`."""
        place, _, query = url.partition("?")
        options = query.split("&") if query else []
        names = [item[7:] for item in options if item.startswith("schema=")]
        others = "&".join(item for item in options if not item.startswith("schema="))
        parameters = _parameters(f"{place}?{others}" if others else place)
        parameters.setdefault("connect_timeout", CONNECT_TIMEOUT)
        parameters.setdefault("application_name", "scrapy-mainpage")
        # A server that is gone without a word is an error after a minute.
        parameters.setdefault("tcp_user_timeout", 60_000)
        parameters["client_encoding"] = "UTF8"
        return cls(parameters, _schema(names[-1] if names else DEFAULT_SCHEMA))

    def connect(self, *, read_only: bool) -> Connection:
        """Return a connection; raises the error of psycopg."""
        # Poolers in front of the server may not support prepared statements.
        parameters = {**self.parameters, "prepare_threshold": None, "autocommit": True}
        connection: Connection = psycopg.connect(**parameters)
        connection.read_only = read_only or None
        connection.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        return connection


def _parameters(url: str) -> dict[str, Any]:
    try:
        return conninfo_to_dict(url)
    except psycopg.ProgrammingError as exc:
        # libpq quotes the part that it cannot parse, which may be the password.
        message = str(exc) if "query parameter" in str(exc) else "libpq cannot read it"
        hint = "what is special in a URL is written %XX in user names and passwords"
        raise UnusableSchemaError(f"{message}; {hint}") from None


def _schema(name: str) -> str:
    name = unquote_plus(name)
    size = len(name.encode(errors="replace"))
    if not 0 < size <= MAX_NAME_BYTES or "\0" in name:
        raise UnusableSchemaError(
            f"the name of a schema has 1 to {MAX_NAME_BYTES} bytes"
        )
    return name


def failure_of(exc: psycopg.Error) -> IndexFailure:
    """Return the failure of a whole call."""
    message = error_line(exc)
    state = exc.sqlstate
    if state is None and isinstance(exc, psycopg.OperationalError):
        if any(part in message for part in _REFUSED):
            return IndexFailure("refused", message)
        return IndexFailure("connection_lost", message, retryable=True)
    if state is None and isinstance(exc, (psycopg.DataError, psycopg.ProgrammingError)):
        return IndexFailure("unsupported", message)  # a value, before it was sent
    if reason := _reason(_RETRYABLE, state):
        return IndexFailure(reason, message, retryable=True)
    return IndexFailure(_reason(_FINAL, state) or "database_error", message)


def _reason(reasons: dict[str, str], state: str | None) -> str | None:
    """Return the reason of the state, or of its longest known beginning."""
    beginnings = ((state or "")[:length] for length in (5, 3, 2))
    return next((reasons[part] for part in beginnings if part in reasons), None)
