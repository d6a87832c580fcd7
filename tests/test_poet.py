"""scrapy-poet: the add-ons in both orders, pages and Markdown in callbacks."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
import scrapy
from scrapy.settings import Settings
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy_poet import DummyResponse, ScrapyPoetRequestFingerprinter
from web_poet import Returns, WebPage, field

from scrapy_mainpage import Page, extract
from scrapy_mainpage.crawl.rendered_requests import STATE_KEY, RenderFingerprinter
from scrapy_mainpage.poet import Markdown
from tests.crawling import crawl, make_crawler
from tests.mockserver import Answer, Reply, article, html, serve

OURS, THEIRS = "scrapy_mainpage.Addon", "scrapy_poet.Addon"
ORDERS = [{OURS: 500, THEIRS: 600}, {OURS: 600, THEIRS: 500}]
PAGES: dict[str, Answer] = {
    "/owls": html(article("owls")),
    "/barn": html(article("owls")),
    "/paper": Reply(b"%PDF-1.4", 200, {"Content-Type": "application/pdf"}),
}


@attrs.define
class Report:
    title: str
    markdown: str


@attrs.define
class ReportPage(WebPage[Report], Returns[Report]):
    page: Page
    written: Markdown

    @field
    def title(self) -> str | None:
        return self.page.title

    @field
    def markdown(self) -> str:
        return self.written


class PoetSpider(scrapy.Spider):
    """Asks for the page by its type, and for an item of a page object."""

    name = "poet"

    def __init__(self, site: str):
        super().__init__()
        self.site = site

    async def start(self) -> Any:
        yield scrapy.Request(f"{self.site}/owls", self.parse_page)
        yield scrapy.Request(f"{self.site}/barn", self.parse_report)
        paper = f"{self.site}/paper"
        yield scrapy.Request(paper, self.parse_page, errback=self.note)
        yield scrapy.Request(f"{self.site}/none", self.parse_none)

    def parse_page(self, response: DummyResponse, page: Page) -> Any:
        yield {"title": page.title, "text": page.text, "url": page.url}

    async def parse_report(self, response: DummyResponse, report: ReportPage) -> Any:
        item = await report.to_item()
        yield {"report": item.title, "markdown": item.markdown}

    def parse_none(self, response: DummyResponse) -> Any:
        yield {"downloaded": not isinstance(response, DummyResponse)}

    def note(self, failure: Any) -> Any:
        yield {"error": type(failure.value).__name__}


@pytest.mark.parametrize("addons", ORDERS, ids=["first", "last"])
def test_a_callback_gets_the_page_by_its_type(addons: dict[str, int]) -> None:
    with serve(PAGES) as site:
        url = site.url.rstrip("/")
        done = crawl(f"{__name__}.PoetSpider", {"ADDONS": addons}, site=url)
    page = extract(article("owls"), url=f"{url}/owls")
    found = {next(iter(item)): item for item in done.items}
    assert found["title"] == {"title": page.title, "text": page.text, "url": page.url}
    assert found["report"] == {"report": page.title, "markdown": page.markdown}
    assert found["error"] == {"error": "NotHtmlError"}
    assert found["downloaded"] == {"downloaded": False}
    assert done.stats["mainpage/extracted"] == 2


def placed(**values: Any) -> Settings:
    """The settings of a crawl after its add-ons."""
    crawler = make_crawler(**values)
    crawler.addons.load_settings(crawler.settings)
    return crawler.settings


@pytest.mark.parametrize("addons", ORDERS, ids=["first", "last"])
@pytest.mark.parametrize("own", [None, "tests.test_poet.OwnFingerprinter"])
def test_both_fingerprinters_are_asked_in_any_order(
    addons: dict[str, int], own: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = {"SCRAPY_POET_REQUEST_FINGERPRINTER_BASE_CLASS": own} if own else {}
    crawler = make_crawler(ADDONS=addons, **base)
    crawler.addons.load_settings(crawler.settings)
    cls = load_object(crawler.settings["REQUEST_FINGERPRINTER_CLASS"])
    fingerprinter = build_from_crawler(cls, crawler)
    assert isinstance(fingerprinter, RenderFingerprinter)
    assert isinstance(fingerprinter.wrapped, ScrapyPoetRequestFingerprinter)
    theirs = fingerprinter.wrapped
    # It asks an engine, which is not there.
    monkeypatch.setattr(theirs, "get_deps_key", lambda request: None)
    static = scrapy.Request("data:,")
    meta = {STATE_KEY: {"rendered": True, "reason": "always"}, "page_params": {"a": 1}}
    prints = {
        fingerprinter.fingerprint(static.replace(meta=each))
        for each in ({}, {"page_params": {"a": 1}}, {"page_params": {"a": 2}}, meta)
    }
    assert len(prints) == 4
    if own:
        assert theirs.fingerprint(static) == b"own"


class OwnFingerprinter:
    def fingerprint(self, request: scrapy.Request) -> bytes:
        return b"own"


def test_a_fingerprinter_that_the_project_has_set_itself_stays_alone() -> None:
    """The add-on of scrapy-poet leaves it, too."""
    own = "tests.test_poet.OwnFingerprinter"
    crawler = make_crawler(ADDONS=ORDERS[0], REQUEST_FINGERPRINTER_CLASS=own)
    crawler.addons.load_settings(crawler.settings)
    fingerprinter = RenderFingerprinter.from_crawler(crawler)
    assert isinstance(fingerprinter.wrapped, OwnFingerprinter)


def test_a_project_without_scrapy_poet_gets_no_provider() -> None:
    settings = placed(ADDONS={OURS: 500, THEIRS: None})
    assert "SCRAPY_POET_PROVIDERS" not in settings


def test_a_provider_that_the_project_has_placed_stays() -> None:
    own = {"scrapy_mainpage.poet.PageProvider": 50}
    settings = placed(ADDONS=ORDERS[0], SCRAPY_POET_PROVIDERS=own)
    assert settings.getdict("SCRAPY_POET_PROVIDERS") == own
