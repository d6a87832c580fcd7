from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import attrs
import pytest
import scrapy
from itemadapter import ItemAdapter
from pydantic import BaseModel
from scrapy import Request
from scrapy.http import HtmlResponse, JsonResponse

from scrapy_mainpage.crawl.pages import record_of
from scrapy_mainpage.downloadermiddlewares import ExtractionMiddleware
from scrapy_mainpage.page import Page
from scrapy_mainpage.pipelines.boilerplate import (
    BoilerplateFilterPipeline,
    TooFewWords,
)
from scrapy_mainpage.spidermiddlewares import MainPageSpiderMiddleware
from tests.crawling import make_crawler
from tests.fakepages import ENTRIES, POSTS, PRODUCT, page_with
from tests.mockserver import article

URL = "http://example.com/a"
FIELDS = {"text": "text", "count": "words"}


class PlainItem(scrapy.Item):
    text = scrapy.Field()
    count = scrapy.Field()


@dataclass
class DataItem:
    text: str | None = None
    count: int | None = None


@attrs.define
class AttrsItem:
    text: str | None = None
    count: int | None = None


class ModelItem(BaseModel):
    text: str | None = None
    count: int | None = None


@dataclass(init=False, slots=True)
class UnsetItem:
    text: str
    count: int

    def __init__(self, **values: Any) -> None:
        for name, value in values.items():
            setattr(self, name, value)


@attrs.define(init=False)
class UnsetAttrsItem:
    text: str
    count: int
    __init__ = UnsetItem.__init__


KINDS = [
    *(dict, PlainItem, DataItem, AttrsItem, ModelItem),
    *(UnsetItem, UnsetAttrsItem, ModelItem.model_construct),
]


def middleware(**settings: Any) -> MainPageSpiderMiddleware:
    return MainPageSpiderMiddleware.from_crawler(make_crawler(**settings))


def response(meta: dict[str, Any] | None = None) -> HtmlResponse:
    request = Request(URL, meta=meta)
    return HtmlResponse(URL, body=article("trains").encode(), request=request)


def with_page(page: Page) -> HtmlResponse:
    ours = response({"mainpage": page})
    record_of(ours).page = page
    return ours


PAGE = Page(url=URL, text="Main content.", algorithm="danag", words=2, words_total=9)


def only(outcome: Any) -> Any:
    (result,) = outcome
    return result


@pytest.mark.parametrize("kind", KINDS)
def test_open_fields_of_every_kind_of_item_are_filled(kind: Any) -> None:
    ours, item = middleware(MAINPAGE_ITEM_FIELDS=FIELDS), kind()
    result = only(ours.process_spider_output(with_page(PAGE), [item]))
    assert result is item
    assert ItemAdapter(item).asdict() == {"text": "Main content.", "count": 2}


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_spider_has_set_stays(kind: Any) -> None:
    ours, item = middleware(MAINPAGE_ITEM_FIELDS=FIELDS), kind(text="", count=0)
    ours.get_processed_item(item, with_page(PAGE))
    assert ItemAdapter(item).asdict() == {"text": "", "count": 0}


@dataclass
class DataWithDefaults:
    text: str = ""
    count: int = 0


@attrs.define
class AttrsWithDefaults:
    text: str = ""
    count: int = 0


class ModelWithDefaults(BaseModel):
    text: str = ""
    count: int = 0


@pytest.mark.parametrize(
    "kind", [DataWithDefaults, AttrsWithDefaults, ModelWithDefaults]
)
def test_a_declared_field_with_its_default_is_open(kind: Any) -> None:
    ours = middleware(MAINPAGE_ITEM_FIELDS=FIELDS)
    filled = ours.get_processed_item(kind(), with_page(PAGE))
    assert ItemAdapter(filled).asdict() == {"text": "Main content.", "count": 2}
    kept = ours.get_processed_item(kind(text="Teaser.", count=1), with_page(PAGE))
    assert ItemAdapter(kept).asdict() == {"text": "Teaser.", "count": 1}


OTHER = "http://example.com/b"


@pytest.mark.parametrize("url", [OTHER, "b", [OTHER], URL + "?page=2"])
def test_an_item_with_the_url_of_another_page_takes_nothing(url: Any) -> None:
    ours = middleware(MAINPAGE_ITEM_FIELDS=FIELDS)
    assert ours.get_processed_item({"url": url}, with_page(PAGE)) == {"url": url}
    assert ours.crawler.stats.get_value("mainpage/items/other_page") == 1


@pytest.mark.parametrize("url", [None, "", URL, URL + "#top", "a", "/a", [URL], []])
def test_an_item_with_the_url_of_its_page_or_without_any_is_filled(url: Any) -> None:
    ours = middleware(MAINPAGE_ITEM_FIELDS={"text": "text"})
    item = ours.get_processed_item({"url": url}, with_page(PAGE))
    assert item == {"url": url, "text": "Main content."}
    assert ours.crawler.stats.get_value("mainpage/items/other_page") is None


