"""What a crawl knows of and has not got: counted by kind, said at its end."""

from __future__ import annotations

import logging
from http import HTTPStatus
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from ..addresses import is_of
from ..redaction import redacted
from .crawl_state import Component

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

FAILED: Final = "failed"
ROBOTS: Final = "robotstxt"
DEPTH_LIMIT: Final = "depth_limit"
MAX_DEPTH: Final = "max_depth"
QUERIES: Final = "queries"
ENTRIES: Final = "entries"
SCRIPTED: Final = "script_pagers"
ENDED: Final = "ended"
URL_LENGTH: Final = "url_length"

#: Kind -> what it counts.
KINDS: Final = {
    FAILED: "failed requests",
    ROBOTS: "requests that robots.txt forbids",
    DEPTH_LIMIT: "links deeper than DEPTH_LIMIT",
    MAX_DEPTH: "links deeper than max_depth",
    QUERIES: "links with further queries of one path",
    ENTRIES: "listings that show a part of their entries",
    SCRIPTED: "listings with other pages that a script opens",
    URL_LENGTH: "links longer than URLLENGTH_LIMIT",
    ENDED: "requests that waited when the crawl was ended",
}
#: Statuses that say that there is no page.
_GONE: Final = (404, 410)

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

MAX_LEFT: Final = 10_000
MAX_EXAMPLES: Final = 3
_STATE: Final = "mainpage_missing"
_QUEUE: Final = ("enqueued", "dequeued")


class Completeness:
    """What is known to be missing at the end of a crawl: addresses by kind.

    One that comes after all is forgotten. ``missing`` are the numbers, when the spider
    has closed; they are statistics, too, ``mainpage/missing/KIND``, and ``summary`` is
    a line of the log and of the report. With ``JOBDIR`` they go on with the crawl.
    Of addresses that are only ``tried`` a status from 400 to 499 says nothing.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.tried: set[str] = set()
        #: Called with each request that has finally failed, and the reason.
        self.on_failure: list[Callable[[Request, str], None]] = []
        self.missing: dict[str, int] = {}
        self.summary = ""
        self._left: dict[str, dict[str, str]] = {}
        crawler.signals.connect(self.response_received, signals.response_received)
        crawler.signals.connect(self.spider_closed, signals.spider_closed)

    def leave(self, kind: str, url: str, note: str = "") -> None:
        """Note an address that the crawl has not got, or not all of."""
        left = self._left.setdefault(kind, {})
        if len(left) < MAX_LEFT:
            left[url] = note

    def response_received(self, response: Response, request: Request) -> None:
        """Note a page that came, or finally failed."""
        if request.callback is NO_CALLBACK:
            return
        for left in self._left.values():
            left.pop(request.url, None)
        may_lack = response.status in _GONE or request.url in self.tried
        if response.status >= (500 if may_lack else HTTPStatus.BAD_REQUEST):
            self.leave(FAILED, request.url, str(response.status))

    def failed(self, request: Request, exception: Exception) -> None:
        """Note a request for which nothing came, and which is not sent again."""
        if request.callback is NO_CALLBACK:
            return
        kind, reason = FAILED, type(exception).__name__
        if isinstance(exception, IgnoreRequest):
            if "robots.txt" not in str(exception):
                return
            kind = reason = ROBOTS
        self.leave(kind, request.url, "" if kind == ROBOTS else reason)
        for note in self.on_failure:
            note(request, reason)

    def spider_closed(self, spider: Spider, reason: str) -> None:
        """Say what is missing, and why a crawl that had no more to do was short."""
        state, stats = getattr(spider, "state", {}), spider.crawler.stats
        assert stats is not None
        self.on_failure.clear()  # who is called holds the crawler
        count = stats.get_value("response_received_count", 0)
        if reason == "finished" and count < FEW:
            causes = "; ".join(_causes_in(stats.get_stats()))
            line = "The crawl ended after %d responses: %s"
            logger.info(line, count, causes, extra={"spider": spider})
        for kind, before in state.get(_STATE, {}).items():
            self._left[kind] = before | self._left.get(kind, {})
        state[_STATE] = self._left
        numbers = {kind: len(left) for kind, left in self._left.items()}
        numbers[URL_LENGTH] = stats.get_value("urllength/request_ignored_count", 0)
        if reason != "finished":
            queued, sent = (stats.get_value(f"scheduler/{name}", 0) for name in _QUEUE)
            numbers[ENDED] = max(queued - sent, 0)
        self.missing = {kind: numbers[kind] for kind in KINDS if numbers.get(kind)}
        self.summary = "; ".join(map(self._describe, self.missing))
        for kind, number in self.missing.items():
            stats.set_value(f"mainpage/missing/{kind}", number)
        if self.missing:
            line = "The crawl knows of more than it got: %s"
            logger.warning(line, self.summary, extra={"spider": spider})

    def _describe(self, kind: str) -> str:
        """A kind with its number and some addresses."""
        left, number = self._left.get(kind, {}), self.missing[kind]
        some = [f"{redacted(url)} ({note})" if note else redacted(url)
                for url, note in islice(left.items(), MAX_EXAMPLES)]  # fmt: skip
        more = ", ..." if number > len(some) else ""
        shown = f" ({', '.join(some)}{more})" if some else ""
        return f"{KINDS[kind]}: {number}{shown}"


def _causes_in(stats: Mapping[str, Any]) -> Iterator[str]:
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


class DepthLimitMiddleware(Component, BaseSpiderMiddleware):
    """Notes the links that Scrapy's ``DEPTH_LIMIT`` drops without a word."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.limit = crawler.settings.getint("DEPTH_LIMIT")
        self.completeness = self.state.keep(Completeness)
        self._came: set[int] = set()
        crawler.signals.connect(self.response_received, signals.response_received)

    def response_received(self, request: Request) -> None:
        """Remember what has come: links on many pages may lead there."""
        self._came.add(hash(request.url))

    def get_processed_request(
        self, request: Request, response: Response | None
    ) -> Request:
        """Return the request; note one that is too deep."""
        is_deep = response is not None and response.meta.get("depth", 0) >= self.limit
        sites = getattr(self.crawler.spider, "allowed_domains", None)
        is_own = is_deep and (not sites or is_of(request.url, sites))
        if is_own and hash(request.url) not in self._came:
            self.completeness.leave(DEPTH_LIMIT, request.url)
        return request
