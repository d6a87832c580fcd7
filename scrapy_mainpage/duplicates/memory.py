"""The texts that a process remembers, found by what they are like."""

from __future__ import annotations

from itertools import count, islice
from typing import TYPE_CHECKING, Any, Final

from .signatures import new_index

if TYPE_CHECKING:
    from .entries import Entry, Key

MOST_OF_ADDRESS: Final = 20
"""How many entries are found by one address: some sites have one for all pages."""


class Memory:
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

    def oldest(self, count: int) -> list[Key]:
        """Return the keys of so many entries, those remembered for longest."""
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
            self._addresses[number] = (*known[1 - MOST_OF_ADDRESS :], key)
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

    def candidates(self, entry: Entry) -> list[tuple[Key, Entry]]:
        """Return the entries that may be like this one, the newest first."""
        keys: set[Any] = set(self._texts.query(entry.fingerprint.minhash()))
        for number in {entry.own, entry.address} - {0}:
            keys.update(self._addresses.get(number, ()))
        return [(key, self._entries[key]) for key in sorted(keys, reverse=True)]
