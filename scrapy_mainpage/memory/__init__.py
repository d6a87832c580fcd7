"""The memory of crawls: what each run found at each address. It knows no Scrapy.

An index outlives the crawl that filled it. The memory says which of its documents are
unchanged, which are gone, by evidence, and which texts say the same. It is opened here;
that of one crawl, or of one machine, is in SQLite.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote
from uuid import uuid4

from filelock import FileLock, Timeout

from ..redaction import redacted
from .memory import Memory
from .tables import FACT, PUT_FACT, TABLES, VERSION, MemoryUnavailable, PageRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .tables import Change, Row

__all__ = ["Memory", "MemoryUnavailable", "PageRow", "SqliteConnection", "open_memory"]

#: Identifies a file of the memory: PRAGMA application_id.
APPLICATION_ID: Final = 0x4D50_4C47

CACHE_KB: Final = 16 * 1024
BUSY_TIMEOUT: Final = 30.0

_TYPES: Final = {"number": "INTEGER", "bytes": "BLOB"}


class SqliteConnection:
    """A connection to a file; with ``None`` as its path to a file of the process.

    SQLite deletes that when the process ends.

    Its methods are those that the memory needs of any database.
    """

    # Names in a broken file are in messages of SQLite, which cannot be decoded then.
    errors = (sqlite3.Error, UnicodeError)
    is_shared = False

    def __init__(self, path: Path | None, *, read_only: bool = False):
        self.path = path.absolute() if path else None
        self.is_temporary = path is None
        self.shown = str(self.path) if path else "of the process"
        self._locks: list[FileLock] = []
        try:
            self._connection = _connect(self.path, read_only=read_only)
        except (*self.errors, OSError) as error:
            raise MemoryUnavailable(f"{str(path)!r}: {error}") from error

    def read(self, query: str, values: dict[str, Any]) -> list[Row]:
        """Return the rows of a query.

        Reads share a transaction up to the next write: in one of its own each would
        take and release the file's lock, which is most of its time.
        """
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN")
        return self._connection.execute(query, values).fetchall()

    def write(self, changes: Iterable[Change]) -> None:
        """Execute all statements, or none."""
        with self.exclusive():
            for change in changes:
                self._connection.executemany(change.statement, change.values)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Have a transaction in which nobody else writes; it may be within another."""
        if self._connection.in_transaction and self._is_exclusive:
            yield
            return
        if self._connection.in_transaction:
            self._connection.execute("COMMIT")
        self._connection.execute("BEGIN IMMEDIATE")
        self._is_exclusive = True
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise
        finally:
            self._is_exclusive = False

    _is_exclusive = False

    def lock(self, scope: int, crawl: str | None = None) -> bool:
        """Reserve the scope by a file beside the memory, until the process ends."""
        if self.path is None:
            return True
        path = self.path.with_name(f"{self.path.name}.{scope}.lock")
        lock = FileLock(path, thread_local=False)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            return False
        self._locks.append(lock)
        return True

    def leads(self, scope: int) -> bool:
        """Whether this worker is the one that sweeps: there is no other."""
        return True

    def is_alone(self, scope: int) -> bool:
        """Whether no other worker crawls the scope."""
        return True

    def close(self) -> None:
        """Close the file and release its locks."""
        self._connection.close()
        for lock in self._locks:
            lock.release()


def _connect(path: Path | None, *, read_only: bool) -> sqlite3.Connection:
    mode = "ro" if read_only else "rwc"
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}" if path else "",
        uri=True,
        timeout=BUSY_TIMEOUT,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.text_factory = _text
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


def _text(data: bytes) -> str | bytes:
    """The text; bytes that are none, which then fail their row alone."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
        for statement in TABLES:
            connection.execute(statement.format(**_TYPES))
        connection.execute(PUT_FACT, {"name": "id", "value": uuid4().hex})
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _check(connection: sqlite3.Connection, path: Path | None) -> None:
    (found,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if found != APPLICATION_ID:
        raise MemoryUnavailable(f"{str(path)!r}: a file that is no state of crawls")
    if version != VERSION:
        problem = (
            f"of version {version}, not {VERSION}: name another file, or delete it"
        )
        more = "the next crawl then asks for all pages and takes over the indexes"
        raise MemoryUnavailable(f"{str(path)!r}: a state {problem}; {more}")
    connection.execute(FACT, {"name": "id"}).fetchone()  # which finds what is damaged
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KB}")


FORM = "'sqlite:///FILE', the path of a file, or 'postgresql://...'"


def is_postgresql(url: str) -> bool:
    """Whether the URL is that of a memory that several machines can use."""
    return url.partition("://")[0] in ("postgresql", "postgres")


def open_memory(url: str, *, read_only: bool = False) -> Memory:
    """Open the memory at ``sqlite:///FILE``, a path, or ``postgresql://...``.

    It is created if it does not exist; a ``read_only`` one must exist. Raises
    :exc:`MemoryUnavailable` with one line.
    """
    if is_postgresql(url):
        try:
            from .postgresql import PostgresConnection
        except ImportError as error:
            problem = f"needs {error.name}: pip install 'scrapy-mainpage[postgresql]'"
            raise MemoryUnavailable(f"{redacted(url)!r}: {problem}") from None
        return Memory(PostgresConnection(url, read_only=read_only))
    name = url.removeprefix("sqlite:///")
    if name == url and "://" in url:
        raise MemoryUnavailable(f"{redacted(url)!r}: no such state; allowed: {FORM}")
    if not name or "\0" in name or name == ":memory:":
        raise MemoryUnavailable(f"{url!r}: it names no file; allowed: {FORM}")
    return Memory(SqliteConnection(Path(name), read_only=read_only))
