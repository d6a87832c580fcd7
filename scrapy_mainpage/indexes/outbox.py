"""Outbox: accepted operations that are not in their index yet, and dead letters.

One SQLite file for all indexes and processes of a project. Each writer is a run with a
lock that lives as long as its process: what a killed one left is taken over by the next
run for the same index.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import uuid
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from filelock import FileLock, Timeout

from ..redaction import redacted
from .documents import IndexDocument, storable_text

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
#: Of a page whose operation has ended: also earlier ones, and its dead letter.
_REMOVE: Final = """
DELETE FROM operations WHERE index_url = ? AND url = ?
AND (id <= ? OR ? = 0) AND (run = ? OR reason IS NOT NULL)
"""
_BURY: Final = """
INSERT INTO operations (id, index_url, url, document, reason, message, failed_at)
VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?)
"""
_RUNS: Final = """
SELECT DISTINCT run FROM operations
WHERE index_url = ? AND run IS NOT ? AND reason IS NULL
AND run NOT GLOB '*[^0-9a-f]*' AND typeof(run) = 'text'
"""
_LEFT: Final = """
SELECT id, url, document FROM operations
WHERE index_url = ? AND id > ? AND id <= ?
AND CASE WHEN reason IS NULL THEN run IN (SELECT value FROM json_each(?)) ELSE ? END
ORDER BY id LIMIT ?
"""
_CLAIM: Final = "UPDATE operations SET run = ?, reason = ?, message = ? WHERE id = ?"


_UNREADABLE: Final = (AttributeError, KeyError, RecursionError, TypeError, ValueError)
"""Errors of reading a document that is not as this version writes it."""


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
        data = json.dumps(self.document.as_dict(), ensure_ascii=False, default=str)
        return data.encode("utf-8", "replace")


#: An operation that failed for good, the reason and a message.
Letter = tuple[Operation, str, str]


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
        self._using = threading.RLock()

    @property
    def exists(self) -> bool:
        """Whether there is a file, or was one when it was opened."""
        return self._connection is not None or self.path.exists()

    def check(self) -> None:
        """Make the file if it is missing, and raise if it cannot be written."""
        with self._transaction():
            pass
        self.close()

    def add(self, index: str, operation: Operation) -> None:
        """Keep an operation for an index; it gets its row."""
        sql = "INSERT INTO operations (index_url, url, document, run) VALUES (?,?,?,?)"
        values = index, operation.url, operation.data, self._run
        with self._transaction() as connection:
            operation.row = connection.execute(sql, values).lastrowid or 0

    def end(
        self, index: str, done: Sequence[Operation], failed: Sequence[Letter]
    ) -> None:
        """Remove operations that are in the index; make those that failed dead letters.

        What came before for the same page goes as well.
        """
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        rows = [(each, index, each.url) for each in (*done, *(x for x, *_ in failed))]
        letters = [
            (each.row, index, each.url, each.data, *why, now) for each, *why in failed
        ]
        with self._transaction() as connection:
            removed = ((*page, x.row, x.row, self._run) for x, *page in rows)
            connection.executemany(_REMOVE, removed)
            connection.executemany(_BURY, letters)

    def take_over(
        self, index: str, limit: int, *, letters: bool = False
    ) -> Iterator[list[Operation]]:
        """Make what killed runs left, or dead *letters*, too, operations of this run.

        Yields up to so many at once, the oldest first.
        """
        last: int | None = 0
        with self._transaction() as connection:  # what fails now is not taken again
            (until,) = connection.execute("SELECT max(id) FROM operations").fetchone()
        while last is not None:
            values = index, last, until, limit
            last, claimed = self._claim(*values, letters=letters)
            yield claimed

    def _claim(
        self, index: str, after: int, until: int, limit: int, *, letters: bool
    ) -> tuple[int | None, list[Operation]]:
        """Claim the rows behind one; return the last of them, and the operations."""
        claimed = []
        with self._transaction() as connection:
            others = connection.execute(_RUNS, (index, self._run)).fetchall()
            runs = json.dumps([run for (run,) in others if self._has_ended(run)])
            values = index, after, until, runs, letters, limit
            rows = connection.execute(_LEFT, values).fetchall()
            for row, url, data in rows:
                why: tuple[str | None, str | None] = None, None
                try:
                    made = None
                    if data is not None:
                        made = IndexDocument.from_dict(json.loads(data))
                    claimed.append(Operation(storable_text(url), made, row))
                except _UNREADABLE as exc:
                    why = UNREADABLE, f"no document: {exc!r:.200}"
                connection.execute(_CLAIM, (self._run, *why, row))
        return rows[-1][0] if rows else None, claimed

    def rows(self) -> list[Row]:
        """Return what is in the outbox, the oldest first."""
        columns = "index_url, url, reason, message, failed_at"
        with self._transaction() as connection:
            rows = connection.execute(f"SELECT {columns} FROM operations ORDER BY id")
            return [Row(*row) for row in rows]

    def close(self) -> None:
        """Close the file; what this run left in it is for the next one."""
        with self._using:
            if self._connection is None:
                return
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
        try:
            with self._using, self._connect() as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
        except (sqlite3.Error, OSError, *_UNREADABLE) as exc:
            raise OutboxError(f"{self.path}: {exc}") from exc


def needs_outbox(url: str) -> bool:
    """Whether an index is across a network; a file is written at once."""
    return not url.startswith("sqlite:")


def index_name(url: str) -> str:
    """Return the name of the index of that URL, the same for any password.

    A relative path names another file in another working directory.
    """
    path = url.removeprefix("sqlite:///")
    return redacted(url) if path == url else f"sqlite:///{Path(path).absolute()}"
