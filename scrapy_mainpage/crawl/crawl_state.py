"""State that the components of one crawl share: settings, extractor, pages of items."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.settings import SETTINGS_PRIORITIES

from ..memory.tables import load_object
from ..settings import find_unknown, read_settings
from .worker_pool import WorkerPool, make_extractor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector
    from typing_extensions import Self

    from ..extraction.extractor import Extractor
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
        sites = ledger.store.fact(f"sites {ledger.scope}")
        return load_object(sites) or {}

    def write_sites(self, sites: Mapping[str, str]) -> None:
        """Keep these sites in place of those before, until the engine has stopped."""
        if self.settings.state:
            ledger = self.keep(_ledger())
            ledger.store.put_fact(f"sites {ledger.scope}", json.dumps(dict(sites)))

    @cached_property
    def extractor(self) -> Extractor:
        """The extractor of the crawl's algorithm."""
        ours = self.settings
        from ..extraction.records.post_templates import PostTemplates

        made = make_extractor(ours.algorithm, ours.options, ours.extraction, ours.rules)
        made.post_templates = PostTemplates()
        return made

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


class Component:
    """A component of a crawl: its settings, its statistics and its lines in the log.

    It is off where the plugin is, and one that *writes* where a command only shows
    pages. Names of statistics begin with *stats_prefix*.
    """

    writes: ClassVar[bool] = False
    stats_prefix: ClassVar[str] = "mainpage"

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.state = CrawlState.of(crawler)
        self.settings = self.state.settings

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the component of a crawl."""
        is_shown = cls.writes and only_shows_pages(crawler)
        if not CrawlState.of(crawler).settings.enabled or is_shown:
            raise NotConfigured
        try:
            return cls(crawler)
        except Exception as error:
            ledger = CrawlState.of(crawler).kept(_ledger())
            if ledger is not None and isinstance(error, ledger.store.errors):
                ledger.refuse(crawler, error)
            raise

    def count(self, name: str, number: float = 1) -> None:
        """Add to a statistic."""
        # Scrapy's collectors add whatever number they get; they declare integers.
        stats: Any = self.crawler.stats
        stats.inc_value(f"{self.stats_prefix}/{name}", number)

    def log(self, level: int, message: str, *args: object, **options: Any) -> None:
        """Log a line of the crawl."""
        extra = {"spider": self.crawler.spider}
        logging.getLogger(type(self).__module__).log(
            level, message, *args, extra=extra, **options
        )


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


class ItemPages:
    """The pages of the items that are in the pipelines.

    A pipeline does not see the response of an item; the spider middleware registers it
    here. An item is forgotten when it has left the pipelines, with any result; one that
    a pipeline replaced by another object, when all items of its response have left.
    """

    def __init__(self, crawler: Crawler) -> None:
        # By identity, as items need not be hashable.
        self._known: dict[int, list[tuple[Any, ItemOrigin, Response]]] = {}
        self._left: Counter[int] = Counter()
        for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
            crawler.signals.connect(self.item_left, signal)

    def remember(self, item: Any, origin: ItemOrigin, response: Response) -> None:
        """Register the origin of an item before it enters the pipelines."""
        self._known.setdefault(id(item), []).append((item, origin, response))
        self._left[id(response)] += 1

    def get(self, item: Any) -> ItemOrigin | None:
        """Return the origin of the item; ``None`` if it replaced another."""
        known = self._known.get(id(item))
        return known[-1][1] if known else None

    def item_left(self, item: Any, response: Response | None) -> None:
        """Forget an item of the response, which has left the pipelines."""
        if id(response) not in self._left:
            return
        self._forget(id(item), response, 1)
        self._left[id(response)] -= 1
        if not self._left[id(response)]:
            del self._left[id(response)]
            for identity in [*self._known]:
                self._forget(identity, response)

    def _forget(self, identity: int, response: Response | None, most: int = 0) -> None:
        known = self._known.get(identity, [])
        places = [n for n, each in enumerate(known) if each[2] is response]
        for n in reversed(places[:most] if most else places):
            del known[n]
        if not known:
            self._known.pop(identity, None)
