"""Handling of requests and responses by the middleware, without a browser."""

from __future__ import annotations

import asyncio
import logging
import pickle
import sys
from inspect import iscoroutine
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.http.request import NO_CALLBACK

from scrapy_mainpage.crawl.pages import known_page, record_of
from scrapy_mainpage.crawl.rendered_requests import (
    STATE_KEY,
    get_state,
    is_rendered,
)
from scrapy_mainpage.downloadermiddlewares import RenderMiddleware
from scrapy_mainpage.rendering import RenderError, decider, pack
from scrapy_mainpage.rendering.need import Judgement, Need
from scrapy_mainpage.spidermiddlewares import MainPageSpiderMiddleware
from tests.crawling import make_crawler
from tests.mockserver import article
from tests.rendering.test_cached_pages import packed

URL = "http://example.com/shop/a.html"
SHELL = (
    '<html><head><title>A shell</title></head><body><div id="root"></div>'
    '<script src="/app.js"></script></body></html>'
)
STATIC = article("static")
FULL = article("rendered")
WISH = "mainpage_render"


def make(
    render: str = "auto", crawler: Any = None, **settings: Any
) -> RenderMiddleware:
    crawler = crawler or make_crawler(MAINPAGE_RENDER=render, **settings)
    if "get_downloader_middleware" not in vars(crawler):
        crawler.get_downloader_middleware = lambda cls: None
    return RenderMiddleware.from_crawler(crawler)


def request(url: str = URL, **options: Any) -> Request:
    return Request(url, **options)


def response_to(asked: Request, body: str | bytes = SHELL, **options: Any) -> Response:
    options = {"cls": HtmlResponse, **options}
    cls = options.pop("cls")
    body = body.encode() if isinstance(body, str) else body
    if issubclass(cls, TextResponse):
        options.setdefault("encoding", "utf-8")
    return cls(asked.url, body=body, request=asked, **options)


def send(ours: RenderMiddleware, asked: Request) -> bool:
    """Whether the middleware sends the request to be rendered."""
    assert ours.process_request(asked) is None
    return is_rendered(asked)


def stats(ours: RenderMiddleware) -> dict[str, Any]:
    found = ours.crawler.stats.get_stats()
    prefix = "mainpage/render/"
    return {k.removeprefix(prefix): v for k, v in found.items() if k.startswith(prefix)}


def answer(ours: RenderMiddleware, asked: Request, response: Response) -> Any:
    """The middleware's answer to a response, awaited."""
    result = ours.process_response(asked, response)
    return asyncio.run(result) if iscoroutine(result) else result


def to_render(ours: RenderMiddleware, asked: Request | None = None) -> Request:
    """The middleware's request for a shell that it has seen."""
    asked = asked or request()
    assert not send(ours, asked)
    changed = answer(ours, asked, response_to(asked))
    assert isinstance(changed, Request)
    assert send(ours, changed)
    return changed


# --- Selection of pages -------------------------------------------------------


def test_auto_has_a_shell_rendered_and_takes_the_page_in() -> None:
    ours = make()
    changed = to_render(ours)
    assert changed.dont_filter
    assert changed.url == URL
    rendered = response_to(changed, FULL)
    assert answer(ours, changed, rendered).body == rendered.body
    assert changed.meta[STATE_KEY]["reason"] == "empty_root"
    counted = {"gain/yes": 1, "rendered": 1, "rendered/empty_root": 1}
    assert stats(ours) == counted


def test_auto_leaves_a_page_that_is_complete() -> None:
    ours, asked = make(), request()
    assert not send(ours, asked)
    response = response_to(asked, STATIC)
    assert answer(ours, asked, response).body == response.body
    state = get_state(asked)
    assert state is not None
    assert not state["rendered"]
    assert stats(ours) == {"static/no_script": 1}


def test_never_looks_at_nothing() -> None:
    ours, asked = make("never"), request()
    assert not send(ours, asked)
    response = response_to(asked)
    assert answer(ours, asked, response).body == response.body
    assert asked.meta == {}
    assert known_page(response) is None
    assert stats(ours) == {}


@pytest.mark.parametrize("render", ["never", "auto", "always"])
def test_the_request_decides_for_itself(render: str) -> None:
    ours = make(render)
    asked = request(meta={WISH: True})
    assert send(ours, asked)
    assert asked.meta[STATE_KEY]["reason"] == "asked"
    unwanted = request(meta={WISH: False})
    assert not send(ours, unwanted)
    response = response_to(unwanted)
    assert answer(ours, unwanted, response).body == response.body


