"""The role of each block as boilerplate: names, words and place against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...page import Label
from .labels import CODE, CODE_OF_STATE
from .lists import agree_in_lists, join_neighbours, links_around
from .look import Look
from .phrasebook import Meaning
from .regions import find_states
from .states import State

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..document.document import Document
    from .labels import Codes, Mask
    from .signs import Signs

SHORT: Final = 8
"""Words of a block that says one thing."""

LINE: Final = 30
"""Words of a line with author, date and the like, or of a trail."""

LEAST_DATE: Final = 3
"""Digits of a date or a time."""

NEAR: Final = 8
"""Blocks around the title, or after the text, in which its date and author are."""

UNDER: Final = 5
"""Blocks under the title that are author, date and place if nothing else is known."""

TEASER: Final = 4.5
"""Words of a link to a story; a menu's are shorter."""

LIST: Final = 3.5
"""Words of the links of a list of stories, on average."""

LEAST_MENU: Final = 3
"""Links in the sidebar that are a menu."""

TAIL: Final = 0.15
"""The last share of a page's blocks: what is not known there is the footer."""


def find_roles(
    document: Document, signs: Signs, main: Mask, is_forum: Callable[[], bool]
) -> Codes:
    """The role of each block; the first condition that holds wins.

    *signs* are the document's; *is_forum* tells whether it is a page of a forum.
    """
    sayings, bits = signs.sayings, signs.names.copy()  # they are changed
    states = find_states(document, bits, sayings, main, is_forum)
    look = Look(document, sayings, states, main, signs.title, is_forum)
    roles = CODE_OF_STATE[look.state]
    for label, mask in reversed([*_by_words(look), *_by_place(look)]):
        roles[mask] = CODE[label]
    agree_in_lists(look, roles)
    join_neighbours(look, roles)
    return roles


def _by_words(look: Look) -> list[tuple[Label, Mask]]:
    """Roles that names and words tell, and where they hold, the surest first."""
    say, short, unknown = look.sayings.say, look.words <= SHORT, look.unknown
    aside, beside = look.within(State.SIDEBAR), look.within(State.BYLINE, State.SHARE)
    asks = say(Meaning.FORM) | say(Meaning.ACCOUNT)
    field = look.has_tag("button", "label", "legend")
    return [
        (Label.CONSENT, _consent(look)),
        (Label.ADVERTISEMENT, _advertisement(look)),
        (Label.LEGAL, _legal(look)),
        (Label.BREADCRUMB, _breadcrumb(look)),
        (Label.PAGINATION, _pagination(look)),
        (Label.SHARE, _share(look)),
        (Label.HEADER, _account(look)),
        (Label.COMMENTS, short & say(Meaning.COMMENTS) & (unknown | aside | beside)),
        (Label.RELATED, short & say(Meaning.RELATED) & (unknown | aside)),
        (Label.BYLINE, _byline(look)),
        (Label.FORM, short & asks & (unknown | aside)),
        (
            Label.NAVIGATION,
            short & say(Meaning.NAVIGATION) & (unknown | look.within(State.HEADER)),
        ),
        (Label.FORM, look.sayings.mention(Meaning.FORM) & unknown & field),
    ]


def _by_place(look: Look) -> list[tuple[Label, Mask]]:
    """Roles by the place of blocks whose names say little, the surest first."""
    index, unknown, linked = look.index, look.unknown, look.linked
    aside, short = look.within(State.SIDEBAR), look.words <= SHORT
    begin, end = look.bounds
    before, after = index < begin, index >= end
    first, last = index < TAIL * len(index), index >= (1 - TAIL) * len(index)
    links, length = links_around(look)
    story = linked & (look.weight >= TEASER) & (length >= LIST)
    return [
        (Label.BYLINE, unknown & look.below_title(UNDER) & short),
        (Label.RELATED, story & (aside | unknown)),
        (Label.NAVIGATION, linked & aside & (links >= LEAST_MENU)),
        (Label.NAVIGATION, linked & unknown & before),
        (Label.FOOTER, unknown & after & last & linked),
        (Label.NAVIGATION, unknown & linked & look.has_tag("li")),
        (Label.RELATED, unknown & linked & after),
        (Label.HEADER, unknown & before & first & short),
    ]


