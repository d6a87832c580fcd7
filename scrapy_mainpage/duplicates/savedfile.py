"""The file that keeps remembered texts while a crawl is paused."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .entries import Entry
from .signatures import Fingerprint, format_name
from .store import StoreFailure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .entries import Key

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS format (name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entries (
    key INTEGER PRIMARY KEY, url TEXT NOT NULL, own INTEGER NOT NULL,
    address INTEGER NOT NULL, digest BLOB NOT NULL, words INTEGER NOT NULL,
    sketch BLOB NOT NULL, signature BLOB NOT NULL
);
"""


class SavedFile:
    """An SQLite file with a row for each entry, written entry by entry.

    What was written is there after the process was killed. It is not synchronised with
    the disk each time, so a power failure may cost the last entries: copies of theirs
    would pass.
    """

    def __init__(self, path: Path):
        self.path = path
        self._connection: sqlite3.Connection | None = None

    @property
    def is_open(self) -> bool:
        """Whether the file can be written."""
        return self._connection is not None

    def open(self) -> Iterator[tuple[int, Entry]]:
        """Yield what is in the file, oldest first.

        Raises :exc:`StoreFailure` if there can be no file; and if it is broken or none
        of ours: it is then put aside, with ``.broken`` behind its name, and a new one
        begun.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            for key, url, own, address, *values in self._rows():
                yield key, Entry(url, own, address, Fingerprint(*values))
        except sqlite3.OperationalError as error:
            self.close()
            raise _failure(error, self.path) from error
        except sqlite3.DatabaseError as error:
            self._begin_anew()
            raise StoreFailure("broken_file", f"{self.path}: {error}") from error
        except OSError as error:
            raise StoreFailure("file", f"{self.path}: {error}") from error

    def _rows(self) -> sqlite3.Cursor:
        connection = self._connection = sqlite3.connect(
            self.path, isolation_level=None, check_same_thread=False, timeout=1
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(_SCHEMA)
        saved = connection.execute("SELECT name FROM format").fetchone()
        # Fingerprints of another version cannot be compared with those of this one.
        if saved != (format_name(),):
            connection.execute("DELETE FROM entries")
            connection.execute("DELETE FROM format")
            connection.execute("INSERT INTO format VALUES (?)", (format_name(),))
        return connection.execute("SELECT * FROM entries ORDER BY key")

    def _begin_anew(self) -> None:
        self.close()
        for ending in ("-wal", "-shm"):
            Path(f"{self.path}{ending}").unlink(missing_ok=True)
        self.path.replace(f"{self.path}.broken")
        self._rows()

    def write(self, key: int, entry: Entry, removed: Iterable[Key]) -> None:
        """Write an entry and remove others, all or nothing."""
        assert self._connection is not None
        text = entry.fingerprint
        row = (key, entry.url, entry.own, entry.address, text.digest, text.words)
        try:
            self._connection.execute("BEGIN")
            self._connection.executemany(
                "DELETE FROM entries WHERE key = ?", [(old,) for old in removed]
            )
            self._connection.execute(
                "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, text.sketch, text.signature),
            )
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self.close()
            raise _failure(error, self.path) from error

    def close(self) -> None:
        """Close the file; an entry that is half written is not in it."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _failure(error: sqlite3.Error, path: Path) -> StoreFailure:
    full = "full" in str(error)
    return StoreFailure("disk_full" if full else "file", f"{path}: {error}")
