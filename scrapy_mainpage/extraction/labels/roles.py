"""The boilerplate role of each block: names, words, place, and neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ...label import Label
from ..document.document import HEADING_SHIFT
from . import CODE
from ._match import find_larger
from .context import BlockContext
from .phrases import Topic
from .regions import Region, find_regions

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from ..document.document import Document
    from .context import Floats
    from .phrases import PhraseMatches

    Bits = npt.NDArray[np.uint64]
    Codes = npt.NDArray[np.uint8]
    Mask = npt.NDArray[np.bool_]

MAX_SHORT_WORDS: Final = 8
"""Words of a block that says one thing."""

MAX_LINE_WORDS: Final = 30
"""Words of a line with author, date and the like, or of a trail."""

MIN_DATE_DIGITS: Final = 3
"""Digits of a date or a time."""

MAX_NEAR_BLOCKS: Final = 8
"""Blocks around the title, or after the text, in which its date and author are."""

MAX_BYLINE_BLOCKS: Final = 5
"""Blocks under the title that are author, date and place if nothing else is known."""

MIN_TEASER_WORDS: Final = 4.5
"""Words of a link to a story; a menu's are shorter."""

MIN_STORY_WORDS: Final = 3.5
"""Words of the links of a list of stories, on average."""

MIN_MENU_LINKS: Final = 3
"""Links in the sidebar that are a menu."""

EDGE_SHARE: Final = 0.15
"""First or last share of a page's blocks: header or footer if nothing else is known."""

MIN_LIST_ITEMS: Final = 3
"""Items of a list in which most decide for all."""


def _among(*labels: Label) -> Mask:
    return np.array([label in labels for label in CODE])


_DOUBTFUL: Final = _among(Label.OTHER, Label.SIDEBAR, Label.BYLINE, Label.NAVIGATION)
"""Roles of weak evidence, or of parts of teasers."""

_LOOSE: Final = _DOUBTFUL | _among(
    Label.RELATED, Label.FOOTER, Label.FORM, Label.HEADER
)
"""Roles that the items of a list share: one of them alone is likely a mistake."""

_HEADED: Final = _among(Label.NAVIGATION, Label.FOOTER, Label.COMMENTS, Label.FORM)
"""Roles that a heading takes on from the block after it."""


_LABEL_OF: Final = {
    Region.ACCOUNT: Label.FORM,
    Region.BRAND: Label.HEADER,
    Region.NONE: Label.OTHER,
    Region.OVERLAY: Label.OTHER,
    Region.CONTENT: Label.OTHER,
}
_CODE_OF_REGION: Final = np.array(
    [CODE[_LABEL_OF.get(region) or Label(region.name.lower())] for region in Region],
    np.uint8,
)


def find_roles(
    document: Document,
    phrases: PhraseMatches,
    names: Bits,
    title: int,
    main: Mask,
    is_forum: Callable[[], bool],
) -> Codes:
    """The role of each block; the first condition that holds wins.

    *names* are the bits of the elements' names, *title* is the block of the page's
    title or -1; *is_forum* says whether it is a page of a forum.
    """
    regions = find_regions(document, names.copy(), phrases, main, is_forum)
    context = BlockContext(document, phrases, regions, main, title, is_forum)
    roles = _CODE_OF_REGION[context.region]
    for label, mask in reversed([*_by_words(context), *_by_place(context)]):
        roles[mask] = CODE[label]
    _agree_in_lists(context, roles)
    _join_neighbours(context, roles)
    return roles


def _by_words(context: BlockContext) -> list[tuple[Label, Mask]]:
    """Roles that names and words tell, and where they hold, the surest first."""
    said, short, unknown = (
        context.phrases.consist_of,
        context.words <= MAX_SHORT_WORDS,
        context.unknown,
    )
    aside, beside = (
        context.within(Region.SIDEBAR),
        context.within(Region.BYLINE, Region.SHARE),
    )
    asks = said(Topic.FORM) | said(Topic.ACCOUNT)
    return [
        (Label.CONSENT, _consent(context)),
        (Label.ADVERTISEMENT, _advertisement(context)),
        (Label.LEGAL, _legal(context)),
        (Label.BREADCRUMB, _breadcrumb(context)),
        (Label.PAGINATION, _pagination(context)),
        (Label.SHARE, _share(context)),
        (Label.HEADER, _account(context)),
        (Label.COMMENTS, short & said(Topic.COMMENTS) & (unknown | aside | beside)),
        (Label.BYLINE, _byline(context)),
        (Label.FORM, short & asks & (unknown | aside)),
        (
            Label.NAVIGATION,
            short & said(Topic.NAVIGATION) & (unknown | context.within(Region.HEADER)),
        ),
    ]


