"""A browser that renders pages, by way of scrapy-playwright.

Only :mod:`.pool` imports this module, when there is a page to render: importing
Playwright takes time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, Final

from playwright.async_api import Error as PlaywrightError
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler
from scrapy_playwright.headers import use_scrapy_headers

from .addresses import AllowedHosts
from .browser import is_remote, launch_options
from .closing import PATIENCE, close_patiently, close_popup, let_loop_start_anew
from .contextoptions import agent_of, context_options, is_alone
from .contexts import Contexts
from .cookies import cookies_of
from .explaining import CLOSED, MAY_BE_GONE, explain, first_line
from .guard import BROWSER_ARGUMENTS, Guard
from .pool import BROWSER_CLOSED, RenderError
from .reading import read_page
from .refusals import Refusals
from .requestheaders import own_headers_only
from .settling import init_script
from .upstream import Upstream, upstream_of

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page
    from playwright.async_api import Request as PlaywrightRequest
    from playwright.async_api import Response as PlaywrightResponse
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from ..settings import Settings

logger = logging.getLogger(__name__)

_MARGIN: Final = 10.0
"""Seconds that starting a browser and closing a page may take beyond the limit."""

#: Headless shells open no popups then. Complete browsers do, and take their time.
_ARGUMENTS: Final = (*BROWSER_ARGUMENTS, "--block-new-web-contents")

_MOMENT: Final = 0.05

_TOLD: Final = {"download_latency", "redirect_urls", "redirect_times"}
"""What the meta of a request has of its response."""

_MOST_GUARDS: Final = 32
"""More than there are kinds of contexts: none goes before its contexts."""

_SCHEMES: Final = ("http:", "https:", "ws:", "wss:", "data:", "blob:", "about:")


class Renderer(ScrapyPlaywrightDownloadHandler):  # type: ignore[misc]
    """Renders pages in a browser of its own, whose network is behind the guard.

    Its contexts have nothing to do with those of the project's own use of
    scrapy-playwright; of the ``PLAYWRIGHT_`` settings it takes how the browser is
    started, the processing of headers, and which requests are aborted.
    """

    abort_request: Any
    process_request_headers: Any

    def __init__(self, crawler: Crawler, settings: Settings):
        let_loop_start_anew()
        super().__init__(crawler)
        self.ours = settings
        self.remote = is_remote(crawler.settings)
        self.config.launch_options = launch_options(crawler.settings, _ARGUMENTS)
        self.config.startup_context_kwargs = {}
        self.config.max_pages_per_context = settings.render_concurrency
        self.config.navigation_timeout_ms = settings.render_timeout * 1000
        self.allowed = AllowedHosts.parse(settings.render_allowed_hosts)
        self.refusals = Refusals(self.stats)
        self.guards: dict[Upstream | None, Guard] = {}
        self.contexts = Contexts(settings.render_pages_per_context)
        if self.process_request_headers is use_scrapy_headers:
            self.process_request_headers = own_headers_only
        self._cookies: dict[str, set[tuple[object, ...]]] = {}
        self._aborts = self.abort_request
        self.abort_request = self._is_unwanted
        self._start_lock = asyncio.Lock()
        self._is_started = False

    @property
    def _launch_proxy(self) -> dict[str, Any] | None:
        options = self._crawler.settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
        proxy: dict[str, Any] | None = options.get("proxy")
        return proxy

    def _make_guard(self, upstream: Upstream | None) -> Guard:
        return Guard(
            self.allowed,
            max_bytes=self.ours.render_max_size,
            refused=self.refusals.add,
            upstream=upstream,
        )

    async def render(self, request: Request) -> Response:
        """Return the rendered page as a response; raise :exc:`.pool.RenderError`."""
        coroutine = self._render_in_time(request)
        response: Response = await self._maybe_future_from_coro(coroutine)
        return response

    async def _close(self) -> None:
        """Close the browser, then what its network went through."""
        await super()._close()
        for guard in self.guards.values():
            await guard.close()

    # --- One page ----------------------------------------------------------

    async def _render_in_time(self, request: Request) -> Response:
        limit = self.ours.render_timeout + _MARGIN
        try:
            return await asyncio.wait_for(self._rendered(request), limit)
        except asyncio.TimeoutError:
            raise RenderError("timeout", broken=True) from None
        except RenderError:
            raise
        except Exception as error:
            raise await self._looked_into(error) from error

    async def _rendered(self, request: Request) -> Response:
        await self._start()
        upstream = self._upstream(request)
        if self.remote and upstream is not None:
            raise RenderError(
                "proxy", "the browser is elsewhere, the proxy's way to it"
            )
        guard = await self._guard_to(upstream)
        return await self._behind(guard, request, (upstream, agent_of(request)))

    def _upstream(self, request: Request) -> Upstream | None:
        given = request.meta.get("proxy")
        authorization = request.headers.get("Proxy-Authorization")
        try:
            return upstream_of(given, authorization, self._launch_proxy)
        except ValueError as error:
            raise RenderError("proxy", str(error)) from None

    async def _guard_to(self, upstream: Upstream | None) -> Guard:
        """Return the guard before a proxy; the oldest go, as crawls may use many."""
        guard = self.guards.pop(upstream, None) or self._make_guard(upstream)
        self.guards[upstream] = guard
        if len(self.guards) > _MOST_GUARDS + self.ours.render_concurrency:
            await self.guards.pop(next(iter(self.guards))).close()
        await guard.start()
        return guard

    async def _behind(self, guard: Guard, request: Request, kind: object) -> Response:
        """Render the page in a context of its kind, with the guard as its proxy."""
        guard.renew()
        settings = self._crawler.settings
        alone = is_alone(request, settings)
        proxy = None if self.remote else guard.url
        options = context_options(request, self.ours.render_window, settings, proxy)
        name, over = self.contexts.take(kind, alone=alone)
        meta = {
            "playwright": True,
            "playwright_page": None,
            "playwright_include_page": False,
            "playwright_context": name,
            "playwright_context_kwargs": options,
        }
        inner = request.replace(meta={**request.meta, **meta})
        try:
            for other in over:
                await self._close_context(other)
            # The page's own coroutine gives back an error as it gives a response: one
            # that is raised would be logged with all of its traceback.
            answer: Response | Exception = await self._download_request(inner)
        finally:
            if self.contexts.give_back(name):
                await self._close_context(name)
        if isinstance(answer, Exception):
            raise answer
        told = _TOLD & inner.meta.keys()
        request.meta.update({key: inner.meta[key] for key in told})
        return answer.replace(request=request)

    async def _download_request_with_page(
        self, request: Request, page: Page, spider: object
    ) -> Response | Exception:
        """Read the page, in place of what scrapy-playwright would do with it."""
        try:
            await self._bring_cookies(request, page)
            reading = read_page(request, page, self.ours, self.stats)
            return await asyncio.wait_for(reading, self.ours.render_timeout)
        except Exception as error:  # noqa: BLE001 - looked at by the caller
            return await self._looked_into(error)
        finally:
            if not (page.is_closed() or await close_patiently(page.close)):
                # It would keep a place in its context for ever.
                self.contexts.spoil(request.meta["playwright_context"])

    async def _bring_cookies(self, request: Request, page: Page) -> None:
        """Give the browser those cookies that it was not given before.

        What the site has made of the others since is the browser's to know.
        """
        brought = self._cookies.setdefault(request.meta["playwright_context"], set())
        cookies = {
            tuple(cookie.values()): cookie
            for cookie in cookies_of(request, self._crawler)
        }
        for key in cookies.keys() - brought:
            await _add_cookie(page.context, cookies[key])
        brought.update(cookies)

    # --- What went wrong ---------------------------------------------------

    async def _looked_into(self, error: Exception) -> RenderError:
        """Say what went wrong, once it is known whether the browser is gone, too.

        Its pages may tell of its end before it does itself.
        """
        if isinstance(error, RenderError) and error.reason != "blocked":
            return error
        if any(word in str(error) for word in MAY_BE_GONE):
            for _ in range(10):
                if self._has_browser():
                    await asyncio.sleep(_MOMENT)
        if not self._has_browser():
            reason = BROWSER_CLOSED if self._is_started else "no_browser"
            return RenderError(reason, first_line(error), broken=True)
        explained = explain(error, self.refusals)
        if explained.reason == CLOSED and not await self._answers():
            return RenderError(BROWSER_CLOSED, str(error), broken=True)
        return explained

    async def _answers(self) -> bool:
        """Whether the browser still does; its driver may be gone without a word."""
        try:
            context = await asyncio.wait_for(self.browser.new_context(), PATIENCE)
        except (PlaywrightError, asyncio.TimeoutError, AttributeError):
            return False
        return await close_patiently(context.close)

    def _has_browser(self) -> bool:
        browser = getattr(self, "browser", None)
        return browser is not None and bool(browser.is_connected())

    # --- The browser and its contexts --------------------------------------

    async def _start(self) -> None:
        async with self._start_lock:
            if not hasattr(self, "browser_provider"):
                await self._launch()

    async def _maybe_launch_browser(self) -> None:
        if hasattr(self, "browser"):
            return
        options = self.config.launch_options
        try:
            await super()._maybe_launch_browser()
        except PlaywrightError:
            if not options.get("chromium_sandbox"):
                raise
            logger.warning("The browser does not start with its sandbox: without it")
            options["chromium_sandbox"] = False
            await super()._maybe_launch_browser()
        self._is_started = True
        self.stats.inc_value("mainpage/render/browsers")

    async def _create_browser_context(
        self, name: str, context_kwargs: dict[str, Any] | None, spider: object = None
    ) -> Any:
        wrapper = await super()._create_browser_context(name, context_kwargs, spider)
        context: BrowserContext = wrapper.context
        await context.add_init_script(init_script())
        context.on("page", close_popup)
        self.stats.inc_value("mainpage/render/contexts")
        return wrapper

    async def _close_context(self, name: str) -> None:
        self._cookies.pop(name, None)
        if wrapper := self.context_wrappers.get(name):
            await close_patiently(wrapper.context.close)

    def _increment_request_stats(self, request: PlaywrightRequest) -> None:
        """Count nothing that a page could name: it would fill the statistics."""

    def _increment_response_stats(self, response: PlaywrightResponse) -> None:
        """Count nothing, as with requests."""

    # --- What a page may load ----------------------------------------------

    async def _is_unwanted(self, request: PlaywrightRequest) -> bool:
        if request.resource_type in self.ours.render_block:
            return True
        if not request.url.startswith(_SCHEMES):
            return True
        if self._aborts is None:
            return False
        verdict = self._aborts(request)
        return bool(await verdict if isinstance(verdict, Awaitable) else verdict)


async def _add_cookie(context: BrowserContext, cookie: Any) -> None:
    try:
        await context.add_cookies([cookie])
    except PlaywrightError as error:  # Browsers refuse some that Scrapy sends.
        details = {"name": cookie["name"], "error": str(error).split("\n")[0]}
        logger.debug("Cookie %(name)s is left out: %(error)s", details)
