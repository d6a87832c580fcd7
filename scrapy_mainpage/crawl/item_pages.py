"""The pages of the items that are in the pipelines of a crawl."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit
from weakref import WeakKeyDictionary

from itemadapter import ItemAdapter
from scrapy import signals
from w3lib.url import canonicalize_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from ..page import Page

#: In a request's meta: the override of the filter for its items.
FILTER_KEY: Final = "mainpage_filter"


class ItemOrigin(NamedTuple):
    """The page of an item, and the filter's override of its request.

    ``page`` is ``None`` if the response has none: not HTML, or no page is wanted.
    """

    page: Page | None
    filter: Any = None


@dataclass
class _Known:
    """An item in the pipelines; the spider may have yielded one object several times.

    A reference to the item keeps its identity from being reused.
    """

    item: Any
    origin: ItemOrigin
    times: int = 0


@dataclass
class _Visit:
    """A response: how often each of its items is known, and how many have not left."""

    response: Response
    items: Counter[int] = field(default_factory=Counter)
    left: int = 0


class ItemPages:
    """The pages of the items that are in the pipelines.

    A pipeline does not see the response of an item; the spider middleware registers it
    here. An item is forgotten when it has left the pipelines, with any result; one that
    a pipeline replaced by another object, when all items of its response have left.
    """

    def __init__(self) -> None:
        # By identity, as items need not be hashable.
        self._items: dict[int, _Known] = {}
        self._visits: dict[int, _Visit] = {}

    @classmethod
    def of(cls, crawler: Crawler) -> ItemPages:
        """Return the item pages of a crawl; pipelines that need them ask at start."""
        pages = _BY_CRAWLER.get(crawler)
        if pages is None:
            pages = _BY_CRAWLER[crawler] = cls()
            connect = crawler.signals.connect
            connect(pages.item_left, signals.item_scraped)
            connect(pages.item_left, signals.item_dropped)
            connect(pages.item_left, signals.item_error)
        return pages

    @staticmethod
    def wanted(crawler: Crawler) -> ItemPages | None:
        """Return the item pages of a crawl if any pipeline needs them."""
        return _BY_CRAWLER.get(crawler)

    def remember(self, item: Any, origin: ItemOrigin, response: Response) -> None:
        """Register the origin of an item before it enters the pipelines."""
        known = self._items.setdefault(id(item), _Known(item, origin))
        known.origin = origin
        known.times += 1
        visit = self._visits.setdefault(id(response), _Visit(response))
        visit.items[id(item)] += 1
        visit.left += 1

    def get(self, item: Any) -> ItemOrigin | None:
        """Return the origin of the item; ``None`` if it replaced another."""
        known = self._items.get(id(item))
        return known.origin if known else None

    def item_left(self, item: Any, response: Response | None) -> None:
        """Forget an item of the response, which has left the pipelines."""
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


_BY_CRAWLER: WeakKeyDictionary[Crawler, ItemPages] = WeakKeyDictionary()


def url_field(
    item_fields: Mapping[str, str], index_fields: Mapping[str, str] | None = None
) -> str:
    """Return the field of items that has their URL, by the settings of these names."""
    filled = (name for name, attribute in item_fields.items() if attribute == "url")
    return (index_fields or {}).get("url") or next(filled, "url")


def item_url(adapter: ItemAdapter, name: str) -> str:
    """Return the URL in the field, the first of a list; empty if there is none."""
    value = adapter.get(name)
    while isinstance(value, list | tuple):
        value = next(filter(None, value), None)
    return "" if value is None else str(value).strip()


def describes(url: str | None, page: Page, *others: str) -> bool:
    """Whether an item with the URL is about the page: without a URL every item is.

    The URL may be relative, or the page's canonical one; *others* are further URLs of
    the page. The fragment does not count.
    """
    if not url or url == page.url:
        return True
    known = [page.url, *others]
    canonical = page.metadata.canonical_url
    # Templates that name the home page on every page are mistaken.
    if canonical and urlsplit(canonical).path.strip("/"):
        known.append(canonical)
    address = _canonical(url, page.url)
    return any(address == _canonical(each, page.url) for each in known if each)


def _canonical(url: str, base: str | None) -> str:
    try:
        return canonicalize_url(urljoin(base or "", url))
    except ValueError:  # an invalid URL may still be the name of a page
        return url
