"""One crawl of pages on loopback, and its cost for the process that crawls.

``python -m lab.benchmarks.crawlspeedchild CALLBACK WAY URL PAGES LOG``: the crawl's
spider gets ``URL/0`` to ``URL/(PAGES - 1)``. A callback that reads makes an item of
title, links and text, as spiders do.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from scrapy import Spider, signals
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.http import Response

from .childprocess import peak_memory

#: The ways to the text of a page.
WITHOUT, PLUGIN, TRAFILATURA = "without", "plugin", "trafilatura"
INDEXED = "plugin, SQLite index"
READS, NOTHING = "reads", "nothing"
SETTINGS = {
    "CONCURRENT_REQUESTS": 16,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "DOWNLOAD_DELAY": 0,
    "LOG_LEVEL": "INFO",
    "TELNETCONSOLE_ENABLED": False,
}


class PagesSpider(Spider):
    """Reads all pages, with a *callback* and a *way* to the text."""

    name = "pages"
    callback: str
    way: str

    def parse(self, response: Response) -> Iterator[dict[str, Any]]:
        text = self.text(response)
        if self.callback == READS:
            yield {
                "url": response.url,
                "title": response.css("title::text").get(),
                "links": response.css("a::attr(href)").getall(),
                "text": text,
            }

    def text(self, response: Response) -> str | None:
        if self.way in (PLUGIN, INDEXED):
            text: str = response.meta["mainpage"].text
            return text
        if self.way == TRAFILATURA:
            import trafilatura

            return trafilatura.extract(response.body)
        return None


class Meter:
    """Wall and processor seconds of a crawl since the spider opened."""

    def __init__(self, crawler: Crawler):
        crawler.signals.connect(self.begin, signals.spider_opened)
        self.seconds = self.cpu = 0.0

    def begin(self) -> None:
        self.seconds, self.cpu = perf_counter(), processor_time()

    def end(self) -> None:
        self.seconds = perf_counter() - self.seconds
        self.cpu = processor_time() - self.cpu


def processor_time() -> float:
    """Of this process and its finished children."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(each) for each in whose]
    return sum(each.ru_utime + each.ru_stime for each in used)


def main(callback: str, way: str, url: str, pages: str, log: str) -> None:
    own: dict[str, Any] = {}
    if way in (PLUGIN, INDEXED):
        own["ADDONS"] = {"scrapy_mainpage.Addon": 500}
    if way == INDEXED:
        own["MAINPAGE_INDEX"] = f"sqlite:///{Path(log).parent}/index"
    process = CrawlerProcess({**SETTINGS, "LOG_FILE": log, **own})
    crawler = process.create_crawler(PagesSpider)
    meter = Meter(crawler)
    urls = [f"{url}/{k}" for k in range(int(pages))]
    process.crawl(crawler, start_urls=urls, callback=callback, way=way)
    process.start()
    meter.end()
    assert crawler.stats is not None
    read = crawler.stats.get_value("response_received_count", 0)
    failed = crawler.stats.get_value("log_count/ERROR", 0)
    found = {"pages": read - failed, "seconds": meter.seconds, "cpu": meter.cpu}
    print(json.dumps(found | {"memory": peak_memory()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