NEVER_RENDERED = {
    "post": {"method": "POST"},
    "head": {"method": "HEAD"},
    "own": {"meta": {"playwright": True}},
    "own, asked": {"meta": {"playwright": True, WISH: True}},
    "unwanted": {"meta": {"mainpage": False}},
    "file": {"callback": NO_CALLBACK},
    "robots": {"url": "http://example.com/robots.txt"},
    "data": {"url": "data:text/html,<p>x"},
    "ftp": {"url": "ftp://example.com/a.html"},
    "post, asked": {"method": "POST", "meta": {WISH: True}},
}


@pytest.mark.parametrize("options", NEVER_RENDERED.values(), ids=NEVER_RENDERED)
@pytest.mark.parametrize("render", ["auto", "always"])
def test_some_requests_are_never_rendered(render: str, options: dict[str, Any]) -> None:
    ours, asked = make(render), request(**options)
    assert not send(ours, asked)
    response = response_to(asked)
    assert answer(ours, asked, response).body == response.body
    assert STATE_KEY not in asked.meta


@pytest.mark.parametrize(
    "options",
    [
        {"status": 404},
        {"status": 503},
        {"status": 301},
        {"body": b""},
        {"body": b" \n "},
        {"body": b"%PDF-1.4 <div id=root></div><script></script>"},
        {"cls": TextResponse},
        {"cls": Response},
    ],
)
def test_auto_judges_nothing_but_html_that_was_answered_well(
    options: dict[str, Any],
) -> None:
    ours, asked = make(), request()
    assert not send(ours, asked)
    response = response_to(asked, **options)
    assert answer(ours, asked, response).body == response.body
    assert STATE_KEY not in asked.meta


@pytest.mark.parametrize(
    ("algorithm", "wanted", "taken"),
    [
        ("learned", False, False),
        ("learned", True, True),
        ("layout-analysis", False, True),
    ],
)
def test_layouts_are_taken_when_they_are_needed_or_wanted(
    algorithm: str, wanted: bool, taken: bool
) -> None:
    ours = make(MAINPAGE_ALGORITHM=algorithm)
    asked = request(meta={WISH: True, "mainpage_layout": wanted})
    assert send(ours, asked)
    assert bool(asked.meta[STATE_KEY].get("layout")) is taken


@pytest.mark.parametrize("problem", ["extra", "reactor"])
def test_a_wish_that_cannot_be_met_is_logged_once_and_the_static_page_comes(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, problem: str
) -> None:
    settings = {"TWISTED_REACTOR_ENABLED": problem != "reactor"}
    if problem == "extra":
        monkeypatch.setitem(sys.modules, "playwright", None)
    ours = make("never", **settings)
    for _ in range(3):
        assert not send(ours, request(meta={WISH: True}))
    assert stats(ours) == {"unavailable": 3}
    [record] = caplog.records
    assert record.levelno == logging.ERROR
    assert record.getMessage().startswith('request.meta["mainpage_render"] needs ')


# --- No loops, no old decisions -----------------------------------------------


@pytest.mark.parametrize("render", ["auto", "always"])
def test_a_page_whose_rendering_failed_is_not_rendered_again(render: str) -> None:
    ours = make(render)
    asked = request()
    changed = to_render(ours, asked) if render == "auto" else asked
    send(ours, changed)
    back = ours.process_exception(changed, RenderError("timeout"))
    assert isinstance(back, Request)
    assert not send(ours, back)
    static = response_to(back, SHELL)
    assert answer(ours, back, static).body == static.body
    assert back.meta[STATE_KEY]["reason"] == "failed:timeout"
    assert stats(ours) == {"failed/timeout": 1, "static/failed:timeout": 1}


@pytest.mark.parametrize("render", ["auto", "always"])
def test_the_state_of_a_request_that_was_answered_is_an_old_one(render: str) -> None:
    ours, asked = make(render), request()
    send(ours, asked)
    answer(ours, asked, response_to(asked, STATIC))
    assert asked.meta[STATE_KEY]["done"]
    copied = asked.replace(url="http://example.com/other.html")
    assert send(ours, copied) is (render == "always")
    if render == "auto":
        assert STATE_KEY not in copied.meta
        judged = answer(ours, copied, response_to(copied, SHELL))
        assert isinstance(judged, Request)


