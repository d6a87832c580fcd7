"""Crawls into indexes that fail: a process each, watched while it runs.

A page server on loopback holds the second half of the site back until the test opens
it, so that faults come in the middle of a crawl. An item has reached the index pipeline
when a pipeline behind it, the last one, has recorded its URL.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import scrapy

from scrapy_mainpage.indexes.writer import IndexWriter, Sender
from tests import crawling
from tests.forking import run_scrapy
from tests.mockserver import Reply, html, serve
from tests.waiting import wait

from .indexing import PIPELINE, rows_in

PAGES = 100


class NumbersSpider(scrapy.Spider):
    """An item for each of the pages /0 to /N."""

    name = "numbers"

    def __init__(self, url: str, count: int):
        super().__init__()
        self.url, self.count = url, count

    async def start(self) -> Any:
        for number in range(self.count):
            yield scrapy.Request(f"{self.url}/{number}")

    def parse(self, response: scrapy.http.Response) -> Any:
        text = " ".join(response.css("p::text").getall())
        yield {"url": response.url, "text": text}


class Recorder:
    """Records each item that the earlier pipelines have passed on."""

    @classmethod
    def from_crawler(cls, crawler: scrapy.crawler.Crawler) -> Recorder:
        recorder = cls()
        Sender.backoff, Sender.retries = 0.2, crawler.settings.getint("RETRIES", 9)
        IndexWriter.batch = 20
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        recorder.file = os.open(crawler.settings["RECORD"], flags)
        return recorder

    file: int

    def process_item(self, item: Any) -> Any:
        os.write(self.file, f"{item['url']}\n".encode())
        return item


@dataclass
class Numbers:
    """A site of ``count`` pages; the second half waits for ``open``."""

    url: str
    count: int
    open: Event = field(default_factory=Event)

    @property
    def urls(self) -> list[str]:
        return [f"{self.url}/{number}" for number in range(self.count)]


@contextmanager
def numbers(count: int = PAGES, words: int = 50) -> Iterator[Numbers]:
    site = Numbers("", count)

    def answer(number: int) -> Callable[[int], Reply]:
        def reply(_: int) -> Reply:
            if number >= count // 2:
                site.open.wait()
            text = " ".join(f"w{number}x{n}" for n in range(words))
            return html(f"<html><body><p>{text}</p></body></html>")

        return reply

    with serve({f"/{number}": answer(number) for number in range(count)}) as server:
        site.url = server.url
        try:
            yield site
        finally:
            site.open.set()


@dataclass
class Crawling:
    """A crawl of the site into an index, with its files in one folder."""

    site: Numbers
    index: str
    folder: Path
    settings: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True, parents=True)

    @property
    def record(self) -> Path:
        return self.folder / "record"

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def start(self, *, count: int | None = None) -> subprocess.Popen[str]:
        recorder = f"{__name__}.{Recorder.__name__}"
        settings = {
            "ADDONS": {},
            "ITEM_PIPELINES": {PIPELINE: 800, recorder: 900},
            "MAINPAGE_INDEX": self.index,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
            "DOWNLOAD_DELAY": 0,
            "RETRY_ENABLED": False,
            "LOG_FILE": str(self.log),
            "RECORD": str(self.record),
            **self.settings,
        }
        return crawling.start(
            f"{__name__}.{NumbersSpider.__name__}",
            self.folder,
            settings,
            url=self.site.url,
            count=self.site.count if count is None else count,
        )

    @contextmanager
    def running(self) -> Iterator[subprocess.Popen[str]]:
        """A crawl that is over after the block."""
        process = self.start()
        try:
            yield process
        except BaseException:
            crawling.abandon(process)
            raise

    def finish(self, process: subprocess.Popen[str]) -> crawling.Crawl:
        self.site.open.set()
        return crawling.finish(process, self.folder)

    def again(self) -> crawling.Crawl:
        """Run an empty crawl, which restores the writes left by the first."""
        return crawling.finish(self.start(count=0), self.folder)

    def retry(self) -> subprocess.CompletedProcess[str]:
        """``scrapy mainpage-index --retry`` with the crawl's setting of the index."""
        setting = f"MAINPAGE_INDEX={self.index}"
        command = ("mainpage-index", "-s", setting, "--retry")
        return run_scrapy(*command, cwd=self.folder)

    def reached(self) -> list[str]:
        """The URLs of the items that have passed the index pipeline."""
        return self.record.read_text().splitlines() if self.record.exists() else []

    def wait_for_items(self, number: int) -> None:
        wait(lambda: len(self.reached()) >= number, "items")

    def wait_for_log(self, line: str) -> None:
        wait(lambda: self.log.exists() and line in self.log.read_text(), line)

    def dead(self) -> list[str]:
        """The URLs of the dead letters."""
        return [row.url for row in rows_in(self.folder) if row.reason]

    def left(self) -> list[str]:
        """The URLs in the outbox that are no dead letters."""
        return [row.url for row in rows_in(self.folder) if not row.reason]

    def assert_nothing_lost(self, indexed: list[str], *, twice: bool = False) -> None:
        """Every item that reached the pipeline is in one place, or *twice* in two."""
        places = Counter([*indexed, *self.dead()])
        assert len(indexed) == len(set(indexed))
        missing = [url for url in self.reached() if url not in places]
        assert missing == []
        assert set(places) <= set(self.site.urls)
        if not twice:
            assert [url for url, number in places.items() if number > 1] == []


def interrupt(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
