"""Items on their way through the pipelines behind ours, until it is known what became
of them: a text is remembered for good when its item has come through."""

from __future__ import annotations

from concurrent.futures import Future
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scrapy.utils.asyncio import call_later

from ..crawl.futures import wait_for
from .entries import find_matches
from .memory import Memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .entries import Entry, Match


@dataclass(eq=False)
class Flight:
    """An item that has passed, its text, and the texts that it is to replace.

    Holding the item keeps its identity from being reused. It is ``overdue`` when one
    has waited for its end in vain: no other is to wait for it as long again.
    """

    item: Any
    entry: Entry
    replaces: Sequence[Match]
    key: int
    waiting: list[Future[None]] = field(default_factory=list)
    overdue: bool = False


class Flights:
    """The items that have passed and are still in the pipelines.

    Scrapy says what became of an item by the item: by the one that came out of the
    last pipeline, or by the one that went into the first, where ours is not. Either
    may be another object than the one that was here. But all that happens to an item
    happens in one context, which a variable marks.
    """

    def __init__(self) -> None:
        self._memory = Memory()
        self._by_key: dict[int, Flight] = {}
        self._by_item: dict[int, Flight] = {}
        self._current: ContextVar[Flight | None] = ContextVar("flight", default=None)

    def enter(self) -> None:
        """Say that another item has come, which is in no flight yet."""
        self._current.set(None)

    def begin(self, item: Any, entry: Entry, replaces: Sequence[Match]) -> Flight:
        """Take note of an item that passes."""
        flight = Flight(item, entry, replaces, self._memory.add(entry))
        self._by_key[flight.key] = flight
        self._by_item[id(item)] = flight
        self._current.set(flight)
        return flight

    def find(self, item: Any) -> Flight | None:
        """Return the flight of an item that has left the pipelines, if it has one."""
        current, known = self._current.get(), self._by_item.get(id(item))
        if current and current.key in self._by_key and current.item is item:
            return current  # the spider may have yielded one object several times
        return known or (current if current and current.key in self._by_key else None)

    def end(self, flight: Flight) -> None:
        """Forget a flight; who waits for it goes on."""
        self._memory.remove(flight.key)
        self._by_key.pop(flight.key, None)
        if self._by_item.get(id(flight.item)) is flight:
            del self._by_item[id(flight.item)]
        for future in flight.waiting:
            _wake(future)

    def matches(self, entry: Entry, threshold: float) -> list[Flight]:
        """The flights whose texts the entry is a copy of, the most similar first.

        Without those that are overdue.
        """
        found = find_matches(entry, self._memory.candidates(entry), threshold)
        flights = [self._by_key[int(match.key)] for match in found]
        return [flight for flight in flights if not flight.overdue]

    async def landed(self, flight: Flight, seconds: float) -> bool:
        """Wait until the flight has ended; return whether it has in so many seconds."""
        future: Future[None] = Future()
        flight.waiting.append(future)
        await pause(seconds, future)
        flight.overdue = flight.key in self._by_key
        return not flight.overdue


async def pause(seconds: float, future: Future[None] | None = None) -> None:
    """Wait so many seconds, and no longer than until the future is done."""
    future = future or Future()
    timer = call_later(seconds, _wake, future)
    await wait_for(future)
    timer.cancel()


def _wake(future: Future[None]) -> None:
    if not future.done():
        future.set_result(None)
