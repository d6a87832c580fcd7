"""Connections to the file of an index: opened and checked."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from .rows import APPLICATION_ID, SCHEMA, SCHEMA_VERSION
from .storage import transaction

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: Seconds to wait for another writer before a write fails.
BUSY_TIMEOUT: Final = 30.0

_VOCABULARY: Final = (
    "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, search, 'row')",
    # Without counts, for which a whole list would be read.
    "CREATE VIRTUAL TABLE temp.places USING fts5vocab(main, search, 'instance')",
)
_HAS_FTS5: Final = "SELECT 1 FROM pragma_module_list WHERE name = 'fts5'"


class UnusableFileError(Exception):
    """A file that is not an index of this schema, or an SQLite without FTS5."""


def open_to_write(path: Path) -> sqlite3.Connection:
    """Open or create the file, and check that it is writable."""
    if not path.absolute().parent.is_dir():
        raise UnusableFileError(f"there is no directory {path.parent}")
    with _closed_on_error(_connect(path, "mode=rwc")) as connection:
        _check_fts5(connection)
        with transaction(connection):
            if connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
                for statement in SCHEMA:
                    connection.execute(statement)
            _check_schema(connection)
            # Fails at once if the file is not writable, which a transaction does not.
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        _add_vocabulary(connection)
        _use_log(connection)  # after the check: foreign files must not change
    return connection


def _use_log(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log; SQLite itself does not wait for locks here."""
    deadline = time.monotonic() + BUSY_TIMEOUT
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
            break
        except sqlite3.OperationalError as exc:
            if "is locked" not in str(exc) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    if mode == "wal":  # some file systems do not support it
        connection.execute("PRAGMA synchronous = NORMAL")


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open an existing file, also on a read-only medium."""
    if not path.is_file():
        raise UnusableFileError("there is no such file")
    try:
        # Not mode=ro: it could neither read the log of a killed writer nor remove its
        # own files. A file without write permission opens all the same.
        return _check_to_read(_connect(path, "mode=rw"))
    except sqlite3.OperationalError:
        log = path.with_name(f"{path.name}-wal")
        if os.access(path.parent, os.W_OK) or log.exists():
            raise
        return _check_to_read(_connect(path, "immutable=1"))


def _check_to_read(connection: sqlite3.Connection) -> sqlite3.Connection:
    with _closed_on_error(connection):
        _check_fts5(connection)
        _check_schema(connection)
        _add_vocabulary(connection)
        connection.execute("PRAGMA query_only = ON")
    return connection


def _connect(path: Path, options: str) -> sqlite3.Connection:
    name = path.absolute().as_posix()
    slash = "" if name.startswith("/") else "/"  # a Windows drive
    return sqlite3.connect(
        f"file://{slash}{quote(os.fsencode(name))}?{options}",
        uri=True,
        timeout=BUSY_TIMEOUT,
        isolation_level=None,  # transactions are explicit; see transaction()
        check_same_thread=False,  # one thread uses it, another may close it
    )


@contextmanager
def _closed_on_error(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def _check_fts5(connection: sqlite3.Connection) -> None:
    if connection.execute(_HAS_FTS5).fetchone() is None:
        version = sqlite3.sqlite_version
        raise UnusableFileError(
            f"this Python's SQLite {version} was built without FTS5"
        )


def _check_schema(connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise UnusableFileError("the file is not an index of scrapy-mainpage")
    if version != SCHEMA_VERSION:
        known = f"this scrapy-mainpage reads version {SCHEMA_VERSION}; make it anew"
        raise UnusableFileError(f"the index has schema version {version}, {known}")


def _add_vocabulary(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA temp_store = MEMORY")
    for statement in _VOCABULARY:
        connection.execute(statement)
