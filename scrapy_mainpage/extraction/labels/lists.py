"""What blocks have from their neighbours: lists are alike, and headings head them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ...page import Label
from ..document._walk import next_larger
from ..document.document import HEADING_SHIFT
from .labels import CODE
from .states import State

if TYPE_CHECKING:
    from .labels import Codes, Mask
    from .look import Floats, Look

LEAST_LIST: Final = 3
"""Items of a list in which most decide for all."""


def _among(*labels: Label) -> Mask:
    return np.array([label in labels for label in CODE])


_DOUBTFUL: Final = _among(Label.OTHER, Label.SIDEBAR, Label.BYLINE, Label.NAVIGATION)
"""Roles that a block has for want of better, or also within a list of teasers."""

_LOOSE: Final = _DOUBTFUL | _among(
    Label.RELATED, Label.FOOTER, Label.FORM, Label.HEADER
)
"""Roles that the items of a list share: one of them alone is likely a mistake."""

_HEADED: Final = _among(Label.NAVIGATION, Label.FOOTER, Label.COMMENTS, Label.FORM)
"""Roles that a heading takes on from what it heads."""


def links_around(look: Look) -> tuple[Floats, Floats]:
    """How many blocks in the next larger element are links, and their mean weight."""
    elements, blocks = look.document.elements, look.document.blocks
    up = next_larger(elements.parent, elements.first_block, elements.end_block)
    around = np.maximum(up[blocks.element], 0)
    sums = np.zeros((2, len(look.main) + 1))
    np.cumsum(look.weight * look.linked, out=sums[0, 1:])
    np.cumsum(look.linked, out=sums[1, 1:])
    first, end = elements.first_block[around], elements.end_block[around]
    total, count = sums[:, end] - sums[:, first]
    # What is around is another part of the page: the block is on its own.
    alone = look.states[around] != look.state
    count = np.where(alone, look.linked, count)
    return count, np.where(alone, look.weight, total / np.maximum(count, 1))


def agree_in_lists(look: Look, roles: Codes) -> None:
    """Let the items of a list be what most of them are."""
    elements, blocks = look.document.elements, look.document.blocks
    at = np.flatnonzero(_LOOSE[roles] & ~look.main)
    if len(at) < LEAST_LIST:
        return
    parent = elements.parent[blocks.element[at]].astype(np.int64)
    _, group = np.unique(parent * 256 + look.tag[at], return_inverse=True)
    n_groups = int(group.max()) + 1
    votes = np.bincount(
        group * len(CODE) + roles[at], minlength=n_groups * len(CODE)
    ).reshape(n_groups, len(CODE))
    most, size = votes.max(axis=1), votes.sum(axis=1)
    chosen = ((size >= LEAST_LIST) & (2 * most > size))[group]
    roles[at[chosen]] = votes.argmax(axis=1)[group][chosen]


def join_neighbours(look: Look, roles: Codes) -> None:
    """Make what stands among teasers, or heads a list, a part of them."""
    if len(roles) < 2:
        return
    related = roles == CODE[Label.RELATED]
    follows, before = np.append(related[1:], False), np.append(False, related[:-1])
    doubtful = _DOUBTFUL[roles] & ~look.main
    doubtful &= look.unknown | look.within(State.SIDEBAR, State.BYLINE)
    heading = look.document.blocks.flags >> HEADING_SHIFT > 0
    heads = heading | (~look.linked & (roles != CODE[Label.BYLINE]))
    roles[doubtful & follows & (before | heads)] = CODE[Label.RELATED]
    following = np.append(roles[1:], roles[-1:])
    lone = look.unknown & (roles == CODE[Label.OTHER]) & ~look.main & heading
    lone &= _HEADED[following] & ~np.append(look.main[1:], True)
    roles[lone] = following[lone]
