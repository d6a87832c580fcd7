"""Index pipelines for tests: alone, with settings that write below one folder."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import scrapy
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector

from scrapy_mainpage.indexes import open_index
from scrapy_mainpage.indexes.outbox import FILE, Outbox, Row
from scrapy_mainpage.pipelines.index import IndexPipeline
from tests.indexes.delivery.memory import page

PIPELINE = "scrapy_mainpage.pipelines.index.IndexPipeline"


def sqlite_url(path: Path) -> str:
    return f"sqlite:///{path.as_posix()}"


def index_settings(folder: Path, **settings: Any) -> dict[str, Any]:
    """Settings of a crawl that writes into the folder only."""
    return {
        "MAINPAGE_INDEX": sqlite_url(folder / "site.db"),
        **settings,
    }


def make_crawler(folder: Path, **settings: Any) -> Crawler:
    crawler = Crawler(scrapy.Spider, Settings(index_settings(folder, **settings)))
    crawler.stats = MemoryStatsCollector(crawler)
    return crawler


def run(crawler: Crawler, *items: Any) -> list[Any]:
    """Return the pipeline's results for the items."""

    async def process() -> list[Any]:
        pipeline = IndexPipeline.from_crawler(crawler)
        pipeline.open_spider()
        try:
            return [await pipeline.process_item(item) for item in items]
        finally:
            await pipeline.close_spider()

    return asyncio.run(process())


def stats(crawler: Crawler) -> dict[str, Any]:
    """The counts of the pipeline, without times."""
    assert crawler.stats is not None
    return {
        name.removeprefix("mainpage/index/"): value
        for name, value in crawler.stats.get_stats().items()
        if "/lag" not in name
    }


def urls(url: str) -> list[str]:
    with open_index(url, read_only=True) as index:
        return list(index.urls())


def outbox_of(folder: Path) -> Outbox:
    """The outbox of what runs in the folder."""
    return Outbox(folder / ".scrapy" / FILE)


def rows_in(folder: Path) -> list[Row]:
    """What is in the outbox of the folder."""
    outbox = outbox_of(folder)
    found = outbox.rows() if outbox.exists else []
    outbox.close()
    return found


def words(number: int) -> dict[str, Any]:
    """An item."""
    return {"url": page(number), "text": f"words {number}"}
