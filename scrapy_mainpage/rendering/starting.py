"""The start of a browser, and the thread where Scrapy's event loop cannot start it."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from playwright.async_api import Error, async_playwright

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from concurrent.futures import Future

    from playwright.async_api import Browser, Playwright

logger = logging.getLogger(__name__)

_Result = TypeVar("_Result")


class Started(NamedTuple):
    """A browser, and the driver that has started it."""

    driver: Playwright
    browser: Browser

    async def close(self) -> None:
        """Close both."""
        with suppress(Error):
            await self.browser.close()
        await self.driver.stop()


async def launch(options: dict[str, Any]) -> Started:
    """Start a browser; without its sandbox where it does not start with it."""
    driver = await async_playwright().start()
    try:
        return Started(driver, await driver.chromium.launch(**options))
    except Error:
        await driver.stop()
        if not options.get("chromium_sandbox"):
            raise
    logger.info("The browser does not start with its sandbox: without it")
    options["chromium_sandbox"] = False
    return await launch(options)


class LoopThread:
    """An event loop in a thread of its own.

    On Windows Scrapy's loop cannot start processes, which Playwright does.
    """

    def __init__(self) -> None:
        make = getattr(asyncio, "ProactorEventLoop", asyncio.new_event_loop)
        self._loop: asyncio.AbstractEventLoop = make()
        self._running: set[Future[Any]] = set()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, _Result]) -> asyncio.Future[_Result]:
        """Run a coroutine there; await the result here."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        self._running.add(future)
        future.add_done_callback(self._running.discard)
        return asyncio.wrap_future(future)

    async def stop(self) -> None:
        """End the thread when all that runs there has ended, so that no page hangs."""
        running = map(asyncio.wrap_future, self._running)
        await asyncio.gather(*running, return_exceptions=True)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
