"""The other pages to which the links of a page lead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from ...addresses import is_application, link_address, parts_of
from ..declared.meta import having
from ..output.urls import Addresses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..document.document import Document
    from ..document.schema import Mask

MAX_INDEX: Final = 12
"""Characters of the path of a site's first page, whose other pages are queries."""

_INDEX: Final = re.compile(r"(?i)^$|/$|/(?:index|default)\.[a-z]{2,5}$")
_PLACE: Final = re.compile(rb"\s*#")
_ROUTE: Final = re.compile(rb"\s*#!?/.")
_PLAIN: Final = re.compile(rb"(?:https?:/)?/[!\"$-\[\]-~]+")
"""Addresses that are the same in every base but for their host."""

_OTHER: Final = ("mailto:", "tel:", "ftp:")
_ACTION: Final = re.compile(
    rb"[/?&=](?:log-?in|sign-?in|sign-?up|register|cart|basket|checkout|wishlist"
    rb"|add-to-cart|compare|share|reply|edit|print)(?:[/?&=.]|$)",
    re.MULTILINE,
)

_TRACKING: Final = re.compile(r"(?i)$|utm_|srsltid|[a-z]*clid=|ref=|mc_")


class Targets:
    """The addresses to which links lead, if these are other pages."""

    def __init__(self, document: Document, url: str | None) -> None:
        self.page = link_address(url or "", url or "")
        self.addresses = Addresses(document, url)
        self._has_routes = is_application(url or "")
        parts, own = parts_of(self.page), self.page.partition("?")[0]
        self._own = {own.encode(), parts.path.encode(), b"/" * (len(parts.path) < 2)}
        self._known: dict[bytes, str | None] = {}

    def lead(self, hrefs: Sequence[bytes]) -> Mask:
        """Whether each leads to another page; most without making its address."""
        found = ~having(_ACTION, hrefs)
        for place, href in enumerate(hrefs):
            is_plain = _PLAIN.fullmatch(href)
            if not is_plain or href.partition(b"?")[0] in self._own:
                found[place] = self.find(href) is not None
        return found

    def find(self, href: bytes) -> str | None:
        """The absolute address of another page; ``None`` for any other *href*."""
        if href not in self._known:
            is_place = _PLACE.match(href) and not (
                self._has_routes and _ROUTE.match(href)
            )
            text = href.decode("utf-8", "replace")
            target = link_address(self.addresses.clean(text) or "", self.page)
            leads = not is_place and _leads_away(target, self.page)
            self._known[href] = target if leads else None
        return self._known[href]


def _leads_away(target: str, page: str) -> bool:
    """Whether *target* is another page than *page*, and no action.

    The same path with more in its query is the same listing in another order, but not
    on the first page of a site.
    """
    path, _, query = target.partition("?")
    own, _, known = page.partition("?")
    if path != own:
        is_page = bool(path) and not target.lower().startswith(_OTHER)
        return is_page and not _ACTION.search(target.lower().encode())
    place = urlsplit(own).path
    if not (_INDEX.search(place) and len(place) < MAX_INDEX):
        own_parts = {part for part in known.split("&") if not _TRACKING.match(part)}
        shared = own_parts <= {*query.split("&")}
        return bool(query) and not shared
    return bool(query) and query != known
