"""Items and the crawl while the index pipeline writes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrapy_mainpage.indexes.writer import IndexWriter
from scrapy_mainpage.pipelines import index as pipeline_module
from scrapy_mainpage.pipelines.index import IndexPipeline
from tests.indexes.delivery.memory import Memory

from .indexing import make_crawler, stats, words

SERVER = "postgresql://host/pages"


class TestCourse:
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(pipeline_module, "check_indexes", lambda *_: None)
        monkeypatch.setattr(IndexWriter, "age", 0.01)

    def drive(self, crawler: Any, steps: Callable[[IndexPipeline], Any]) -> None:
        async def process() -> None:
            pipeline = IndexPipeline.from_crawler(crawler)
            pipeline.open_spider()
            await steps(pipeline)
            await pipeline.close_spider()

        asyncio.run(process())

    def test_items_wait_for_a_file_and_not_for_a_server(
        self, tmp_path: Path, memory: Memory
    ) -> None:
        async def steps(pipeline: IndexPipeline) -> None:
            memory.hold()
            item = asyncio.ensure_future(pipeline.process_item(words(0)))
            await asyncio.to_thread(memory.wait_for, lambda: bool(memory.calls))
            if is_server:
                assert await item == words(0)
            assert item.done() == is_server
            memory.release()
            assert await item == words(0)

        for is_server in (False, True):
            memory.calls.clear()
            url = {"MAINPAGE_INDEX": SERVER} if is_server else {}
            crawler = make_crawler(tmp_path, **url)
            self.drive(crawler, steps)
            assert stats(crawler) == {"put": 1}
