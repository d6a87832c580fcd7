"""Links of one kind, each with the part of the page that belongs to it: its record.

Cards, rows and teasers are written by one template, so the links to what they name are
of one kind. The record of a link is the largest element around it that holds no other
link of its kind, as in the search for data records by Liu, Grossman and Zhai (2003);
of rows and headings also what follows them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from ...addresses import is_application, link_address
from ..document.schema import Context
from ..document.tags import ATTRIBUTE_CODES
from ..output.urls import Addresses

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.schema import Longs, Mask

MAX_LINKS: Final = 20_000
MAX_LEVELS: Final = 64
"""Elements around a link, and siblings behind it, that are looked at."""

MIN_ROWS: Final = 2
"""Pairs of records from which on the siblings between them are counted."""

MAX_INDEX: Final = 12
"""Characters of the path of a site's first page, whose other pages are queries."""

_FRAME: Final = int(Context.NAVIGATION | Context.FOOTER | Context.HEADER)
_DIALOG: Final = int(Context.DIALOG)
_INSIDE: Final = int(Context.MAIN | Context.ARTICLE)
_INDEX: Final = re.compile(r"(?i)^$|/$|/(?:index|default)\.[a-z]{2,5}$")
_NOWHERE: Final = re.compile(rb"\s*(?:#|(?:javascript|mailto|tel|data):)")
_ROUTE: Final = re.compile(rb"\s*#!?/.")
_ACTION: Final = re.compile(
    r"(?i)^(?:mailto|tel|ftp):|[/?&=](?:log-?in|sign-?in|sign-?up|register|cart|basket|checkout|wishlist"
    r"|add-to-cart|compare|share|reply|edit|print)(?:[/?&=.]|$)"
)

_TRACKING: Final = re.compile(r"(?i)$|utm_|srsltid|[a-z]*clid=|ref=|mc_")


class Groups(NamedTuple):
    """The links of a page by kind: those of a group follow each other.

    ``hrefs`` are the addresses as they are written. ``bounds`` are where the groups
    begin, and the end of the last. ``tops`` are the elements of the records, ``first``
    and ``end`` their text blocks.
    """

    links: Longs
    hrefs: list[bytes]
    bounds: Longs
    tops: Longs
    first: Longs
    end: Longs

    def places(self, group: int) -> range:
        """The places of the links of a *group*."""
        return range(int(self.bounds[group]), int(self.bounds[group + 1]))


def find_groups(document: Document, url: str | None) -> Groups | None:
    """The links outside of the site's frame with their records; ``None`` for none."""
    links, hrefs = _own_links(document, has_routes=is_application(url or ""))
    if not len(links) or not document.n_blocks:
        return None
    kinds = document.kinds[links]
    order = np.argsort(kinds, kind="stable")
    links, hrefs = links[order], [hrefs[k] for k in order.tolist()]
    bounds = np.flatnonzero(np.diff(kinds[order], prepend=-1, append=-1))
    tops = _climb(document, links, bounds)
    first = document.elements.first_block[tops].astype(np.int64)
    end = _ends(document, tops, bounds)
    nexts = np.append(first[1:], document.n_blocks)
    inner = np.ones(len(links), bool)
    inner[bounds[1:] - 1] = False
    end = np.where(inner & (nexts >= first), np.minimum(end, nexts), end)
    return Groups(links, hrefs, bounds, tops, first, end)


def _own_links(document: Document, *, has_routes: bool) -> tuple[Longs, list[bytes]]:
    """The links outside of menus, banners and footers, and their addresses."""
    elements, attributes = document.elements, document.attributes
    is_link = elements.link == np.arange(document.n_elements)
    flags = elements.flags
    frame = (flags & _FRAME > 0) & (flags & _INSIDE == 0) | (flags & _DIALOG > 0)
    rows = np.flatnonzero(attributes.name == ATTRIBUTE_CODES["href"])
    rows = rows[(is_link & ~frame)[attributes.element[rows]]][:MAX_LINKS]
    values = document.values
    columns = (c[rows].tolist() for c in (attributes.element, *attributes[2:]))
    found: dict[int, bytes] = {}
    for element, start, end in zip(*columns, strict=True):
        href = values[start:end]
        if not _NOWHERE.match(href) or (has_routes and _ROUTE.match(href)):
            found.setdefault(element, href)
    return np.fromiter(found, np.int64, len(found)), [*found.values()]


