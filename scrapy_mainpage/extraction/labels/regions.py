"""The region of the page that each element is in, by its names and by headings.

A page is nested: a share button in a menu in the header. Mostly the innermost known
region names a block; the tables below list where the region around
it does.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.document import HEADING_SHIFT, Context
from ._match import find_larger, nest
from .phrases import Topic

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from ..document.document import Document
    from .phrases import PhraseMatches

    Bits = npt.NDArray[np.uint64]
    Ints = npt.NDArray[np.int32]
    Mask = npt.NDArray[np.bool_]
    Regions = npt.NDArray[np.uint8]


class Region(IntEnum):
    """A part of a page; of two that one element names, the lower one counts."""

    NONE = 0
    CONSENT = 1
    BREADCRUMB = 2
    PAGINATION = 3
    ADVERTISEMENT = 4
    COMMENTS = 5
    SHARE = 6
    RELATED = 7
    FORM = 8
    ACCOUNT = 9
    """Sign in, cart and the like: a form of its own, or a part of the header."""
    BYLINE = 10
    LEGAL = 11
    BRAND = 12
    """The name of the site: a part of the header, also within a menu."""
    NAVIGATION = 13
    SIDEBAR = 14
    FOOTER = 15
    HEADER = 16
    OVERLAY = 17
    """A dialogue, a tooltip, a calendar: no other region."""
    CONTENT = 18
    """Names itself content: the regions around it count no more."""

    @property
    def bit(self) -> int:
        """The region as a bit of names; 0 for none."""
        return 1 << self - 1 if self else 0


# Regions inside of a region that are no parts of it, or the only parts of it.
_PARTS_BUT: Final = {
    "CONSENT": "",
    "BREADCRUMB": "",
    "PAGINATION": "ADVERTISEMENT",
    "ADVERTISEMENT": "CONSENT",
    # A consent in the form of a comment is to its own terms.
    "COMMENTS": "ADVERTISEMENT PAGINATION RELATED",
    "SHARE": "COMMENTS ADVERTISEMENT CONSENT",
    "RELATED": "ADVERTISEMENT CONSENT",
    "ACCOUNT": "CONSENT",
    "FORM": "ADVERTISEMENT CONSENT SHARE",
    "BYLINE": "SHARE COMMENTS ADVERTISEMENT FORM CONSENT BREADCRUMB PAGINATION",
    "LEGAL": "SHARE CONSENT FORM",
    "NAVIGATION": "FORM SHARE BREADCRUMB PAGINATION ADVERTISEMENT CONSENT LEGAL "
    "ACCOUNT BRAND",
}
_PARTS: Final = {
    "SIDEBAR": "HEADER FOOTER SIDEBAR OVERLAY",
    "FOOTER": "NAVIGATION BRAND HEADER FOOTER SIDEBAR BYLINE RELATED ACCOUNT CONTENT "
    "OVERLAY COMMENTS ADVERTISEMENT",
    "HEADER": "BYLINE HEADER FOOTER SIDEBAR OVERLAY CONTENT",
    "OVERLAY": "HEADER FOOTER SIDEBAR CONTENT",
}


def _table(*, forum: bool = False) -> npt.NDArray[np.uint8]:
    table = np.empty((len(Region), len(Region)), np.uint8)
    for outer in Region:
        for inner in Region:
            if outer.name in _PARTS_BUT:
                kept = inner.name not in _PARTS_BUT[outer.name].split()
            else:
                kept = inner.name in _PARTS.get(outer.name, "").split()
            kept = kept or inner == Region.NONE
            table[outer, inner] = outer if kept else inner
    table[Region.HEADER, Region.ACCOUNT] = Region.HEADER
    table[Region.NAVIGATION, Region.ACCOUNT] = Region.HEADER
    if forum:
        table[Region.COMMENTS, Region.BYLINE] = Region.BYLINE
    return table


_INSIDE: Final = _table()
"""The region of an element, by the region around it and the one that it names."""

_INSIDE_FORUM: Final = _table(forum=True)
"""The same on forum pages: author and date of a post are no part of a comment."""


MENU: Final = np.uint64(1 << 42)
"""In the bits of an element: its tag or role says that it is a menu."""

MAX_MAIN_SHARE: Final = 0.1
"""An element with more of the page's main words is not boilerplate as a whole."""

