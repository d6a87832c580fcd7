from __future__ import annotations

import asyncio
import copy
import gc
import pickle
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from time import sleep
from typing import Any
from weakref import ref

import pytest
from scrapy import Request, Selector
from scrapy.http import HtmlResponse

from scrapy_mainpage import mainpage
from scrapy_mainpage.crawl.pendingpage import PendingPage, settle
from scrapy_mainpage.downloadermiddlewares import ExtractionMiddleware
from scrapy_mainpage.page import Page
from scrapy_mainpage.spidermiddlewares import MainPageSpiderMiddleware
from tests.crawling import make_crawler
from tests.mockserver import article

URL = "http://a.example/"
MADE = Page(url=URL, text="Owls", algorithm="learned", words=1, warnings=("a",))


def pending() -> PendingPage:
    return PendingPage(lambda: MADE)


@pytest.mark.parametrize(
    "look",
    [
        lambda page: page.text == "Owls",
        lambda page: page.confidence is None,
        lambda page: page == MADE,
        lambda page: [page] == [MADE],
        lambda page: hash(page) == hash(MADE),
        lambda page: repr(page) == repr(MADE),
        lambda page: vars(page) == vars(MADE),
        lambda page: replace(page, words=2).words == 2,
        lambda page: copy.copy(page) == MADE,
        lambda page: copy.deepcopy({"a": page}) == {"a": MADE},
        lambda page: pickle.loads(pickle.dumps(page)) == MADE,
        lambda page: page.as_dict() == MADE.as_dict(),
        lambda page: page.__class__ is Page,
    ],
)
def test_who_looks_at_a_page_sees_it(look: Any) -> None:
    page = pending()
    assert isinstance(page, Page)
    assert look(page)
    assert type(page) is Page
    assert vars(page) == vars(MADE)


def test_a_page_that_cannot_be_made_is_tried_again() -> None:
    answers = iter([KeyboardInterrupt(), MADE])

    def make() -> Page:
        answer = next(answers)
        if isinstance(answer, Page):
            return answer
        raise answer

    page = PendingPage(make)
    with pytest.raises(KeyboardInterrupt):
        settle(page)
    assert page.text == "Owls"


def test_threads_that_look_at_once_see_one_page() -> None:
    made: list[Page] = []
    both = Barrier(2)

    def make() -> Page:
        made.append(MADE)
        sleep(0.05)
        return MADE

    page = PendingPage(make)

    def look() -> str:
        both.wait(10)
        return page.text

    with ThreadPoolExecutor(2) as threads:
        looks = [threads.submit(look) for _ in range(2)]
    assert [each.result() for each in looks] == ["Owls", "Owls"]
    assert len(made) == 1


def test_what_is_no_pending_page_is_left_alone() -> None:
    settle(None)
    settle(MADE)


def test_a_page_that_is_just_made_is_not_made_once_more() -> None:
    def make() -> Page:
        settle(page)
        return MADE

    page = PendingPage(make)
    assert page.text == "Owls"


