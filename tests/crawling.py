"""Whole crawls for tests, each in a process of its own, as for users.

A test calls :func:`crawl`; the process it starts runs :func:`main`, which runs one of
the spiders below, or any other by its path, and records the outcome.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import scrapy
from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler, CrawlerProcess
from scrapy.exceptions import ScrapyDeprecationWarning
from scrapy.statscollectors import StatsCollector
from scrapy.utils.misc import load_object
from scrapy.utils.spider import DefaultSpider

from .forking import ForkedProcess
from .waiting import PATIENCE

PYTHONPATH = os.environ.get("PYTHONPATH")
ROOT = Path(__file__).parents[1]
ADDON = {"ADDONS": {"scrapy_mainpage.Addon": 500}}
Running = ForkedProcess | subprocess.Popen[str]


def has_reactorless() -> bool:
    """Whether this Scrapy can crawl without a Twisted reactor."""
    return "TWISTED_REACTOR_ENABLED" in scrapy.settings.Settings()


PROCESSES = ["async", "sync"] + ["reactorless"] * has_reactorless()


@dataclass
class Crawl:
    """The results of a crawl; ``log`` is its stderr."""

    items: list[dict[str, Any]]
    stats: dict[str, Any]
    log: str
    returncode: int

    def stat(self, name: str) -> Any:
        return self.stats.get(name, 0)


def start(
    spider: str,
    folder: str | Path,
    settings: dict[str, Any] | None = None,
    *,
    process: str = "async",
    group: bool = False,
    **arguments: Any,
) -> Running:
    """Start a crawl that writes its outcome into ``folder``.

    ``group``: make it the leader of a process group, as a shell does.
    """
    job = {
        "spider": spider,
        "settings": {**ADDON, **(settings or {})},
        "process": process,
        "arguments": arguments,
        "folder": str(folder),
    }
    # With another path, other modules may be imported.
    is_like_this = os.environ.get("PYTHONPATH") == PYTHONPATH
    if is_like_this and "forkserver" in multiprocessing.get_all_start_methods():
        return ForkedProcess(main, job, folder=ROOT, group=group)
    return subprocess.Popen(
        [sys.executable, "-m", "tests.crawling", json.dumps(job)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        start_new_session=group,
    )


def finish(running: Running, folder: str | Path) -> Crawl:
    """Wait for a crawl to end and return its results."""
    try:
        _, log = running.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired as error:
        log = abandon(running)
        raise AssertionError(f"The crawl does not end; its log:\n{log}") from error
    except BaseException:
        abandon(running)
        raise
    outcome = Path(folder, "outcome.json")
    found = json.loads(outcome.read_text()) if outcome.exists() else {}
    outcome.unlink(missing_ok=True)
    return Crawl(
        found.get("items", []), found.get("stats", {}), log, running.returncode
    )


def abandon(running: Running) -> str:
    """Kill a crawl; return its log."""
    running.kill()
    return running.communicate()[1]


def crawl(spider: str, settings: dict[str, Any] | None = None, **options: Any) -> Crawl:
    """Run a spider of this file by name, and return its results."""
    with tempfile.TemporaryDirectory() as folder:
        return finish(start(spider, folder, settings, **options), folder)


def make_crawler(**settings: Any) -> Crawler:
    """A crawler that components can be made for, without an engine."""
    crawler = Crawler(DefaultSpider, settings)
    crawler.stats = StatsCollector(crawler)
    crawler.spider = DefaultSpider.from_crawler(crawler)
    return crawler


class PageSpider(scrapy.Spider):
    """Yields the page of each start URL; ``metas`` go into the requests."""

    name = "page"
    handle_httpstatus_list = (404,)

    def __init__(
        self, urls: list[str], meta: dict[str, Any] | None = None, **options: Any
    ):
        super().__init__()
        self.urls, self.meta, self.options = urls, meta or {}, options

    async def start(self) -> Any:
        for url in self.urls:
            yield scrapy.Request(url, meta=dict(self.meta), **self.options)

    def parse(self, response: scrapy.http.Response) -> Any:
        page = response.meta.get("mainpage")
        yield {
            "url": response.url,
            "status": response.status,
            "kind": type(response).__name__,
            "page_text": page.text if page else page,
            "warnings": list(page.warnings) if page else None,
        }


class SiteSpider(scrapy.Spider):
    """Follows every link of the main content; passes on all meta, as some do."""

    name = "site"

    def __init__(self, url: str):
        super().__init__()
        self.url = url

    async def start(self) -> Any:
        yield scrapy.Request(self.url)  # once, also when a crawl goes on

    def parse(self, response: scrapy.http.Response) -> Any:
        page = response.meta["mainpage"]
        yield {"url": response.url, "title": page.title, "page_text": page.text}
        for link in page.links:
            meta = {k: v for k, v in response.meta.items() if k != "depth"}
            yield scrapy.Request(link.url, meta=meta)


class WholeSpider(scrapy.Spider):
    """Yields pages as they are."""

    name = "whole"

    def __init__(self, url: str):
        super().__init__(start_urls=[url])

    def parse(self, response: scrapy.http.Response) -> Any:
        yield response.meta["mainpage"]


SPIDERS = {cls.name: cls for cls in (PageSpider, SiteSpider, WholeSpider)}


def main(job: dict[str, Any]) -> None:
    """Run a crawl in its folder, where the plugin keeps data of its project."""
    sys.path.insert(0, str(ROOT))
    os.chdir(job["folder"])
    warnings.simplefilter("error", ScrapyDeprecationWarning)
    warnings.filterwarnings("error", module="scrapy_mainpage")
    consoles = dict.fromkeys(("TELNETCONSOLE_ENABLED", "REMOTE_CONTROL_ENABLED"), False)
    settings = {"LOG_LEVEL": "INFO", "LOG_VERSIONS": [], **consoles, **job["settings"]}
    if job["process"] == "reactorless":
        settings["TWISTED_REACTOR_ENABLED"] = False
    process_class = CrawlerProcess if job["process"] == "sync" else AsyncCrawlerProcess
    process = process_class(settings)
    name = job["spider"]
    crawler = process.create_crawler(SPIDERS.get(name) or load_object(name))
    items: list[dict[str, Any]] = []

    def keep(item: Any) -> None:
        items.append(ItemAdapter(item).asdict())

    crawler.signals.connect(keep, signals.item_scraped)
    process.crawl(crawler, **job["arguments"])
    process.start()
    if process.bootstrap_failed:
        sys.exit(1)
    outcome = {"items": items, "stats": crawler.stats.get_stats()}
    Path(job["folder"], "outcome.json").write_text(json.dumps(outcome, default=str))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
