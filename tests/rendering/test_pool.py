from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response

from scrapy_mainpage.crawl.rendered_requests import STATE_KEY
from scrapy_mainpage.rendering.browser import RenderError
from scrapy_mainpage.rendering.browser import pool as pools
from scrapy_mainpage.rendering.browser.pool import BrowserPool, Pace
from scrapy_mainpage.rendering.site_memory import get_memory
from tests.crawling import make_crawler

Behaviour = Callable[["FakeRenderer", Request], Awaitable[None]]


async def works(renderer: FakeRenderer, request: Request) -> None:
    """Render a page at once."""


async def breaks(renderer: FakeRenderer, request: Request) -> None:
    raise RenderError("browser_closed", "it is gone", broken=True)


async def does_not_start(renderer: FakeRenderer, request: Request) -> None:
    raise RenderError("no_browser", "not found", broken=True)


class FakeRenderer:
    """Renders by the ``behaviours`` in turn; the last one repeats for ever."""

    def __init__(self, browsers: list[FakeRenderer], behaviours: list[Behaviour]):
        browsers.append(self)
        self.behaviours = behaviours
        self.pages: list[str] = []
        self.closed = 0

    async def render(self, request: Request) -> Response:
        self.pages.append(request.url)
        several = len(self.behaviours) > 1
        await (self.behaviours.pop(0) if several else self.behaviours[0])(self, request)
        return HtmlResponse(request.url)

    async def close(self) -> None:
        self.closed += 1


