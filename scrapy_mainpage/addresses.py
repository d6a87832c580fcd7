"""Addresses of pages: a fragment is a place on the page, or the route of a script.

Routers of applications show another page for each route: ``#/about``, ``#!/about``.
"""

from __future__ import annotations

import re
from typing import Final

_ROUTE: Final = re.compile(r"!?/.")


def route_of(url: str) -> str:
    """Return the route in a URL's fragment; empty for none, and for the first page's.

    >>> route_of("https://example.com/#/lamps/7"), route_of("https://example.com/#top")
    ('/lamps/7', '')
    """
    fragment = url.partition("#")[2]
    return fragment if _ROUTE.match(fragment) else ""


def page_address(url: str, *, routes: bool = True) -> str:
    """Return the URL without a fragment, unless that is a route and *routes* count.

    >>> page_address("https://example.com/lamps#top")
    'https://example.com/lamps'
    """
    return url if routes and route_of(url) else url.partition("#")[0]


def canonical_address(url: str) -> str:
    """Return the address in the one spelling of all. Raises :exc:`ValueError`.

    >>> canonical_address("https://EXAMPLE.com/#/b?a")
    'https://example.com/#/b?a'
    """
    # It imports an HTTP client, which most pages need not wait for.
    from w3lib.url import canonicalize_url

    return canonicalize_url(url, keep_fragments=bool(route_of(url)))


def with_anchor(url: str, anchor: str | None) -> str:
    """Return the URL of a place on the page; that of the page if it is a route."""
    if not anchor or route_of(url):
        return url
    return f"{url.partition('#')[0]}#{anchor}"