EDGE_SHARE: Final = 0.02
"""The main content begins and ends where this share of its words is left out."""

MAX_BLOCK_SHARE: Final = 0.7
"""An element with more of the page's blocks is the page, whatever its name."""

MAX_FORM_BLOCKS: Final = 6
"""A form that is also named menu, header or footer has no more blocks."""

MIN_PAGE_BLOCKS: Final = 4
"""On a page of no more blocks an element may be all of it."""


def _bits(*regions: Region) -> np.uint64:
    return np.uint64(sum(region.bit for region in regions))


_FRAME: Final = _bits(Region.NAVIGATION, Region.FOOTER, Region.HEADER)
_NOT_IN_MENUS: Final = _bits(
    Region.FORM, Region.ACCOUNT, Region.ADVERTISEMENT, Region.RELATED
)
MAX_HEADINGS: Final = 40
MAX_HEADING_WORDS: Final = 12
MAX_CONSENT_BLOCKS: Final = 20
"""Blocks of the box around a text on cookies."""

_HEADS: Final = {
    Topic.RELATED: Region.RELATED,
    Topic.COMMENTS: Region.COMMENTS,
    Topic.ADVERTISEMENT: Region.ADVERTISEMENT,
    Topic.TOPICS: Region.NAVIGATION,
    Topic.SHARE: Region.SHARE,
}
"""The region that a heading of the topic is the head of."""

_OPENING: Final = {Topic.RELATED, Topic.COMMENTS}
"""Topics of headings that go on: "More from ...", "Comments on ..."."""

_MAX_BLOCKS: Final = {Region.FORM: 40, Region.PAGINATION: 25, Region.SHARE: 40}
"""Elements of more blocks are no such region, whatever their names."""

_MAX_HEADED_BLOCKS: Final = {Region.ADVERTISEMENT: 6, Region.SHARE: 12}
"""Blocks of a region that is known by its heading."""


def find_regions(
    document: Document,
    bits: Bits,
    phrases: PhraseMatches,
    main: Mask,
    is_forum: Callable[[], bool],
) -> Regions:
    """The region of each element.

    *bits* are those of the elements' names (see :mod:`.names`); they are changed.
    *is_forum* is called only on pages with comments.
    """
    place = _Placement(document, main)
    bits[(bits & MENU) != 0] &= ~_NOT_IN_MENUS
    bits &= np.uint64((1 << len(Region) - 1) - 1)
    _drop_unlikely(document, bits, place)
    _add_headed(document, bits, phrases, place, main)
    commented = (bits & _bits(Region.COMMENTS)).any()
    inside = _INSIDE_FORUM if commented and is_forum() else _INSIDE
    return nest(document.elements.parent, bits, inside)


class _Placement:
    """Place and size of each element, relative to the main content."""

    def __init__(self, document: Document, main: Mask) -> None:
        elements, n = document.elements, document.n_blocks
        self.first, self.end = elements.first_block, elements.end_block
        words = np.where(main, np.maximum(document.blocks.words, 1), 0)
        total = np.concatenate(([0], np.cumsum(words)))
        self.all_main = max(int(total[-1]), 1)
        self.main_words = total[self.end] - total[self.first]
        begin = int(np.searchsorted(total, total[-1] * EDGE_SHARE, side="right")) - 1
        finish = int(np.searchsorted(total, total[-1] * (1 - EDGE_SHARE), side="left"))
        some = total[-1] > 0
        self.before = self.end <= (begin if some else n)
        self.after = self.first >= (finish if some else 0)
        self.size = self.end - self.first
        self.holds_main = self.main_words > MAX_MAIN_SHARE * self.all_main
        self.is_page = self.size > max(MAX_BLOCK_SHARE * n, 1)


