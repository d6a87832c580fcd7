"""Why a crawl ended after few pages: Scrapy says ``finished`` and no more."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

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