class TestInACrawl:
    @pytest.fixture
    def crawl(self) -> tuple[ExtractionMiddleware, MainPageSpiderMiddleware]:
        crawler = make_crawler()
        ours = ExtractionMiddleware.from_crawler(crawler)
        return ours, MainPageSpiderMiddleware(crawler)

    @staticmethod
    def downloaded(ours: ExtractionMiddleware) -> HtmlResponse:
        request = Request(URL)
        body = article("mills").encode()
        response = HtmlResponse(URL, body=body, request=request)
        assert ours.process_response(request, response) is response
        return response

    def count(self, ours: ExtractionMiddleware) -> Any:
        return ours.crawler.stats.get_value("mainpage/extracted")

    @pytest.mark.parametrize(
        "look",
        [
            lambda response: response.selector.root,
            lambda response: response.selector.type == "html",
            lambda response: response.css("p").get(),
            lambda response: response.xpath("//p")[0].root,
            lambda response: repr(response.selector),
            lambda response: response.meta["mainpage"].text,
            lambda response: mainpage(response).text,
        ],
    )
    def test_who_looks_at_the_page_or_the_tree_has_the_page_made_once(
        self, crawl: tuple[ExtractionMiddleware, MainPageSpiderMiddleware], look: Any
    ) -> None:
        ours, theirs = crawl
        response = self.downloaded(ours)
        assert response.text
        assert response.selector.response is response
        assert self.count(ours) is None
        assert look(response) is not None
        assert self.count(ours) == 1
        page = response.meta["mainpage"]
        assert type(page) is Page
        assert page.text.startswith("All about mills")
        assert mainpage(response) is page
        assert [*theirs.process_spider_output(response, [])] == []
        assert self.count(ours) == 1

    def test_a_page_that_nobody_looks_at_is_made_when_the_spider_has_done(
        self, crawl: tuple[ExtractionMiddleware, MainPageSpiderMiddleware]
    ) -> None:
        ours, theirs = crawl
        response = self.downloaded(ours)
        output = theirs.process_spider_output(response, [Request(URL)])
        assert next(iter(output)).url == URL
        assert self.count(ours) is None
        assert [*output] == []
        assert self.count(ours) == 1
        assert type(response.meta["mainpage"]) is Page

    def test_that_is_so_of_callbacks_that_wait(
        self, crawl: tuple[ExtractionMiddleware, MainPageSpiderMiddleware]
    ) -> None:
        ours, theirs = crawl
        response = self.downloaded(ours)

        async def output() -> AsyncIterator[Request]:
            yield Request(URL)

        async def seen() -> list[Any]:
            processed = theirs.process_spider_output_async(response, output())
            return [(each.url, self.count(ours)) async for each in processed]

        assert asyncio.run(seen()) == [(URL, None)]
        assert self.count(ours) == 1

    def test_that_is_so_of_callbacks_that_fail(
        self, crawl: tuple[ExtractionMiddleware, MainPageSpiderMiddleware]
    ) -> None:
        ours, theirs = crawl

        def failing() -> Iterator[Request]:
            yield Request(URL)
            raise ValueError("no owls")

        async def failing_late() -> AsyncIterator[Request]:
            for each in failing():
                yield each

        async def seen(response: HtmlResponse) -> list[Any]:
            processed = theirs.process_spider_output_async(response, failing_late())
            return [each async for each in processed]

        responses = [self.downloaded(ours) for _ in range(3)]
        assert theirs.process_spider_exception(responses[0], ValueError()) is None
        assert self.count(ours) == 1
        with pytest.raises(ValueError, match="no owls"):
            [*theirs.process_spider_output(responses[1], failing())]
        assert self.count(ours) == 2
        with pytest.raises(ValueError, match="no owls"):
            asyncio.run(seen(responses[2]))
        assert self.count(ours) == 3

    def test_a_page_that_a_callback_has_taken_out_of_the_meta_is_made(
        self, crawl: tuple[ExtractionMiddleware, MainPageSpiderMiddleware]
    ) -> None:
        ours, theirs = crawl
        response = self.downloaded(ours)
        page = response.meta.pop("mainpage")
        [*theirs.process_spider_output(response, [])]
        assert type(page) is Page
        assert mainpage(response) is page
        assert self.count(ours) == 1

    def test_the_page_of_a_tree_that_somebody_has_is_made_at_once(
        self, crawl: tuple[ExtractionMiddleware, MainPageSpiderMiddleware]
    ) -> None:
        request = Request(URL)
        response = HtmlResponse(URL, body=article("mills").encode(), request=request)
        root = response.selector.root
        crawl[0].process_response(request, response)
        assert self.count(crawl[0]) == 1
        assert response.selector.root is root
        response.css("body > *").drop()
        assert request.meta["mainpage"].text.startswith("All about mills")

    @pytest.mark.parametrize("name", ["text", "selector"])
    def test_so_is_that_of_a_response_with_ways_of_its_own(
        self, crawl: tuple[ExtractionMiddleware, MainPageSpiderMiddleware], name: str
    ) -> None:
        class Own(HtmlResponse):
            pass

        body = article("owls")
        own = Selector(text=body) if name == "selector" else body
        setattr(Own, name, property(lambda self: own))
        request = Request(URL)
        response = Own(URL, body=article("mills").encode(), request=request)
        crawl[0].process_response(request, response)
        assert self.count(crawl[0]) == 1
        assert request.meta["mainpage"].text.startswith("All about owls")
        assert response.css("h1::text").get() == "All about owls"

    def test_what_a_spider_changes_in_the_tree_comes_after_the_page(
        self, crawl: tuple[ExtractionMiddleware, MainPageSpiderMiddleware]
    ) -> None:
        response = self.downloaded(crawl[0])
        response.css("body > *").drop()
        assert response.css("p").get() is None
        assert response.meta["mainpage"].text.startswith("All about mills")

    def test_another_downloader_middleware_gets_the_crawl_s_page(self) -> None:
        crawler = make_crawler(MAINPAGE_ALGORITHM="danag")
        ours = ExtractionMiddleware.from_crawler(crawler)
        MainPageSpiderMiddleware(crawler)
        request = Request(URL)
        # The engine gives a response its request after all downloader middlewares.
        response = HtmlResponse(URL, body=article("mills").encode())
        ours.process_response(request, response)
        page = mainpage(response)
        assert page.algorithm == "danag"
        assert page is request.meta["mainpage"]
        assert self.count(ours) == 1

    def test_a_request_that_is_downloaded_twice_has_the_crawl_s_pages(self) -> None:
        crawler = make_crawler(MAINPAGE_ALGORITHM="danag")
        ours = ExtractionMiddleware.from_crawler(crawler)
        MainPageSpiderMiddleware(crawler)
        request = Request(URL)
        bodies = [article(name).encode() for name in ("mills", "owls")]
        responses = [HtmlResponse(URL, body=b, request=request) for b in bodies]
        for response in responses:
            ours.process_response(request, response)
        pages = [mainpage(response) for response in responses]
        assert [page.algorithm for page in pages] == ["danag", "danag"]
        assert "mills" in pages[0].text
        assert "owls" in pages[1].text

    def test_a_changed_copy_of_a_response_has_a_page_of_its_own(
        self, crawl: tuple[ExtractionMiddleware, MainPageSpiderMiddleware]
    ) -> None:
        response = self.downloaded(crawl[0])
        changed = response.replace(body=article("owls").encode())
        assert mainpage(changed).text.startswith("All about owls")
        assert response.meta["mainpage"].text.startswith("All about mills")

    def test_a_failed_extraction_is_counted_and_empty(
        self,
        crawl: tuple[ExtractionMiddleware, MainPageSpiderMiddleware],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        ours, _ = crawl
        response = self.downloaded(ours)
        monkeypatch.setattr(ours.extractor, "extract_tree", None)
        page = response.meta["mainpage"]
        assert page.warnings == ("failed:TypeError",)
        assert ours.crawler.stats.get_value("mainpage/failed/TypeError") == 1
        assert mainpage(response) is page

    def test_nothing_holds_the_response_once_the_page_is_made(
        self, crawl: tuple[ExtractionMiddleware, MainPageSpiderMiddleware]
    ) -> None:
        response = self.downloaded(crawl[0])
        assert response.css("p")
        page, known = response.meta["mainpage"], ref(response)
        gc.disable()
        try:
            del response
            assert known() is None
        finally:
            gc.enable()
        assert page.text

    def test_without_the_spider_middleware_the_page_is_made_at_once(self) -> None:
        ours = ExtractionMiddleware.from_crawler(make_crawler())
        response = self.downloaded(ours)
        assert type(response.meta["mainpage"]) is Page
        assert self.count(ours) == 1

    def test_a_request_that_goes_out_again_takes_no_page_along(
        self, crawl: tuple[ExtractionMiddleware, MainPageSpiderMiddleware]
    ) -> None:
        ours, theirs = crawl
        response = self.downloaded(ours)
        again = response.request.copy()
        ours.process_request(again)
        assert "mainpage" not in again.meta
        yielded = theirs.get_processed_request(response.request.copy(), response)
        assert "mainpage" not in yielded.meta
        assert self.count(ours) is None
