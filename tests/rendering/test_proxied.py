"""Crawls through a proxy: rendered pages use it too, with its credentials."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any

import pytest

from tests.crawling import crawl
from tests.rendering.proxies import Asked, Proxy, Reader, Writer, http, socks
from tests.rendering.server import serve
from tests.rendering.test_crawls import ALWAYS, VISIT, pages, says

CREDENTIALS = b"me:secret"


@pytest.fixture(autouse=True)
def _browser(requirement: Callable[[str], str]) -> None:
    requirement("browser")


@contextmanager
def running(proxy: Proxy) -> Iterator[int]:
    """Run a proxy in a thread until the block ends; yield its port."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()

    def wait(coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, loop).result(30)

    async def serve_one(reader: Reader, writer: Writer) -> None:
        try:
            await proxy(reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def stop(server: asyncio.Server) -> None:
        # The crawl is over: all of its connections have ended.
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0.05)

    server = wait(asyncio.start_server(serve_one, "127.0.0.1", 0))
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        wait(stop(server))
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def test_a_request_with_a_proxy_is_rendered_by_way_of_it() -> None:
    asked = Asked()
    with serve(pages("shell")) as site, running(http(asked, CREDENTIALS)) as port:
        proxy = {"meta": {"proxy": f"http://me:secret@127.0.0.1:{port}"}}
        visits = [["/shell", proxy], ["/static", {}]]
        done = crawl(VISIT, ALWAYS, site=site.url, visits=visits)
    assert {item["url"] for item in done.items if item["rendered"]} == {
        "/shell",
        "/static",
    }
    assert all(says(item, item["url"][1:]) for item in done.items)
    assert set(asked.hosts) == {site.url.removeprefix("http://")}
    assert b"" not in asked.credentials
    sent = [request.headers["Proxy-Authorization"] for request in site.log]
    assert sent == [None] * len(sent)


def test_the_proxy_that_the_browser_is_started_with_is_used() -> None:
    asked = Asked()
    with serve(pages("shell")) as site, running(socks(asked, CREDENTIALS)) as port:
        options = {
            "proxy": {
                "server": f"socks5://127.0.0.1:{port}",
                "username": "me",
                "password": "secret",
            }
        }
        settings = {**ALWAYS, "PLAYWRIGHT_LAUNCH_OPTIONS": options}
        done = crawl(VISIT, settings, site=site.url, visits=["/shell"])
    [item] = done.items
    assert item["rendered"]
    assert says(item, "shell")
    assert asked.hosts
