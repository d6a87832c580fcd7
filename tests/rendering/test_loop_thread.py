"""The event loop in a thread of its own, where browsers run on Windows."""

from __future__ import annotations

import asyncio
import threading

import pytest

pytest.importorskip("playwright")

from scrapy_mainpage.rendering.browser.renderer import LoopThread


def test_a_page_in_progress_ends_before_the_loop_does() -> None:
    async def page() -> str:
        await asyncio.sleep(0.2)
        return "read"

    async def broken_page() -> str:
        await asyncio.sleep(0.1)
        raise ValueError("gone")

    async def crawl() -> tuple[object, ...]:
        thread = LoopThread()
        pages = [thread.run(page()), thread.run(broken_page())]
        await thread.stop()
        waiting = asyncio.gather(*pages, return_exceptions=True)
        return tuple(await asyncio.wait_for(waiting, 5))

    before = threading.active_count()
    read, error = asyncio.run(crawl())
    assert read == "read"
    assert isinstance(error, ValueError)
    assert threading.active_count() == before