def _by_place(context: BlockContext) -> list[tuple[Label, Mask]]:
    """Roles by the place of blocks whose names say little, the surest first."""
    index, unknown, linked = context.index, context.unknown, context.linked
    aside, short = context.within(Region.SIDEBAR), context.words <= MAX_SHORT_WORDS
    begin, end = context.bounds
    before, after = index < begin, index >= end
    first, last = (
        index < EDGE_SHARE * len(index),
        index >= (1 - EDGE_SHARE) * len(index),
    )
    links, length = _links_around(context)
    story = linked & (context.weight >= MIN_TEASER_WORDS) & (length >= MIN_STORY_WORDS)
    return [
        (Label.BYLINE, unknown & context.below_title(MAX_BYLINE_BLOCKS) & short),
        (Label.RELATED, story & (aside | unknown)),
        (Label.NAVIGATION, linked & aside & (links >= MIN_MENU_LINKS)),
        (Label.NAVIGATION, linked & unknown & before),
        (Label.FOOTER, unknown & after & last & linked),
        (Label.NAVIGATION, unknown & linked & context.has_tag("li")),
        (Label.RELATED, unknown & linked & after),
        (Label.HEADER, unknown & before & first & short),
    ]


def _consent(context: BlockContext) -> Mask:
    phrases = context.phrases
    sure = phrases.consist_of(Topic.CONSENT) & (context.words <= MAX_SHORT_WORDS)
    speaks = phrases.mention(Topic.COOKIE) & phrases.mention(Topic.CONSENT)
    here = context.frame | context.within(Region.FORM, Region.LEGAL)
    return context.within(Region.CONSENT) | (here & (sure | (speaks & ~context.linked)))


def _advertisement(context: BlockContext) -> Mask:
    """Advertisements; a link that says so in a menu or the footer leads to prices."""
    said = context.phrases.consist_of(Topic.ADVERTISEMENT) & (
        context.words <= MAX_SHORT_WORDS
    )
    listed = context.linked & context.within(
        Region.FOOTER, Region.HEADER, Region.NAVIGATION
    )
    return context.within(Region.ADVERTISEMENT) | (said & ~listed)


def _legal(context: BlockContext) -> Mask:
    phrases = context.phrases
    owns = phrases.mention(Topic.COPYRIGHT) & (
        phrases.open_with(Topic.COPYRIGHT) | (phrases.numbers > 0)
    )
    if context.main.any():
        # Before the end of the text it is a picture's.
        owns &= context.index >= context.bounds[1]
    mostly = phrases.mention(Topic.LEGAL)
    mostly = mostly & (2 * phrases.counts[Topic.LEGAL] >= context.words)
    here = context.frame | context.within(Region.LEGAL, Region.BYLINE)
    found: Mask = context.within(Region.LEGAL) | (here & (mostly | owns))
    return found


def _breadcrumb(context: BlockContext) -> Mask:
    phrases = context.phrases
    from_home = phrases.open_with(Topic.HOME)
    long = (phrases.separators >= 2) & context.linked
    trail = long | ((phrases.separators >= 1) & from_home)
    above = context.index < context.bounds[0] + MAX_NEAR_BLOCKS
    here = context.unknown | context.within(Region.HEADER, Region.BYLINE)
    sure = long & from_home & ~context.within(Region.FOOTER)
    line = (context.words <= MAX_LINE_WORDS) & (context.words > 1)
    return context.within(Region.BREADCRUMB) | (line & (sure | (trail & above & here)))


def _pagination(context: BlockContext) -> Mask:
    phrases = context.phrases
    said = phrases.consist_of(Topic.PAGINATION) & (context.words <= MAX_SHORT_WORDS)
    row = (phrases.numbers == context.words) & (context.words >= 3)
    here = (context.unknown | context.within(Region.BYLINE)) & (
        context.document.blocks.linked_words > 0
    )
    found: Mask = context.within(Region.PAGINATION) | ((said | row) & here)
    return found


