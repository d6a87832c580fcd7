"""Items that passed this pipeline and have not been scraped or dropped yet.

A text is remembered for good when its item has come through all pipelines.
"""

from __future__ import annotations

from concurrent.futures import Future
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .entry import find_matches
from .store import EntryIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .entry import Entry, Match


@dataclass(eq=False)
class PendingItem:
    """An item that has passed, its entry, and the entries that it replaces.

    Holding the item keeps its identity from being reused. An item is ``overdue`` after
    another has waited for it in vain: no other waits as long again.
    """

    item: Any
    entry: Entry
    replaces: Sequence[Match]
    key: int
    waiting: list[Future[None]] = field(default_factory=list)
    overdue: bool = False


class PendingItems:
    """The items that have passed this pipeline and are still in later ones.

    Signals report an item by the object that came out of the last pipeline, or that
    went into the first. Either may be another object than the one that was here. But
    all pipelines of an item run in one context, which a context variable marks.
    """

    def __init__(self) -> None:
        self._index = EntryIndex()
        self._by_key: dict[int, PendingItem] = {}
        self._by_item: dict[int, PendingItem] = {}
        self._current: ContextVar[PendingItem | None] = ContextVar(
            "pending_item", default=None
        )

    def enter(self) -> None:
        """Mark the context as that of an item which is not pending yet."""
        self._current.set(None)

    def begin(self, item: Any, entry: Entry, replaces: Sequence[Match]) -> PendingItem:
        """Add an item that passes."""
        pending = PendingItem(item, entry, replaces, self._index.add(entry))
        self._by_key[pending.key] = pending
        self._by_item[id(item)] = pending
        self._current.set(pending)
        return pending

    def find(self, item: Any) -> PendingItem | None:
        """Return the pending item of an item that has left the pipelines."""
        current, known = self._current.get(), self._by_item.get(id(item))
        if current and current.key in self._by_key and current.item is item:
            return current  # the spider may have yielded one object several times
        return known or (current if current and current.key in self._by_key else None)

    def end(self, pending: PendingItem) -> None:
        """Remove an item, and wake those that wait for it."""
        self._index.remove(pending.key)
        self._by_key.pop(pending.key, None)
        if self._by_item.get(id(pending.item)) is pending:
            del self._by_item[id(pending.item)]
        for future in pending.waiting:
            if not future.done():
                future.set_result(None)

    def matches(self, entry: Entry, threshold: float) -> list[PendingItem]:
        """The items that the entry is a copy of, most similar first; none overdue."""
        found = find_matches(entry, self._index.candidates(entry), threshold)
        items = [self._by_key[int(match.key)] for match in found]
        return [pending for pending in items if not pending.overdue]

    def watch(self, pending: PendingItem) -> Future[None]:
        """Return a future that is done when the item has left the pipelines."""
        future: Future[None] = Future()
        pending.waiting.append(future)
        return future

    def check_overdue(self, pending: PendingItem) -> bool:
        """After a wait for the item, mark and return whether it was in vain."""
        pending.overdue = pending.key in self._by_key
        return pending.overdue
