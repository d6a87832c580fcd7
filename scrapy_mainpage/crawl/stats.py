"""What a crawl says of pages that were over a limit: counts, and a line per site."""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from ..extraction.parsing.limits import REASONS

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from ..page import Page

logger = logging.getLogger(__name__)

MOST_KNOWN: Final = 10_000
"""So many sites with a reason are remembered; the one seen longest ago goes first."""


class OverLimits:
    """Counts pages over a limit in ``mainpage/limits/REASON``.

    The first of a site and reason is logged; the others would say the same.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def report(self, page: Page) -> None:
        """Count what *page* says of limits, and log what is new of its site."""
        for reason in page.warnings:
            if reason in REASONS:
                self.crawler.stats.inc_value(f"mainpage/limits/{reason}")
                if self._is_new(_site(page.url), reason):
                    self._log(page, reason)

    def _is_new(self, site: str, reason: str) -> bool:
        key = (site, reason)
        known = key in self._known
        self._known[key] = None
        self._known.move_to_end(key)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return not known

    def _log(self, page: Page, reason: str) -> None:
        logger.warning(
            "Over a limit (%(reason)s), the first page of this site: %(url)s",
            {"reason": reason, "url": page.url},
            extra={"spider": self.crawler.spider},
        )


def _site(url: str | None) -> str:
    try:
        return urlsplit(url or "").hostname or ""
    except ValueError:  # a host that cannot be
        return ""


__all__ = ["OverLimits"]
