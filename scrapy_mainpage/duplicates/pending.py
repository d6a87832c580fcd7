"""Items that passed the pipeline of duplicates and are still in later ones.

A text is remembered for good when its item has come through all pipelines.
"""

from __future__ import annotations

from concurrent.futures import Future
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .entry import Entry, Match


@dataclass(eq=False)
class PendingItem:
    """An item that has passed, the number of its text, and the texts that it replaces.

    Holding the item keeps its identity from being reused. An item is ``overdue`` after
    another has waited for it in vain: no other waits as long again.
    """

    item: Any
    entry: Entry
    key: int
    replaces: Sequence[Match]
    waiting: list[Future[None]] = field(default_factory=list)
    overdue: bool = False


class PendingItems:
    """The pending items of a process.

    Signals report an item by the object that came out of the last pipeline, or that
    went into the first. Either may be another object than the one that was here. But
    all pipelines of an item run in one context, which a context variable marks.
    """

    def __init__(self) -> None:
        self._by_key: dict[int, PendingItem] = {}
        self._by_item: dict[int, PendingItem] = {}
        self._current: ContextVar[PendingItem | None] = ContextVar(
            "pending_item", default=None
        )

    def enter(self) -> None:
        """Mark the context as that of an item which is not pending yet."""
        self._current.set(None)

    def begin(self, pending: PendingItem) -> None:
        """Add an item that passes."""
        self._by_key[pending.key] = pending
        self._by_item[id(pending.item)] = pending
        self._current.set(pending)

    def find(self, item: Any) -> PendingItem | None:
        """Return the pending item of an item that has left the pipelines."""
        current, known = self._current.get(), self._by_item.get(id(item))
        if current and current.key in self._by_key and current.item is item:
            return current  # the spider may have yielded one object several times
        return known or (current if current and current.key in self._by_key else None)

    def end(self, pending: PendingItem) -> None:
        """Remove an item, and wake those that wait for it."""
        self._by_key.pop(pending.key, None)
        if self._by_item.get(id(pending.item)) is pending:
            del self._by_item[id(pending.item)]
        for future in pending.waiting:
            if not future.done():
                future.set_result(None)

    def of(self, matches: Iterable[Match]) -> list[PendingItem]:
        """Return the items of these texts that others still wait for."""
        found = (self._by_key.get(match.key) for match in matches)
        return [each for each in found if each is not None and not each.overdue]

    def watch(self, pending: PendingItem) -> Future[None]:
        """Return a future that is done when the item has left the pipelines."""
        future: Future[None] = Future()
        pending.waiting.append(future)
        return future

    def check_overdue(self, pending: PendingItem) -> bool:
        """After a wait for the item, mark and return whether it was in vain."""
        pending.overdue = pending.key in self._by_key
        return pending.overdue
