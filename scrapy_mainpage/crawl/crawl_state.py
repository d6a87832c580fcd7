"""The state that the components of one crawl share."""

from __future__ import annotations

import logging
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

from scrapy.settings import SETTINGS_PRIORITIES

from ..extraction.extractor import Extractor
from ..extraction.page_rules import BAD_RULES, RULE_MISSED
from ..extraction.parsing.limits import REASONS
from ..rules.rule_book import RuleBook
from ..settings import read_settings
from .worker_pool import WorkerPool

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from ..page import Page

_VIEWERS: Final = (
    "scrapy.commands.check",
    "scrapy.commands.fetch",
    "scrapy.commands.parse",
    "scrapy_mainpage.commands.page_download",
)
_SHELL_SETTINGS: Final = ("DUPEFILTER_CLASS", "KEEP_ALIVE", "REMOTE_CONTROL_ENABLED")


class CrawlState:
    """The settings, the extractor and the worker pool of a crawl.

    ``inline_responses`` are those with a page that went to no callback, by URL: a
    callback has downloaded them itself and still holds them.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)  # whose state is kept as long as it lives
        self.settings = read_settings(crawler)
        self.inline_responses: WeakValueDictionary[str, Response]
        self.inline_responses = WeakValueDictionary()

    @classmethod
    def of(cls, crawler: Crawler) -> CrawlState:
        """Return the state of a crawl, the same to all of its components."""
        if crawler not in _states:
            _states[crawler] = cls(crawler)
        return _states[crawler]

    @cached_property
    def extractor(self) -> Extractor:
        """The extractor of the crawl's algorithm."""
        return Extractor(
            self.settings.algorithm,
            self.settings.options,
            structured_data=self.settings.structured_data,
            title_in_text=self.settings.title_in_text,
            limits=self.settings.limits,
            detect_encoding=self.settings.detect_encoding,
            rules=RuleBook(self.settings.rules) if self.settings.rules else None,
        )

    @cached_property
    def worker_pool(self) -> WorkerPool | None:
        """The processes for large pages; ``None`` if the settings ask for none."""
        crawler = self._crawler()
        if crawler is None or not self.settings.processes:
            return None
        return WorkerPool(crawler, self.settings)


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


logger = logging.getLogger(__name__)

_MAX_LOOP_SECONDS: Final = 0.1
"""An extraction that holds the event loop for longer is counted."""

MAX_COUNTED_SITES: Final = 100
"""Sites with a statistic of their own."""

MAX_KNOWN_SITES: Final = 10_000
"""Sites and reasons that are remembered; of more of them nothing is logged."""


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


class LimitReports:
    """Counts pages over a limit in ``mainpage/limits/REASON``.

    Pages that rules of their site decided are in ``mainpage/rules/applied``, those
    where the rules miss in ``mainpage/rules/missed`` and, for the first sites, in
    ``mainpage/rules/missed/HOST``; those of a file with an error are in
    ``mainpage/rules/bad``. The first page of each site and reason is logged.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._known: set[tuple[str, str]] = set()
        self._missed: set[str] = set()

    def report(self, page: Page) -> None:
        """Count the limits and rules of *page*, and log those new for its site."""
        if page.rules:
            self._count("mainpage/rules/applied")
        for reason in page.warnings:
            if reason in REASONS:
                self._count(f"mainpage/limits/{reason}")
                self._log(page, reason, f"Over a limit ({reason})")
            elif reason == RULE_MISSED:
                self._count("mainpage/rules/missed")
                self._countsite_of(site_of(page.url))
                self._log(page, reason, "The site's rules match no main content")
            elif reason == BAD_RULES:
                self._count("mainpage/rules/bad")

    def _count(self, name: str) -> None:
        self.crawler.stats.inc_value(name)

    def _countsite_of(self, site: str) -> None:
        if len(self._missed) < MAX_COUNTED_SITES or site in self._missed:
            self._missed.add(site)
            self._count(f"mainpage/rules/missed/{site}")

    def _log(self, page: Page, reason: str, message: str) -> None:
        known = (site_of(page.url), reason)
        if known not in self._known and len(self._known) < MAX_KNOWN_SITES:
            self._known.add(known)
            logger.warning(
                "%(message)s, the first page of this site: %(url)s",
                {"message": message, "url": page.url},
                extra={"spider": self.crawler.spider},
            )


def site_of(url: str | None) -> str:
    """Return the host of a URL; an empty string if it has none."""
    try:
        return urlsplit(url or "").hostname or ""
    except ValueError:  # an impossible host
        return ""