def _consent(look: Look) -> Mask:
    sayings = look.sayings
    sure = sayings.say(Meaning.CONSENT) & (look.words <= SHORT)
    speaks = sayings.mention(Meaning.COOKIE) & sayings.mention(Meaning.CONSENT)
    here = look.frame | look.within(State.FORM, State.LEGAL)
    return look.within(State.CONSENT) | (here & (sure | (speaks & ~look.linked)))


def _advertisement(look: Look) -> Mask:
    """Advertisements; a link that says so in a menu or the footer leads to prices."""
    said = look.sayings.say(Meaning.ADVERTISEMENT) & (look.words <= SHORT)
    listed = look.linked & look.within(State.FOOTER, State.HEADER, State.NAVIGATION)
    return look.within(State.ADVERTISEMENT) | (said & ~listed)


def _legal(look: Look) -> Mask:
    sayings = look.sayings
    owns = sayings.mention(Meaning.COPYRIGHT) & (
        sayings.open(Meaning.COPYRIGHT) | (sayings.numbers > 0)
    )
    if look.main.any():
        # Before the end of the text it is a picture's.
        owns &= look.index >= look.bounds[1]
    mostly = sayings.mention(Meaning.LEGAL)
    mostly = mostly & (2 * sayings.counts[Meaning.LEGAL] >= look.words)
    here = look.frame | look.within(State.LEGAL, State.BYLINE)
    found: Mask = look.within(State.LEGAL) | (here & (mostly | owns))
    return found


def _breadcrumb(look: Look) -> Mask:
    sayings = look.sayings
    from_home = sayings.open(Meaning.HOME)
    long = (sayings.separators >= 2) & look.linked
    trail = long | ((sayings.separators >= 1) & from_home)
    above = look.index < look.bounds[0] + NEAR
    here = look.unknown | look.within(State.HEADER, State.BYLINE)
    sure = long & from_home & ~look.within(State.FOOTER)
    line = (look.words <= LINE) & (look.words > 1)
    return look.within(State.BREADCRUMB) | (line & (sure | (trail & above & here)))


def _pagination(look: Look) -> Mask:
    sayings = look.sayings
    said = sayings.say(Meaning.PAGINATION) & (look.words <= SHORT)
    row = (sayings.numbers == look.words) & (look.words >= 3)
    here = (look.unknown | look.within(State.BYLINE)) & (
        look.document.blocks.linked_words > 0
    )
    found: Mask = look.within(State.PAGINATION) | ((said | row) & here)
    return found


def _share(look: Look) -> Mask:
    sayings = look.sayings
    network = sayings.mention(Meaning.NETWORK)
    said = sayings.say(Meaning.SHARE) & (look.words <= SHORT)
    said |= sayings.say(Meaning.NETWORK)
    said |= network & look.linked & (look.words <= SHORT // 2)
    here: Mask = said & (look.frame | look.within(State.BYLINE))
    return here


def _account(look: Look) -> Mask:
    said = look.sayings.say(Meaning.ACCOUNT) & (look.words <= SHORT)
    above = look.index < look.bounds[0]
    return said & above & look.within(State.HEADER, State.NAVIGATION)


def _byline(look: Look) -> Mask:
    """Date and author near the title, with a post, or what it is filed under."""
    sayings, index = look.sayings, look.index
    dated = (sayings.numbers >= 2) & (look.document.blocks.digits >= LEAST_DATE)
    spoken = sayings.mention(Meaning.BYLINE)
    near = look.around_title(NEAR // 2, NEAR) & (dated | spoken)
    begin, end = look.bounds
    posted = (index >= begin) & (index < end) & dated & spoken
    if (posted & look.linked).any() and not look.forum:
        posted &= ~look.linked
    filed = (index >= end - 2) & (index < end + NEAR) & sayings.open(Meaning.BYLINE)
    here, commented = look.unknown, look.within(State.COMMENTS)
    if commented.any() and look.forum:
        here = here | commented
    line = (look.words <= LINE) & (look.words > 0)
    found: Mask = here & line & (near | posted | filed)
    return found
