"""The browser of a crawl: paced, replaced when broken, closed at the end."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary, ref

from ...settings import read_settings
from ..site_memory import get_memory
from . import BROWSER_CLOSED, NO_GAIN, RenderError

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from .renderer import Renderer

logger = logging.getLogger(__name__)

MAX_START_FAILURES: Final = 3
"""Consecutive browsers that cannot be started until no more are tried."""

_CLOSE_SECONDS: Final = 15.0
"""Time after which a browser that does not close is abandoned."""


class Pace:
    """Lets pages begin evenly, so many per minute; 0 sets no limit."""

    def __init__(self, per_minute: int):
        self._interval = 60 / per_minute if per_minute else 0.0
        self._next = 0.0

    async def wait(self) -> None:
        """Wait until the next page may begin."""
        now = asyncio.get_running_loop().time()
        begin = max(now, self._next)
        self._next = begin + self._interval
        if begin > now:
            await asyncio.sleep(begin - now)


class BrowserPool:
    """One browser of a crawl: started when needed, replaced when broken."""

    def __init__(self, crawler: Crawler):
        self.crawler = crawler
        self.settings = read_settings(crawler)
        self._memory = get_memory(crawler)
        self._slots = asyncio.Semaphore(self.settings.render_concurrency)
        self._pace = Pace(self.settings.render_pages_per_minute)
        self._renderer: Renderer | None = None
        self._retired: set[asyncio.Task[None]] = set()
        self._start_failures = 0

    async def render(self, request: Request) -> Response:
        """Return the rendered page. Raises :exc:`.browser.RenderError`."""
        async with self._slots:
            if not self._memory.confirm(request):
                raise RenderError(NO_GAIN)
            await self._pace.wait()
            return await self._render_with_retry(request)

    async def _render_with_retry(self, request: Request) -> Response:
        try:
            return await self._render(request)
        except RenderError as error:
            if error.reason != BROWSER_CLOSED:
                raise
        # Perhaps another page broke the browser.
        return await self._render(request)

    async def _render(self, request: Request) -> Response:
        if self._start_failures >= MAX_START_FAILURES:
            raise RenderError("no_browser", "no browser can be started")
        renderer = self._get_renderer()
        try:
            response = await renderer.render(request)
        except RenderError as error:
            self._start_failures += error.reason == "no_browser"
            if error.broken:
                self._retire(renderer)
            raise
        self._start_failures = 0
        return response

    def _get_renderer(self) -> Renderer:
        if self._renderer is None:
            from .renderer import Renderer

            try:
                self._renderer = Renderer(self.crawler, self.settings)
            except Exception as error:
                self._start_failures += 1
                raise RenderError("no_browser", str(error)) from error
        return self._renderer

    def _retire(self, renderer: Renderer) -> None:
        """Use another browser from now on; pages in progress may still end."""
        if self._renderer is renderer:
            self._renderer = None
            self.crawler.stats.inc_value("mainpage/render/browsers_retired")
            task = asyncio.ensure_future(self._close(renderer))
            self._retired.add(task)
            task.add_done_callback(self._retired.discard)

    async def close(self) -> None:
        """Close the browser and the retired ones."""
        renderer, self._renderer = self._renderer, None
        if renderer is not None:
            await self._close(renderer)
        await asyncio.gather(*self._retired)

    async def _close(self, renderer: Renderer) -> None:
        try:
            await asyncio.wait_for(renderer.close(), _CLOSE_SECONDS)
        except Exception as error:  # noqa: BLE001 - a broken browser may fail anyhow
            logger.warning(
                "A browser could not be closed: %(error)r",
                {"error": error},
                extra={"spider": self.crawler.spider},
            )


_pools: WeakKeyDictionary[Crawler, ref[BrowserPool]] = WeakKeyDictionary()


def get_pool(crawler: Crawler) -> BrowserPool:
    """Return the pool of a crawl, one for both of its handlers, which own it.

    Owned from here, it would keep its crawler alive, which is the key.
    """
    known = _pools.get(crawler)
    pool = known() if known else None
    if pool is None:
        pool = BrowserPool(crawler)
        _pools[crawler] = ref(pool)
    return pool
