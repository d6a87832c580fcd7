"""The requests that a shared crawl has seen, by Scrapy's own fingerprints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_redis.connection import get_redis_from_settings
from scrapy_redis.defaults import SCHEDULER_DUPEFILTER_KEY
from scrapy_redis.dupefilter import RFPDupeFilter

if TYPE_CHECKING:
    from redis import Redis
    from scrapy import Request, Spider

    # typing.Self requires Python 3.11
    from typing_extensions import Self


class SharedDupeFilter(RFPDupeFilter):  # type: ignore[misc]
    """A set in Redis of the fingerprints that the project's fingerprinter gives.

    Those of scrapy-redis know nothing of ``REQUEST_FINGERPRINTER_CLASS`` and take twice
    the memory.
    """

    def __init__(self, server: Redis, key: str, spider: Spider):
        crawler = spider.crawler
        debug = crawler.settings.getbool("DUPEFILTER_DEBUG")
        super().__init__(server, key, debug)
        self.crawler = crawler

    @classmethod
    def from_spider(cls, spider: Spider) -> Self:
        """Make the filter of a crawl."""
        settings = spider.crawler.settings
        key = settings.get("SCHEDULER_DUPEFILTER_KEY") or SCHEDULER_DUPEFILTER_KEY
        server = get_redis_from_settings(settings)
        return cls(server, key % {"spider": spider.name}, spider)

    def __len__(self) -> int:
        """The number of requests that were seen."""
        return int(self.server.scard(self.key))

    def fingerprint(self, request: Request) -> bytes:
        """Return the request's fingerprint."""
        assert self.crawler.request_fingerprinter is not None
        return self.crawler.request_fingerprinter.fingerprint(request)

    def __bool__(self) -> bool:
        """A filter without requests is true, too."""
        return True

    def request_seen(self, request: Request) -> bool:
        """Return whether the request was seen, and note that it was."""
        return not self.server.sadd(self.key, self.fingerprint(request))

    def log(self, request: Request, spider: Spider) -> None:
        """Count a request that was seen, and log the first."""
        super().log(request, spider)
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value("dupefilter/filtered")
