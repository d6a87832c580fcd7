from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
import scrapy
from scrapy import Request, signals
from scrapy.exceptions import DropItem
from scrapy.http import HtmlResponse

from scrapy_mainpage.crawl.crawl_state import CrawlState, ItemOrigin, ItemPages
from scrapy_mainpage.page import Page
from tests.crawling import crawl, make_crawler
from tests.mockserver import Site, article, html, serve

PAGE = Page(url=None, text="", algorithm="")
SENT = {
    "scraped": signals.item_scraped,
    "dropped": signals.item_dropped,
    "error": signals.item_error,
}


def response() -> HtmlResponse:
    request = Request("http://example.com/")
    return HtmlResponse(request.url, request=request)


def known() -> tuple[Any, ItemPages]:
    crawler = make_crawler()
    return crawler, CrawlState.of(crawler).keep(ItemPages)


def leave(crawler: Any, item: object, response: object, how: str = "scraped") -> None:
    crawler.signals.send_catch_log(SENT[how], item=item, response=response)


def test_an_items_source_is_known_by_the_very_object_alone() -> None:
    _, sources = known()
    item, twin = {"a": 1}, {"a": 1}
    source = ItemOrigin(PAGE, False)
    sources.remember(item, source, response())
    assert sources.get(item) is source
    assert sources.get(twin) is None


def test_an_item_that_has_left_is_not_held_until_its_response_has() -> None:
    crawler, sources = known()
    visited = response()
    staying, pages = {"n": 0}, []
    sources.remember(staying, ItemOrigin(PAGE), visited)
    for n in range(1, 100):
        item = {"n": n}
        page = Page(url=None, text="", algorithm="")
        pages.append(weakref.ref(page))
        sources.remember(item, ItemOrigin(page), visited)
        leave(crawler, item, visited, list(SENT)[n % 3])
        assert sources.get(item) is None
    del item, page
    gc.collect()
    assert {ref() for ref in pages} == {None}
    assert sources.get(staying) is not None
    leave(crawler, {"another": "object"}, visited)
    assert sources.get(staying) is None


def test_the_same_item_of_two_responses_is_known_until_both_have_left() -> None:
    crawler, sources = known()
    item, visited = {}, [response(), response()]
    for one in visited:
        sources.remember(item, ItemOrigin(PAGE), one)
    leave(crawler, {"another": "object"}, visited[0])
    assert sources.get(item) is not None
    leave(crawler, item, visited[1])
    assert sources.get(item) is None


def test_the_same_item_twice_is_known_until_it_has_left_twice() -> None:
    crawler, sources = known()
    item, visited = {}, response()
    for _ in range(2):
        sources.remember(item, ItemOrigin(PAGE), visited)
    leave(crawler, item, visited)
    assert sources.get(item) is not None
    leave(crawler, item, visited)
    assert sources.get(item) is None


def test_an_item_of_no_response_or_of_an_unknown_one_changes_nothing() -> None:
    crawler, sources = known()
    item, visited = {}, response()
    sources.remember(item, ItemOrigin(PAGE), visited)
    leave(crawler, {}, None)
    leave(crawler, {}, response())
    assert sources.get(item) is not None


def test_nothing_of_a_response_is_held_when_its_items_have_left() -> None:
    crawler, sources = known()
    visited = response()
    page = Page(url="http://example.com/", text="", algorithm="")
    gone = [weakref.ref(visited), weakref.ref(page)]
    item: dict[str, Any] = {}
    sources.remember(item, ItemOrigin(page), visited)
    del page
    gc.collect()
    assert all(ref() is not None for ref in gone)
    leave(crawler, item, visited)
    del visited
    gc.collect()
    assert [ref() for ref in gone] == [None, None]


def test_all_pipelines_of_a_crawl_have_the_same_item_pages_and_others_none() -> None:
    crawler, sources = known()
    assert CrawlState.of(crawler).keep(ItemPages) is sources
    assert CrawlState.of(crawler).kept(ItemPages) is sources
    other = make_crawler()
    assert CrawlState.of(other).kept(ItemPages) is None
    assert CrawlState.of(other).keep(ItemPages) is not sources


def test_a_crawl_that_is_over_is_held_by_nothing() -> None:
    crawler, sources = known()
    sources.remember({}, ItemOrigin(PAGE), response())
    refs = [weakref.ref(crawler), weakref.ref(sources)]
    del crawler, sources
    gc.collect()
    assert [ref() for ref in refs] == [None, None]


class FatePipeline:
    """Replaces, drops or fails items, as their fields request."""

    def process_item(self, item: Any) -> Any:
        fate = item["fate"]
        if fate == "dropped":
            raise DropItem("as it says")
        if fate == "error":
            raise ValueError("as it says")
        return {**item, "replaced": True} if fate == "replaced" else item


class ItemPagesSpider(scrapy.Spider):
    """Yields many items of each page, and requests between them."""

    name = "sources"
    custom_settings = {
        "MAINPAGE_FILTER_ENABLED": True,
        "ITEM_PIPELINES": {FatePipeline: 500},
    }

    def __init__(self, urls: list[str]):
        super().__init__()
        self.start_urls = urls

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **options: Any) -> ItemPagesSpider:
        spider = super().from_crawler(crawler, *args, **options)
        crawler.signals.connect(spider.count, signals.spider_closed)
        return spider

    def parse(self, response: Any) -> Iterator[Any]:
        for fate in ("kept", "replaced", "dropped", "error") * 10:
            yield {"fate": fate}

    def count(self) -> None:
        sources = CrawlState.of(self.crawler).keep(ItemPages)
        left = len(sources._known) + len(sources._left)
        self.crawler.stats.set_value("left", left)


@pytest.fixture
def site() -> Iterator[Site]:
    with serve({f"/{n}": html(article(f"owls {n}")) for n in range(5)}) as running:
        yield running


def test_after_a_crawl_nothing_is_left_whatever_became_of_its_items(
    site: Site,
) -> None:
    urls = [f"{site.url}/{n}" for n in range(5)]
    done = crawl("tests.pipelines.test_item_pages.ItemPagesSpider", urls=urls)
    assert len(done.items) == 100
    assert done.stat("mainpage/filter/judged") == 200
    assert done.stat("mainpage/filter/unknown") == 0
    assert done.stat("item_dropped_count") == 50
    assert done.stats["left"] == 0
