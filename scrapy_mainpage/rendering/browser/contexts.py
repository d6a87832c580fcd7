"""Browser contexts: their options, cookies and headers, and for how many pages."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from playwright.async_api import Error
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy_playwright.headers import use_scrapy_headers

from . import first_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.cookiejar import Cookie

    from playwright.async_api import BrowserContext
    from playwright.async_api import Request as PlaywrightRequest
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

MAX_OPEN_KINDS: Final = 4
"""Kinds that keep a context open: each takes memory until its pages are used up."""

PAGES_PER_CONTEXT: Final = 50
MAX_CLOSE_SECONDS: Final = 5.0

#: ``http.cookiejar`` appends it to host names without a dot.
_LOCAL: Final = ".local"

_HTTP_ONLY: Final = ("HttpOnly", "httponly", "HTTPOnly", "Httponly", "HTTPONLY")
"""Spellings of the attribute; ``http.cookiejar`` looks for one exactly."""


@dataclass(eq=False)
class ContextSlot:
    """A browser context, the pages that it may still serve, and those that it serves.

    ``cookies`` are those that were added to it.
    """

    left: int
    busy: int = 0
    context: BrowserContext | None = None
    cookies: set[tuple[object, ...]] = field(default_factory=set)
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    def forget(self, *_: object) -> None:
        """Open another context for the next page: this one was closed."""
        self.context = None
        self.cookies.clear()

    def release(self) -> bool:
        """End a page; return whether no page uses the context or will use it."""
        self.busy -= 1
        return not (self.busy or self.left)


class ContextSlots:
    """Contexts by kind, each for so many pages.

    A context keeps cookies, storage and caches, as a person's browser does, and grows
    with them; after *pages* pages another replaces it. Requests of one *kind* share a
    context. A crawl may have any number of kinds: only the last used keep one open.
    """

    def __init__(self, pages: int = PAGES_PER_CONTEXT):
        self.pages = pages
        self._open: OrderedDict[object, ContextSlot] = OrderedDict()

    def acquire(
        self, kind: object, *, alone: bool = False
    ) -> tuple[ContextSlot, list[ContextSlot]]:
        """Return the slot of the context for one more page, and those to close now.

        *alone*: the page shares its context with no other.
        """
        if alone:
            return ContextSlot(0, busy=1), []
        slot = self._open.get(kind)
        if slot is None or not slot.left:
            slot = self._open[kind] = ContextSlot(self.pages)
        self._open.move_to_end(kind)
        slot.busy += 1
        slot.left -= 1
        idle = []
        while len(self._open) > MAX_OPEN_KINDS:
            _, oldest = self._open.popitem(last=False)
            if oldest.left and not oldest.busy:
                idle.append(oldest)
            oldest.left = 0  # a busy one closes with its last page
        return slot, idle


async def close_in_time(close: Callable[[], Awaitable[None]]) -> bool:
    """Close something that may hang, or be gone; return whether it is closed."""
    try:
        await asyncio.wait_for(close(), MAX_CLOSE_SECONDS)
    except Error as error:
        logger.debug("Closed before: %(error)r", {"error": error})
    except asyncio.TimeoutError:
        return False
    return True


# --- Options -----------------------------------------------------------------


def make_context_options(
    request: Request, window: tuple[int, int], settings: BaseSettings, proxy: str
) -> dict[str, Any]:
    """Return Playwright's options of the context for the request's page.

    *window* is width and height in CSS pixels, *proxy* the URL of the guard.
    """
    width, height = window
    # As for the project's own downloads: Scrapy does not verify by default.
    verifies = settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES", False)
    options: dict[str, Any] = {
        "accept_downloads": False,
        "permissions": [],
        "service_workers": "block",
        "viewport": {"width": width, "height": height},
        "ignore_https_errors": not verifies,
        "proxy": {"server": proxy, "bypass": "<-loopback>"},
    }
    if agent := get_user_agent(request):
        options["user_agent"] = agent
    return options


def get_user_agent(request: Request) -> str | None:
    """Return the user agent of the request, if it has one."""
    agent = request.headers.get("User-Agent")
    return None if agent is None else agent.decode("latin-1")


def needs_own_context(request: Request, settings: BaseSettings) -> bool:
    """Whether the page must not share cookies and storage with other pages."""
    meta = request.meta
    if "cookiejar" in meta or meta.get("dont_merge_cookies"):
        return True
    return not settings.getbool("COOKIES_ENABLED")


# --- Headers -----------------------------------------------------------------


async def use_headers_on_own_site(
    *,
    browser_type_name: str,
    playwright_request: PlaywrightRequest,
    scrapy_request_data: dict[str, Any],
) -> dict[str, str]:
    """Send Scrapy's headers, which may hold credentials, to the request's site only.

    Documents from elsewhere, in frames or after a navigation by script, get the
    browser's headers and Scrapy's user agent, as sub-requests do. The signature is
    that of ``PLAYWRIGHT_PROCESS_REQUEST_HEADERS``.
    """
    is_own = _origin(playwright_request.url) == _origin(scrapy_request_data["url"])
    if not (playwright_request.is_navigation_request() and is_own):
        headers = await playwright_request.all_headers()
        if agent := scrapy_request_data["headers"].get("User-Agent"):
            headers["user-agent"] = agent.decode("latin-1")
        return headers
    given: dict[str, str] = await use_scrapy_headers(
        browser_type_name=browser_type_name,
        playwright_request=playwright_request,
        scrapy_request_data=scrapy_request_data,
    )
    return given


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.rpartition("@")[2].lower()


# --- Cookies -----------------------------------------------------------------


def read_cookies(request: Request, crawler: Crawler) -> list[dict[str, Any]]:
    """Return the cookies that the request is sent with, for Playwright.

    Browsers take none from a ``Cookie`` header. A cookie from the crawl's jar keeps the
    domain and path that it was set for, so that the site's scripts can change it. Any
    other belongs to the host and is hidden from scripts.
    """
    known = {(c.name, c.value): c for c in _iter_jar(request, crawler)}
    parts = urlsplit(request.url)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    cookies: list[dict[str, Any]] = []
    for name, value in _iter_sent(request):
        jar_cookie = known.get((name, value))
        cookies.append(
            {
                "name": name,
                "value": value,
                "domain": _get_domain(jar_cookie, host) if jar_cookie else host,
                "path": jar_cookie.path if jar_cookie else "/",
                "secure": jar_cookie.secure if jar_cookie else parts.scheme == "https",
                "httpOnly": jar_cookie is None
                or any(map(jar_cookie.has_nonstandard_attr, _HTTP_ONLY)),
            }
        )
    return cookies


def _iter_sent(request: Request) -> Iterator[tuple[str, str]]:
    header = b"; ".join(request.headers.getlist("Cookie")).decode("utf-8", "replace")
    for pair in header.split(";"):
        name, equals, value = pair.strip().partition("=")
        if name and equals:
            yield name, value


def _iter_jar(request: Request, crawler: Crawler) -> Iterator[Cookie]:
    middleware = crawler.get_downloader_middleware(CookiesMiddleware)
    if middleware is None or request.meta.get("dont_merge_cookies"):
        return
    key = request.meta.get("cookiejar")
    if key in middleware.jars:
        yield from middleware.jars[key]


def _get_domain(cookie: Cookie, host: str) -> str:
    """Return the domain as it was set: with a leading dot for subdomains, too."""
    if not cookie.domain_specified:
        return host
    return cookie.domain.removesuffix(_LOCAL)


async def add_cookie(context: BrowserContext, cookie: dict[str, Any]) -> None:
    """Add a cookie to a context, unless the browser refuses it."""
    try:
        await context.add_cookies([cookie])  # type: ignore[list-item]
    except Error as error:
        details = {"name": cookie["name"], "error": first_line(error)}
        logger.debug("Cookie %(name)s is left out: %(error)s", details)
