"""The ledger in an SQLite file."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from filelock import FileLock, Timeout

from .records import COLUMNS
from .schema import LedgerUnavailable, connect
from .store import Ledger, Row

if TYPE_CHECKING:
    from pathlib import Path

PUT_PAGE: Final = (
    f"INSERT OR REPLACE INTO pages VALUES ({', '.join('?' for _ in COLUMNS)})"
)
_EVENT: Final = "INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?)"


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
