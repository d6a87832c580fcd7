"""Counters of a crawl's extractions, and log lines of pages over a limit."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from ..extraction.parsing.limits import REASONS

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

    from ..page import Page

logger = logging.getLogger(__name__)

_MAX_LOOP_SECONDS: Final = 0.1
"""An extraction that holds the event loop for longer is counted."""

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

    The first page of each site and reason is logged.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._known: set[tuple[str, str]] = set()

    def report(self, page: Page) -> None:
        """Count the limits that *page* was over, and log those new for its site."""
        for reason in page.warnings:
            if reason in REASONS:
                self.crawler.stats.inc_value(f"mainpage/limits/{reason}")
                known = (site_of(page.url), reason)
                if known not in self._known and len(self._known) < MAX_KNOWN_SITES:
                    self._known.add(known)
                    self._log(page, reason)

    def _log(self, page: Page, reason: str) -> None:
        logger.warning(
            "Over a limit (%(reason)s), the first page of this site: %(url)s",
            {"reason": reason, "url": page.url},
            extra={"spider": self.crawler.spider},
        )


def site_of(url: str | None) -> str:
    """Return the host of a URL; an empty string if it has none."""
    try:
        return urlsplit(url or "").hostname or ""
    except ValueError:  # an impossible host
        return ""