def _share(context: BlockContext) -> Mask:
    phrases = context.phrases
    network = phrases.mention(Topic.NETWORK)
    said = phrases.consist_of(Topic.SHARE) & (context.words <= MAX_SHORT_WORDS)
    said |= phrases.consist_of(Topic.NETWORK)
    said |= network & context.linked & (context.words <= MAX_SHORT_WORDS // 2)
    here: Mask = said & (context.frame | context.within(Region.BYLINE))
    return here


def _account(context: BlockContext) -> Mask:
    said = context.phrases.consist_of(Topic.ACCOUNT) & (
        context.words <= MAX_SHORT_WORDS
    )
    above = context.index < context.bounds[0]
    return said & above & context.within(Region.HEADER, Region.NAVIGATION)


def _byline(context: BlockContext) -> Mask:
    """Date and author near the title, with a post, or the text's categories."""
    phrases, index = context.phrases, context.index
    dated = (phrases.numbers >= 2) & (context.document.blocks.digits >= MIN_DATE_DIGITS)
    spoken = phrases.mention(Topic.BYLINE)
    near = context.around_title(MAX_NEAR_BLOCKS // 2, MAX_NEAR_BLOCKS) & (
        dated | spoken
    )
    begin, end = context.bounds
    posted = (index >= begin) & (index < end) & dated & spoken
    if (posted & context.linked).any() and not context.is_forum():
        posted &= ~context.linked
    filed = (
        (index >= end - 2)
        & (index < end + MAX_NEAR_BLOCKS)
        & phrases.open_with(Topic.BYLINE)
    )
    here, commented = context.unknown, context.within(Region.COMMENTS)
    if commented.any() and context.is_forum():
        here = here | commented
    line = (context.words <= MAX_LINE_WORDS) & (context.words > 0)
    found: Mask = here & line & (near | posted | filed)
    return found


def _links_around(context: BlockContext) -> tuple[Floats, Floats]:
    """How many blocks in the next larger element are links, and their mean weight."""
    elements, blocks = context.document.elements, context.document.blocks
    up = find_larger(elements.parent, elements.first_block, elements.end_block)
    around = np.maximum(up[blocks.element], 0)
    sums = np.zeros((2, len(context.main) + 1))
    np.cumsum(context.weight * context.linked, out=sums[0, 1:])
    np.cumsum(context.linked, out=sums[1, 1:])
    first, end = elements.first_block[around], elements.end_block[around]
    total, count = sums[:, end] - sums[:, first]
    # The larger element is another region: the block is on its own.
    alone = context.regions[around] != context.region
    count = np.where(alone, context.linked, count)
    return count, np.where(alone, context.weight, total / np.maximum(count, 1))


def _agree_in_lists(context: BlockContext, roles: Codes) -> None:
    """Give the items of a list the role that most of them have."""
    elements, blocks = context.document.elements, context.document.blocks
    at = np.flatnonzero(_LOOSE[roles] & ~context.main)
    if len(at) < MIN_LIST_ITEMS:
        return
    parent = elements.parent[blocks.element[at]].astype(np.int64)
    _, group = np.unique(parent * 256 + context.tag[at], return_inverse=True)
    n_groups = int(group.max()) + 1
    votes = np.bincount(
        group * len(CODE) + roles[at], minlength=n_groups * len(CODE)
    ).reshape(n_groups, len(CODE))
    most, size = votes.max(axis=1), votes.sum(axis=1)
    chosen = ((size >= MIN_LIST_ITEMS) & (2 * most > size))[group]
    roles[at[chosen]] = votes.argmax(axis=1)[group][chosen]


def _join_neighbours(context: BlockContext, roles: Codes) -> None:
    """Give blocks among teasers, and headings of lists, the role of these."""
    if len(roles) < 2:
        return
    related = roles == CODE[Label.RELATED]
    follows, before = np.append(related[1:], False), np.append(False, related[:-1])
    doubtful = _DOUBTFUL[roles] & ~context.main
    doubtful &= context.unknown | context.within(Region.SIDEBAR, Region.BYLINE)
    heading = context.document.blocks.flags >> HEADING_SHIFT > 0
    heads = heading | (~context.linked & (roles != CODE[Label.BYLINE]))
    roles[doubtful & follows & (before | heads)] = CODE[Label.RELATED]
    following = np.append(roles[1:], roles[-1:])
    lone = context.unknown & (roles == CODE[Label.OTHER]) & ~context.main & heading
    lone &= _HEADED[following] & ~np.append(context.main[1:], True)
    roles[lone] = following[lone]
