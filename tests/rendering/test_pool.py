"""The browser of a crawl, without a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse

from scrapy_mainpage.crawl.crawl_state import CrawlState
from scrapy_mainpage.crawl.rendered_requests import STATE_KEY
from scrapy_mainpage.rendering import RenderError
from scrapy_mainpage.rendering import pool as pools
from scrapy_mainpage.rendering.pool import BrowserPool
from scrapy_mainpage.rendering.site_memory import get_memory
from tests.crawling import make_crawler

#: A pool does not keep its crawler.
CRAWLERS: list[Crawler] = []
Behaviour = Callable[["FakeBrowser", Request], Awaitable[None]]


async def works(browser: FakeBrowser, request: Request) -> None:
    """Render a page at once."""


async def breaks(browser: FakeBrowser, request: Request) -> None:
    raise RenderError("browser_closed", "it is gone", broken=True)


@dataclass
class FakeBrowser:
    """What was started, and its browser."""

    pages: list[str] = field(default_factory=list)
    closed: int = 0

    @property
    def browser(self) -> FakeBrowser:
        return self

    def is_connected(self) -> bool:
        return True

    async def close(self) -> None:
        self.closed += 1


class Fakes:
    """The browsers that were started.

    They render by the ``behaviours`` in turn; the last one repeats for ever.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.browsers: list[FakeBrowser] = []
        self.behaviours: list[Behaviour] = [works]
        self.starts = True

        async def render(pool: BrowserPool, browser: FakeBrowser, request: Request):  # type: ignore[no-untyped-def]
            browser.pages.append(request.url)
            several = len(self.behaviours) > 1
            behave = self.behaviours.pop(0) if several else self.behaviours[0]
            await behave(browser, request)
            return HtmlResponse(request.url)

        monkeypatch.setattr(pools, "launch", self.launch)
        monkeypatch.setattr(BrowserPool, "_render_guarded", render)

    async def launch(self, *args: object) -> FakeBrowser:
        self.browsers.append(FakeBrowser())
        if not self.starts:
            raise OSError("not found")
        return self.browsers[-1]


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    pytest.importorskip("playwright")
    return Fakes(monkeypatch)


def make_pool(**settings: Any) -> BrowserPool:
    crawler = make_crawler(**settings)
    CRAWLERS.append(crawler)
    return CrawlState.of(crawler).keep(BrowserPool)


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

    async def measured(browser: FakeBrowser, request: Request) -> None:
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
    async def fails(browser: FakeBrowser, request: Request) -> None:
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
    fakes.starts = False
    outcomes = asyncio.run(render_all(make_pool(), 10))
    assert {reason_of(error) for error in outcomes} == {"no_browser"}
    assert len(fakes.browsers) == 3


def test_a_browser_that_does_not_close_is_left_to_its_fate(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pools, "_CLOSE_SECONDS", 0.01)

    async def hang(browser: FakeBrowser) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(FakeBrowser, "close", hang)

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
