"""One way to start a crawl: of a made site on loopback, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import scrapy
from scrapy.crawler import AsyncCrawlerProcess

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


@dataclass(frozen=True)
class Crawled:
    """Result of a crawl: items by URL, stats, seconds of the process, log."""

    items: dict[str, dict[str, Any]]
    stats: dict[str, Any]
    seconds: float
    log: str

    @property
    def errors(self) -> int:
        """Errors that were logged, and pages that could not be extracted."""
        failed = sum(n for k, n in self.stats.items() if k.startswith("mainpage/fail"))
        return int(self.stats.get("log_count/ERROR", 0)) + int(failed)


class SiteSpider(scrapy.Spider):
    """Follows every link of the pages as they are, rendered or not."""

    name = "site"

    def __init__(self, url: str):
        super().__init__()
        self.url = url

    async def start(self) -> Any:
        yield scrapy.Request(self.url)

    def parse(self, response: scrapy.http.Response) -> Iterator[Any]:
        page = response.meta["mainpage"]
        yield {
            "url": response.url,
            "text": page.text,
            "confidence": page.confidence,
            "rendered": page.rendered,
            "reason": page.render_reason,
        }
        for link in response.css("a::attr(href)").getall():
            url = urljoin(response.url, link)
            if url.startswith("http://127.0.0."):
                yield scrapy.Request(url)


def crawl(url: str, settings: Mapping[str, Any]) -> Crawled:
    """Crawl from *url* on, and wait for the end."""
    with tempfile.TemporaryDirectory() as folder:
        job = {"url": url, "folder": folder, "settings": {**SETTINGS, **settings}}
        command = [sys.executable, "-m", "lab.crawls", json.dumps(job)]
        started = time.perf_counter()
        done = subprocess.run(
            command,
            cwd=ROOT,
            capture_output=True,
            timeout=TIMEOUT,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        seconds = time.perf_counter() - started
        log = done.stderr.decode("utf-8", "replace")
        if done.returncode:
            raise RuntimeError(f"the crawl ended with {done.returncode}:\n{log}")
        items = _read_items(Path(folder, "items.jsonl"))
        stats = json.loads(Path(folder, "stats.json").read_text("utf-8"))
    return Crawled(items, stats, seconds, log)


def _read_items(path: Path) -> dict[str, dict[str, Any]]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8") as file:
        return {item["url"]: item for item in map(json.loads, file)}


def main(job: dict[str, Any]) -> None:
    folder = Path(job["folder"])
    feed = {str(folder / "items.jsonl"): {"format": "jsonlines"}}
    process = AsyncCrawlerProcess({**job["settings"], "FEEDS": feed})
    crawler = process.create_crawler(SiteSpider)
    process.crawl(crawler, url=job["url"])
    process.start()
    assert crawler.stats is not None
    text = json.dumps(crawler.stats.get_stats(), default=str)
    Path(folder, "stats.json").write_text(text, encoding="utf-8")
    sys.exit(1 if process.bootstrap_failed else 0)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
