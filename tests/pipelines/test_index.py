"""The index pipeline: alone, and in crawls of every kind."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector

from scrapy_mainpage.indexes import IndexDocument, IndexFailure, open_index
from scrapy_mainpage.pipelines import index as module
from scrapy_mainpage.pipelines.index import IndexPipeline
from scrapy_mainpage.settings import SettingsError

CRAWL = """
import json, sys, warnings

import scrapy
from scrapy.crawler import AsyncCrawlerProcess, CrawlerProcess

count, kind, settings = int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])

class Site(scrapy.Spider):
    name = "site"

    async def start(self):
        yield scrapy.Request("data:,page")

    def parse(self, response):
        for number in range(count):
            yield {"url": f"https://example.com/{number}", "text": f"words {number}"}

if kind == "reactorless":
    settings["TWISTED_REACTOR_ENABLED"] = False
if kind == "select":
    settings["TWISTED_REACTOR"] = "twisted.internet.selectreactor.SelectReactor"
warnings.simplefilter("error")
warnings.filterwarnings("ignore", message=".*asyncio.*")  # of the select reactor
process = (CrawlerProcess if kind == "select" else AsyncCrawlerProcess)(settings)
crawler = process.create_crawler(Site)
process.crawl(crawler)
process.start()
stats = crawler.stats.get_stats()
print(json.dumps({name: n for name, n in stats.items() if isinstance(n, int)}))
"""
PIPELINE = {"scrapy_mainpage.pipelines.index.IndexPipeline": 800}
KINDS = [
    "asyncio",
    "select",
    pytest.param(
        "reactorless",
        marks=pytest.mark.skipif(
            "TWISTED_REACTOR_ENABLED" not in Settings(),
            reason="this Scrapy needs a reactor",
        ),
    ),
]


class Item(scrapy.Item):
    url = scrapy.Field()
    text = scrapy.Field()


@dataclass
class Record:
    url: str
    text: str


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{(tmp_path / 'site.db').as_posix()}"


def make_crawler(**settings: Any) -> Crawler:
    crawler = Crawler(scrapy.Spider, Settings(settings))
    crawler.stats = MemoryStatsCollector(crawler)
    return crawler


def run(crawler: Crawler, *items: Any) -> list[Any]:
    """What comes out of the pipeline for the items."""

    async def process() -> list[Any]:
        pipeline = IndexPipeline.from_crawler(crawler)
        pipeline.open_spider()
        try:
            return [await pipeline.process_item(item) for item in items]
        finally:
            await pipeline.close_spider()

    return asyncio.run(process())


def stats(crawler: Crawler) -> dict[str, Any]:
    assert crawler.stats is not None
    return {
        name.removeprefix("mainpage/index/"): value
        for name, value in crawler.stats.get_stats().items()
    }


def urls(url: str) -> list[str]:
    with open_index(url, read_only=True) as index:
        return list(index.urls())


class TestItems:
    @pytest.mark.parametrize("kind", [dict, Item, Record])
    def test_item_of_any_type_is_indexed_and_passed_on(
        self, url: str, kind: Any
    ) -> None:
        item = kind(url="https://example.com/", text="some words")
        crawler = make_crawler(MAINPAGE_INDEX=url)
        (result,) = run(crawler, item)
        assert result is item
        assert stats(crawler) == {"put": 1}
        with open_index(url, read_only=True) as index:
            (hit,) = index.search("some words")
        assert hit.url == "https://example.com/"

    def test_item_comes_out_unchanged(self, url: str) -> None:
        item = {"url": "u", "text": " words ", "other": [1]}
        run(make_crawler(MAINPAGE_INDEX=url), item)
        assert item == {"url": "u", "text": " words ", "other": [1]}

    def test_fields_of_the_same_name_are_indexed(self, url: str) -> None:
        item = {
            "url": "https://example.com/",
            "text": "words",
            "title": "Heading",
            "language": "en",
            "page_type": "article",
            "author": "A",
            "date_published": "2026-01-01",
            "crawled_at": "2026-01-02",
        }
        run(make_crawler(MAINPAGE_INDEX=url), item)
        with open_index(url, read_only=True) as index:
            (hit,) = index.search("heading")
        del item["text"]
        assert {name: getattr(hit, name) for name in item} == item

    def test_fields_are_mapped_by_the_setting(self, url: str) -> None:
        fields = {"url": "link", "text": "body", "title": "headline"}
        crawler = make_crawler(MAINPAGE_INDEX=url, MAINPAGE_INDEX_FIELDS=fields)
        run(crawler, {"link": "u", "body": "words", "headline": "H", "title": "no"})
        with open_index(url, read_only=True) as index:
            (hit,) = index.search("words")
        assert (hit.url, hit.title) == ("u", "H")

    def test_time_of_the_crawl_is_noted_in_utc(self, url: str) -> None:
        before = datetime.now(timezone.utc).replace(microsecond=0)
        run(make_crawler(MAINPAGE_INDEX=url), {"url": "u", "text": "words"})
        with open_index(url, read_only=True) as index:
            (hit,) = index.search("words")
        assert hit.crawled_at is not None
        noted = datetime.fromisoformat(hit.crawled_at)
        assert before <= noted <= datetime.now(timezone.utc)

    def test_values_of_other_types_become_text(self, url: str) -> None:
        item = {
            "url": ["https://example.com/"],
            "text": ["first part", None, b"second part"],
            "author": ("A", "B"),
            "date_published": datetime(2026, 1, 2, tzinfo=timezone.utc),
            "title": 42,
        }
        run(make_crawler(MAINPAGE_INDEX=url), item)
        with open_index(url, read_only=True) as index:
            (hit,) = index.search('"part second"')
        assert hit.url == "https://example.com/"
        assert (hit.author, hit.title) == ("A, B", "42")
        assert hit.date_published == "2026-01-02T00:00:00+00:00"

    def test_same_url_again_replaces_the_document(self, url: str) -> None:
        crawler = make_crawler(MAINPAGE_INDEX=url)
        run(crawler, {"url": "u", "text": "old"}, {"url": "u", "text": "new"})
        assert urls(url) == ["u"]
        with open_index(url, read_only=True) as index:
            assert [hit.snippet for hit in index.search("new")] == ["**new**"]

    @pytest.mark.parametrize(
        ("item", "reason"),
        [
            ({"text": "words"}, "no_url"),
            ({"url": "", "text": "words"}, "no_url"),
            ({"url": "u"}, "no_text"),
            ({"url": "u", "text": " \n"}, "no_text"),
            ({"url": "u", "text": None}, "no_text"),
            ("not an item", "no_url"),
        ],
    )
    def test_item_that_cannot_be_indexed_is_passed_on_and_counted(
        self, url: str, item: Any, reason: str
    ) -> None:
        crawler = make_crawler(MAINPAGE_INDEX=url)
        assert run(crawler, item)[0] is item
        assert stats(crawler) == {f"skipped/{reason}": 1}
        assert urls(url) == []


class TestFailures:
    def test_failing_write_is_counted_and_logged_and_the_item_goes_on(
        self,
        url: str,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        class Full:
            def put_many(self, documents: list[IndexDocument]) -> None:
                if documents[0].url == "u/1":
                    raise IndexFailure("disk_full", "database or disk is full")

            def close(self) -> None: ...

        crawler = make_crawler(MAINPAGE_INDEX=url)
        monkeypatch.setattr(module, "open_index", lambda url: Full())
        items = [{"url": f"u/{number}", "text": "words"} for number in range(3)]
        assert run(crawler, *items) == items
        assert stats(crawler) == {"put": 2, "failed/disk_full": 1}
        (record,) = [r for r in caplog.records if r.levelno == logging.ERROR]
        assert record.getMessage() == (
            "Not indexed (disk_full): u/1: database or disk is full"
        )

    def test_value_that_cannot_be_read_fails_its_item_only(self, url: str) -> None:
        class Odd:
            def __str__(self) -> str:
                raise RuntimeError("odd")

        crawler = make_crawler(MAINPAGE_INDEX=url)
        item = {"url": "u", "text": "words", "title": Odd()}
        assert run(crawler, item) == [item]
        assert stats(crawler) == {"failed/RuntimeError": 1}

    def test_nothing_is_counted_before_it_is_written(
        self, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        counted: list[dict[str, Any]] = []

        class Slow:
            def put_many(self, documents: list[IndexDocument]) -> None:
                counted.append(stats(crawler))

            def close(self) -> None: ...

        crawler = make_crawler(MAINPAGE_INDEX=url)
        monkeypatch.setattr(module, "open_index", lambda url: Slow())
        run(crawler, {"url": "u", "text": "words"})
        assert counted == [{}]
        assert stats(crawler) == {"put": 1}

    def test_event_loop_runs_on_while_an_item_is_written(
        self, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A write that ends when the loop has done something ends at all."""

        async def both() -> None:
            loop_ran = asyncio.Event()
            loop = asyncio.get_running_loop()

            class Waiting:
                def put_many(self, documents: list[IndexDocument]) -> None:
                    waited = asyncio.run_coroutine_threadsafe(loop_ran.wait(), loop)
                    waited.result(timeout=60)

                def close(self) -> None: ...

            monkeypatch.setattr(module, "open_index", lambda url: Waiting())
            pipeline = IndexPipeline.from_crawler(crawler)
            pipeline.open_spider()
            write = asyncio.ensure_future(
                pipeline.process_item({"url": "u", "text": "words"})
            )
            await asyncio.sleep(0)
            loop_ran.set()
            await write
            await pipeline.close_spider()

        crawler = make_crawler(MAINPAGE_INDEX=url)
        asyncio.run(both())
        assert stats(crawler) == {"put": 1}


