"""Stores of entries: the interface, and the store in the process with its file."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .entry import Entry, Key, Match, find_matches
from .fingerprint import Fingerprint, format_name, new_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

MAX_PER_ADDRESS: Final = 20
"""Entries that are found by one address: some sites have one for all pages."""

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS format (name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entries (
    key INTEGER PRIMARY KEY, url TEXT NOT NULL, own INTEGER NOT NULL,
    address INTEGER NOT NULL, digest BLOB NOT NULL, words INTEGER NOT NULL,
    sketch BLOB NOT NULL, signature BLOB NOT NULL, subject BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS claims AS SELECT * FROM entries WHERE 0;
"""

_DELETE: Final = "DELETE FROM entries WHERE key = ?"
_INSERT: Final = "INSERT OR REPLACE INTO {} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_SETTLE: Final = "DELETE FROM claims WHERE own = ?"


class StoreFailure(RuntimeError):
    """An operation of a store that failed; *reason* is a code for stats."""

    def __init__(self, reason: str, message: str):
        super().__init__(" ".join(message.split()))
        self.reason = reason


class Findings(NamedTuple):
    """The matches of an entry, the most similar first.

    ``claimed`` are those whose items are still in the pipelines of other workers;
    ``age`` is that of the newest entry at the time of the search.
    """

    matches: list[Match]
    claimed: Sequence[Match] = ()
    age: int = 0


class Store(ABC):
    """Remembers a bounded number of entries. Methods may raise :exc:`StoreFailure`."""

    is_shared = False
    """Whether several workers use it."""

    claim_time = 0.0
    """Seconds that others wait for a claimed item at most."""

    @abstractmethod
    async def open(self) -> int:
        """Get ready; return the number of entries remembered from before."""

    @abstractmethod
    async def find(self, entry: Entry, threshold: float) -> Findings:
        """Return the remembered entries that the entry is a copy of."""

    async def claim(self, entry: Entry, findings: Findings) -> bool:
        """Announce that an item with the entry goes on; return whether it may.

        It may not if similar entries came after the search for *findings*.
        """
        return True

    async def release(self, entry: Entry) -> None:
        """Withdraw the claim of an entry whose item was dropped or failed."""
        return

    @abstractmethod
    async def remember(self, entry: Entry, instead_of: Iterable[Key] = ()) -> int:
        """Remember an entry, in the place of others.

        Returns how many of the oldest entries were forgotten to make room.
        """

    async def forget_former(self, own: int) -> None:
        """Forget what earlier crawls remembered of the URL with this number."""
        return

    async def take_replaced(self) -> list[str]:
        """Return the URLs of this worker's items that others replaced, each once."""
        return []

    async def filter_replaced(self, urls: Sequence[str]) -> list[str]:
        """Return those of the URLs, of any worker's items, that were replaced."""
        return []

    def is_unsettled(self, key: Key) -> bool:
        """Whether nobody knows if the entry's item passed: its process was killed."""
        return False

    @abstractmethod
    async def close(self) -> None:
        """Close files and connections."""