def test_an_item_may_have_the_canonical_url_or_one_that_was_redirected() -> None:
    html = '<link rel="canonical" href="/article"><p>Trains.</p>'
    request = Request(URL, meta={"redirect_urls": ["http://example.com/old"]})
    found = HtmlResponse(URL, body=html.encode(), request=request)
    ours = middleware(MAINPAGE_ITEM_FIELDS={"n": "words_total"})
    for url in ["http://example.com/article", "http://example.com/old"]:
        assert ours.get_processed_item({"url": url}, found) == {"url": url, "n": 1}


def test_a_home_page_that_every_page_names_as_canonical_is_another_page() -> None:
    html = '<link rel="canonical" href="/"><p>Trains.</p>'
    found = HtmlResponse(URL, body=html.encode(), request=Request(URL))
    ours = middleware(MAINPAGE_ITEM_FIELDS=FIELDS)
    item = {"url": "http://example.com/"}
    assert ours.get_processed_item(dict(item), found) == item


@pytest.mark.parametrize(
    "settings",
    [
        {"MAINPAGE_ITEM_FIELDS": {"text": "text", "link": "url"}},
        {
            "MAINPAGE_ITEM_FIELDS": {"text": "text"},
            "MAINPAGE_INDEX_FIELDS": {"url": "link"},
        },
    ],
)
def test_the_url_is_that_of_the_field_for_it(settings: dict[str, Any]) -> None:
    ours = middleware(**settings)
    assert ours.get_processed_item({"link": OTHER}, with_page(PAGE)) == {"link": OTHER}


def test_an_item_of_an_inline_download_is_filled_from_that_page() -> None:
    crawler = make_crawler(MAINPAGE_ITEM_FIELDS={"text": "text"})
    ours = MainPageSpiderMiddleware.from_crawler(crawler)
    extraction = ExtractionMiddleware.from_crawler(crawler)
    body = article("boats").encode()
    request = Request(OTHER)
    inline = extraction.process_response(
        request, HtmlResponse(OTHER, body=body, request=request)
    )
    item = ours.get_processed_item({"url": OTHER}, with_page(PAGE))
    assert item["text"].startswith("All about boats")
    assert isinstance(inline, HtmlResponse)
    ours.process_spider_input(inline)  # a callback of its own gets it
    item = ours.get_processed_item({"url": OTHER}, with_page(PAGE))
    assert item == {"url": OTHER}


@pytest.mark.parametrize("kind", [dict, PlainItem])
def test_a_none_that_the_spider_has_put_into_a_mapping_stays(kind: Any) -> None:
    ours, item = middleware(MAINPAGE_ITEM_FIELDS=FIELDS), kind(text=None)
    ours.get_processed_item(item, with_page(PAGE))
    assert ItemAdapter(item).asdict() == {"text": None, "count": 2}


@pytest.mark.parametrize("kind", [PlainItem, DataItem, AttrsItem, ModelItem])
def test_a_field_that_an_item_class_lacks_is_counted_and_logged_once(
    kind: Any, caplog: pytest.LogCaptureFixture
) -> None:
    ours = middleware(MAINPAGE_ITEM_FIELDS={"body": "text", "count": "words"})
    for _ in range(3):
        item = ours.get_processed_item(kind(), with_page(PAGE))
        assert ItemAdapter(item)["count"] == 2
    assert ours.crawler.stats.get_value("mainpage/items/not_filled") == 3
    (record,) = caplog.records
    assert "'body'" in record.getMessage()
    assert kind.__name__ in record.getMessage()


@dataclass(frozen=True)
class FrozenItem:
    text: str | None = None
    count: int | None = None


@dataclass(init=False)
class FrozenUnsetItem(UnsetItem):
    def __setattr__(self, name: str, value: Any) -> None:
        raise AssertionError("nothing is set here")


@attrs.frozen
class FrozenAttrsItem(AttrsItem):
    pass


class FrozenModelItem(ModelItem, frozen=True):
    pass


@pytest.mark.parametrize(
    "kind", [FrozenItem, FrozenUnsetItem, FrozenAttrsItem, FrozenModelItem]
)
def test_an_item_whose_fields_cannot_be_set_goes_on_with_one_warning(
    kind: Any, caplog: pytest.LogCaptureFixture
) -> None:
    ours, item = middleware(MAINPAGE_ITEM_FIELDS=FIELDS), kind()
    for _ in range(2):
        assert ours.get_processed_item(item, with_page(PAGE)) is item
    assert not any(ItemAdapter(item).asdict().values())
    assert ours.crawler.stats.get_value("mainpage/items/not_filled") == 4
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert "'text'" in record.getMessage()
    assert "'count'" in record.getMessage()


class BrokenContent:
    def read(self, name: str) -> str:
        raise RecursionError(f"{name} is too deep")


def test_an_attribute_that_cannot_be_made_leaves_the_field_open() -> None:
    page = Page(URL, "Text.", "danag", _content=BrokenContent())
    fields = {"md": "markdown", "text": "text"}
    ours = middleware(MAINPAGE_ITEM_FIELDS=fields)
    assert ours.get_processed_item({}, with_page(page)) == {"text": "Text."}
    assert ours.crawler.stats.get_value("mainpage/failed/RecursionError") == 1


