"""Renderer: a browser, its contexts behind the guard, and one page per request.

Of scrapy-playwright it uses the public parts: the settings, the browser provider, and
the processing of headers.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, TypeVar

from playwright.async_api import Error as PlaywrightError
from scrapy.utils.misc import load_object
from scrapy_playwright.handler import Config
from scrapy_playwright.headers import use_scrapy_headers
from scrapy_playwright.provider import PlaywrightBrowserProvider

from ...crawl.rendered_requests import MAX_SIZE
from ..guard.policy import AllowedHosts, Refusals
from ..guard.proxy import BROWSER_ARGUMENTS, Guard
from ..guard.upstream import Upstream, find_upstream
from . import BROWSER_CLOSED, PAGE_CLOSED, RenderError, explain, first_line
from .contexts import (
    MAX_CLOSE_SECONDS,
    ContextSlot,
    ContextSlots,
    add_cookie,
    close_in_time,
    get_user_agent,
    make_context_options,
    needs_own_context,
    read_cookies,
    use_headers_on_own_site,
)
from .launch import make_launch_options
from .page_reader import read_page
from .settle import make_init_script

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Route
    from playwright.async_api import Request as PlaywrightRequest
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from ...settings import Settings

logger = logging.getLogger(__name__)

_Result = TypeVar("_Result")

_EXTRA_SECONDS: Final = 10.0
"""Time for starting a browser and closing a page beyond the limit of a page."""

#: No popups in headless shells. Complete browsers open and close them, which is slow.
_ARGUMENTS: Final = (*BROWSER_ARGUMENTS, "--block-new-web-contents")

_POLL_SECONDS: Final = 0.05

_MAX_GUARDS: Final = 32
"""Greater than the number of open kinds of contexts: no guard closes before them."""

_SCHEMES: Final = ("http:", "https:", "ws:", "wss:", "data:", "blob:", "about:")
_GONE_WORDS: Final = ("crashed", "closed", "blocked")
"""Words of the first errors when a browser goes away."""


class Renderer:
    """Renders pages in a browser of its own, whose network is behind the guard.

    Its contexts are separate from the project's own use of scrapy-playwright. The
    ``PLAYWRIGHT_`` settings apply to the start of the browser, the processing of
    headers, and aborted requests.
    """

    def __init__(self, crawler: Crawler, settings: Settings):
        self.crawler = crawler
        self.settings = settings
        self.stats = crawler.stats
        self.allowed = AllowedHosts.parse(settings.render_allowed_hosts)
        self.refusals = Refusals(self.stats)
        self.guards: dict[Upstream | None, Guard] = {}
        self.slots = ContextSlots()
        self.config = Config.from_settings(crawler.settings)
        # The guard could not protect a browser on another machine.
        self.config.cdp_url = self.config.connect_url = None
        self.config.launch_options = make_launch_options(crawler.settings, _ARGUMENTS)
        self._set_hooks()
        self._provider: Any = None
        self._browser: Browser | None = None
        self._start_lock = asyncio.Lock()
        self._loop = LoopThread() if self.config.use_threaded_loop else None

    def _set_hooks(self) -> None:
        """Read the project's functions for headers and for aborted requests."""
        options = self.crawler.settings
        name = "PLAYWRIGHT_PROCESS_REQUEST_HEADERS"
        process = load_object(options[name]) if options.get(name) else None
        if name not in options or process is use_scrapy_headers:
            process = use_headers_on_own_site
        self._process_headers: Any = process
        abort = options.get("PLAYWRIGHT_ABORT_REQUEST")
        self._abort: Any = load_object(abort) if abort else None

    async def render(self, request: Request) -> Response:
        """Return the rendered page. Raises :exc:`.browser.RenderError`."""
        return await self._run(self._render_in_time(request))

    async def close(self) -> None:
        """Close the browser, then the guards."""
        await self._run(self._close())
        if self._loop is not None:
            await self._loop.stop()

    async def _run(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        return await (work if self._loop is None else self._loop.run(work))

    async def _close(self) -> None:
        if self._browser is not None:
            with suppress(PlaywrightError):
                await self._browser.close()
        if self._provider is not None:
            await self._provider.close()
        for guard in self.guards.values():
            await guard.close()

    # --- One page ----------------------------------------------------------

    async def _render_in_time(self, request: Request) -> Response:
        limit = self.settings.render_timeout + _EXTRA_SECONDS
        try:
            return await asyncio.wait_for(self._render(request), limit)
        except asyncio.TimeoutError:
            raise RenderError("timeout", broken=True) from None
        except RenderError:
            raise
        except Exception as error:
            raise await self._diagnose(error) from error

    async def _render(self, request: Request) -> Response:
        await self._start()
        upstream = self._find_upstream(request)
        guard = await self._get_guard(upstream)
        guard.renew()
        slot, idle = self.slots.acquire(
            (upstream, get_user_agent(request)),
            alone=needs_own_context(request, self.crawler.settings),
        )
        try:
            for other in idle:
                await self._close_context(other)
            return await self._render_in(slot, guard, request)
        finally:
            if slot.release():
                await self._close_context(slot)

    def _find_upstream(self, request: Request) -> Upstream | None:
        options = self.crawler.settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
        authorization = request.headers.get("Proxy-Authorization")
        try:
            return find_upstream(
                request.meta.get("proxy"), authorization, options.get("proxy")
            )
        except ValueError as error:
            raise RenderError("proxy", str(error)) from None

    async def _get_guard(self, upstream: Upstream | None) -> Guard:
        """Return the guard before a proxy; the oldest of many are closed."""
        guard = self.guards.pop(upstream, None) or Guard(
            self.allowed,
            max_bytes=MAX_SIZE,
            refused=self.refusals.add,
            upstream=upstream,
        )
        self.guards[upstream] = guard
        if len(self.guards) > _MAX_GUARDS + self.settings.render_concurrency:
            await self.guards.pop(next(iter(self.guards))).close()
        await guard.start()
        return guard

    async def _render_in(
        self, slot: ContextSlot, guard: Guard, request: Request
    ) -> Response:
        """Open a page in the context, read it, and close it."""
        async with slot.opening:
            if slot.context is None:
                slot.context = await self._open_context(guard, request)
                slot.context.on("close", slot.forget)
            page = await slot.context.new_page()
        try:
            page.set_default_navigation_timeout(self.settings.render_timeout * 1000)
            await page.route("**", self._make_route_handler(request))
            await self._add_cookies(slot, page, request)
            reading = read_page(request, page, self.settings, self.stats)
            return await asyncio.wait_for(reading, self.settings.render_timeout)
        except Exception as error:
            # Before the page is closed: closing hides the state of the browser.
            raise await self._diagnose(error) from error
        finally:
            if not (page.is_closed() or await close_in_time(page.close)):
                slot.left = 0

    async def _add_cookies(
        self, slot: ContextSlot, page: Page, request: Request
    ) -> None:
        """Add the cookies that the context was not given before.

        The browser knows how the site has changed the others since.
        """
        cookies = {
            tuple(cookie.values()): cookie
            for cookie in read_cookies(request, self.crawler)
        }
        for key in cookies.keys() - slot.cookies:
            await add_cookie(page.context, cookies[key])
        slot.cookies.update(cookies)

    # --- Requests of a page --------------------------------------------------

    def _make_route_handler(self, request: Request) -> Any:
        data = {
            "method": request.method,
            "url": request.url,
            "headers": request.headers.copy(),
            "body": request.body,
            "encoding": request.encoding,
        }

        async def handle(route: Route, sub_request: PlaywrightRequest) -> None:
            # The page, or the request, may be gone.
            with suppress(PlaywrightError):
                if await self._is_unwanted(sub_request):
                    await route.abort()
                elif self._process_headers is None:
                    await route.continue_()
                else:
                    headers = await _resolve(
                        self._process_headers(
                            browser_type_name=self.config.browser_type_name,
                            playwright_request=sub_request,
                            scrapy_request_data=data,
                        )
                    )
                    await route.continue_(headers=headers)

        return handle

    async def _is_unwanted(self, request: PlaywrightRequest) -> bool:
        if request.resource_type in self.settings.render_block:
            return True
        if not request.url.startswith(_SCHEMES):
            return True
        return self._abort is not None and bool(await _resolve(self._abort(request)))

    # --- Failures ------------------------------------------------------------

    async def _diagnose(self, error: Exception) -> RenderError:
        """Return the cause of an error, after a check whether the browser is gone.

        Pages may report its end before it does itself.
        """
        if isinstance(error, RenderError) and error.reason != "blocked":
            return error
        if any(word in str(error) for word in _GONE_WORDS):
            for _ in range(10):
                if self._has_browser():
                    await asyncio.sleep(0.05)
        if not self._has_browser():
            reason = BROWSER_CLOSED if self._browser is not None else "no_browser"
            return RenderError(reason, first_line(error), broken=True)
        explained = explain(error, self.refusals.find)
        if explained.reason == PAGE_CLOSED and not await self._is_responsive():
            return RenderError(BROWSER_CLOSED, str(error), broken=True)
        return explained

    async def _is_responsive(self) -> bool:
        """Whether the browser still answers: its driver may be gone unnoticed."""
        assert self._browser is not None
        try:
            opening = self._browser.new_context()
            context = await asyncio.wait_for(opening, MAX_CLOSE_SECONDS)
        except (PlaywrightError, asyncio.TimeoutError):
            return False
        return await close_in_time(context.close)

    def _has_browser(self) -> bool:
        return self._browser is not None and self._browser.is_connected()

    # --- The browser and its contexts ----------------------------------------

    async def _start(self) -> None:
        async with self._start_lock:
            if self._browser is None:
                await self._launch()
        if not self._has_browser():
            raise RenderError(BROWSER_CLOSED, "it went away", broken=True)

    async def _launch(self) -> None:
        if self._provider is None:
            path = self.crawler.settings.get("PLAYWRIGHT_BROWSER_PROVIDER")
            provider = load_object(path or PlaywrightBrowserProvider)(self.config)
            await provider.start()
            self._provider = provider
        options = self.config.launch_options
        try:
            self._browser = await self._provider.launch_browser()
        except PlaywrightError:
            if not options.get("chromium_sandbox"):
                raise
            logger.warning("The browser does not start with its sandbox: without it")
            options["chromium_sandbox"] = False
            self._browser = await self._provider.launch_browser()
        self.stats.inc_value("mainpage/render/browsers")

    async def _open_context(self, guard: Guard, request: Request) -> BrowserContext:
        assert self._browser is not None
        window, options = self.settings.window, self.crawler.settings
        context = await self._browser.new_context(
            **make_context_options(request, window, options, guard.url)
        )
        await context.add_init_script(make_init_script())
        context.on("page", _close_popup)
        self.stats.inc_value("mainpage/render/contexts")
        return context

    async def _close_context(self, slot: ContextSlot) -> None:
        if slot.context is not None:
            await close_in_time(slot.context.close)


async def _close_popup(page: Page) -> None:
    """Close a page that another page has opened."""
    if await page.opener() is not None:
        await close_in_time(page.close)


async def _resolve(value: Any) -> Any:
    return await value if isinstance(value, Awaitable) else value


class LoopThread:
    """An event loop in a thread of its own.

    On Windows Scrapy's loop cannot start processes, which Playwright does.
    """

    def __init__(self) -> None:
        if sys.platform == "win32":
            self._loop: asyncio.AbstractEventLoop = asyncio.ProactorEventLoop()
        else:
            self._loop = asyncio.new_event_loop()
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
        """End the thread when all that runs there has ended.

        A page in progress would never end otherwise, and with it the crawl.
        """
        while self._running:
            await asyncio.sleep(_POLL_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