def test_requests_of_the_spider_leave_without_the_state_but_with_its_wishes() -> None:
    ours = make()
    changed = to_render(ours, request(meta={"own": 1}))
    response = response_to(changed, FULL)
    answer(ours, changed, response)
    spiders = MainPageSpiderMiddleware(ours.crawler)
    meta = {**response.meta, WISH: True}
    left = spiders.get_processed_request(request(meta=meta), response)
    assert left is not None
    assert left.meta == {"own": 1, WISH: True}
    assert STATE_KEY in response.meta


# --- Request data -------------------------------------------------------------


LONG = " ".join(f"Line {n} of a long story." for n in range(3000))
PLACES = tuple(f"section#the-place-number-{n}.with.many.classes" for n in range(3))


@pytest.mark.parametrize("html", [SHELL, f"<p>{LONG}</p>"], ids=["short", "long"])
def test_requests_that_are_returned_are_small_and_can_be_pickled(
    monkeypatch: pytest.MonkeyPatch, html: str
) -> None:
    judgement = Judgement(Need.YES, "empty_container", PLACES)
    monkeypatch.setattr(decider, "judge", lambda *args: judgement)
    ours, asked = make(), request(meta={"mainpage_layout": True})
    send(ours, asked)
    changed = answer(ours, asked, response_to(asked, html))
    assert isinstance(changed, Request)
    failed = ours.process_exception(changed, RenderError("timeout"))
    assert isinstance(failed, Request)
    for returned in (changed, failed):
        stored = pickle.dumps(returned.to_dict(spider=None)["meta"])
        assert len(stored) < 5000
        assert pickle.loads(stored) == returned.meta


def test_traces_of_the_first_download_are_left_behind_and_the_rest_is_kept() -> None:
    ours = make()
    meta = {"download_latency": 1.0, "retry_times": 2, "own": [1], "cookiejar": 3}
    asked = request(meta=meta, headers={"X-Own": "1"}, priority=7, cb_kwargs={"a": 1})
    changed = to_render(ours, asked)
    kept = {key: value for key, value in changed.meta.items() if key != STATE_KEY}
    assert kept == {"own": [1], "cookiejar": 3}
    assert changed.headers == asked.headers
    assert (changed.priority, changed.cb_kwargs) == (7, {"a": 1})


def test_the_layout_comes_off_the_rendered_page() -> None:
    ours, asked = make(MAINPAGE_ALGORITHM="layout-analysis"), request()
    assert send(ours, asked)
    html = "<html><body><p>Text</p></body></html>"
    taken = answer(ours, asked, response_to(asked, packed(html)))
    assert isinstance(taken, HtmlResponse)
    assert taken.text == html
    layout = record_of(taken).layout
    assert layout is not None
    assert layout.n_elements == 3


def test_a_broken_layout_is_counted_and_the_page_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ours, asked = make(MAINPAGE_ALGORITHM="layout-analysis"), request()
    send(ours, asked)
    body = pack('<html data-mainpage="0"><body data-mainpage="1">x</body></html>', "{}")
    taken = answer(ours, asked, response_to(asked, body))
    assert isinstance(taken, HtmlResponse)
    assert taken.text == "<html><body>x</body></html>"
    assert record_of(taken).layout is None
    assert stats(ours)["bad_layout"] == 1
    assert stats(ours)["rendered"] == 1
    assert f"No layout: {URL}" in caplog.text


# --- Failures -----------------------------------------------------------------


def test_an_error_page_that_only_the_browser_gets_gives_way_to_the_static_one() -> None:
    ours = make()
    changed = to_render(ours)
    refused = response_to(changed, "<p>Go away.</p>").replace(status=403)
    back = answer(ours, changed, refused)
    assert isinstance(back, Request)
    static = response_to(back)
    assert answer(ours, back, static).body == static.body
    assert back.meta[STATE_KEY]["reason"] == "failed:status"
    assert stats(ours) == {"failed/status": 1, "static/failed:status": 1}


def test_a_page_that_cannot_be_judged_goes_on_and_is_counted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*args: object) -> None:
        raise ZeroDivisionError("odd page")

    monkeypatch.setattr(decider, "judge", fail)
    ours, asked = make(), request()
    send(ours, asked)
    response = response_to(asked)
    assert answer(ours, asked, response).body == response.body
    counted = stats(ours)
    assert counted == {"not_judged/ZeroDivisionError": 1, "static/not_judged": 1}
    assert "odd page" in caplog.text