def test_attributes_of_the_metadata_are_reached_with_a_dot() -> None:
    ours = middleware(MAINPAGE_ITEM_FIELDS={"by": "metadata.author", "t": "title"})
    assert ours.get_processed_item({}, with_page(PAGE)) == {"by": None, "t": None}


RECORD_FIELDS = {"price": "product.price", "posts": "posts", "first": "entries"}


def test_fields_of_records_are_reached_and_records_are_dictionaries() -> None:
    ours = middleware(MAINPAGE_ITEM_FIELDS=RECORD_FIELDS)
    page = replace(page_with(product=PRODUCT, posts=POSTS, entries=ENTRIES), url=URL)
    item = ours.get_processed_item({}, with_page(page))
    assert item["price"] == "41.00"
    assert item["posts"][1]["author"] == "Mr Piston"
    assert item["first"] == tuple(map(asdict, ENTRIES))


@dataclass
class PricedItem:
    price: str = "unknown"


def test_without_the_record_only_a_dictionary_has_the_field() -> None:
    """A feed with columns takes them from the first item."""
    ours = middleware(MAINPAGE_ITEM_FIELDS={"price": "product.price"})
    response = with_page(replace(page_with(), url=URL))
    assert ours.get_processed_item({}, response) == {"price": None}
    assert ours.get_processed_item(PricedItem(), response) == PricedItem()


def test_an_unread_response_is_read_for_its_items() -> None:
    ours = middleware(MAINPAGE_ITEM_FIELDS={"text": "text"})
    item = ours.get_processed_item({}, response())
    assert item["text"].startswith("All about trains")


@pytest.mark.parametrize(
    "other",
    [None, response({"mainpage": False}), JsonResponse(URL, body=b'{"a": 1}')],
)
def test_items_without_a_page_pass_as_they_are(other: Any) -> None:
    ours = middleware(MAINPAGE_ITEM_FIELDS=FIELDS)
    assert ours.get_processed_item({"a": 1}, other) == {"a": 1}


def test_what_is_not_an_item_passes() -> None:
    ours = middleware(MAINPAGE_ITEM_FIELDS=FIELDS)
    assert ours.get_processed_item("not an item", with_page(PAGE)) == "not an item"


def test_requests_leave_without_a_page_and_the_response_keeps_its_own() -> None:
    ours, source = middleware(), with_page(PAGE)
    copied = Request(URL + "/b", meta=source.meta, priority=3, cb_kwargs={"a": 1})
    results = list(ours.process_spider_output(source, [copied, source.request]))
    assert [result.meta for result in results] == [{}, {}]
    assert results[0].url == URL + "/b"
    assert results[0].priority == 3
    assert results[0].cb_kwargs == {"a": 1}
    assert source.meta["mainpage"] is PAGE


def test_requests_without_a_page_leave_as_they_are() -> None:
    ours = middleware()
    plain, skipped = Request(URL), Request(URL, meta={"mainpage": False})
    assert ours.get_processed_request(plain, response()) is plain
    assert ours.get_processed_request(skipped, response()) is skipped
    assert skipped.meta == {"mainpage": False}


def test_start_requests_are_cleaned_too() -> None:
    async def start() -> AsyncIterator[Any]:
        yield Request(URL, meta={"mainpage": PAGE, "a": 1})

    stream = middleware().process_start(start())
    with pytest.raises(StopIteration) as stopped:
        stream.__anext__().send(None)
    assert stopped.value.value.meta == {"a": 1}


def filtered(wish: object) -> tuple[BoilerplateFilterPipeline, HtmlResponse]:
    """A filter, and a response to a request with ``mainpage_filter`` in its meta."""
    item_filter = BoilerplateFilterPipeline.from_crawler(make_crawler())
    return item_filter, response({"mainpage_filter": wish})


def test_the_filter_learns_the_page_of_each_item() -> None:
    item_filter, _ = filtered(None)
    ours = MainPageSpiderMiddleware.from_crawler(item_filter.crawler)
    item = ours.get_processed_item({"no": "text"}, with_page(PAGE))
    with pytest.raises(TooFewWords, match="2 words, of at least 20"):
        item_filter.process_item(item)


def test_the_filter_learns_what_a_request_wants_also_without_a_page() -> None:
    item_filter, unwanted = filtered(False)
    unwanted.meta["mainpage"] = False
    ours = MainPageSpiderMiddleware.from_crawler(item_filter.crawler)
    item = ours.get_processed_item({"text": "Two words."}, unwanted)
    assert item_filter.process_item(item) is item
    assert item_filter.crawler.stats.get_value("mainpage/filter/exempt") == 1


def test_a_response_without_a_request_has_no_wishes() -> None:
    item_filter, _ = filtered(None)
    ours = MainPageSpiderMiddleware.from_crawler(item_filter.crawler)
    alone = HtmlResponse(URL, body=article("trains").encode())
    item = ours.get_processed_item({"no": "text"}, alone)
    assert item_filter.process_item(item) is item
