"""The part of the page that each element is in, by its names and by headings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ..document._walk import next_larger
from ..document.document import HEADING_SHIFT, Context
from ..document.tags import CODES
from ._roles import nest
from .phrasebook import Meaning
from .states import INSIDE, INSIDE_FORUM, State

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from ..document.document import Document
    from .labels import Mask
    from .phrases import Sayings

    Bits = npt.NDArray[np.uint64]
    Ints = npt.NDArray[np.int32]
    States = npt.NDArray[np.uint8]

MAIN_SHARE: Final = 0.1
"""An element with more of the page's main words is not boilerplate as a whole."""

EDGE: Final = 0.02
"""The main content begins and ends where this share of its words is left out."""

PAGE_SHARE: Final = 0.7
"""An element with more of the page's blocks is the page, whatever its name."""

MOST_FORM: Final = 6
"""What is called a menu, header or footer, and a form, with more blocks is no form."""

LEAST_PAGE: Final = 4
"""On a page of no more blocks an element may be all of it."""


def _bits(*states: State) -> np.uint64:
    return np.uint64(sum(state.bit for state in states))


_FRAME: Final = _bits(State.NAVIGATION, State.FOOTER, State.HEADER)
_NOT_OF_MENUS: Final = _bits(
    State.FORM, State.ACCOUNT, State.ADVERTISEMENT, State.RELATED
)
MOST_HEADINGS: Final = 40
MOST_HEADING_WORDS: Final = 12
MOST_CONSENT: Final = 20
"""Blocks of the box around a text on cookies."""

_HEADS: Final = {
    Meaning.RELATED: State.RELATED,
    Meaning.COMMENTS: State.COMMENTS,
    Meaning.ADVERTISEMENT: State.ADVERTISEMENT,
    Meaning.TOPICS: State.NAVIGATION,
    Meaning.SHARE: State.SHARE,
}
"""The part that a heading which says so is the head of."""

_OPENING: Final = {Meaning.RELATED, Meaning.COMMENTS}
"""What a heading may go on after: "More from ...", "Comments on ..."."""

_MOST_BLOCKS: Final = {State.FORM: 40, State.PAGINATION: 25, State.SHARE: 40}
"""Around more blocks such a name says something else."""

_MOST_HEADED: Final = {State.ADVERTISEMENT: 6, State.SHARE: 12}
"""A part that such a heading is the head of has no more blocks."""


def find_states(
    document: Document,
    bits: Bits,
    sayings: Sayings,
    main: Mask,
    is_forum: Callable[[], bool],
) -> States:
    """The state of each element (see :class:`~.states.State`).

    *bits* are what the elements' names say (see :mod:`.names`); they are changed.
    *is_forum* is asked only where there are comments: else it makes no difference.
    """
    place = _Place(document, main)
    bits &= np.uint64((1 << len(State) - 1) - 1)
    _forget(document, bits, place)
    _add_headed(document, bits, sayings, place, main)
    commented = (bits & _bits(State.COMMENTS)).any()
    inside = INSIDE_FORUM if commented and is_forum() else INSIDE
    return nest(document.elements.parent, bits, inside)


class _Place:
    """Where each element is, as seen from the main content."""

    def __init__(self, document: Document, main: Mask) -> None:
        elements, n = document.elements, document.n_blocks
        self.first, self.end = elements.first_block, elements.end_block
        words = np.where(main, np.maximum(document.blocks.words, 1), 0)
        total = np.concatenate(([0], np.cumsum(words)))
        self.all_main = max(int(total[-1]), 1)
        self.main_words = total[self.end] - total[self.first]
        begin = int(np.searchsorted(total, total[-1] * EDGE, side="right")) - 1
        finish = int(np.searchsorted(total, total[-1] * (1 - EDGE), side="left"))
        some = total[-1] > 0
        self.before = self.end <= (begin if some else n)
        self.after = self.first >= (finish if some else 0)
        self.size = self.end - self.first
        self.holds_main = self.main_words > MAIN_SHARE * self.all_main
        self.is_page = self.size > max(PAGE_SHARE * n, 1)


