"""The cookies of a request, for a browser: it takes none from the request's headers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from scrapy.downloadermiddlewares.cookies import CookiesMiddleware

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.cookiejar import Cookie

    from scrapy import Request
    from scrapy.crawler import Crawler

#: What ``http.cookiejar`` puts behind a host name without a dot.
_LOCAL: Final = ".local"


def cookies_of(request: Request, crawler: Crawler) -> list[dict[str, Any]]:
    """Return the cookies that the request is sent with, as Playwright wants them.

    A cookie of the crawl's jar keeps the domain and the path that it was set for, so
    that it is the one which the site's scripts change. Any other is the host's, and
    hidden from scripts, as is one that the site has set so.
    """
    known = {(c.name, c.value): c for c in _jar(request, crawler)}
    scheme, host = _site(request.url)
    cookies: list[dict[str, Any]] = []
    for name, value in _sent(request):
        jar_cookie = known.get((name, value))
        cookies.append(
            {
                "name": name,
                "value": value,
                "domain": _domain(jar_cookie, host) if jar_cookie else host,
                "path": jar_cookie.path if jar_cookie else "/",
                "secure": jar_cookie.secure if jar_cookie else scheme == "https",
                "httpOnly": _is_hidden(jar_cookie) if jar_cookie else True,
            }
        )
    return cookies


def _site(url: str) -> tuple[str, str]:
    """The scheme, and the host as browsers write it."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return parts.scheme, f"[{host}]" if ":" in host else host


def _sent(request: Request) -> Iterator[tuple[str, str]]:
    header = b"; ".join(request.headers.getlist("Cookie")).decode("utf-8", "replace")
    for pair in header.split(";"):
        name, equals, value = pair.strip().partition("=")
        if name and equals:
            yield name, value


def _jar(request: Request, crawler: Crawler) -> Iterator[Cookie]:
    middleware = crawler.get_downloader_middleware(CookiesMiddleware)
    if middleware is None or request.meta.get("dont_merge_cookies"):
        return
    key = request.meta.get("cookiejar")
    if key in middleware.jars:
        yield from middleware.jars[key]


def _domain(cookie: Cookie, host: str) -> str:
    """The domain as it was set: one with a dot in front is for its hosts, too."""
    if not cookie.domain_specified:
        return host
    return cookie.domain.removesuffix(_LOCAL)


def _is_hidden(cookie: Cookie) -> bool:
    """Whether the site keeps the cookie from its scripts.

    ``has_nonstandard_attr`` finds the attribute in one spelling only, and its case is
    free.
    """
    return any(name.lower() == "httponly" for name in vars(cookie)["_rest"])
