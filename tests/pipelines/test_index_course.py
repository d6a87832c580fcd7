"""Items and the crawl while the index pipeline writes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scrapy import signals

from scrapy_mainpage.pipelines.index import IndexPipeline
from tests.indexes.delivery.memory import Memory

from .indexing import make_crawler, stats, words


class TestCourse:
    def drive(self, crawler: Any, steps: Callable[[IndexPipeline], Any]) -> None:
        async def process() -> None:
            pipeline = IndexPipeline.from_crawler(crawler)
            pipeline.open_spider()
            await steps(pipeline)
            await pipeline.close_spider()

        asyncio.run(process())

    def test_items_do_not_wait_for_the_index(
        self, tmp_path: Path, memory: Memory
    ) -> None:
        async def steps(pipeline: IndexPipeline) -> None:
            memory.hold()
            for number in range(5):
                await pipeline.process_item(words(number))
            assert memory.documents == {}
            memory.release()

        crawler = make_crawler(tmp_path, MAINPAGE_INDEX_BATCH=2)
        self.drive(crawler, steps)
        assert stats(crawler) == {"put": 5}

    def test_items_wait_while_too_many_are_pending(
        self, tmp_path: Path, memory: Memory
    ) -> None:
        async def steps(pipeline: IndexPipeline) -> None:
            memory.hold()
            await pipeline.process_item(words(0))
            held = asyncio.ensure_future(pipeline.process_item(words(1)))
            memory.wait_for(lambda: len(memory.calls) == 1)
            await asyncio.sleep(0)
            assert not held.done()
            memory.release()
            assert await held == words(1)

        crawler = make_crawler(
            tmp_path, MAINPAGE_INDEX_PENDING=2, MAINPAGE_INDEX_BATCH=1
        )
        self.drive(crawler, steps)
        assert stats(crawler) == {"put": 2}

    def test_item_whose_wait_is_cancelled_is_indexed_all_the_same(
        self, tmp_path: Path, memory: Memory
    ) -> None:
        async def steps(pipeline: IndexPipeline) -> None:
            memory.hold()
            held = asyncio.ensure_future(pipeline.process_item(words(0)))
            await asyncio.sleep(0)
            held.cancel()
            with pytest.raises(asyncio.CancelledError):
                await held
            memory.release()

        crawler = make_crawler(tmp_path, MAINPAGE_INDEX_PENDING=1)
        self.drive(crawler, steps)
        assert stats(crawler) == {"put": 1}

    def test_idle_spider_lets_what_is_there_be_written(
        self, tmp_path: Path, memory: Memory
    ) -> None:
        async def steps(pipeline: IndexPipeline) -> None:
            await pipeline.process_item(words(0))
            crawler.signals.send_catch_log(signals.spider_idle, spider=crawler.spider)
            await asyncio.to_thread(memory.wait_for, lambda: bool(memory.calls))

        crawler = make_crawler(tmp_path, MAINPAGE_INDEX_BATCH_AGE=1e6)
        self.drive(crawler, steps)

    def test_stats_say_while_the_crawl_runs_what_is_done(
        self, tmp_path: Path, memory: Memory
    ) -> None:
        async def steps(pipeline: IndexPipeline) -> None:
            await pipeline.process_item(words(0))
            await asyncio.to_thread(memory.wait_for, lambda: bool(memory.documents))
            while not stats(crawler):
                await pipeline.process_item({"url": "u", "text": "again"})
            assert stats(crawler)["put"] >= 1

        crawler = make_crawler(tmp_path, MAINPAGE_INDEX_BATCH=1)
        self.drive(crawler, steps)
        assert crawler.stats is not None
        assert crawler.stats.get_value("mainpage/index/lag") >= 0
        assert crawler.stats.get_value("mainpage/index/lag_max") >= 0