def _forget(document: Document, bits: Bits, place: _Place) -> None:
    """Take away what cannot be true where the element is."""
    elements = document.elements
    in_article = (elements.flags & int(Context.ARTICLE)) != 0
    in_main = (elements.flags & int(Context.MAIN)) != 0
    wrong = place.holds_main | (place.is_page & (place.size > LEAST_PAGE))
    bits[wrong] &= np.uint64(State.CONTENT.bit)
    bits[~place.before] &= ~_bits(State.HEADER, State.BRAND)
    bits[in_article | in_main] &= ~_bits(State.HEADER)
    bits[~place.after] &= ~_bits(State.FOOTER)
    # The footer of an article says where it is filed.
    own = in_article & ((bits & _bits(State.FOOTER)) != 0)
    bits[own] = bits[own] & ~_bits(State.FOOTER) | _bits(State.BYLINE)
    bits[elements.tag == CODES["nav"]] &= ~_NOT_OF_MENUS
    framed = (bits & _FRAME) != 0
    bits[framed & (place.size > MOST_FORM)] &= ~_bits(State.FORM, State.ACCOUNT)
    for state, most in _MOST_BLOCKS.items():
        bits[place.size > most] &= ~_bits(state)


def _add_headed(
    document: Document, bits: Bits, sayings: Sayings, place: _Place, main: Mask
) -> None:
    """Add what headings say of the parts that they head."""
    blocks = document.blocks
    up = _add_consent(document, bits, sayings, place, main)
    short = ~main & (sayings.words <= MOST_HEADING_WORDS)
    for meaning, state in _HEADS.items():
        linked = (blocks.linked_words > 0) & (blocks.flags >> HEADING_SHIFT == 0)
        says = sayings.say(meaning)
        if meaning in _OPENING:
            says = says | sayings.open(meaning)
        heads = np.flatnonzero(says & short & ~linked)[:MOST_HEADINGS]
        for block in heads.tolist():
            element = int(blocks.element[block])
            around = int(up[element])
            if around >= 0 and _is_headed(place, around, block, state):
                bits[around] |= np.uint64(state.bit)
            elif state not in _MOST_HEADED:
                _mark_following(document, bits, place, element, state)


def _add_consent(
    document: Document, bits: Bits, sayings: Sayings, place: _Place, main: Mask
) -> Ints:
    """Add the boxes in which a text speaks of cookies.

    Returns the next larger element around each one.
    """
    elements, blocks = document.elements, document.blocks
    up = next_larger(elements.parent, elements.first_block, elements.end_block)
    speaks = sayings.mention(Meaning.CONSENT) & sayings.mention(Meaning.COOKIE)
    speaks &= ~main & (2 * blocks.linked_words <= blocks.words)
    speaks &= sayings.words > MOST_HEADING_WORDS
    around = up[blocks.element[np.flatnonzero(speaks)]]
    around = around[around >= 0]
    small = (place.size[around] <= MOST_CONSENT) & (place.main_words[around] == 0)
    bits[around[small]] |= np.uint64(State.CONSENT.bit)
    return up


def _is_headed(place: _Place, around: int, block: int, state: State) -> bool:
    """Whether *block* is at the top of the element *around* it, a part of the page."""
    return bool(
        not place.holds_main[around]
        and not place.is_page[around]
        and block - place.first[around] <= 1
        and place.size[around] <= _MOST_HEADED.get(state, place.size[around])
    )


def _mark_following(
    document: Document, bits: Bits, place: _Place, element: int, state: State
) -> None:
    """Mark what follows a heading, up to main content or another heading."""
    elements, blocks = document.elements, document.blocks
    parent, end = elements.parent, elements.end
    while parent[element] >= 0 and place.size[parent[element]] == place.size[element]:
        element = int(parent[element])
    level = int(blocks.flags[place.first[element]]) >> HEADING_SHIFT or 6
    for _ in range(MOST_HEADINGS):
        bits[element] |= np.uint64(state.bit)
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
