"""A Scrapy project as a user writes it, and its crawls, each in its own process."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler

from lab.crawls import run

#: All that a user sets.
SETTINGS = """\
SPIDER_MODULES = ["spiders"]
ADDONS = {"scrapy_mainpage.Addon": 500}
MAINPAGE_INDEX = "sqlite:///site.db"
MAINPAGE_STATE = "sqlite:///state.db"
MAINPAGE_SWEEP = "delete"
MAINPAGE_FILTER_ENABLED = True
MAINPAGE_DUPLICATES_ENABLED = True
ROBOTSTXT_OBEY = True
DOWNLOAD_TIMEOUT = 10
CONCURRENT_ITEMS = 4
"""
SPIDER = """\
import scrapy


class RecordsSpider(scrapy.spiders.SitemapSpider):
    name = "records"
    allowed_domains = ["127.0.0.1"]
    sitemap_urls = ["{base}/robots.txt"]
    section = ""

    async def start(self):
        yield scrapy.Request("{base}/" + self.section)
        if not self.section:
            async for request in super().start():
                yield request

    def parse(self, response):
        yield {{"url": response.url}}
        for link in response.css("a::attr(href)"):
            url = response.urljoin(link.get())
            if f"/{{self.section}}" in url:
                yield response.follow(url)
"""
#: Settings of the benchmark itself: log and figures, and less time for failures.
OWN = {
    "LOG_FILE": "crawl.log",
    "LOG_LEVEL": "INFO",
    "TELNETCONSOLE_ENABLED": "0",
    "RETRY_TIMES": "1",
    "EXTENSIONS": json.dumps({f"{__name__}.Recorder": 0}),
}
#: Seconds after which a crawl hangs.
PATIENCE = 1200


@dataclass
class Crawled:
    """The end of a process: exit code, processor seconds and stats (if it had any).

    The start of the interpreter and imports take seconds of their own, left out here.
    """

    code: int
    cpu: float
    stats: dict[str, Any] = field(default_factory=dict)

    @property
    def refused(self) -> list[str]:
        """The reasons for which the sweep was refused."""
        prefix = "mainpage/sweep/refused/"
        return [name.removeprefix(prefix) for name in self.stats if prefix in name]

    def __add__(self, other: Crawled) -> Crawled:
        return Crawled(other.code, self.cpu + other.cpu, other.stats)


class Project:
    """The project in *folder*, for the site at *base*."""

    def __init__(self, folder: Path, base: str) -> None:
        self.folder = folder
        #: Seconds by which the clock of the crawls is wrong.
        self.clock = 0.0
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in {
            "scrapy.cfg": "[settings]\ndefault = settings\n",
            "settings.py": SETTINGS,
            "spiders.py": SPIDER.format(base=base),
        }.items():
            (folder / name).write_text(text, encoding="utf-8")

    @property
    def index(self) -> Path:
        return self.folder / "site.db"

    def set(self, line: str) -> None:
        """Add a line to the settings."""
        with (self.folder / "settings.py").open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")

    def state_files(self) -> list[Path]:
        return list(self.folder.glob("state.db*"))

    def crawl(
        self, *arguments: str, end: Callable[[], bool] | None = None, by: int = 0
    ) -> Crawled:
        """Crawl to the end, or until *end* is true: the signal *by* is sent then."""
        settings = [part for item in OWN.items() for part in ("-s", "=".join(item))]
        return self.run(["crawl", "records", *settings, *arguments], end, by)

    def run(
        self,
        arguments: Sequence[str],
        end: Callable[[], bool] | None = None,
        by: int = 0,
    ) -> Crawled:
        """Run a command of ``scrapy`` in the project."""
        stats = self.folder / "stats.json"
        stats.unlink(missing_ok=True)
        with (self.folder / "output.txt").open("ab") as output:
            code, cpu = run(
                [sys.executable, "-m", "scrapy", *arguments], self.folder, end=end,
                by=by, patience=PATIENCE, output=output, **{CLOCK: str(self.clock)},
            )  # fmt: skip
        read = json.loads(stats.read_text("utf-8")) if stats.exists() else {}
        return Crawled(code, cpu - read.get(START, 0), read)


#: Environment: seconds by which the clock of the crawl is wrong.
CLOCK = "CHANGING_SITE_CLOCK"

#: In the stats: processor seconds before the first request, of interpreter and imports.
START = "changing_site/start"


class Recorder:
    """Writes ``stats.json`` when the engine has stopped."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        crawler.signals.connect(self.started, signals.engine_started)
        crawler.signals.connect(self.stopped, signals.engine_stopped)
        if wrong := float(os.environ.get(CLOCK, 0)):
            right = time.time
            time.time = lambda: right() + wrong

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Recorder:
        return cls(crawler)

    def started(self) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.set_value(START, time.process_time())

    def stopped(self) -> None:
        assert self.crawler.stats is not None
        stats = json.dumps(self.crawler.stats.get_stats(), default=str)
        Path("stats.json").write_text(stats, encoding="utf-8")