class Targets:
    """The addresses to which links lead, if these are other pages."""

    def __init__(self, document: Document, url: str | None) -> None:
        self.page = link_address(url or "", url or "")
        self.addresses = Addresses(document, url)
        self._known: dict[bytes, str | None] = {}

    def find(self, href: bytes) -> str | None:
        """The absolute address of another page; ``None`` for any other *href*."""
        if href not in self._known:
            text = href.decode("utf-8", "replace")
            target = link_address(self.addresses.clean(text) or "", self.page)
            self._known[href] = target if _leads_away(target, self.page) else None
        return self._known[href]


def _leads_away(target: str, page: str) -> bool:
    """Whether *target* is another page than *page*, and no action.

    The same path with more in its query is the same listing in another order, but not
    on the first page of a site.
    """
    path, _, query = target.partition("?")
    own, _, known = page.partition("?")
    if path != own:
        return bool(path) and not _ACTION.search(target)
    place = urlsplit(own).path
    if not (_INDEX.search(place) and len(place) < MAX_INDEX):
        own_parts = {part for part in known.split("&") if not _TRACKING.match(part)}
        shared = own_parts <= {*query.split("&")}
        return bool(query) and not shared
    return bool(query) and query != known


def _climb(document: Document, links: Longs, bounds: Longs) -> Longs:
    """The largest element around each link without another one of its group.

    Elements are as many levels up as in most records of the group: the only card of a
    section is not the whole section.
    """
    parent, ends = document.elements.parent, document.elements.end
    before, after = np.roll(links, 1), np.roll(links, -1)
    before[bounds[:-1]] = -1
    after[bounds[1:] - 1] = document.n_elements
    tops, levels = links.copy(), np.zeros(len(links), np.int64)
    steps = [links]
    for _ in range(MAX_LEVELS):
        up = parent[tops]
        free = (up > before) & (ends[up] <= after) & (up > 0)
        if not free.any():
            break
        tops = np.where(free, up, tops)
        levels += free
        steps.append(tops)
    groups = zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    most = [int(np.bincount(levels[a:b]).argmax()) for a, b in groups]
    usual = np.minimum(np.repeat(most, np.diff(bounds)), levels)
    found: Longs = np.stack(steps)[usual, np.arange(len(links))]
    return found


def _ends(document: Document, tops: Longs, bounds: Longs) -> Longs:
    """The ends of the records' text blocks.

    Rows and headings go on behind them: where records are as many siblings each, up to
    the next one; else up to the next sibling of the same tag.
    """
    elements = document.elements
    ends = elements.end_block[tops].astype(np.int64)
    beside = np.zeros(len(tops), bool)
    beside[:-1] = elements.parent[tops[1:]] == elements.parent[tops[:-1]]
    beside[bounds[1:] - 1] = False
    apart = beside.copy()
    apart[:-1] &= elements.end[tops[:-1]] != tops[1:]
    sums = np.concatenate([[0], np.cumsum(apart)])
    open_groups = np.flatnonzero(sums[bounds[1:]] > sums[bounds[:-1]])
    for group in open_groups.tolist():
        part = slice(int(bounds[group]), int(bounds[group + 1]))
        ends[part] = _extend(document, tops[part].tolist(), beside[part])
    return ends


def _extend(document: Document, tops: list[int], beside: Mask) -> list[int]:
    """The ends of the records of one group, of which some are apart."""
    stops = [*tops[1:], document.n_elements]
    pairs = [*zip(tops, stops, strict=True)]
    own = [pair for pair, near in zip(pairs, beside.tolist(), strict=True) if near]
    counts = {_siblings(document, *pair, by_tag=False) for pair in own}
    if len(own) >= MIN_ROWS and len(counts) == 1:
        steps = [*counts] * len(tops)
    else:
        steps = [_siblings(document, *pair, by_tag=True) for pair in pairs]
        steps[-1] = min(steps[-1], max(steps[:-1]))
    return [_last_block(document, *each) for each in zip(tops, steps, strict=True)]


def _siblings(document: Document, top: int, stop: int, *, by_tag: bool) -> int:
    """How many siblings from *top* on are before *stop*, or the next of its tag."""
    elements, following = document.elements, int(document.elements.end[top])
    for step in range(1, MAX_LEVELS):
        if following >= stop or elements.parent[following] != elements.parent[top]:
            return step
        if by_tag and elements.tag[following] == elements.tag[top]:
            return step
        following = int(elements.end[following])
    return 1


def _last_block(document: Document, top: int, count: int) -> int:
    """The end of the last of *count* siblings from *top* on."""
    elements, last = document.elements, top
    for _ in range(count - 1):
        following = int(elements.end[last])
        if following >= document.n_elements:
            break
        if elements.parent[following] != elements.parent[top]:
            break
        last = following
    return int(elements.end_block[last])
