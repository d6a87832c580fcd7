"""Ends of pages, contexts and loops that may hang, or may be over already."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from playwright.async_api import Error
from scrapy_playwright._loop import _ThreadedLoopAdapter

if TYPE_CHECKING:
    from playwright.async_api import Page

logger = logging.getLogger(__name__)

PATIENCE: Final = 5.0
"""Seconds after which what does not close is left alone."""


async def close_patiently(close: Callable[[], Awaitable[None]]) -> bool:
    """Close something that may hang, or may be gone; return whether it is closed."""
    try:
        await asyncio.wait_for(close(), PATIENCE)
    except Error as error:
        logger.debug("Closed before: %(error)r", {"error": error})
    except asyncio.TimeoutError:
        return False
    return True


async def close_popup(page: Page) -> None:
    """Close a page that another page has opened."""
    if await page.opener() is not None:
        await close_patiently(page.close)


def let_loop_start_anew() -> None:
    """Forget the thread that scrapy-playwright uses on Windows, once it has ended.

    It would not start another for the next browser, which would wait for ever.
    """
    thread = getattr(_ThreadedLoopAdapter, "_thread", None)
    if thread is not None and not thread.is_alive():
        del _ThreadedLoopAdapter._thread, _ThreadedLoopAdapter._loop
        _ThreadedLoopAdapter._coro_queue = asyncio.Queue()
        _ThreadedLoopAdapter._stop_events.clear()
