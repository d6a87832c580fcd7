"""How many pages are rendered at once and a minute, and what becomes of a browser."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from ..settings import read_settings
from .learning import learning_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from .renderer import Renderer

logger = logging.getLogger(__name__)

MOST_FAILURES: Final = 3
"""So many browsers in a row that cannot be started mean that none can."""

_CLOSING: Final = 15.0
"""Seconds after which a browser that does not close is left to its fate."""


BROWSER_CLOSED: Final = "browser_closed"
"""The reason of pages whose browser went away while it rendered them."""


NO_GAIN: Final = "no_gain"
"""The reason of pages that other pages of their kind have shown to need no browser."""


class RenderError(Exception):
    """A page that could not be rendered; ``reason`` is the code that statistics use.

    ``broken`` says that the browser is to blame, and not to be used again.
    """

    def __init__(self, reason: str, message: str = "", *, broken: bool = False):
        super().__init__(f"{reason}: {message}" if message else reason)
        self.reason = reason
        self.broken = broken


class Pace:
    """Lets so many pages begin in a minute, evenly; 0 lets all."""

    def __init__(self, per_minute: int):
        self._interval = 60 / per_minute if per_minute else 0.0
        self._next = 0.0

    async def turn(self) -> None:
        """Wait until the next page may begin."""
        now = asyncio.get_running_loop().time()
        begin = max(now, self._next)
        self._next = begin + self._interval
        if begin > now:
            await asyncio.sleep(begin - now)


class BrowserPool:
    """One browser of a crawl: started when needed, replaced when it breaks."""

    def __init__(self, crawler: Crawler):
        self.crawler = crawler
        self.settings = read_settings(crawler)
        self._learning = learning_of(crawler)
        self._slots = asyncio.Semaphore(self.settings.render_concurrency)
        self._pace = Pace(self.settings.render_pages_per_minute)
        self._renderer: Renderer | None = None
        self._retired: set[asyncio.Task[None]] = set()
        self._failures = 0

    async def render(self, request: Request) -> Response:
        """Return the rendered page; raise :exc:`RenderError` if there is none."""
        async with self._slots:
            timeout = self.settings.render_timeout
            if not await self._learning.confirms(request, timeout):
                raise RenderError(NO_GAIN)
            await self._pace.turn()
            response = await self._render_twice(request)
            if not 200 <= response.status < 300:
                # Scrapy may go on with it elsewhere; nobody is to wait for that.
                self._learning.unsettled(request)
            return response

    async def _render_twice(self, request: Request) -> Response:
        try:
            return await self._render(request)
        except RenderError as error:
            if error.reason != BROWSER_CLOSED:
                raise
        # Perhaps it was another page that broke the browser.
        return await self._render(request)

    async def _render(self, request: Request) -> Response:
        if self._failures >= MOST_FAILURES:
            raise RenderError("no_browser", "no browser can be started")
        renderer = self._current()
        try:
            response = await renderer.render(request)
        except RenderError as error:
            self._failures += error.reason == "no_browser"
            if error.broken:
                self._retire(renderer)
            raise
        self._failures = 0
        return response

    def _current(self) -> Renderer:
        if self._renderer is None:
            from .renderer import Renderer

            try:
                self._renderer = Renderer(self.crawler, self.settings)
            except Exception as error:
                self._failures += 1
                raise RenderError("no_browser", str(error)) from error
        return self._renderer

    def _retire(self, renderer: Renderer) -> None:
        """The next page gets another browser; what this one still renders may end."""
        if self._renderer is renderer:
            self._renderer = None
            self._count("mainpage/render/browsers_retired")
            task = asyncio.ensure_future(self._close(renderer))
            self._retired.add(task)
            task.add_done_callback(self._retired.discard)

    async def close(self) -> None:
        """Close the browser and those that were retired."""
        renderer, self._renderer = self._renderer, None
        if renderer is not None:
            await self._close(renderer)
        await asyncio.gather(*self._retired)

    async def _close(self, renderer: Renderer) -> None:
        try:
            await asyncio.wait_for(renderer.close(), _CLOSING)
        except Exception as error:  # noqa: BLE001 - a broken browser may fail anyhow
            logger.warning(
                "A browser could not be closed: %(error)r",
                {"error": error},
                extra={"spider": self.crawler.spider},
            )

    def _count(self, name: str) -> None:
        if self.crawler.stats is not None:
            self.crawler.stats.inc_value(name)
