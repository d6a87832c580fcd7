"""The browser of a crawl: started when needed, replaced when broken.

For each request it has a guard, a context and a page.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar
from weakref import ref

from playwright.async_api import Error as PlaywrightError

from ..crawl.crawl_state import CrawlState
from ..crawl.rendered_requests import MAX_SIZE
from . import BROWSER_CLOSED, NO_GAIN, RenderError, explain, first_line
from .contexts import (
    add_cookies,
    close_in_time,
    make_context_options,
    make_headers,
)
from .destinations import AllowedHosts, Destinations, Refusals
from .guard import BROWSER_ARGUMENTS, Guard
from .launch import make_launch_options
from .page_reader import read_page
from .settle import make_init_script
from .site_memory import get_memory
from .starting import LoopThread, Started, launch
from .upstream import Upstream, find_upstream

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from playwright.async_api import Browser, Page, Route
    from playwright.async_api import Request as PlaywrightRequest
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

_Result = TypeVar("_Result")

MAX_START_FAILURES: Final = 3
"""Consecutive browsers that cannot be started until no more are tried."""

_IN_THREAD: Final = "_MAINPAGE_RENDER_IN_THREAD"
"""Setting of tests: whether Playwright runs in a thread of its own, as on Windows."""

_EXTRA_SECONDS: Final = 10.0
"""Time for opening and closing a page beyond the limit of a page."""

_CLOSE_SECONDS: Final = 15.0
"""Time after which a browser that does not close is abandoned."""

#: No popups in headless shells. Complete browsers open and close them, which is slow.
_ARGUMENTS: Final = (*BROWSER_ARGUMENTS, "--block-new-web-contents")

_SCHEMES: Final = ("http:", "https:", "ws:", "wss:", "data:", "blob:", "about:")
_GONE_WORDS: Final = ("crashed", "closed", "blocked")
"""Words of the first errors when a browser goes away."""


class BrowserPool:
    """One browser of a crawl, whose network is behind the guard.

    It is separate from the project's own use of scrapy-playwright, whose
    ``PLAYWRIGHT_LAUNCH_OPTIONS`` apply. The crawl's one pool is
    ``CrawlState.of(crawler).keep(BrowserPool)``.
    """

    def __init__(self, crawler: Crawler):
        self._crawler = ref(crawler)  # which keeps the pool
        self.settings = CrawlState.of(crawler).settings
        self._memory = get_memory(crawler)
        self._slots = asyncio.Semaphore(self.settings.render_concurrency)
        allowed = AllowedHosts.parse(self.settings.render_allowed_hosts)
        self._destinations = Destinations(allowed)
        self._options = make_launch_options(crawler.settings, _ARGUMENTS)
        self._started: Started | None = None
        self._retired: set[asyncio.Task[None]] = set()
        self._start_failures = 0
        self._start_lock = asyncio.Lock()
        is_apart = crawler.settings.getbool(_IN_THREAD, sys.platform == "win32")
        self._loop = LoopThread() if is_apart else None

    @property
    def crawler(self) -> Crawler:
        """The crawl that keeps this pool."""
        crawler = self._crawler()
        assert crawler is not None
        return crawler

    @cached_property
    def refusals(self) -> Refusals:
        """What the guard has refused; made for the first page, as it has the crawl."""
        return Refusals(self.crawler.stats)

    async def close(self) -> None:
        """Close the browser and the retired ones."""
        loop, self._loop = self._loop, None  # the handlers of both schemes close it
        if loop is None:
            await self._close_all()
        else:
            await loop.run(self._close_all())
            await loop.stop()

    async def _close_all(self) -> None:
        vars(self).pop("refusals", None)
        started, self._started = self._started, None
        if started is not None:
            await _close(started)
        await asyncio.gather(*self._retired)

    async def _run(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        return await (work if self._loop is None else self._loop.run(work))

    async def render(self, request: Request) -> Response:
        """Return the rendered page. Raises :exc:`.RenderError`."""
        async with self._slots:
            if not self._memory.confirm(request):
                raise RenderError(NO_GAIN)
            try:
                return await self._run(self._render(request))
            except RenderError as error:
                if error.reason != BROWSER_CLOSED:
                    raise
            # Perhaps another page broke the browser.
            return await self._run(self._render(request))

    # --- The browser -------------------------------------------------------

    async def _start(self) -> Started:
        async with self._start_lock:
            if self._started is None:
                if self._start_failures >= MAX_START_FAILURES:
                    raise RenderError("no_browser", "no browser can be started")
                try:
                    self._started = await launch(self._options)
                except Exception as error:
                    self._start_failures += 1
                    raise RenderError("no_browser", first_line(error)) from error
                self._start_failures = 0
                self.crawler.stats.inc_value("mainpage/render/browsers")
            return self._started

    def _retire(self, started: Started) -> None:
        """Use another browser from now on; pages in progress may still end."""
        if self._started is started:
            self._started = None
            self.crawler.stats.inc_value("mainpage/render/browsers_retired")
            task = asyncio.ensure_future(_close(started))
            self._retired.add(task)
            task.add_done_callback(self._retired.discard)

    # --- One page ----------------------------------------------------------

    async def _render(self, request: Request) -> Response:
        started = await self._start()
        limit = self.settings.render_timeout + _EXTRA_SECONDS
        try:
            rendering = self._render_guarded(started.browser, request)
            return await asyncio.wait_for(rendering, limit)
        except asyncio.TimeoutError:
            self._retire(started)
            raise RenderError("timeout") from None
        except Exception as error:
            failure = await self._diagnose(error, started.browser)
            if failure.broken:
                self._retire(started)
            raise failure from error

    async def _render_guarded(self, browser: Browser, request: Request) -> Response:
        guard = Guard(
            self._destinations,
            self.refusals,
            max_bytes=MAX_SIZE,
            upstream=self._find_upstream(request),
        )
        await guard.start()
        try:
            return await self._render_behind(guard, browser, request)
        finally:
            await guard.close()

    def _find_upstream(self, request: Request) -> Upstream | None:
        options = self.crawler.settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
        authorization = request.headers.get("Proxy-Authorization")
        try:
            return find_upstream(
                request.meta.get("proxy"), authorization, options.get("proxy")
            )
        except ValueError as error:
            raise RenderError("proxy", str(error)) from None

    async def _render_behind(
        self, guard: Guard, browser: Browser, request: Request
    ) -> Response:
        """Open a page in a context of its own, read it, and close both."""
        options = make_context_options(
            request, self.settings.window, self.crawler.settings, guard.url
        )
        context = await browser.new_context(**options)
        limit = self.settings.render_timeout
        try:
            context.on("page", _close_popup)
            context.set_default_navigation_timeout(limit * 1000)
            await context.add_init_script(make_init_script())
            await add_cookies(context, request, self.crawler)
            page = await context.new_page()
            await page.route("**", self._make_route_handler(request))
            reading = read_page(request, page, self.settings, self.crawler.stats)
            return await asyncio.wait_for(reading, limit)
        except Exception as error:
            # Before the context is closed: closing hides the state of the browser.
            raise await self._diagnose(error, browser) from error
        finally:
            await close_in_time(context.close)

    def _make_route_handler(self, request: Request) -> Any:
        async def handle(route: Route, sent: PlaywrightRequest) -> None:
            is_blocked = sent.resource_type in self.settings.render_block
            # The page, or the request, may be gone.
            with suppress(PlaywrightError):
                if is_blocked or not sent.url.startswith(_SCHEMES):
                    await route.abort()
                else:
                    headers = await make_headers(sent, request)
                    await route.continue_(headers=headers)

        return handle

    async def _diagnose(self, error: Exception, browser: Browser) -> RenderError:
        """Return the cause of an error, after a check whether the browser is gone.

        Pages may report its end before it does itself.
        """
        if isinstance(error, RenderError) and error.reason != "blocked":
            return error
        gone = any(word in str(error) for word in _GONE_WORDS)
        for _ in range(10):
            if gone and browser.is_connected():
                await asyncio.sleep(0.05)
        if not browser.is_connected():
            return RenderError(BROWSER_CLOSED, first_line(error), broken=True)
        return explain(error, self.refusals.find)


async def _close(started: Started) -> None:
    """Close a browser, or log that it does not close in time."""
    try:
        await asyncio.wait_for(started.close(), _CLOSE_SECONDS)
    except Exception as error:  # noqa: BLE001 - a broken browser may fail anyhow
        logger.warning("A browser could not be closed: %(error)r", {"error": error})


async def _close_popup(page: Page) -> None:
    """Close a page that another page has opened."""
    if await page.opener() is not None:
        await close_in_time(page.close)
