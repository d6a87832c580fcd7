"""State that the components of one crawl share: settings, extractor, pages of items."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

from scrapy import signals
from scrapy.settings import SETTINGS_PRIORITIES

from ..extraction.extractor import Extractor
from ..rules.rule_book import RuleBook
from ..settings import find_unknown, read_settings
from .worker_pool import WorkerPool

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from ..page import Page
    from .crawl_ledger import CrawlLedger

_VIEWERS: Final = (
    "scrapy.commands.check",
    "scrapy.commands.fetch",
    "scrapy.commands.parse",
    "scrapy_mainpage.commands.page_source",
)
Kept = TypeVar("Kept")

logger = logging.getLogger(__name__)

#: In a request's meta: ``False`` exempts its items from the filter.
FILTER_KEY: Final = "mainpage_filter"

_SHELL_SETTINGS: Final = ("DUPEFILTER_CLASS", "KEEP_ALIVE", "REMOTE_CONTROL_ENABLED")


class CrawlState:
    """The settings, the extractor and the worker pool of a crawl.

    ``inline_responses`` are those with a page that went to no callback, by URL: a
    callback has downloaded them itself and still holds them. Names of settings that do
    not exist are logged here, once per crawl.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)  # whose state is kept as long as it lives
        self.settings = read_settings(crawler)
        self.inline_responses: WeakValueDictionary[str, Response]
        self.inline_responses = WeakValueDictionary()
        self._kept: dict[object, Any] = {}
        for unknown in find_unknown(crawler.settings):
            logger.warning("%s", unknown)

    @classmethod
    def of(cls, crawler: Crawler) -> CrawlState:
        """Return the state of a crawl, the same to all of its components."""
        if crawler not in _states:
            _states[crawler] = cls(crawler)
        return _states[crawler]

    def keep(self, kind: Callable[[Crawler], Kept]) -> Kept:
        """Return the crawl's one object of a kind, made for its first user.

        The object must not hold the crawler, or neither is ever freed.
        """
        if kind not in self._kept:
            crawler = self._crawler()
            assert crawler is not None
            self._kept[kind] = kind(crawler)
        kept: Kept = self._kept[kind]
        return kept

    def kept(self, kind: Callable[[Crawler], Kept]) -> Kept | None:
        """Return the crawl's object of a kind; ``None`` if it has no user."""
        return self._kept.get(kind)

    def read_sites(self) -> dict[str, str]:
        """Return what earlier crawls of the scope kept of each site: JSON by host.

        Without ``MAINPAGE_STATE`` nothing is kept.
        """
        if not self.settings.state:
            return {}
        ledger = self.keep(_ledger())
        return ledger.store.read_sites(ledger.scope)

    def write_sites(self, sites: Mapping[str, str]) -> None:
        """Keep these sites in place of those before, until the engine has stopped."""
        if self.settings.state:
            ledger = self.keep(_ledger())
            ledger.store.write_sites(ledger.scope, sites)

    @cached_property
    def extractor(self) -> Extractor:
        """The extractor of the crawl's algorithm."""
        return Extractor(
            self.settings.algorithm,
            self.settings.options,
            rules=RuleBook(self.settings.rules) if self.settings.rules else None,
            **self.settings.extraction,
        )

    @cached_property
    def worker_pool(self) -> WorkerPool | None:
        """The processes for large pages; ``None`` if the settings ask for none."""
        crawler = self._crawler()
        if crawler is None or not self.settings.processes:
            return None
        return WorkerPool(crawler, self.settings)


def _ledger() -> type[CrawlLedger]:
    from .crawl_ledger import CrawlLedger  # of crawls with a state alone

    return CrawlLedger


_states: WeakKeyDictionary[Crawler, CrawlState] = WeakKeyDictionary()


def only_shows_pages(crawler: Crawler) -> bool:
    """Whether a command shows single pages: it must write and take nothing shared.

    ``fetch``, ``parse``, ``check`` and our own commands replace the spider's ``start``.
    ``shell`` starts no spider; settings that only it has as a command give it away.
    """
    start = crawler.spidercls.start
    if start.__module__ in _VIEWERS:
        return True
    priorities = map(crawler.settings.getpriority, _SHELL_SETTINGS)
    return SETTINGS_PRIORITIES["command"] in priorities


_MAX_LOOP_SECONDS: Final = 0.1
"""An extraction that holds the event loop for longer is counted."""


def count_loop_time(stats: StatsCollector, started: float) -> None:
    """Count an extraction that has held the loop since *started*, by ``perf_counter``.

    ``mainpage/time`` is the sum in seconds, ``mainpage/loop/longest`` the longest
    time, ``mainpage/loop/over_100ms`` how many took longer than that.
    """
    seconds = perf_counter() - started
    # Scrapy's collectors add whatever number they get; they declare integers.
    stats.inc_value("mainpage/time", seconds)  # type: ignore[arg-type]
    stats.max_value("mainpage/loop/longest", seconds)
    if seconds > _MAX_LOOP_SECONDS:
        stats.inc_value("mainpage/loop/over_100ms")


class ItemOrigin(NamedTuple):
    """The page of an item, the filter's override of its request, and its response.

    ``page`` is ``None`` if the response has none: not HTML, or no page is wanted.
    """

    page: Page | None
    filter: Any = None
    response: Response | None = None


@dataclass
class _Known:
    """An item in the pipelines; the reference keeps its identity from being reused."""

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

    def __init__(self, crawler: Crawler) -> None:
        # By identity, as items need not be hashable.
        self._items: dict[int, _Known] = {}
        self._visits: dict[int, _Visit] = {}
        for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
            crawler.signals.connect(self.item_left, signal)

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


# --- Why a crawl ended early: Scrapy says "finished" and no more ------------------

#: Responses from which on a crawl is not explained.
FEW: Final = 5

#: Statistic of Scrapy -> what it counts.
_CAUSES: Final = {
    "robotstxt/forbidden": "requests that robots.txt forbids",
    "offsite/filtered": "requests to hosts outside of allowed_domains",
    "dupefilter/filtered": "requests that were made before",
    "httperror/response_ignored_count": "responses with an error status",
    "downloader/exception_count": "downloads that failed",
    "retry/max_reached": "requests that were given up",
    "spider_exceptions/count": "errors in callbacks",
}


class ShortCrawl:
    """Logs why a crawl ended after fewer than five responses."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        crawler.signals.connect(self.spider_closed, signals.spider_closed)

    def spider_closed(self, spider: Spider, reason: str) -> None:
        """Log the causes of a crawl that had nothing more to do."""
        assert self._crawler.stats is not None
        stats = self._crawler.stats.get_stats()
        count = int(stats.get("response_received_count", 0))
        if reason == "finished" and count < FEW:
            causes = "; ".join(causes_in(stats))
            message = "The crawl ended after %d responses: %s"
            logger.info(message, count, causes, extra={"spider": spider})


def causes_in(stats: Mapping[str, Any]) -> Iterator[str]:
    """Yield what kept a crawl short, by its statistics."""
    for name, noun in _CAUSES.items():
        if number := stats.get(name):
            yield f"{number} {noun}"
    if not stats.get("request_depth_max"):
        yield (
            "no callback has followed a link; a link extractor may take others, "
            "such as MainContentLinkExtractor(labels={'main', 'navigation', 'related'})"
        )
    elif not any(stats.get(name) for name in _CAUSES):
        yield "the last pages gave no more requests"