class EntryIndex:
    """Entries by key, oldest first, with an index of texts and one of addresses.

    It took 3.7 kB for each text of 256 words and more.
    """

    def __init__(self) -> None:
        self._entries: dict[Key, Entry] = {}
        self._texts = new_index()
        self._addresses: dict[int, tuple[Key, ...]] = {}
        self._keys = count(1)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __getitem__(self, key: Key) -> Entry:
        return self._entries[key]

    def oldest(self, count: int) -> list[Key]:
        """Return the keys of the *count* oldest entries."""
        return list(islice(self._entries, max(0, count)))

    def add(self, entry: Entry, key: int | None = None) -> int:
        """Remember an entry as the newest, and return its key.

        A *key* may be given that is higher than all before it.
        """
        if key is None:
            key = next(self._keys)
        else:
            self._keys = count(key + 1)
        self._entries[key] = entry
        self._texts.insert(key, entry.fingerprint.minhash())
        for number in {entry.own, entry.address} - {0}:
            known = self._addresses.get(number, ())
            self._addresses[number] = (*known[1 - MAX_PER_ADDRESS :], key)
        return key

    def remove(self, key: Key) -> None:
        """Forget an entry, if it is still there."""
        entry = self._entries.pop(key, None)
        if entry is None:
            return
        self._texts.remove(key)
        for number in {entry.own, entry.address} - {0}:
            known = self._addresses.get(number, ())
            if left := tuple(other for other in known if other != key):
                self._addresses[number] = left
            else:
                self._addresses.pop(number, None)

    def at_url(self, own: int) -> list[Key]:
        """Return the keys of the entries whose URL has this number."""
        keys = self._addresses.get(own, ())
        return [key for key in keys if self._entries[key].own == own]

    def candidates(self, entry: Entry) -> list[tuple[Key, Entry]]:
        """Return the entries that may be like this one, the newest first."""
        keys: set[Any] = set(self._texts.query(entry.fingerprint.minhash()))
        for number in {entry.own, entry.address} - {0}:
            keys.update(self._addresses.get(number, ()))
        return [(key, self._entries[key]) for key in sorted(keys, reverse=True)]


class LocalStore(Store):
    """Remembers entries in the process, and in *file* if one is given."""

    def __init__(self, max_entries: int, file: SavedFile | None = None):
        self.max_entries = max_entries
        self._index = EntryIndex()
        self._file = file
        self._last_former = 0
        self._unsettled: set[Key] = set()

    async def open(self) -> int:
        """Read the entries of the file."""
        if self._file is not None:
            try:
                for key, entry in self._file.open():
                    self._last_former = self._index.add(entry, key)
                for entry in self._file.claims():
                    self._last_former = self._index.add(entry)
                    self._unsettled.add(self._last_former)
            except StoreFailure:
                self._file = self._file if self._file.is_open else None
                raise
        return len(self._index)

    async def find(self, entry: Entry, threshold: float) -> Findings:
        """Return the remembered entries that the entry is a copy of."""
        return Findings(find_matches(entry, self._index.candidates(entry), threshold))

    async def claim(self, entry: Entry, findings: Findings) -> bool:
        """Write that an item with the entry goes on, before it is in an index."""
        if self._file is not None and entry.own:
            self._write(self._file.claim, entry)
        return True

    async def release(self, entry: Entry) -> None:
        """Withdraw the claim of an entry whose item was dropped or failed."""
        if self._file is not None:
            self._write(self._file.settle, entry)

    def _write(self, write: Callable[..., None], *values: Any) -> None:
        """Write to the file, if there is still one."""
        try:
            write(*values)
        except StoreFailure:
            self._file = None
            raise

    def is_unsettled(self, key: Key) -> bool:
        """Whether the entry was claimed by a process that was killed."""
        return key in self._unsettled

    async def remember(self, entry: Entry, instead_of: Iterable[Key] = ()) -> int:
        """Remember an entry; after a failure of the file, in the process alone."""
        again = (
            key
            for key, other in self._index.candidates(entry)
            if other.has_url_of(entry) and other.is_exact_copy(entry)
        )
        replaced = [key for key in {*instead_of, *again} if key in self._index]
        unsettled = [self._index[key] for key in self._unsettled.intersection(replaced)]
        for key in replaced:
            self._index.remove(key)
        added = self._index.add(entry)
        oldest = self._index.oldest(len(self._index) - self.max_entries)
        for key in oldest:
            self._index.remove(key)
        if self._file is not None:
            removed = [*replaced, *oldest]
            self._write(self._file.write, added, [entry, *unsettled], removed)
        return len(oldest)

    async def forget_former(self, own: int) -> None:
        """Forget what earlier crawls remembered of the URL with this number."""
        keys = [k for k in self._index.at_url(own) if int(k) <= self._last_former]
        for key in keys:
            self._index.remove(key)
        if keys and self._file is not None:
            self._file.remove(keys)

    async def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


