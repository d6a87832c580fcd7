"""Contexts and event loop of the browser, and what they use of scrapy-playwright."""

from __future__ import annotations

import asyncio
import re
import threading
from pathlib import Path

import pytest

import scrapy_mainpage.rendering
from scrapy_mainpage.rendering.browser.contexts import (
    ContextSlot,
    ContextSlots,
)

pytest.importorskip("scrapy_playwright")

from scrapy_mainpage.rendering.browser.renderer import LoopThread


def take(contexts: ContextSlots, kind: object, *, alone: bool = False) -> ContextSlot:
    """Take a slot for which no other context has to be closed."""
    name, closed = contexts.acquire(kind, alone=alone)
    assert closed == []
    return name


def test_pages_of_a_kind_share_a_context_until_it_has_served() -> None:
    contexts = ContextSlots(2)
    first, second, third = (take(contexts, "agent") for _ in range(3))
    assert first is second
    assert third is not first
    assert not first.release()
    assert second.release()
    assert not third.release()
    assert take(contexts, "agent") is third
    assert third.release()


def test_a_page_alone_shares_with_nobody() -> None:
    contexts = ContextSlots(5)
    shared, alone = take(contexts, "agent"), take(contexts, "agent", alone=True)
    assert shared != alone
    assert take(contexts, "agent", alone=True) not in (shared, alone)
    assert take(contexts, "agent") == shared
    assert alone.release()


def test_the_kind_that_was_used_least_recently_gives_way() -> None:
    contexts = ContextSlots(50)
    names = [take(contexts, kind) for kind in "abcd"]
    assert take(contexts, "a") == names[0]
    for name in (*names, names[0]):
        assert not name.release()
    assert contexts.acquire("e")[1] == [names[1]]
    assert contexts.acquire("a") == (names[0], [])
    again, closed = contexts.acquire("b")
    assert again not in names
    assert closed == [names[2]]


def test_a_kind_that_gives_way_ends_the_pages_it_has_under_way() -> None:
    contexts = ContextSlots(50)
    first, second = take(contexts, "a"), take(contexts, "a")
    for kind in "bcde":
        take(contexts, kind)
    assert take(contexts, "a") != first
    assert not first.release()
    assert second.release()


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


def test_no_private_name_of_scrapy_playwright_is_imported() -> None:
    folder = Path(scrapy_mainpage.rendering.__file__).parent
    sources = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    assert "from scrapy_playwright" in sources
    assert not re.search(r"(scrapy_)?playwright\._|playwright[.\w]* import _", sources)
