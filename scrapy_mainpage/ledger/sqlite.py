"""The ledger in an SQLite file, and the schema of all ledgers."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote
from uuid import uuid4

from filelock import FileLock, Timeout

from .records import COLUMNS
from .store import Ledger, Row

if TYPE_CHECKING:
    from pathlib import Path

#: Identify a ledger: PRAGMA application_id and PRAGMA user_version.
APPLICATION_ID: Final = 0x4D50_4C47
SCHEMA_VERSION: Final = 3

#: Memory of each of the two connections.
CACHE_KB: Final = 8 * 1024

BUSY_TIMEOUT: Final = 30.0

_TYPES: Final = {"id": "INTEGER PRIMARY KEY", "scope": "INTEGER", "url": "TEXT"}
_SCHEMA: Final = (
    "CREATE TABLE pages ("
    + ", ".join(f"{name} {_TYPES.get(name, '')}".rstrip() for name in COLUMNS)
    + ", UNIQUE (scope, url))",
    "CREATE INDEX documents_of_pages ON pages (parent) WHERE parent IS NOT NULL",
    "CREATE TABLE scopes (id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, scope INTEGER, started REAL, "
    "ended REAL, reason TEXT, complete INTEGER, counts TEXT)",
    "CREATE TABLE history (page INTEGER, run INTEGER, outcome TEXT, status INTEGER, "
    "reason TEXT, PRIMARY KEY (page, run)) WITHOUT ROWID",
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID",
    "CREATE TABLE sites (scope INTEGER, host TEXT, place INTEGER, counts TEXT, "
    "PRIMARY KEY (scope, host)) WITHOUT ROWID",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)

PUT_PAGE: Final = (
    f"INSERT OR REPLACE INTO pages VALUES ({', '.join('?' for _ in COLUMNS)})"
)
_EVENT: Final = "INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?)"


class LedgerUnavailable(ValueError):
    """A ledger that cannot be opened; the message is one line."""


class SqliteLedger(Ledger):
    """Two connections to a file: one reads in the crawl, one writes in the thread."""

    # Names in a broken file are in messages of SQLite, which cannot be decoded then.
    errors = (sqlite3.Error, UnicodeError)
    path: Path

    def __init__(self, path: Path, *, read_only: bool = False):
        self.path = path.absolute()
        self._locks: list[FileLock] = []
        try:
            self._reader = connect(self.path, read_only=read_only)
            self._writer = self._reader if read_only else connect(self.path)
            super().__init__(str(self.path))
        except (*self.errors, OSError) as error:
            raise LedgerUnavailable(f"{str(path)!r}: {error}") from error

    def _query(self, query: str, **values: Any) -> list[Row]:
        return self._reader.execute(query, values).fetchall()

    def _execute(self, query: str, **values: Any) -> None:
        self._thread.submit(self._writer.execute, query, values).result()
        self._refresh()

    def _wait(self) -> None:
        is_written = self._write is not None
        super()._wait()
        if is_written:
            self._refresh()

    def _refresh(self) -> None:
        """Read what is written by now.

        In a transaction of its own each read would take and release the file's lock,
        which is most of its time.
        """
        if self._reader.in_transaction:
            self._reader.execute("COMMIT")
        self._reader.execute("BEGIN")

    def _write_batch(self, changes: list[Row], events: list[Row]) -> None:
        self._writer.execute("BEGIN IMMEDIATE")
        try:
            self._writer.executemany(PUT_PAGE, changes)
            self._writer.executemany(_EVENT, events)
            self._writer.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            raise

    def lock(self, scope: int, crawl: str | None = None) -> bool:
        """Reserve the scope by a file beside the ledger."""
        path = self.path.with_name(f"{self.path.name}.{scope}.lock")
        lock = FileLock(path, thread_local=False)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            return False
        self._locks.append(lock)
        return True

    def _shut(self) -> None:
        self._reader.close()
        self._writer.close()
        for lock in self._locks:
            lock.release()


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Open the file, or create it.

    Raises :exc:`LedgerUnavailable`, or an error of SQLite.
    """
    mode = "ro" if read_only else "rwc"
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}",
        uri=True,
        timeout=BUSY_TIMEOUT,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        if not read_only:
            _create(connection)
        _check(connection, path)
        if not read_only:  # SQLite opens also what it may not write
            connection.execute("DELETE FROM facts WHERE 0")
    except BaseException:
        connection.close()
        raise
    return connection


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
        create_tables(connection)
        connection.execute("INSERT INTO facts VALUES ('id', ?)", (uuid4().hex,))
    connection.execute("COMMIT")


def create_tables(connection: sqlite3.Connection) -> None:
    """Make the tables of an empty ledger."""
    for statement in _SCHEMA:
        connection.execute(statement)


def _check(connection: sqlite3.Connection, path: Path) -> None:
    found = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if found != APPLICATION_ID:
        raise LedgerUnavailable(f"{str(path)!r}: a file that is no ledger")
    if version != SCHEMA_VERSION:
        problem = f"a ledger of version {version}, not {SCHEMA_VERSION}"
        raise LedgerUnavailable(f"{str(path)!r}: {problem}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KB}")
