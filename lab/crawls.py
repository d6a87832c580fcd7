"""One way to start a crawl: in a process of its own, which may be stopped or killed.

``python -m lab.crawls JOB`` is such a process. The job, in JSON, has the ``spider`` as
``module.Class``, its arguments, settings, and the ``folder`` of the results.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.misc import load_object

from lab import ROOT

TIMEOUT = 3600.0
#: Without caches and delays, on loopback.
SETTINGS: dict[str, Any] = {
    "ADDONS": {"scrapy_mainpage.Addon": 500},
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "DOWNLOAD_DELAY": 0,
    "HTTPCACHE_ENABLED": False,
    "LOG_LEVEL": "INFO",
    "MAINPAGE_RENDER_ALLOWED_HOSTS": ["127.0.0.0/24"],
    "ROBOTSTXT_OBEY": False,
    "TELNETCONSOLE_ENABLED": False,
}
ITEMS, STATS, LOG = "items.jsonl", "stats.json", "crawl.log"


@dataclass(frozen=True)
class Crawled:
    """Result of a crawl: its items, stats, and seconds of the process."""

    items: list[dict[str, Any]]
    stats: dict[str, Any]
    seconds: float


class SiteSpider(scrapy.Spider):
    """Follows every link of the pages as they are, rendered or not."""

    name = "site"
    url = ""

    async def start(self) -> Any:
        yield scrapy.Request(self.url)

    def parse(self, response: scrapy.http.Response) -> Iterator[Any]:
        page = response.meta["mainpage"]
        yield {"url": response.url, "text": page.text, "rendered": page.rendered}
        for link in response.css("a::attr(href)").getall():
            url = urljoin(response.url, link)
            if url.startswith("http://127.0.0."):
                yield scrapy.Request(url)


def path_of(spider: type) -> str:
    """The import path of a spider's class, as a job has it."""
    return f"{spider.__module__}.{spider.__qualname__}"


def crawl(
    settings: Mapping[str, Any],
    spider: type[scrapy.Spider] = SiteSpider,
    *,
    has_items: bool = True,
    **arguments: Any,
) -> Crawled:
    """Crawl to the end; raises ``RuntimeError`` with the log if the process fails."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        own = {**SETTINGS, **settings, "LOG_FILE": str(folder / LOG)}
        if has_items:
            own["FEEDS"] = {str(folder / ITEMS): {"format": "jsonlines"}}
        started = time.perf_counter()
        code, _ = run(job(folder, spider, own, arguments), ROOT, patience=TIMEOUT)
        seconds = time.perf_counter() - started
        if code:
            log = folder / LOG
            text = log.read_text("utf-8", "replace") if log.exists() else ""
            raise RuntimeError(f"the crawl ended with {code}:\n{text}")
        items = folder / ITEMS
        lines = items.read_text("utf-8").splitlines() if items.exists() else []
        stats = json.loads((folder / STATS).read_text("utf-8"))
    return Crawled([*map(json.loads, lines)], stats, seconds)


def job(
    folder: Path,
    spider: type[scrapy.Spider],
    settings: Mapping[str, Any],
    arguments: Mapping[str, Any],
) -> list[str]:
    """The command of a crawl, whose stats will be in the *folder*."""
    values = {"folder": str(folder), "spider": path_of(spider)}
    text = json.dumps({**values, "settings": settings, "arguments": arguments})
    return [sys.executable, "-m", "lab.crawls", text]


def run(
    command: Sequence[str],
    folder: Path,
    *,
    end: Callable[[], bool] | None = None,
    by: int = 0,
    patience: float = math.inf,
    output: Any = None,
    **env: str,
) -> tuple[int, float]:
    """Run a process; its exit code, and its processor seconds with its children's.

    When *end* is true it gets the signal *by*, once; after *patience* it is killed.
    """
    since = time.monotonic()
    known = {**os.environ, "PYTHONPATH": str(ROOT), **env}
    process = subprocess.Popen(
        command, cwd=folder, env=known, stdout=output, stderr=output
    )
    try:
        while True:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                return process.returncode, used.ru_utime + used.ru_stime
            if end is not None and end():
                with suppress(ProcessLookupError):
                    process.send_signal(by)
                end = None
            if time.monotonic() - since > patience:
                process.send_signal(signal.SIGKILL)
            time.sleep(0.005)
    finally:
        if process.returncode is None:
            process.kill()
            process.wait()


def main(given: dict[str, Any]) -> int:
    """Crawl as the job says, and write the stats."""
    process = AsyncCrawlerProcess(given["settings"])
    crawler = process.create_crawler(load_object(given["spider"]))
    process.crawl(crawler, **given["arguments"])
    process.start()
    assert crawler.stats is not None
    text = json.dumps(crawler.stats.get_stats(), default=str)
    Path(given["folder"], STATS).write_text(text, encoding="utf-8")
    return int(process.bootstrap_failed)


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
