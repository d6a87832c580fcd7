"""Pages that other processes make are the pages that the event loop makes."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response, TextResponse, XmlResponse

from scrapy_mainpage.crawl import worker_pool
from scrapy_mainpage.crawl.crawl_state import CrawlState
from scrapy_mainpage.crawl.pages import known_page, mainpage, record_of
from scrapy_mainpage.crawl.worker_pool import WorkerPool
from scrapy_mainpage.downloadermiddlewares import ExtractionMiddleware, RenderMiddleware
from scrapy_mainpage.page import Page
from scrapy_mainpage.settings import SettingsError
from tests.crawling import make_crawler
from tests.extraction.boxes import rendered
from tests.mockserver import article
from tests.processes.algorithms import TROUBLED, UNJUDGED, UNWILLING, troubling

URL = "http://example.com/a"
SHELL = '<title>Shell</title><div id="root"></div><script src="/app.js"></script>'
HTML = {b"Content-Type": b"text/html"}
UTF8 = {b"Content-Type": b"text/html; charset=utf-8"}
HEBREW = "<title>שלום</title>" + "<p>שלום עולם, זה טקסט שכדאי לקרוא.</p>" * 9

Made = Callable[..., Crawler]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    monkeypatch.setattr(worker_pool, "MIN_SIZE", 0)
    crawlers = []

    def make(**settings: object) -> Crawler:
        crawlers.append(make_crawler(**{"MAINPAGE_PROCESSES": 1, **settings}))
        crawlers[-1].get_downloader_middleware = lambda cls: None
        return crawlers[-1]

    yield make
    for crawler in crawlers:
        crawler.signals.send_catch_log(
            signals.spider_closed, spider=crawler.spider, reason="finished"
        )


def passed(middleware: Any, request: Request, response: Response) -> Any:
    """Return the middleware's result for the response, awaited."""
    result = middleware.process_response(request, response)
    return asyncio.run(_awaited(result)) if isinstance(result, Awaitable) else result


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result


def stats(crawler: Crawler) -> dict[str, Any]:
    return {
        name.removeprefix("mainpage/"): value
        for name, value in crawler.stats.get_stats().items()
    }


def passed_page(crawler: Crawler, response: HtmlResponse) -> Page:
    """The page that the response has behind the middleware."""
    ours, request = ExtractionMiddleware.from_crawler(crawler), Request(URL)
    result = passed(ours, request, response)
    page = request.meta["mainpage"]
    assert mainpage(result) is page
    assert isinstance(page, Page)
    return page


CONTENTS: list[dict[str, Any]] = [
    {"body": article("cafés").encode(), "headers": UTF8},
    {"body": article("cafés").encode("latin-1"), "headers": UTF8},
    {"body": article("cafés").encode(), "headers": HTML},
    {"body": HEBREW.encode("windows-1255"), "headers": HTML},
    {"body": HEBREW.encode("windows-1255"), "encoding": "windows-1255"},
    {"body": HEBREW.encode("utf-16"), "headers": UTF8},
    {"body": HEBREW, "encoding": "iso-8859-8"},
    {"body": b"\x80\x81<p>What is this?"},
    {"body": b'{"json": "as it happens"}'},
    {"body": b"<div>" * 3000 + b"deep" + b"</div>" * 3000},
    {"body": SHELL.encode()},
]


def test_pages_are_the_same_wherever_they_are_made(made: Made) -> None:
    crawler = made()
    for content in CONTENTS:
        page = passed_page(crawler, HtmlResponse(URL, **content))
        # A new response: a copy would carry the detected encoding as an explicit one.
        same = mainpage(HtmlResponse(URL, **content))
        assert page.as_dict(blocks=True) == same.as_dict(blocks=True), content
        assert (page, page.sections, page.all_links) == (
            same,
            same.sections,
            same.all_links,
        )
    assert stats(crawler)["processes/extracted"] == len(CONTENTS)
    assert stats(crawler)["extracted"] == len(CONTENTS)
    assert "loop/longest" not in stats(crawler)


@pytest.mark.parametrize("has_layout", [True, False])
def test_the_layout_goes_along(made: Made, has_layout: bool) -> None:
    crawler = made(MAINPAGE_ALGORITHM="layout-analysis")
    html = article("boxes")
    document, layout = rendered(html)
    response = HtmlResponse(URL, body=html.encode())
    if has_layout:
        record_of(response).layout = layout
    page = passed_page(crawler, response)
    boxes = [block.box for block in page.blocks]
    assert len(boxes) == document.n_blocks
    assert all(boxes) == has_layout
    assert ("no_layout" in page.warnings) != has_layout
    assert stats(crawler).get("fallback/no_layout", 0) == (not has_layout)


