"""The ledger in PostgreSQL, in a schema of its own."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache, partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import uuid4

import psycopg
from psycopg import sql

from ..indexes.postgresql.connections import MAX_NAME_BYTES, Address, message_of
from ..indexes.postgresql.schema import UnusableSchemaError
from ..redaction import hide_secrets, redacted
from .records import COLUMNS, values_of
from .sqlite import SCHEMA_VERSION, LedgerUnavailable
from .store import Ledger, Row

if TYPE_CHECKING:
    from collections.abc import Callable

    from .records import PageRow

Result = TypeVar("Result")

_TYPES: Final = {
    "id": "bigint PRIMARY KEY",
    "parent": "bigint",
    **dict.fromkeys("body_hash content_hash config_hash requests".split(), "bytea"),
    **dict.fromkeys("is_rendered is_sitemap".split(), "boolean"),
    **dict.fromkeys(
        "last_ok interval next_visit confidence".split(), "double precision"
    ),
    **dict.fromkeys(
        "scope status requested_run start_run last_seen_run document_run failures "
        "words".split(),
        "integer",
    ),
}
_SCHEMA: Final = (
    "CREATE TABLE facts (name text PRIMARY KEY, value text)",
    "CREATE TABLE scopes (id integer PRIMARY KEY, name text UNIQUE)",
    "CREATE TABLE runs (id integer PRIMARY KEY, scope integer, "
    "started double precision, ended double precision, reason text, complete boolean, "
    "counts text)",
    "CREATE TABLE history (page bigint, run integer, outcome text, status integer, "
    "reason text, PRIMARY KEY (page, run))",
    "CREATE TABLE sites (scope integer, host text, place integer, counts text, "
    "PRIMARY KEY (scope, host))",
    "CREATE TABLE pages ("
    + ", ".join(f"{name} {_TYPES.get(name, 'text')}" for name in COLUMNS)
    + ")",
    "CREATE UNIQUE INDEX ON pages (scope, md5(url))",
    "CREATE INDEX ON pages (parent) WHERE parent IS NOT NULL",
)
_SET: Final = ", ".join(f"{name} = excluded.{name}" for name in COLUMNS[3:])
_PUT: Final = (
    f"INSERT INTO pages VALUES ({', '.join('%s' for _ in COLUMNS)}) "
    f"ON CONFLICT (id) DO UPDATE SET {_SET}"
)
_EVENT: Final = (
    "INSERT INTO history VALUES (%s, %s, %s, %s, %s) ON CONFLICT (page, run) DO UPDATE "
    "SET outcome = excluded.outcome, status = excluded.status, reason = excluded.reason"
)


class PostgresqlLedger(Ledger):
    """The tables of ``postgresql://...?schema=NAME`` are in the schema NAME_state."""

    errors = (psycopg.Error,)
    # An address may be longer than a key of an index.
    _at_url = "md5(url) = md5(:url) AND url = :url"

    def __init__(self, url: str, *, read_only: bool = False):
        try:
            self._address = Address.of(url)
            self._schema = f"{self._address.schema}_state"
            if len(self._schema.encode()) > MAX_NAME_BYTES:
                raise LedgerUnavailable("the name of its schema is too long")
            self._reader, self._writer = self._connect(), self._connect()
            self._locked: list[int] = []
            self._mending = Lock()
            self._check(read_only)
        except (psycopg.Error, UnusableSchemaError, ValueError) as error:
            problem = hide_secrets(message_of(error), url)
            raise LedgerUnavailable(f"{redacted(url)!r}: {problem}") from None
        super().__init__(redacted(url))

    def _connect(self) -> psycopg.Connection[Row]:
        connection = psycopg.connect(autocommit=True, **self._address.parameters)
        setting = "SELECT set_config('search_path', quote_ident(%s), false)"
        connection.execute(setting, [self._schema])
        return connection

    def _check(self, read_only: bool) -> None:
        """Make the tables, once; refuse those of another version."""
        with self._writer.transaction():
            execute = self._writer.execute
            # Two crawls may start at once.
            execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [self._schema])
            exists = "SELECT to_regclass(quote_ident(%s) || '.facts') IS NOT NULL"
            if execute(exists, [self._schema]).fetchone() == (False,):
                if read_only:
                    raise LedgerUnavailable("there is no ledger")
                name = sql.Identifier(self._schema)
                execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(name))
                for statement in _SCHEMA:
                    execute(statement)
                facts = [("id", uuid4().hex), ("version", str(SCHEMA_VERSION))]
                put = "INSERT INTO facts VALUES (%s, %s)"
                self._writer.cursor().executemany(put, facts)
            found = execute("SELECT value FROM facts WHERE name = 'version'").fetchone()
        if found != (str(SCHEMA_VERSION),):
            raise LedgerUnavailable(
                f"a ledger of another version than {SCHEMA_VERSION}"
            )

    def _again(self, call: Callable[[], Result]) -> Result:
        """Call once more with other connections if the server was restarted."""
        used = self._reader, self._writer
        try:
            return call()
        except psycopg.OperationalError:
            with self._mending:  # the crawl and its writer may notice at once
                if used == (self._reader, self._writer):
                    if not (self._reader.broken or self._writer.broken):
                        raise
                    self._reader.close()
                    self._writer.close()
                    self._reader, self._writer = self._connect(), self._connect()
                    if not all(map(self._try_lock, self._locked)):
                        raise
            return call()

    def _query(self, query: str, **values: Any) -> list[Row]:
        prepared = _prepare(query)
        return self._again(lambda: self._reader.execute(prepared, values).fetchall())

    def _execute(self, query: str, **values: Any) -> None:
        prepared = _prepare(query)
        with suppress(psycopg.errors.UniqueViolation):
            self._again(lambda: self._writer.execute(prepared, values))
            return
        # Two crawls that began at once took one number: it has another one now.
        self._again(lambda: self._writer.execute(prepared, values))

    def _change_of(self, row: PageRow) -> Any:
        """Return the values of a row, without what no text of PostgreSQL may have."""
        values = values_of(row)
        return tuple(x.replace("\0", "") if isinstance(x, str) else x for x in values)

    def _write_batch(self, changes: list[Row], events: list[Row]) -> None:
        self._again(partial(self._put, changes, events))

    def _put(self, changes: list[Row], events: list[Row]) -> None:
        with self._writer.transaction(), self._writer.cursor() as cursor:
            cursor.executemany(_PUT, changes)
            cursor.executemany(_EVENT, events)

    def lock(self, scope: int, crawl: str | None = None) -> bool:
        """Reserve the scope as long as the connection lasts."""
        if self._try_lock(scope):
            self._locked.append(scope)
            return True
        return False

    def _try_lock(self, scope: int) -> bool:
        query = "SELECT pg_try_advisory_lock(hashtext(%s), %s)"
        return self._reader.execute(query, [self._schema, scope]).fetchone() == (True,)

    def _shut(self) -> None:
        if not self._reader.broken:  # the server may see the end of it later
            self._reader.execute("SELECT pg_advisory_unlock_all()")
        self._reader.close()
        self._writer.close()


@cache
def _prepare(query: str) -> Any:
    """Return a query of ours with the placeholders of psycopg."""
    return re.sub(r":(\w+)", r"%(\1)s", query)
