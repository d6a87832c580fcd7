"""Outbox: accepted operations that are not in their index yet, and dead letters.

One SQLite file for all indexes and processes of a project. Each writer is a run with a
lock that lives as long as its process: what a killed one left is taken over by the next
run for the same index.
"""

from __future__ import annotations

import json
import sqlite3
import uuid
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from filelock import FileLock, Timeout

from ...redaction import redacted
from ..documents import IndexDocument, storable_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from typing_extensions import Self

FILE: Final = "mainpage/outbox.sqlite"
"""The outbox in the data directory of a project."""

UNREADABLE: Final = "unreadable"
"""Reason of a row that another version wrote."""

#: Seconds to wait while another process writes.
_BUSY_TIMEOUT: Final = 30.0

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS operations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, index_url TEXT NOT NULL, url TEXT NOT NULL,
    document BLOB, run TEXT, reason TEXT, message TEXT, failed_at TEXT
);
CREATE INDEX IF NOT EXISTS operations_by_page ON operations (index_url, url);
"""
_NEXT: Final = """
SELECT id, url, document FROM operations
WHERE index_url = ? AND run = ? AND reason IS NULL AND id > ? ORDER BY id LIMIT ?
"""
#: Of a page whose operation has ended: also earlier ones, and its dead letter.
_REMOVE: Final = """
DELETE FROM operations WHERE index_url = ? AND url = ?
AND (id <= ? OR ? = 0) AND (run = ? OR reason IS NOT NULL)
"""
_BURY: Final = """
INSERT INTO operations (id, index_url, url, document, reason, message, failed_at)
VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?)
"""
_OTHERS: Final = """
SELECT id, document, run, reason FROM operations
WHERE index_url = ? AND (run IS NOT ? OR reason IS NOT NULL) ORDER BY id
"""
_TAKE: Final = "UPDATE operations SET run = ?, reason = ?, message = ? WHERE id = ?"


class OutboxError(RuntimeError):
    """A file that cannot be read or written; the message has its path."""


@dataclass(eq=False)
class Operation:
    """A document to put into an index; without one, the URL to delete.

    ``row`` is its number in the outbox, 0 outside of it. ``safe`` is the future of who
    waits until the operation cannot be lost.
    """

    url: str
    document: IndexDocument | None = None
    row: int = 0
    safe: Future[None] = field(default_factory=Future, repr=False)

    @classmethod
    def put(cls, document: IndexDocument) -> Self:
        """Return the operation that puts the document."""
        storable = document.storable()
        return cls(storable.url, storable)

    @classmethod
    def delete(cls, url: str) -> Self:
        """Return the operation that deletes the document of that URL."""
        return cls(storable_text(url))

    @property
    def size(self) -> int:
        """The approximate size in bytes."""
        return self.document.size if self.document else len(self.url)

    @property
    def data(self) -> bytes | None:
        """The document as JSON."""
        if self.document is None:
            return None
        data = json.dumps(self.document.as_dict(), ensure_ascii=False)
        return data.encode("utf-8", "replace")


class Row(NamedTuple):
    """An operation in the outbox, for the index of that name.

    A dead letter has the reason why it failed, the message and the time (ISO 8601).
    """

    index_url: str
    url: str
    reason: str | None
    message: str | None
    failed_at: str | None


class Outbox:
    """The outbox at a path, for one run; the file is made when it is needed.

    Indexes go by their names, of :func:`index_name`. All methods raise
    :exc:`OutboxError`. Written rows outlive the process; a power failure may cost those
    of the last moments.
    """

    def __init__(self, path: Path):
        self.path = path
        self._run = uuid.uuid4().hex
        self._lock = self._lock_of(self._run)
        self._connection: sqlite3.Connection | None = None

    @property
    def exists(self) -> bool:
        """Whether there is a file, or was one when it was opened."""
        return self._connection is not None or self.path.exists()

    def check(self) -> None:
        """Make the file if it is missing, and raise if it cannot be written."""
        with self._transaction():
            pass
        self.close()

    def add(self, index: str, operations: Sequence[Operation]) -> None:
        """Keep operations for an index; all or none of them."""
        sql = "INSERT INTO operations (index_url, url, document, run) VALUES (?,?,?,?)"
        with self._transaction() as connection:
            rows = [(index, each.url, each.data, self._run) for each in operations]
            connection.executemany(sql, rows)

    def next(self, index: str, after: int, limit: int) -> list[Operation]:
        """Return this run's next operations for an index, from behind a row."""
        with self._reading() as connection:
            rows = connection.execute(_NEXT, (index, self._run, after, limit))
            return [Operation(url, _document(data), row) for row, url, data in rows]

    def remove(self, index: str, ended: Sequence[Operation]) -> None:
        """Remove operations that are in the index, and what came before for a page."""
        with self._transaction() as connection:
            rows = [(index, each.url, each.row, each.row, self._run) for each in ended]
            connection.executemany(_REMOVE, rows)

    def bury(self, index: str, failed: Sequence[tuple[Operation, str, str]]) -> None:
        """Make operations dead letters, each with its reason and a message."""
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        with self._transaction() as connection:
            for each, *why in failed:
                page = index, each.url
                connection.execute(_REMOVE, (*page, each.row, each.row, self._run))
                connection.execute(_BURY, (each.row, *page, each.data, *why, now))

    def take_over(self, index: str, *, letters: bool = False) -> int:
        """Make what killed runs left, or dead *letters*, too, operations of this run.

        Returns their number.
        """
        number, ended = 0, dict[str, bool]()
        with self._transaction() as connection:
            for row, data, run, reason in connection.execute(
                _OTHERS, (index, self._run)
            ).fetchall():
                if not reason and run not in ended:
                    ended[run] = self._has_ended(run)
                if not (letters if reason else ended[run]):
                    continue
                problem = _problem(data)
                why = UNREADABLE if problem else None, problem
                connection.execute(_TAKE, (self._run, *why, row))
                number += not problem
        return number

    def rows(self) -> list[Row]:
        """Return what is in the outbox, the oldest first."""
        columns = "index_url, url, reason, message, failed_at"
        with self._reading() as connection:
            rows = connection.execute(f"SELECT {columns} FROM operations ORDER BY id")
            return [Row(*row) for row in rows]

    def close(self) -> None:
        """Close the file; what this run left in it is for the next one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
            self._lock.release()
            with suppress(OSError):
                Path(self._lock.lock_file).unlink()

    def _lock_of(self, run: str) -> FileLock:
        path = self.path.with_name(f"{self.path.name}-{run}.lock")
        return FileLock(path, thread_local=False)

    def _has_ended(self, run: str) -> bool:
        lock = self._lock_of(run)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return False
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)
        return True

    def _connect(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                self.path,
                isolation_level=None,
                timeout=_BUSY_TIMEOUT,
                check_same_thread=False,
            )
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.executescript(_SCHEMA)
                self._lock.acquire()
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._reading() as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._connect()
        except (sqlite3.Error, OSError) as exc:
            raise OutboxError(f"{self.path}: {exc}") from exc


def _document(data: bytes | None) -> IndexDocument | None:
    return None if data is None else IndexDocument.from_dict(json.loads(data))


def _problem(data: bytes | None) -> str | None:
    try:
        _document(data)
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as exc:
        return f"no document: {exc!r:.200}"
    return None


def needs_outbox(url: str) -> bool:
    """Whether an index is across a network; a file is written at once."""
    return not url.startswith("sqlite:")


def index_name(url: str) -> str:
    """Return the name of the index of that URL, the same for any password.

    A relative path names another file in another working directory.
    """
    path = url.removeprefix("sqlite:///")
    return redacted(url) if path == url else f"sqlite:///{Path(path).absolute()}"
