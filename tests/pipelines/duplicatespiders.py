"""Spiders and pipelines of the crawls that test the pipeline of duplicates."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import attrs
import pydantic
import scrapy
from scrapy.exceptions import DropItem

from scrapy_mainpage.pipelines.duplicates import DuplicatesPipeline

SPIDERS = "tests.pipelines.duplicatespiders."
OURS = "scrapy_mainpage.pipelines.duplicates.DuplicatesPipeline"
DROPPED = "item_dropped_count"


class Item(scrapy.Item):
    url = scrapy.Field()
    text = scrapy.Field()


@dataclass
class Dataclass:
    url: str
    text: str


@attrs.define
class Attrs:
    url: str
    text: str


class Pydantic(pydantic.BaseModel):
    url: str
    text: str


KINDS = {cls.__name__: cls for cls in (dict, Item, Dataclass, Attrs, Pydantic)}


class ItemsSpider(scrapy.Spider):
    """Yields each item (a dictionary, its type in ``kind``) ``times`` times."""

    name = "items"

    def __init__(self, items: list[dict[str, Any]], together: bool = True):
        super().__init__()
        self.items, self.together = items, together

    async def start(self) -> Any:
        groups = [self.items] if self.together else [[item] for item in self.items]
        for number, group in enumerate(groups):
            cb_kwargs = {"items": group}
            yield scrapy.Request(f"data:,{number}", cb_kwargs=cb_kwargs)

    def parse(self, response: scrapy.http.Response, items: Any) -> Any:
        for values in items:
            kind, times = KINDS[values.get("kind", "dict")], values.get("times", 1)
            fields = {k: v for k, v in values.items() if k not in ("kind", "times")}
            yield from [kind(**fields)] * times


class ScopedSpider(ItemsSpider):
    """Has one scope, whatever its items are."""

    mainpage_scope = "items"


class Impatient(DuplicatesPipeline):
    """Our pipeline, with short timeouts."""

    longest_wait = 0.1


class Renewed:
    """An earlier pipeline: puts another object in the item's place."""

    def process_item(self, item: Any) -> Any:
        return dict(item)


class Troubled:
    """A later pipeline: drops, fails or holds items by ``fate``; copies the rest."""

    def __init__(self, crawler: scrapy.crawler.Crawler):
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: scrapy.crawler.Crawler) -> Any:
        return cls(crawler)

    async def process_item(self, item: Any) -> Any:
        if item.get("fate") == "stick":
            self.crawler.spider.logger.warning("an item is stuck")
            await pause(1000)
        while self.crawler.stats.get_value(DROPPED, 0) < item.get("until_dropped", 0):
            await pause(0.02)
        await pause(item.get("pause", 0.3))
        if item.get("fate") == "drop":
            raise DropItem("as it says")
        if item.get("fate") == "fail":
            raise ValueError("as it says")
        return dict(item)


async def pause(seconds: float) -> None:
    """Wait, with asyncio or without."""
    from scrapy.utils.asyncio import is_asyncio_available

    if is_asyncio_available():
        await asyncio.sleep(seconds)
        return
    from twisted.internet import reactor
    from twisted.internet.task import deferLater

    await deferLater(reactor, seconds)
