from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from typing import Any
from weakref import ref

import pytest
from scrapy import Request
from scrapy.http import Response
from twisted.internet.defer import Deferred, succeed

from scrapy_mainpage.crawl.rendered_requests import STATE_KEY
from scrapy_mainpage.downloadhandlers import (
    WRAPPED_HANDLERS,
    HttpRenderHandler,
    HttpsRenderHandler,
)
from scrapy_mainpage.rendering.pool import BrowserPool
from tests.crawling import has_reactorless, make_crawler

STATIC = Request("http://example.com/")
RENDERED = STATIC.replace(meta={STATE_KEY: {"rendered": True, "reason": "asked"}})
CLOSED: list[object] = []


class NewHandler:
    """The current interface."""

    async def download_request(self, request: Request) -> Response:
        return Response(request.url, headers={"By": type(self).__name__})

    async def close(self) -> None:
        CLOSED.append(self)


class OldHandler:
    """The interface of Scrapy before 2.14."""

    def download_request(self, request: Request, spider: Any) -> Deferred[Response]:
        assert spider.name == "default"
        return succeed(Response(request.url, headers={"By": type(self).__name__}))

    def close(self) -> None:
        CLOSED.append(self)


class EndlessHandler(NewHandler):
    close = None  # type: ignore[assignment]

    def __getattribute__(self, name: str) -> Any:
        if name == "close":
            raise AttributeError(name)
        return super().__getattribute__(name)


@pytest.fixture
def rendering(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Log of the browser's actions."""
    done: list[str] = []

    async def render(self: BrowserPool, request: Request) -> Response:
        done.append("rendered")
        return Response(request.url, headers={"By": "browser"})

    async def close(self: BrowserPool) -> None:
        done.append("closed")

    monkeypatch.setattr(BrowserPool, "render", render)
    monkeypatch.setattr(BrowserPool, "close", close)
    return done


def handlers(wrapped: type) -> tuple[HttpRenderHandler, HttpsRenderHandler]:
    crawler = make_crawler(**{WRAPPED_HANDLERS: {"http": wrapped, "https": wrapped}})
    return (
        HttpRenderHandler.from_crawler(crawler),
        HttpsRenderHandler.from_crawler(crawler),
    )


def run(step: Callable[[HttpRenderHandler], Any], wrapped: type) -> Any:
    async def steps() -> Any:
        return await step(handlers(wrapped)[0])

    return asyncio.run(steps())


#: Older versions of Scrapy wait for a Deferred only where a reactor is installed.
OLD = pytest.param(
    OldHandler, marks=pytest.mark.skipif(not has_reactorless(), reason="no reactor")
)


@pytest.mark.parametrize("wrapped", [NewHandler, OLD])
def test_static_requests_go_to_the_projects_handler_and_others_to_the_browser(
    rendering: list[str], wrapped: type
) -> None:
    static = run(lambda handler: handler.download_request(STATIC), wrapped)
    assert static.headers["By"] == wrapped.__name__.encode()
    assert rendering == []
    rendered = run(lambda handler: handler.download_request(RENDERED), wrapped)
    assert rendered.headers["By"] == b"browser"


@pytest.mark.parametrize("wrapped", [NewHandler, OldHandler, EndlessHandler])
@pytest.mark.parametrize("rendered", [False, True])
def test_closing_closes_the_browser_and_the_projects_handler(
    rendering: list[str], wrapped: type, rendered: bool
) -> None:
    async def use(handler: HttpRenderHandler) -> None:
        if rendered:
            await handler.download_request(RENDERED)
        await handler.close()

    CLOSED.clear()
    run(use, wrapped)
    assert rendering == (["rendered", "closed"] if rendered else [])
    closed = [type(handler) for handler in CLOSED]
    assert closed == ([] if wrapped is EndlessHandler else [wrapped])


def test_a_crawler_is_freed_though_it_holds_its_handlers() -> None:
    http, https = handlers(NewHandler)
    http._get_pool()
    crawler = http._crawler
    crawler.handlers = [http, https]  # type: ignore[attr-defined] # as its engine does
    known = ref(crawler)
    del http, https, crawler
    gc.collect()
    assert known() is None
