"""Download handler: the browser for rendered requests, else the project's handler."""

from __future__ import annotations

import asyncio
import inspect
import logging
from typing import TYPE_CHECKING, Any, ClassVar, Final
from weakref import WeakKeyDictionary, ref

from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.misc import build_from_crawler, load_object

from ..settings import read_settings
from .browser.render_errors import BROWSER_CLOSED, NO_GAIN, RenderError
from .history.crawl_history import get_history
from .state import is_rendered

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from .browser.renderer import Renderer

logger = logging.getLogger(__name__)

MAX_START_FAILURES: Final = 3
"""Consecutive browsers that cannot be started until no more are tried."""

_CLOSE_SECONDS: Final = 15.0
"""Time after which a browser that does not close is abandoned."""


class Pace:
    """Lets pages begin evenly, so many per minute; 0 is no limit."""

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
        self._history = get_history(crawler)
        self._slots = asyncio.Semaphore(self.settings.render_concurrency)
        self._pace = Pace(self.settings.render_pages_per_minute)
        self._renderer: Renderer | None = None
        self._retired: set[asyncio.Task[None]] = set()
        self._start_failures = 0

    async def render(self, request: Request) -> Response:
        """Return the rendered page. Raises :exc:`.render_errors.RenderError`."""
        async with self._slots:
            if not self._history.confirm(request):
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
            from .browser.renderer import Renderer

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


WRAPPED_SETTING: Final = "_MAINPAGE_WRAPPED_HANDLERS"
"""Setting in which the add-on keeps the project's own handlers, by scheme."""

# One browser serves both schemes. The handlers own the pool: owned from here, it would
# keep its crawler alive, which is the key.
_pools: WeakKeyDictionary[Crawler, ref[BrowserPool]] = WeakKeyDictionary()


def _get_pool(crawler: Crawler) -> BrowserPool:
    known = _pools.get(crawler)
    pool = known() if known else None
    if pool is None:
        pool = BrowserPool(crawler)
        _pools[crawler] = ref(pool)
    return pool


class RenderDownloadHandler:
    """Passes rendered requests to a browser and all others to the wrapped handler.

    The first rendered request imports Playwright and starts the browser.
    """

    lazy: ClassVar[bool] = False
    scheme: ClassVar[str]

    def __init__(self, crawler: Crawler):
        path = crawler.settings[WRAPPED_SETTING][self.scheme]
        self._crawler = crawler
        self._wrapped: Any = build_from_crawler(load_object(path), crawler)
        self._pool = _get_pool(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the handler and the one that it wraps."""
        return cls(crawler)

    async def download_request(self, request: Request) -> Response:
        """Return the response. Raises :exc:`.render_errors.RenderError`."""
        if is_rendered(request):
            return await self._pool.render(request)
        download = self._wrapped.download_request
        if inspect.iscoroutinefunction(download):
            response: Response = await download(request)
            return response
        # The interface of handlers before Scrapy 2.14.
        return await maybe_deferred_to_future(download(request, self._crawler.spider))

    async def close(self) -> None:
        """Close the wrapped handler, and the browser if one was started."""
        await self._pool.close()
        closing = self._wrapped.close() if hasattr(self._wrapped, "close") else None
        if inspect.isawaitable(closing):
            await closing


class HttpRenderHandler(RenderDownloadHandler):
    """The handler of ``http://``."""

    scheme = "http"


class HttpsRenderHandler(RenderDownloadHandler):
    """The handler of ``https://``."""

    scheme = "https"
