"""The file of a ledger: its schema, and opening it."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final
from urllib.parse import quote
from uuid import uuid4

from .records import COLUMNS

if TYPE_CHECKING:
    from pathlib import Path

#: Identify a ledger: PRAGMA application_id and PRAGMA user_version.
APPLICATION_ID: Final = 0x4D50_4C47
SCHEMA_VERSION: Final = 2

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
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)


class LedgerUnavailable(ValueError):
    """A ledger that cannot be opened; the message is one line."""


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