def _drop_unlikely(document: Document, bits: Bits, place: _Placement) -> None:
    """Drop names that cannot be true at the element's place."""
    elements = document.elements
    in_article = (elements.flags & int(Context.ARTICLE)) != 0
    in_main = (elements.flags & int(Context.MAIN)) != 0
    wrong = place.holds_main | (place.is_page & (place.size > MIN_PAGE_BLOCKS))
    bits[wrong] &= np.uint64(Region.CONTENT.bit)
    bits[~place.before] &= ~_bits(Region.HEADER, Region.BRAND)
    bits[in_article | in_main] &= ~_bits(Region.HEADER)
    bits[~place.after] &= ~_bits(Region.FOOTER)
    # The footer of an article says where it is filed.
    own = in_article & ((bits & _bits(Region.FOOTER)) != 0)
    bits[own] = bits[own] & ~_bits(Region.FOOTER) | _bits(Region.BYLINE)
    framed = (bits & _FRAME) != 0
    bits[framed & (place.size > MAX_FORM_BLOCKS)] &= ~_bits(Region.FORM, Region.ACCOUNT)
    for region, most in _MAX_BLOCKS.items():
        bits[place.size > most] &= ~_bits(region)


def _add_headed(
    document: Document,
    bits: Bits,
    phrases: PhraseMatches,
    place: _Placement,
    main: Mask,
) -> None:
    """Add the regions that headings name."""
    blocks = document.blocks
    up = _add_consent(document, bits, phrases, place, main)
    short = ~main & (phrases.words <= MAX_HEADING_WORDS)
    for topic, region in _HEADS.items():
        linked = (blocks.linked_words > 0) & (blocks.flags >> HEADING_SHIFT == 0)
        says = phrases.consist_of(topic)
        if topic in _OPENING:
            says = says | phrases.open_with(topic)
        heads = np.flatnonzero(says & short & ~linked)[:MAX_HEADINGS]
        for block in heads.tolist():
            element = int(blocks.element[block])
            around = int(up[element])
            if around >= 0 and _is_headed(place, around, block, region):
                bits[around] |= np.uint64(region.bit)
            elif region not in _MAX_HEADED_BLOCKS:
                _mark_following(document, bits, place, element, region)


def _add_consent(
    document: Document,
    bits: Bits,
    phrases: PhraseMatches,
    place: _Placement,
    main: Mask,
) -> Ints:
    """Add the boxes in which a text speaks of cookies.

    Returns the next larger element around each one.
    """
    elements, blocks = document.elements, document.blocks
    up = find_larger(elements.parent, elements.first_block, elements.end_block)
    speaks = phrases.mention(Topic.CONSENT) & phrases.mention(Topic.COOKIE)
    speaks &= ~main & (2 * blocks.linked_words <= blocks.words)
    speaks &= phrases.words > MAX_HEADING_WORDS
    around = up[blocks.element[np.flatnonzero(speaks)]]
    around = around[around >= 0]
    small = (place.size[around] <= MAX_CONSENT_BLOCKS) & (place.main_words[around] == 0)
    bits[around[small]] |= np.uint64(Region.CONSENT.bit)
    return up


def _is_headed(place: _Placement, around: int, block: int, region: Region) -> bool:
    """Whether *block* is at the top of the element *around* it, a part of the page."""
    return bool(
        not place.holds_main[around]
        and not place.is_page[around]
        and block - place.first[around] <= 1
        and place.size[around] <= _MAX_HEADED_BLOCKS.get(region, place.size[around])
    )


def _mark_following(
    document: Document, bits: Bits, place: _Placement, element: int, region: Region
) -> None:
    """Mark the elements after a heading, up to main content or another heading."""
    elements, blocks = document.elements, document.blocks
    parent, end = elements.parent, elements.end
    while parent[element] >= 0 and place.size[parent[element]] == place.size[element]:
        element = int(parent[element])
    level = int(blocks.flags[place.first[element]]) >> HEADING_SHIFT or 6
    for _ in range(MAX_HEADINGS):
        bits[element] |= np.uint64(region.bit)
        following = int(end[element])
        if following >= document.n_elements or parent[following] != parent[element]:
            return
        element = following
        first = int(place.first[element])
        if not place.size[element]:
            continue
        at = int(blocks.flags[first]) >> HEADING_SHIFT
        if place.main_words[element] or 0 < at <= level:
            return
