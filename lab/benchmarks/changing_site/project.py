"""A Scrapy project as a user writes it, and its crawls, each in its own process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab import ROOT

from .recorder import CLOCK, START

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
    "EXTENSIONS": json.dumps({f"{__package__}.recorder.Recorder": 0}),
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
            process = subprocess.Popen(
                [sys.executable, "-m", "scrapy", *arguments],
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(ROOT), CLOCK: str(self.clock)},
                stdout=output,
                stderr=output,
            )
            try:
                code, cpu = _wait(process, end, by)
            finally:
                if process.returncode is None:
                    process.kill()
        read = json.loads(stats.read_text("utf-8")) if stats.exists() else {}
        return Crawled(code, cpu - read.get(START, 0), read)


def _wait(
    process: subprocess.Popen[bytes], end: Callable[[], bool] | None, by: int
) -> tuple[int, float]:
    """Exit code and processor seconds of the process and of its children."""
    since = time.monotonic()
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, used.ru_utime + used.ru_stime
        if end is not None and end():
            with suppress(ProcessLookupError):
                process.send_signal(by)
            end = None
        if time.monotonic() - since > PATIENCE:
            process.send_signal(signal.SIGKILL)
        time.sleep(0.005)