class TestClosing:
    def test_closing_waits_for_writes_under_way_and_counts_them(self, url: str) -> None:
        async def close_early() -> None:
            pipeline = IndexPipeline.from_crawler(crawler)
            pipeline.open_spider()
            writes = [
                asyncio.ensure_future(
                    pipeline.process_item({"url": f"u/{number}", "text": "words"})
                )
                for number in range(20)
            ]
            await asyncio.sleep(0)
            await pipeline.close_spider()
            assert stats(crawler) == {"put": 20}
            await asyncio.gather(*writes)

        crawler = make_crawler(MAINPAGE_INDEX=url)
        asyncio.run(close_early())
        assert urls(url) == [f"u/{number}" for number in range(20)]

    def test_closing_without_opening_does_nothing(self, url: str) -> None:
        pipeline = IndexPipeline.from_crawler(make_crawler(MAINPAGE_INDEX=url))
        asyncio.run(pipeline.close_spider())
        assert urls(url) == []


class TestSettings:
    @pytest.mark.parametrize(
        "settings",
        [{}, {"MAINPAGE_INDEX": ""}, {"MAINPAGE_ENABLED": False}],
    )
    def test_without_an_index_the_pipeline_is_off(
        self, settings: dict[str, Any]
    ) -> None:
        with pytest.raises(NotConfigured):
            IndexPipeline.from_crawler(make_crawler(**settings))

    @pytest.mark.parametrize(
        "bad", ["sqlite:////missing/folder/site.db", "site.db", "nosuch://x"]
    )
    def test_unusable_index_is_an_error_in_one_line(self, bad: str) -> None:
        with pytest.raises(SettingsError) as caught:
            IndexPipeline.from_crawler(make_crawler(MAINPAGE_INDEX=bad))
        message = str(caught.value)
        assert "MAINPAGE_INDEX" in message
        assert repr(bad) in message
        assert "sqlite:///relative/path.db" in message
        assert "\n" not in message

    def test_unknown_index_field_is_an_error_in_one_line(self, url: str) -> None:
        crawler = make_crawler(
            MAINPAGE_INDEX=url, MAINPAGE_INDEX_FIELDS={"titel": "title"}
        )
        with pytest.raises(SettingsError) as caught:
            IndexPipeline.from_crawler(crawler)
        message = str(caught.value)
        assert "MAINPAGE_INDEX_FIELDS" in message
        assert "'titel'" in message
        assert "title, description" in message
        assert "\n" not in message


