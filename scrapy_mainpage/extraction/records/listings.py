"""The groups of links whose records are the entries of a listing.

Names of entries are several words, all different, often headings; their records hold
images and texts. Links of menus, facets, tags, authors and "read more" are otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..document.schema import HEADING_SHIFT

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.schema import Doubles, Longs, Mask
    from .linkgroups import Groups, Targets
    from .measures import Measures

MIN_SCORE: Final = 0.3
MIN_DISTINCT: Final = 0.6
"""Share of the links of a group whose texts are names."""

MIN_UNIQUE: Final = 0.5
"""Share of the links of a group that lead to different pages."""

MIN_HEADED: Final = 0.8
"""Share of the records with a heading, from which on it is the name."""

MIN_QUALITY: Final = 0.3
MIN_BARE_QUALITY: Final = 0.6
"""Quality beside that of the best group; of one whose records are links alone."""

MIN_GROUP: Final = 3
"""Links of a group from which on less quality is enough."""

MIN_LINKED: Final = 0.7
"""Share of words in links from which on a text is a list of links."""

MAX_COMMENTS: Final = 0.4
"""Share of the words of records that are labelled as comments."""

MORE_WORDS: Final = 3
"""Words of a record beside its link, or in it beside the name, that show more."""

MAX_BESIDE: Final = 0.6
MAX_OVERLAP: Final = 0.3
MAX_NAME_WORDS: Final = 12
FULL_NAME: Final = 6
"""Words of a name from which on it counts in full."""

SPOKEN: Final = 0.6
"""Worth of a name that only a picture says."""

MAX_WIDER: Final = 12
"""Elements around a link that is adopted."""


class Rating(NamedTuple):
    """Each group of links as a row of numbers."""

    score: Doubles
    quality: Doubles
    is_rich: Mask
    """Whether its records show more than the link."""
    is_told: Mask
    """Whether it is a heading, or its records have more text than it."""
    is_named: Mask
    """Whether the links' own texts are the names."""
    is_beside: Mask
    """Whether labels say that most of its records are of the frame or related."""
    levels: Longs
    """Of each link the level of the heading that is the name; 0 for none."""


def rate(measures: Measures) -> Rating:
    """How likely the records of each group are entries."""
    heading, head_words = measures.headings()
    levels = measures.levels(heading)
    is_head, has_head = measures.mean(levels > 0), measures.mean(heading >= 0)
    named = measures.distinct > MIN_DISTINCT
    words = np.where(named, measures.mean(measures.words), 0)
    borrowed = (has_head > MIN_HEADED) & (~named | (words > MAX_NAME_WORDS))
    words = np.where(borrowed, measures.mean(head_words), words)
    inside = measures.mean(measures.words) > words + MORE_WORDS
    more = inside | (measures.free / measures.sizes >= MORE_WORDS)
    image = measures.mean(measures.images())
    quality = np.minimum(words, FULL_NAME) / FULL_NAME
    quality *= np.where(borrowed, 0.8, measures.distinct**2) * (1 + 0.6 * is_head)
    quality *= (1 + 0.3 * image + 0.3 * more) * _place_factor(measures)
    quality[_are_none(measures)] = 0
    return Rating(
        score=(measures.unique * measures.sizes) ** 0.9 * quality,
        quality=quality,
        is_told=(is_head > 0.5) | more,
        is_rich=(is_head > 0.5) | (has_head > MIN_HEADED) | (image > 0.5) | more,
        is_named=named,
        is_beside=measures.share(measures.sums.beside) > MAX_BESIDE,
        levels=levels,
    )


def _place_factor(measures: Measures) -> Doubles:
    """What labels, menus, facets and sentences around the links take from them."""
    found: Doubles = 0.7 + 0.3 * measures.share(measures.sums.main)
    found *= 1 - 0.4 * measures.share(measures.sums.frame)
    found *= 1 - 0.3 * measures.share(measures.sums.beside)
    found *= 1 - 0.7 * measures.counted
    found *= 1 - 0.8 * measures.mean(measures.in_menu())
    found *= 1 - measures.mean(measures.in_prose())
    found[measures.is_spoken] *= SPOKEN
    return found


def _are_none(measures: Measures) -> Mask:
    """The groups that are no entries: without text blocks, to few pages, comments."""
    groups = measures.groups
    is_empty = measures.mean(groups.first >= groups.end) > 0.5
    is_empty &= measures.linked() < MIN_LINKED
    is_talk = measures.share(measures.sums.comments) > MAX_COMMENTS
    found: Mask = is_empty | is_talk | (measures.unique < MIN_UNIQUE)
    return found


