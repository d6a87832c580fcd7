"""The browser context of one page: its options, and its request's headers and cookies.

No page shares cookies, storage or a cache with another one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from playwright.async_api import Error
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware

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

MAX_CLOSE_SECONDS: Final = 5.0

_KEPT: Final = ("user-agent", "referer")
"""Headers of the browser that a request of the spider has, too."""

#: ``http.cookiejar`` appends it to host names without a dot.
_LOCAL: Final = ".local"

_HTTP_ONLY: Final = ("HttpOnly", "httponly", "HTTPOnly", "Httponly", "HTTPONLY")
"""Spellings of the attribute; ``http.cookiejar`` looks for one exactly."""


async def close_in_time(close: Callable[[], Awaitable[None]]) -> None:
    """Close something that may hang, or be gone."""
    with suppress(Error, asyncio.TimeoutError):
        await asyncio.wait_for(close(), MAX_CLOSE_SECONDS)


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
    if (agent := request.headers.get("User-Agent")) is not None:
        options["user_agent"] = agent.decode("latin-1")
    return options


# --- Headers -----------------------------------------------------------------


async def make_headers(sent: PlaywrightRequest, request: Request) -> dict[str, str]:
    """Return the headers of something that the page of a request sends.

    Scrapy's headers, which may hold credentials, go to the request's site only, in
    place of the browser's. Documents from elsewhere, in frames or after a navigation by
    script, get the browser's headers and Scrapy's user agent, as sub-requests do.
    """
    headers: dict[str, str] = await sent.all_headers()
    own = request.headers.to_unicode_dict()
    if agent := own.get("User-Agent"):
        headers["user-agent"] = agent
    if sent.is_navigation_request() and _origin(sent.url) == _origin(request.url):
        kept = {name: value for name, value in headers.items() if name in _KEPT}
        return kept | {str(name).lower(): value for name, value in own.items()}
    return headers


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


async def add_cookies(
    context: BrowserContext, request: Request, crawler: Crawler
) -> None:
    """Add the request's cookies to its context, but for those the browser refuses."""
    for cookie in read_cookies(request, crawler):
        try:
            await context.add_cookies([cookie])  # type: ignore[list-item]
        except Error as error:  # noqa: PERF203
            details = {"name": cookie["name"], "error": first_line(error)}
            logger.debug("Cookie %(name)s is left out: %(error)s", details)
