"""Filters for tests, and items with the pages that they came from."""

from __future__ import annotations

from typing import Any

from scrapy import Request
from scrapy.http import HtmlResponse

from scrapy_mainpage.crawl.crawl_state import CrawlState, ItemOrigin, ItemPages
from scrapy_mainpage.page import Page
from scrapy_mainpage.pipelines.boilerplate import BoilerplateFilterPipeline
from tests.crawling import make_crawler

PREFIX = "mainpage/filter/"
RUSSIAN = "Это предложение написано на русском языке, и его легко узнать. " * 3
ENGLISH = "This sentence is written in plain English, and easy to recognise. " * 3


class StubPage(Page):
    """A page with a type and a language, without a document behind it."""

    language = None


def page(
    language: str | None = None, page_type: str | None = None, **values: Any
) -> Page:
    given = {"text": "", "words": 100, "words_total": 100} | values
    made = StubPage(url=None, algorithm="learned", **given)
    object.__setattr__(made, "language", language)
    object.__setattr__(made, "page_type", page_type)
    return made


class Filter:
    """A filter outside of a crawl; its items come from pages."""

    def __init__(self, **settings: Any):
        crawler = make_crawler(**settings)
        self.pipeline = BoilerplateFilterPipeline.from_crawler(crawler)

    def item(self, page: Page | None, wish: object = None) -> dict[str, Any]:
        """Return an item of a page, with the wish of its request."""
        item: dict[str, Any] = {"an": "item"}
        request = Request("http://example.com/")
        response = HtmlResponse(request.url, request=request)
        item_pages = CrawlState.of(self.pipeline.crawler).keep(ItemPages)
        item_pages.remember(item, ItemOrigin(page, wish), response)
        return item

    def passes(self, page: Page, wish: object = None) -> None:
        item = self.item(page, wish)
        assert self.pipeline.process_item(item) is item

    @property
    def stats(self) -> dict[str, Any]:
        found = self.pipeline.crawler.stats.get_stats()
        return {
            key.removeprefix(PREFIX): value
            for key, value in found.items()
            if key.startswith(PREFIX)
        }
