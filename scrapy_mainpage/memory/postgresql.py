"""The memory in PostgreSQL, which the workers of a shared crawl have in common."""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import uuid4

import psycopg
from psycopg import sql

from ..indexes.postgresql_server import MAX_NAME_BYTES, Address, UnusableSchemaError
from ..redaction import error_line, hide_secrets, redacted
from .tables import FACT, PUT_FACT, TABLES, VERSION, Change, MemoryUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .tables import Row

Result = TypeVar("Result")

_TYPES: Final = {"number": "bigint", "bytes": "bytea"}

#: Advisory locks have two numbers: that of their kind in the schema, and the scope.
_KIND: Final = "hashtext(%(kind)s), %(scope)s"
_LOCK: Final = f"SELECT pg_try_advisory_lock({_KIND})"
_LOCK_SHARED: Final = f"SELECT pg_try_advisory_lock_shared({_KIND})"
_UNLOCK: Final = f"SELECT pg_advisory_unlock({_KIND})"


class PostgresConnection:
    """The tables of ``postgresql://...?schema=NAME`` are in the schema NAME_state."""

    errors = (psycopg.Error,)
    is_shared = is_temporary = False

    def __init__(self, url: str, *, read_only: bool = False):
        self.shown = redacted(url)
        self._locked: list[tuple[str, str, int]] = []
        try:
            self._address = Address.of(url)
            self._schema = f"{self._address.schema}_state"
            if len(self._schema.encode()) > MAX_NAME_BYTES:
                raise MemoryUnavailable("the name of its schema is too long")
            self._connection = self._connect()
            self._check(read_only)
        except (psycopg.Error, UnusableSchemaError, ValueError) as error:
            problem = hide_secrets(error_line(error), url)
            raise MemoryUnavailable(f"{self.shown!r}: {problem}") from None

    def _connect(self) -> psycopg.Connection[Row]:
        connection = psycopg.connect(autocommit=True, **self._address.parameters)
        setting = "SELECT set_config('search_path', quote_ident(%s), false)"
        connection.execute(setting, [self._schema])
        return connection

    def _check(self, read_only: bool) -> None:
        """Make the tables, once; refuse those of another version."""
        with self._connection.transaction():
            execute = self._connection.execute
            # Two crawls may start at once.
            execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [self._schema])
            exists = "SELECT to_regclass(quote_ident(%s) || '.facts') IS NOT NULL"
            if execute(exists, [self._schema]).fetchone() == (False,):
                if read_only:
                    raise MemoryUnavailable("there is no state")
                name = sql.Identifier(self._schema)
                execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(name))
                for statement in TABLES:
                    execute(_prepare(statement.format(**_TYPES)))
                for fact, value in (("id", uuid4().hex), ("version", str(VERSION))):
                    execute(_prepare(PUT_FACT), {"name": fact, "value": value})
            found = execute(_prepare(FACT), {"name": "version"}).fetchone()
        if found != (str(VERSION),):
            problem = f"a state of another version than {VERSION}: name another schema"
            raise MemoryUnavailable(problem)

    def _again(self, call: Callable[[], Result]) -> Result:
        """Call once more with another connection if the server was restarted."""
        try:
            return call()
        except psycopg.OperationalError:
            if not self._connection.broken:
                raise
            self._connection.close()
            self._connection = self._connect()
            if not all(self._ask(query, k, scope) for query, k, scope in self._locked):
                raise
            return call()

    def read(self, query: str, values: dict[str, Any]) -> list[Row]:
        """Return the rows of a query."""
        statement = _prepare(query)
        return self._again(
            lambda: self._connection.execute(statement, _clean(values)).fetchall()
        )

    def write(self, changes: Iterable[Change]) -> None:
        """Execute all statements, or none."""
        listed = list(changes)
        self._again(lambda: self._write(listed))

    def _write(self, changes: list[Change]) -> None:
        with self._connection.transaction(), self._connection.cursor() as cursor:
            for change in changes:
                values = [_clean(each) for each in change.values]
                cursor.executemany(_prepare(change.statement), values)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Have a transaction that waits for those of other workers to end."""
        lock = "SELECT pg_advisory_xact_lock(hashtext(%s))"
        self._again(lambda: self._connection.execute("SELECT 1"))
        with self._connection.transaction():
            self._connection.execute(lock, [f"{self._schema} exclusive"])
            yield

    def lock(self, scope: int, crawl: str | None = None) -> bool:
        """Reserve the scope as long as the connection lasts, or with a *crawl*."""
        with self.exclusive():
            if crawl is None:
                return self._hold(_LOCK, "scope", scope)
            is_first = self._ask(_LOCK, "scope", scope)
            name = f"crawl {scope}"
            if is_first:
                self.write([Change(PUT_FACT, [{"name": name, "value": crawl}])])
            is_ours = self.read(FACT, {"name": name}) == [(crawl,)]
            self.is_shared = is_ours and self._hold(_LOCK_SHARED, "scope", scope)
            if is_first:
                self._ask(_UNLOCK, "scope", scope)
        return self.is_shared

    def _hold(self, query: str, kind: str, scope: int) -> bool:
        """Take a lock that is taken again after a restart of the server."""
        if is_free := self._ask(query, kind, scope):
            self._locked.append((query, kind, scope))
        return is_free

    def _ask(self, query: str, kind: str, scope: int) -> bool:
        values = {"kind": f"{self._schema} {kind}", "scope": scope}
        return self._connection.execute(query, values).fetchone() == (True,)

    def leads(self, scope: int) -> bool:
        """Whether this worker of a shared crawl is the one that sweeps."""
        held = (_LOCK, "leader", scope)
        return held in self._locked or self._hold(*held)

    def is_alone(self, scope: int) -> bool:
        """Whether all other workers have left."""
        with self.exclusive():
            is_alone = self._ask(_LOCK, "scope", scope)
            if is_alone:
                self._ask(_UNLOCK, "scope", scope)
        return is_alone

    def close(self) -> None:
        """Release what is locked, and close."""
        if not self._connection.broken:  # the server may see the end of it later
            self._connection.execute("SELECT pg_advisory_unlock_all()")
        self._connection.close()


def _clean(values: dict[str, Any]) -> dict[str, Any]:
    """Return values as PostgreSQL takes them: no NUL in texts, truth as a number."""
    return {name: _clean_value(value) for name, value in values.items()}


def _clean_value(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "").encode("utf-8", "replace").decode()
    return int(value) if isinstance(value, bool) else value


@cache
def _prepare(query: str) -> Any:
    """Return a query of ours with the placeholders of psycopg."""
    return re.sub(r":(\w+)", r"%(\1)s", query)
