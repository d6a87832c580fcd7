"""Spiders for the tests of the scheduler of shared crawls."""

from __future__ import annotations

from typing import Any

import scrapy
from scrapy.exceptions import DropItem

from scrapy_mainpage.redis_crawl.scheduler import SharedScheduler

SPIDERS = "tests.redis_crawl.spiders."


class BriefScheduler(SharedScheduler):
    """A scheduler whose leases end soon."""

    lease = 4.0


class BusyScheduler(SharedScheduler):
    """The same for crawls on a busy machine."""

    lease = 12.0


class EndsSpider(scrapy.Spider):
    """Makes requests end in every possible way."""

    name = "ends"

    def __init__(self, site: str, closed: str):
        super().__init__()
        self.site, self.closed_site = site, closed

    async def start(self) -> Any:
        visit = self.visit
        yield visit("/page", self.parse)
        yield visit("/page", self.parse, dont_filter=True)
        yield visit("/moved", self.parse_async)
        yield visit("/missing", self.parse)
        yield visit("/missing?2", self.parse, errback=self.missed)
        yield visit("/missing?3", self.parse, errback=self.broken)
        yield visit("/busy", self.parse)
        yield visit("/page?broken", self.broken)
        yield visit("/page?halfway", self.broken_halfway)
        yield visit("/page?drop", self.dropped)
        yield scrapy.Request(self.closed_site, errback=self.missed)
        yield {"name": "no request at all"}

    def visit(self, path: str, callback: Any, **options: Any) -> scrapy.Request:
        return scrapy.Request(self.site + path, callback=callback, **options)

    def parse(self, response: scrapy.http.Response) -> Any:
        yield {"name": response.url.removeprefix(self.site)}

    async def parse_async(self, response: scrapy.http.Response) -> Any:
        yield self.visit("/page?async", self.parse)
        yield self.visit("/page?async", self.parse)

    def missed(self, failure: Any) -> Any:
        yield {"name": f"missed {failure.type.__name__}"}
        yield self.visit(f"/page?{failure.type.__name__}", self.parse)

    def broken(self, response: Any) -> Any:
        raise ValueError("as it should")

    def broken_halfway(self, response: Any) -> Any:
        yield self.visit("/page?first", self.parse)
        raise ValueError("as it should")

    def dropped(self, response: Any) -> Any:
        yield {"name": "dropped"}
        yield {"name": "failing"}


class Refusing:
    """A pipeline that drops some items."""

    def process_item(self, item: Any) -> Any:
        if item["name"] == "dropped":
            raise DropItem("as it should")
        if item["name"] == "failing":
            raise ValueError("as it should")
        return item


class LocalSpider(scrapy.Spider):
    """Makes requests that cannot be sent to other processes."""

    name = "local"

    def __init__(self, site: str):
        super().__init__()
        self.site = site

    async def start(self) -> Any:
        yield scrapy.Request(self.site + "/page")

    def parse(self, response: scrapy.http.Response) -> Any:
        for path in ("/page?1", "/page?1", "/page?2"):
            yield scrapy.Request(self.site + path, lambda found: {"url": found.url})


class ChainSpider(scrapy.Spider):
    """Visits a chain of pages, each named by the one before."""

    name = "chain"

    def __init__(self, site: str):
        super().__init__()
        self.site = site

    async def start(self) -> Any:
        yield scrapy.Request(f"{self.site}/0")

    def parse(self, response: scrapy.http.Response) -> Any:
        self.logger.warning("parsed %s", response.url)
        page = response.meta["mainpage"]
        yield {"url": response.url, "rendered": page.rendered, "text": page.text}
        yield from response.follow_all(css="main a")
