"""Addresses of pages: a fragment is a place on the page, or the route of a script.

Routers of applications show another page for each route: ``#/about``, ``#!about``.
Other pages have such fragments, too: for a product's variant, or an article's image.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Characters of an address that a page or a sitemap may name: Scrapy's URLLENGTH_LIMIT.
MAX_ADDRESS: Final = 2_083

_ROUTE: Final = re.compile(r"!?/.|![^/]")
_APPLICATION: Final = re.compile(r"(?:^\w+://[^/]+|/|/index\.html)$")


def parts_of(url: str | None) -> SplitResult:
    """Return the parts of a URL: empty ones for none, and for an impossible host.

    >>> parts_of("https://example.com/lamps").hostname, parts_of("http://[a").netloc
    ('example.com', '')
    """
    try:
        return urlsplit(url or "")
    except ValueError:
        return urlsplit("")


def site_of(url: str | None) -> str:
    """Return the host of a URL; an empty string if it has none."""
    return parts_of(url).hostname or ""


def host_of(url: str | None) -> str:
    """Return the host of a URL without ``www.``; empty if it has none."""
    return site_of(url).removeprefix("www.")


def route_of(url: str) -> str:
    """Return the route in a URL's fragment; empty for none, and for the first page's.

    Only applications have routes: a path that ends in ``/`` or ``/index.html``.

    >>> route_of("https://example.com/#/lamps/7"), route_of("https://example.com/#top")
    ('/lamps/7', '')
    """
    fragment = url.partition("#")[2]
    return fragment if _ROUTE.match(fragment) and is_application(url) else ""


def is_of(url: str, domains: Iterable[str]) -> bool:
    """Whether a URL is on one of these hosts, or below one of them.

    >>> is_of("https://www.example.com:8000/a", ["example.com"])
    True
    """
    host = f".{site_of(url)}"
    return any(host.endswith(f".{domain.lower()}") for domain in domains)


def page_address(url: str, *, routes: bool = False) -> str:
    """Return the URL without a fragment, unless that is a route and *routes* count.

    >>> page_address("https://example.com/lamps#top")
    'https://example.com/lamps'
    """
    return url if routes and route_of(url) else url.partition("#")[0]


def link_address(url: str, page: str) -> str:
    """Return the address to which a *page* links: with a route if that is its own.

    >>> link_address("https://example.com/#/lamps", "https://example.com/#/")
    'https://example.com/#/lamps'
    """
    address = url.partition("#")[0]
    is_own = address == page.partition("#")[0]
    return page_address(url, routes=is_own)


def is_application(url: str) -> bool:
    """Whether the path is one of which routes are usual."""
    return bool(_APPLICATION.search(url.partition("#")[0].partition("?")[0]))


def canonical_address(url: str, *, routes: bool = False) -> str:
    """Return the address in the one spelling of all. Raises :exc:`ValueError`.

    >>> canonical_address("https://EXAMPLE.com/#/b?a", routes=True)
    'https://example.com/#/b?a'
    """
    # It imports an HTTP client, which most pages need not wait for.
    from w3lib.url import canonicalize_url

    return canonicalize_url(url, keep_fragments=routes and bool(route_of(url)))


def own_canonical(
    url: str | None, canonical: str | None, *, routes: bool = False
) -> str | None:
    """Return the canonical URL; on the page of a route only one with a route."""
    is_whole = routes and route_of(url or "") and not route_of(canonical or "")
    return None if is_whole else canonical


def with_anchor(url: str, anchor: str | None) -> str:
    """Return the URL of a place on the page; that of the page if it is a route."""
    if not anchor or route_of(url):
        return url
    return f"{url.partition('#')[0]}#{anchor}"
