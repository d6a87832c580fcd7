"""Where remembered texts are: what every store can do, and the one in the process."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from .entries import Match, find_matches
from .memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .entries import Entry, Key
    from .savedfile import SavedFile


class StoreFailure(RuntimeError):
    """A store that could not do what it was asked to; *reason* is a code for stats."""

    def __init__(self, reason: str, message: str):
        super().__init__(" ".join(message.split()))
        self.reason = reason


class Store(ABC):
    """Remembers entries, so many at most. All methods may raise :exc:`StoreFailure`."""

    @abstractmethod
    async def open(self) -> int:
        """Get ready; return how many entries are remembered from before."""

    @abstractmethod
    async def matches(self, entry: Entry, threshold: float) -> list[Match]:
        """Return what the entry is a copy of, the most similar first."""

    @abstractmethod
    async def remember(self, entry: Entry, instead_of: Iterable[Key] = ()) -> int:
        """Remember an entry, in the place of others; return how many are forgotten.

        Forgotten are the oldest, if there are too many.
        """

    @abstractmethod
    async def close(self) -> None:
        """Let go of files and connections."""


class LocalStore(Store):
    """Remembers entries in the process, and in a file if there is one."""

    def __init__(self, most: int, file: SavedFile | None = None):
        self.most = most
        self._memory = Memory()
        self._file = file

    async def open(self) -> int:
        """Read what the file has."""
        if self._file is not None:
            try:
                for key, entry in self._file.open():
                    self._memory.add(entry, key)
            except StoreFailure:
                self._file = self._file if self._file.is_open else None
                raise
        return len(self._memory)

    async def matches(self, entry: Entry, threshold: float) -> list[Match]:
        """Return what the entry is a copy of; nothing is waited for."""
        return find_matches(entry, self._memory.candidates(entry), threshold)

    async def remember(self, entry: Entry, instead_of: Iterable[Key] = ()) -> int:
        """Remember an entry; if the file fails, without the file from then on."""
        again = (
            key
            for key, other in self._memory.candidates(entry)
            if other.has_url_of(entry) and other.is_exact_copy(entry)
        )
        replaced = [key for key in {*instead_of, *again} if key in self._memory]
        for key in replaced:
            self._memory.remove(key)
        added = self._memory.add(entry)
        oldest = self._memory.oldest(len(self._memory) - self.most)
        for key in oldest:
            self._memory.remove(key)
        if self._file is not None:
            try:
                self._file.write(added, entry, [*replaced, *oldest])
            except StoreFailure:
                self._file = None
                raise
        return len(oldest)

    async def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