class Fakes:
    """The browsers that were started."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.browsers: list[FakeRenderer] = []
        self.behaviours: list[Behaviour] = [works]
        import scrapy_mainpage.rendering.browser.renderer as renderers

        monkeypatch.setattr(renderers, "Renderer", self.make)

    def make(self, crawler: object, settings: object) -> FakeRenderer:
        return FakeRenderer(self.browsers, self.behaviours)


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fakes]:
    pytest.importorskip("scrapy_playwright")
    return Fakes(monkeypatch)


def make_pool(**settings: Any) -> BrowserPool:
    settings = {"MAINPAGE_RENDER_PAGES_PER_MINUTE": 0, **settings}
    return BrowserPool(make_crawler(**settings))


def request(name: str = "a", **state: Any) -> Request:
    full = {"rendered": True, "reason": "asked", **state}
    return Request(f"http://example.com/{name}", meta={STATE_KEY: full})


def reason_of(error: object) -> str:
    assert isinstance(error, RenderError)
    return error.reason


async def render_all(pool: BrowserPool, count: int) -> list[Any]:
    requests = [request(str(n)) for n in range(count)]
    rendering = [pool.render(one) for one in requests]
    return await asyncio.gather(*rendering, return_exceptions=True)


def test_one_browser_renders_all_pages_and_is_closed_at_the_end(fakes: Fakes) -> None:
    async def run() -> None:
        pool = make_pool()
        responses = await render_all(pool, 5)
        assert {type(one) for one in responses} == {HtmlResponse}
        await pool.close()
        await pool.close()  # both schemes do

    asyncio.run(run())
    [browser] = fakes.browsers
    assert len(browser.pages) == 5
    assert browser.closed == 1


@pytest.mark.parametrize("most", [1, 2, 5])
def test_no_more_pages_than_wanted_are_rendered_at_once(
    fakes: Fakes, most: int
) -> None:
    now, highest = 0, 0

    async def measured(renderer: FakeRenderer, request: Request) -> None:
        nonlocal now, highest
        now += 1
        highest = max(highest, now)
        for _ in range(5):
            await asyncio.sleep(0)
        now -= 1

    fakes.behaviours = [measured]
    asyncio.run(render_all(make_pool(MAINPAGE_RENDER_CONCURRENCY=most), 12))
    assert highest == most


def test_a_browser_that_breaks_is_replaced_and_the_page_gets_a_second_try(
    fakes: Fakes,
) -> None:
    fakes.behaviours = [breaks, works]

    async def run() -> BrowserPool:
        pool = make_pool()
        response = await pool.render(request())
        assert response.url == "http://example.com/a"
        await pool.close()
        return pool

    pool = asyncio.run(run())
    assert [browser.pages for browser in fakes.browsers] == [
        ["http://example.com/a"]
    ] * 2
    assert [browser.closed for browser in fakes.browsers] == [1, 1]
    assert pool.crawler.stats.get_value("mainpage/render/browsers_retired") == 1


def test_a_page_that_breaks_every_browser_is_given_up(fakes: Fakes) -> None:
    fakes.behaviours = [breaks]

    async def run() -> None:
        pool = make_pool()
        with pytest.raises(RenderError, match="it is gone"):
            await pool.render(request())
        fakes.behaviours = [works]
        assert isinstance(await pool.render(request("b")), HtmlResponse)

    asyncio.run(run())
    assert len(fakes.browsers) == 3


@pytest.mark.parametrize("reason", ["timeout", "crash", "network", "not_html"])
def test_what_is_the_pages_fault_is_not_tried_again_and_keeps_the_browser(
    fakes: Fakes, reason: str
) -> None:
    async def fails(renderer: FakeRenderer, request: Request) -> None:
        raise RenderError(reason)

    fakes.behaviours = [fails, works]

    async def run() -> None:
        pool = make_pool()
        with pytest.raises(RenderError) as caught:
            await pool.render(request())
        assert caught.value.reason == reason
        await pool.render(request("b"))

    asyncio.run(run())
    [browser] = fakes.browsers
    assert len(browser.pages) == 2


def test_after_three_browsers_that_do_not_start_no_other_is_tried(
    fakes: Fakes,
) -> None:
    fakes.behaviours = [does_not_start]
    outcomes = asyncio.run(render_all(make_pool(), 10))
    assert {reason_of(error) for error in outcomes} == {"no_browser"}
    assert len(fakes.browsers) == 3


def test_a_browser_that_does_not_close_is_left_to_its_fate(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pools, "_CLOSE_SECONDS", 0.01)

    async def hang(renderer: FakeRenderer) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(FakeRenderer, "close", hang)

    async def run() -> None:
        pool = make_pool()
        await pool.render(request())
        await pool.close()

    asyncio.run(run())
    assert "A browser could not be closed: TimeoutError" in caplog.text


def test_a_page_that_others_have_shown_to_need_no_browser_is_not_rendered(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        pool = make_pool()
        memory = get_memory(pool.crawler)
        monkeypatch.setattr(memory, "confirm", lambda request: "asked" in request.url)
        with pytest.raises(RenderError) as caught:
            await pool.render(request())
        assert caught.value.reason == "no_gain"
        await pool.render(request("asked"))

    asyncio.run(run())
    assert fakes.browsers[0].pages == ["http://example.com/asked"]


class Clock:
    """A clock that only waiting advances."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.waited: list[float] = []
        monkeypatch.setattr(pools.asyncio, "sleep", self.sleep)
        monkeypatch.setattr(pools.asyncio, "get_running_loop", lambda: self)

    def time(self) -> float:
        return 1000.0

    async def sleep(self, seconds: float) -> None:
        self.waited.append(seconds)


def turns(pace: Pace, count: int) -> None:
    """Request *count* turns at the same time."""
    for _ in range(count):
        coroutine = pace.wait()
        with pytest.raises(StopIteration):
            coroutine.send(None)


@pytest.mark.parametrize(
    ("per_minute", "waited"),
    [(0, []), (60, [1.0, 2.0, 3.0]), (600, [0.1, 0.2, 0.3]), (6, [10.0, 20.0, 30.0])],
)
def test_pages_begin_evenly(
    monkeypatch: pytest.MonkeyPatch, per_minute: int, waited: list[float]
) -> None:
    clock = Clock(monkeypatch)
    turns(Pace(per_minute), 4)
    assert clock.waited == pytest.approx(waited)
