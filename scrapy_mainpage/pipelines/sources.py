"""Where items come from: the pages of the items that are in the pipelines."""

from __future__ import annotations

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
class _Visit:
    """A response and its items; holding it keeps its identity from being reused."""

    response: Response
    items: list[int] = field(default_factory=list)
    left: int = 0


class Sources:
    """The pages of the items that are in the pipelines.

    A pipeline does not see the response that an item came from. The spider middleware
    tells it here; an item is forgotten with its response, when all of the response's
    items have left the pipelines, whatever became of them there.
    """

    def __init__(self) -> None:
        # By identity, as items need not be hashable. Each entry holds its item, so
        # that no other object can get the same identity.
        self._items: dict[int, tuple[Any, Source]] = {}
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
        self._items[id(item)] = item, source
        visit = self._visits.setdefault(id(response), _Visit(response))
        visit.items.append(id(item))

    def get(self, item: Any) -> Source | None:
        """Where the item comes from; ``None`` if another has taken its place."""
        return self._items.get(id(item), (None, None))[1]

    def item_left(self, response: Response | None) -> None:
        """An item of the response has left the pipelines."""
        visit = self._visits.get(id(response))
        if visit is None:
            return
        visit.left += 1
        if visit.left >= len(visit.items):
            del self._visits[id(response)]
            for identity in visit.items:
                self._items.pop(identity, None)


_KNOWN: WeakKeyDictionary[Crawler, Sources] = WeakKeyDictionary()
