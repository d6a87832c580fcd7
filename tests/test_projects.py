"""Crawls of an unmodified project of ``scrapy startproject``, beside other plugins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forking import run_scrapy
from tests.mockserver import Answer, Reply, article, html, serve
from tests.servers.redis import RedisServer

PAGES: dict[str, Answer] = {
    "/": html(article("owls", main='<p><a href="/barn">On barns, and more.</a></p>')),
    "/barn": html(article("barns", main='<p><a href="/notes.txt">The notes</a></p>')),
    "/notes.txt": Reply(b"just text", 200, {"Content-Type": "text/plain"}),
    "/robots.txt": Reply(b"User-agent: *\nAllow: /", 200),
}

SPIDER = """
import scrapy
from scrapy_mainpage import Page
from shop.items import ShopItem

class OwlsSpider(scrapy.Spider):
    name = "owls"
    start_urls = ["SITE"]

    def parse(self, response):
        page = response.meta.get("mainpage")
        yield {"url": response.url, "title": page and page.title}
        for link in page.links if page else ():
            yield response.follow(link.url, CALLBACK)
"""
TYPED = """
    def parse_typed(self, response, page: Page):
        yield {"url": response.url, "title": page.title}
"""
OURS, POET = '"scrapy_mainpage.Addon": 500', '"scrapy_poet.Addon": {}'
REDIS = """
SCHEDULER = "scrapy_redis.scheduler.Scheduler"
DUPEFILTER_CLASS = "scrapy_redis.dupefilter.RFPDupeFilter"
REDIS_URL = "{url}"
"""
PLAYWRIGHT = """
DOWNLOAD_HANDLERS = dict.fromkeys(
    ("http", "https"), "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
)
"""


@pytest.fixture
def site() -> Iterator[str]:
    with serve(PAGES) as served:
        yield served.url.rstrip("/")


def crawl(
    folder: Path, site: str, settings: str, *, typed: bool
) -> tuple[dict[str, str | None], str]:
    """Title by path of the pages, and the log, of a new project with the settings."""
    run_scrapy("startproject", "shop", cwd=folder, check=True)
    project = folder / "shop"
    with (project / "shop" / "settings.py").open("a") as file:
        file.write("DOWNLOAD_DELAY = 0\n" + settings)
    callback = "self.parse_typed" if typed else "self.parse"
    spider = SPIDER.replace("SITE", f"{site}/").replace("CALLBACK", callback)
    path = project / "shop" / "spiders" / "owls.py"
    path.write_text(spider + (TYPED if typed else ""))
    command = ("crawl", "owls", "-O", "items.jsonl")
    log = run_scrapy(*command, cwd=project, check=True).stderr
    items = map(json.loads, (project / "items.jsonl").read_text().splitlines())
    titles = {item["url"].removeprefix(site): item["title"] for item in items}
    return titles, log


def test_a_new_project_has_pages_with_one_line_of_settings(
    tmp_path: Path, site: str
) -> None:
    titles, log = crawl(tmp_path, site, f"ADDONS = {{{OURS}}}\n", typed=False)
    assert titles == {
        "/": "All about owls",
        "/barn": "All about barns",
        "/notes.txt": None,
    }
    assert "WARNING" not in log
    assert "ERROR" not in log


@pytest.mark.parametrize("position", [400, 600])
def test_other_plugins_of_the_project_go_on_in_any_order(
    position: int, tmp_path: Path, site: str, redis_server: RedisServer
) -> None:
    """With scrapy-poet, scrapy-redis, and scrapy-playwright in their own right."""
    addons = f"ADDONS = {{{OURS}, {POET.format(position)}}}\n"
    settings = addons + REDIS.format(url=redis_server.url) + PLAYWRIGHT
    titles, log = crawl(tmp_path, site, settings, typed=True)
    assert titles == {"/": "All about owls", "/barn": "All about barns"}
    assert "'scheduler/dequeued/redis': 2" in log
    assert "RenderFingerprinter" in log
    assert "[scrapy-playwright] INFO: Closing download handler" in log
    assert "PageProvider" in log
    assert "Traceback" not in log
