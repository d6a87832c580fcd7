"""Where items come from: the pages of the items that are in the pipelines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from scrapy import signals

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from scrapy_mainpage.page import Page

FILTER_KEY = "mainpage_filter"
"""In a request's meta: what the filter is to do otherwise with its items."""


class Source(NamedTuple):
    """What a pipeline may know of an item beside the item itself."""

    page: Page | None
    """``None`` if the response has none: it is no HTML, or no page is wanted."""
    filter: Any = None
    """``request.meta["mainpage_filter"]``"""


@dataclass
class _Known:
    """An item in the pipelines; the spider may have yielded one object several times.

    Holding the item keeps its identity from being reused.
    """

    item: Any
    source: Source
    times: int = 0


@dataclass
class _Visit:
    """A response, how often each of its items is known, and how many are to leave."""

    response: Response
    items: Counter[int] = field(default_factory=Counter)
    left: int = 0


class Sources:
    """The pages of the items that are in the pipelines.

    A pipeline does not see the response that an item came from. The spider middleware
    tells it here. An item is forgotten when it has left the pipelines, whatever became
    of it there; one that another object has taken the place of, when all items of its
    response have left.
    """

    def __init__(self) -> None:
        # By identity, as items need not be hashable.
        self._items: dict[int, _Known] = {}
        self._visits: dict[int, _Visit] = {}

    @classmethod
    def of(cls, crawler: Crawler) -> Sources:
        """The sources of a crawl; a pipeline that wants them asks at its start."""
        sources = _KNOWN.get(crawler)
        if sources is None:
            sources = _KNOWN[crawler] = cls()
            for signal in (
                signals.item_scraped,
                signals.item_dropped,
                signals.item_error,
            ):
                crawler.signals.connect(sources.item_left, signal)
        return sources

    @staticmethod
    def wanted(crawler: Crawler) -> Sources | None:
        """The sources of a crawl if any pipeline wants them."""
        return _KNOWN.get(crawler)

    def remember(self, item: Any, source: Source, response: Response) -> None:
        """Take note of where the item comes from, before it enters the pipelines."""
        known = self._items.setdefault(id(item), _Known(item, source))
        known.source = source
        known.times += 1
        visit = self._visits.setdefault(id(response), _Visit(response))
        visit.items[id(item)] += 1
        visit.left += 1

    def get(self, item: Any) -> Source | None:
        """Where the item comes from; ``None`` if another has taken its place."""
        known = self._items.get(id(item))
        return known.source if known else None

    def item_left(self, item: Any, response: Response | None) -> None:
        """An item of the response has left the pipelines."""
        visit = self._visits.get(id(response))
        if visit is None:
            return
        visit.left -= 1
        if id(item) in visit.items:
            self._forget(visit, id(item), 1)
        if visit.left <= 0:
            del self._visits[id(response)]
            for identity, times in list(visit.items.items()):
                self._forget(visit, identity, times)

    def _forget(self, visit: _Visit, identity: int, times: int) -> None:
        visit.items[identity] -= times
        if not visit.items[identity]:
            del visit.items[identity]
        known = self._items[identity]
        known.times -= times
        if not known.times:
            del self._items[identity]


_KNOWN: WeakKeyDictionary[Crawler, Sources] = WeakKeyDictionary()