def test_small_pages_stay_on_the_loop(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, crawler = article("size").encode(), made()
    monkeypatch.setattr(worker_pool, "MIN_SIZE", len(body))
    ours = ExtractionMiddleware.from_crawler(crawler)
    for length in (len(body) - 1, len(body)):
        passed(ours, Request(URL), HtmlResponse(URL, body=body[:length]))
    assert stats(crawler)["extracted"] == 2
    assert stats(crawler)["processes/extracted"] == 1
    assert stats(crawler)["loop/longest"] == stats(crawler)["time"]


class OwnResponse(HtmlResponse):
    """A response with a ``text`` that is not its body."""

    @property
    def text(self) -> str:
        return article("its own")


@pytest.mark.parametrize(
    "response",
    [
        OwnResponse(URL, body=b"<p>Anything."),
        XmlResponse(URL, body=b"<p>Anything.</p>"),
        TextResponse(URL, body=b"<p>Anything."),
        HtmlResponse(URL, body=b" \n "),
        HtmlResponse(URL),
    ],
)
def test_only_html_is_sent_away(made: Made, response: Response) -> None:
    crawler = made()
    ours, request = ExtractionMiddleware.from_crawler(crawler), Request(URL)
    assert isinstance(ours.process_response(request, response), Response)
    if isinstance(response, OwnResponse):
        assert request.meta["mainpage"].title == "All about its own"


def test_an_error_of_the_extraction_is_the_one_that_is_counted(
    made: Made, caplog: pytest.LogCaptureFixture
) -> None:
    crawler = made(MAINPAGE_ALGORITHM="tests.algorithms.Failing")
    ours, request = ExtractionMiddleware.from_crawler(crawler), Request(URL)
    passed(ours, request, HtmlResponse(URL, body=article("errors").encode()))
    assert request.meta["mainpage"] == Page.empty(URL, "failed:RuntimeError")
    assert stats(crawler)["failed/RuntimeError"] == 1
    assert "no idea" in caplog.text


def test_where_no_process_starts_the_loop_does_it_all(
    made: Made, caplog: pytest.LogCaptureFixture
) -> None:
    crawler = made(MAINPAGE_ALGORITHM=UNWILLING)
    ours = ExtractionMiddleware.from_crawler(crawler)
    for topic in ("ants", "bees"):
        request = Request(URL)
        passed(ours, request, HtmlResponse(URL, body=article(topic).encode()))
        assert request.meta["mainpage"].title == f"All about {topic}"
    assert stats(crawler)["extracted"] == 2
    assert "processes/extracted" not in stats(crawler)
    assert caplog.text.count("No process can be started") == 1


def test_options_that_cannot_be_sent_stop_the_crawl(made: Made) -> None:
    options = {"tell": lambda: "article"}
    crawler = made(
        MAINPAGE_ALGORITHM="tests.algorithms.Asked", MAINPAGE_ALGORITHM_OPTIONS=options
    )
    with pytest.raises(SettingsError, match=r"_OPTIONS=.*pickle"):
        ExtractionMiddleware.from_crawler(crawler)


def test_a_crawl_that_is_over_is_forgotten() -> None:
    crawler = make_crawler(MAINPAGE_PROCESSES=1)
    gone = weakref.ref(crawler)
    assert isinstance(CrawlState.of(crawler).worker_pool, WorkerPool)
    del crawler
    gc.collect()
    assert gone() is None


# --- Rendering ------------------------------------------------------------------


def rendering(made: Made, **settings: object) -> tuple[Crawler, RenderMiddleware]:
    crawler = made(MAINPAGE_RENDER="auto", **settings)
    return crawler, RenderMiddleware.from_crawler(crawler)


def test_a_static_page_is_judged_where_it_is_extracted(made: Made) -> None:
    crawler, ours = rendering(made)
    request = Request(URL)
    response = HtmlResponse(URL, body=article("static").encode(), request=request)
    response = passed(ours, request, response)
    page = known_page(response)
    assert page is not None
    extraction = ExtractionMiddleware.from_crawler(crawler)
    assert extraction.process_response(request, response) is response
    assert request.meta["mainpage"].render_reason == "no_script"
    assert request.meta["mainpage"].text == page.text
    assert stats(crawler)["processes/extracted"] == stats(crawler)["extracted"] == 1


def test_a_shell_is_sent_to_the_browser_and_what_comes_back_is_compared(
    made: Made,
) -> None:
    crawler, ours = rendering(made)
    request = Request(URL)
    changed = passed(ours, request, HtmlResponse(URL, body=SHELL.encode()))
    assert isinstance(changed, Request)
    response = HtmlResponse(
        URL, body=article("rendered"), encoding="utf-8", request=changed
    )
    assert known_page(passed(ours, changed, response)) is not None
    assert stats(crawler)["render/rendered/empty_root"] == 1
    assert stats(crawler)["render/gain/yes"] == 1
    assert stats(crawler)["processes/extracted"] == 2


def test_a_page_that_cannot_be_judged_fails_once(made: Made) -> None:
    crawler, ours = rendering(made, MAINPAGE_ALGORITHM=TROUBLED)
    request = Request(URL)
    body = troubling("please die").encode()
    response = HtmlResponse(URL, body=body, request=request)
    response = passed(ours, request, response)
    extraction = ExtractionMiddleware.from_crawler(crawler)
    assert passed(extraction, request, response) is response
    assert request.meta["mainpage"].warnings == ("failed:WorkerDied",)
    assert stats(crawler)["failed/WorkerDied"] == 1
    assert stats(crawler)["processes/died"] == 2


def test_a_judgement_that_fails_elsewhere_keeps_the_static_page(
    made: Made, caplog: pytest.LogCaptureFixture
) -> None:
    crawler, ours = rendering(made, MAINPAGE_ALGORITHM=UNJUDGED)
    request = Request(URL)
    response = HtmlResponse(URL, body=SHELL.encode(), request=request)
    assert known_page(passed(ours, request, response)) is not None
    assert stats(crawler)["render/static/not_judged"] == 1
    assert "Not judged" in caplog.text


def test_without_processes_to_start_pages_are_judged_on_the_loop(made: Made) -> None:
    crawler, ours = rendering(made, MAINPAGE_ALGORITHM=UNWILLING)
    request = Request(URL)
    assert isinstance(
        passed(ours, request, HtmlResponse(URL, body=SHELL.encode())), Request
    )
    assert stats(crawler)["loop/longest"] > 0
