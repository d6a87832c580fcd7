"""Where remembered texts are: what every store can do, and the one in the process."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple

from .entries import Match, find_matches
from .memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .entries import Entry, Key
    from .savedfile import SavedFile


class StoreFailure(RuntimeError):
    """A store that could not do what it was asked to; *reason* is a code for stats."""

    def __init__(self, reason: str, message: str):
        super().__init__(" ".join(message.split()))
        self.reason = reason


class Look(NamedTuple):
    """What a look found: matches, the most similar first.

    ``claimed`` are those whose items are still on their way in other workers; ``age``
    says what the store had when it was looked at.
    """

    matches: list[Match]
    claimed: Sequence[Match] = ()
    age: int = 0


class Store(ABC):
    """Remembers entries, so many at most. All methods may raise :exc:`StoreFailure`."""

    is_shared = False
    """Whether other workers may have it, too."""

    claim_time = 0.0
    """For so many seconds others wait for an item at most."""

    @abstractmethod
    async def open(self) -> int:
        """Get ready; return how many entries are remembered from before."""

    @abstractmethod
    async def look(self, entry: Entry, threshold: float) -> Look:
        """Return what the entry is a copy of."""

    async def matches(self, entry: Entry, threshold: float) -> list[Match]:
        """Return what is remembered that the entry is a copy of."""
        return (await self.look(entry, threshold)).matches

    async def claim(self, entry: Entry, look: Look) -> bool:
        """Say that an item with the entry goes on; return whether it may.

        It may not if there is more to be looked at now than there was.
        """
        return True

    async def release(self, entry: Entry) -> None:
        """Say that the item of a claimed entry was lost."""
        return

    @abstractmethod
    async def remember(self, entry: Entry, instead_of: Iterable[Key] = ()) -> int:
        """Remember an entry, in the place of others; return how many are forgotten.

        Forgotten are the oldest, if there are too many.
        """

    async def told(self) -> list[str]:
        """Return the URLs of items of this worker whose place another has taken."""
        return []

    async def replaced(self, urls: Sequence[str]) -> list[str]:
        """Return the URLs of items, of any worker, whose place another has taken."""
        return []

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

    async def look(self, entry: Entry, threshold: float) -> Look:
        """Return what the entry is a copy of; nothing is waited for."""
        return Look(find_matches(entry, self._memory.candidates(entry), threshold))

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