def crawl(count: int, kind: str, **settings: Any) -> subprocess.Popen[str]:
    settings = {"ITEM_PIPELINES": PIPELINE, "TELNETCONSOLE_ENABLED": False, **settings}
    return subprocess.Popen(
        [sys.executable, "-c", CRAWL, str(count), kind, json.dumps(settings)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


class TestCrawls:
    @pytest.mark.parametrize("kind", KINDS)
    def test_every_item_is_indexed_by_the_end(self, url: str, kind: str) -> None:
        process = crawl(80, kind, MAINPAGE_INDEX=url)
        output, log = process.communicate()
        assert process.returncode == 0, log
        assert json.loads(output)["mainpage/index/put"] == 80, log
        assert json.loads(output)["item_scraped_count"] == 80
        assert "Traceback" not in log
        assert sorted(urls(url)) == sorted(
            f"https://example.com/{number}" for number in range(80)
        )

    def test_second_crawl_makes_no_doubles(self, url: str) -> None:
        for count in (5, 10):
            crawl(count, "asyncio", MAINPAGE_INDEX=url).communicate()
        assert len(urls(url)) == 10

    @pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is of POSIX")
    def test_killed_crawl_has_indexed_what_it_reported(self, url: str) -> None:
        process = crawl(1_000_000, "asyncio", MAINPAGE_INDEX=url)
        assert process.stderr is not None
        reported: list[str] = []
        for line in process.stderr:
            if "Indexed: " in line:
                reported.append(line.split("Indexed: ")[1].strip())
            if len(reported) == 50:
                process.kill()
                break
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert len(reported) == 50
        assert set(urls(url)).issuperset(reported)