class SavedFile:
    """An SQLite file that keeps the entries while a crawl is paused, a row for each.

    Written entry by entry, so that it survives the end of the process. It is not
    synchronised with the disk each time: a power failure may cost the last entries.
    """

    def __init__(self, path: Path):
        self.path = path
        self._connection: sqlite3.Connection | None = None

    @property
    def is_open(self) -> bool:
        """Whether the file can be written."""
        return self._connection is not None

    def open(self) -> Iterator[tuple[int, Entry]]:
        """Yield the keys and entries in the file, oldest first.

        Raises :exc:`StoreFailure` if the file cannot be opened or made; also if it is
        broken or another program's: it is then renamed to end in ``.broken``, and a new
        one begun.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            for key, *values in self._rows():
                yield key, _entry(*values)
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
            connection.executescript(
                f"DROP TABLE entries; DROP TABLE claims; {_SCHEMA}"
            )
            connection.execute("DELETE FROM format")
            connection.execute("INSERT INTO format VALUES (?)", (format_name(),))
        return connection.execute("SELECT * FROM entries ORDER BY key")

    def _begin_anew(self) -> None:
        self.close()
        for ending in ("-wal", "-shm"):
            Path(f"{self.path}{ending}").unlink(missing_ok=True)
        self.path.replace(f"{self.path}.broken")
        self._rows()

    def write(self, key: int, settled: Sequence[Entry], removed: Iterable[Key]) -> None:
        """Write the first of the settled entries and remove others, all or nothing."""
        self._run(
            ("BEGIN", ()),
            *((_DELETE, (old,)) for old in removed),
            (_INSERT.format("entries"), _row(key, settled[0])),
            *((_SETTLE, (entry.own,)) for entry in settled),
            ("COMMIT", ()),
        )

    def claims(self) -> list[Entry]:
        """The entries whose items were in the pipelines when the process was killed."""
        assert self._connection is not None
        try:
            rows = self._connection.execute("SELECT * FROM claims").fetchall()
        except sqlite3.DatabaseError as error:
            self._begin_anew()
            raise StoreFailure("broken_file", f"{self.path}: {error}") from error
        return [_entry(*values) for _, *values in rows]

    def claim(self, entry: Entry) -> None:
        """Write an entry whose item may come into an index from now on."""
        row = (_INSERT.format("claims"), _row(0, entry))
        self._run(("BEGIN", ()), (_SETTLE, (entry.own,)), row, ("COMMIT", ()))

    def settle(self, entry: Entry) -> None:
        """Withdraw the claim of an entry."""
        self._run((_SETTLE, (entry.own,)))

    def _run(self, *statements: tuple[str, tuple[object, ...]]) -> None:
        assert self._connection is not None
        try:
            for statement, values in statements:
                self._connection.execute(statement, values)
        except sqlite3.Error as error:
            self.close()
            raise _failure(error, self.path) from error

    def remove(self, keys: Iterable[Key]) -> None:
        """Remove entries."""
        assert self._connection is not None
        try:
            self._connection.executemany(_DELETE, [(key,) for key in keys])
        except sqlite3.Error as error:
            raise _failure(error, self.path) from error

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _entry(url: str, own: int, address: int, *values: Any) -> Entry:
    return Entry(url, own, address, Fingerprint(*values))


def _row(key: int, entry: Entry) -> tuple[object, ...]:
    text = entry.fingerprint
    where = key, entry.url, entry.own, entry.address
    return *where, text.digest, text.words, text.sketch, text.signature, text.subject


def _failure(error: sqlite3.Error, path: Path) -> StoreFailure:
    full = "full" in str(error)
    return StoreFailure("disk_full" if full else "file", f"{path}: {error}")