def choose(
    document: Document, groups: Groups, rating: Rating, targets: Targets
) -> tuple[list[int], Mask]:
    """The groups of entries, the best first, and the blocks of their records.

    Of groups with the same records the best is taken; of others those that are nearly
    as good, and lead to other pages.
    """
    taken, chosen = np.zeros(document.n_blocks, bool), list[int]()
    for group in np.argsort(-rating.score, kind="stable").tolist():
        if rating.score[group] < MIN_SCORE:
            break
        places = groups.places(group)
        best = chosen[0] if chosen else group
        is_pair = len(places) == 2 and not rating.is_told[group]
        is_menu = rating.is_beside[group] and not rating.is_rich[group]
        if (
            len(places) < 2
            or is_pair
            or is_menu
            or not _is_as_good(groups, rating, group, best)
        ):
            continue
        spans = [_span(document, groups, k) for k in places]
        if sum(taken[span].any() for span in spans) > MAX_OVERLAP * len(spans):
            continue
        urls = {targets.find(groups.hrefs[k]) for k in places} - {None}
        if len(urls) < max(2, MIN_UNIQUE * len(spans)):
            continue
        chosen.append(group)
        for span in spans:
            taken[span] = True
    return chosen, taken


def _span(document: Document, groups: Groups, k: int) -> slice:
    """The text blocks of a record; of a link of a list in one text this text."""
    first, end = int(groups.first[k]), int(groups.end[k])
    if first < end:
        return slice(first, end)
    run = int(document.elements.first_run[groups.links[k]])
    is_there = run < int(document.elements.end_run[groups.links[k]])
    block = int(document.runs.block[run]) if is_there else -1
    return slice(block, block + 1) if block >= 0 else slice(0)


def _is_as_good(groups: Groups, rating: Rating, group: int, best: int) -> bool:
    """Whether a group is nearly as good as the best; more, if it is bare or small."""
    is_bare = bool(rating.is_rich[best] and not rating.is_rich[group])
    level, wanted = (int(rating.levels[groups.bounds[k]]) for k in (group, best))
    is_small = len(groups.places(group)) < MIN_GROUP and level != wanted
    is_beside = bool(rating.is_beside[group] and not rating.is_beside[best])
    is_worse = is_bare or is_small or is_beside
    least = MIN_BARE_QUALITY if is_worse else MIN_QUALITY
    return bool(rating.quality[group] >= least * rating.quality[best])


def adopt(
    document: Document, groups: Groups, rating: Rating, chosen: list[int], taken: Mask
) -> list[int]:
    """Links that are not of the *chosen* groups, but headings as their names are.

    They are cards of another kind among them: the first, a large one, one on sale.
    Their records are set in *groups* and *taken*.
    """
    levels = {int(rating.levels[groups.bounds[group]]) for group in chosen} - {0}
    wanted = np.isin(rating.levels, [*levels])
    if not rating.is_beside[chosen[0]]:
        wanted &= ~np.repeat(rating.is_beside, np.diff(groups.bounds))
    wanted &= _around(document, groups, chosen)
    for group in chosen:
        wanted[groups.bounds[group] : groups.bounds[group + 1]] = False
    headings = document.blocks.flags >> HEADING_SHIFT > 0
    found = []
    for k in np.flatnonzero(wanted).tolist():
        top = _widen(document, int(groups.links[k]), headings, taken)
        first = int(document.elements.first_block[top])
        end = int(document.elements.end_block[top])
        if end > first + 1 and not taken[first:end].any():
            groups.tops[k], groups.first[k], groups.end[k] = top, first, end
            taken[first:end] = True
            found.append(k)
    return found


def _around(document: Document, groups: Groups, chosen: list[int]) -> Mask:
    """The links in the smallest element around all records of the *chosen* groups."""
    tops = groups.tops[[k for group in chosen for k in groups.places(group)]]
    element, last = int(tops.min()), int(tops.max())
    while element > 0 and int(document.elements.end[element]) <= last:
        element = int(document.elements.parent[element])
    end = int(document.elements.end[element])
    found: Mask = (groups.links >= element) & (groups.links < end)
    return found


def _widen(document: Document, element: int, headings: Mask, taken: Mask) -> int:
    """The largest element around with one heading, and none of the records."""
    elements = document.elements
    for _ in range(MAX_WIDER):
        up = int(elements.parent[element])
        if up <= 0:
            break
        inside = slice(int(elements.first_block[up]), int(elements.end_block[up]))
        if headings[inside].sum() > 1 or taken[inside].any():
            break
        element = up
    return element
