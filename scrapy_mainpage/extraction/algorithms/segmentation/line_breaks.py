"""Line break segmentation: which elements break lines (Rae et al. 2018, section 3.1).

A. R. Rae, J. Kim, D. Le, G. R. Thoma: "Main Content Detection in HTML Journal
Articles", DocEng 2018. Without a rendered page the default display of the tags replaces
the computed one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...document.document import nonblank_texts
from ...document.schema import Context, RunKind
from ...document.tags import BLOCK_TAGS, CODES, TAGS

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...document.document import Document
    from ...document.schema import Ints, Longs, Mask

    Array = npt.NDArray[Any]


# Table cells are side by side, so they count as inline.
_BLOCK_CODES = np.array(
    sorted(CODES[tag] for tag in set(BLOCK_TAGS) - {"td", "th", "button"})
)


def default_blocks(document: Document) -> Mask:
    """The elements that browsers display as blocks by default."""
    is_block = np.zeros(len(TAGS) + len(document.extra_tags), bool)
    is_block[_BLOCK_CODES] = True
    mask: Mask = is_block[document.elements.tag]
    return mask


def text_runs(document: Document) -> Mask:
    """The nonblank runs of text that no inline style hides."""
    flags = document.elements.flags[document.runs.element]
    mask: Mask = nonblank_texts(document) & ((flags & Context.HIDDEN) == 0)
    return mask


def count_around(document: Document, chosen: Mask) -> Longs:
    """How many of the *chosen* elements are around each element, itself included."""
    n = document.n_elements + 1
    starts = np.bincount(np.flatnonzero(chosen), minlength=n)
    ends = np.bincount(document.elements.end[chosen], minlength=n)
    return np.cumsum(starts - ends)[:-1]


def sums_of_runs(document: Document, values: Array) -> Array:
    """Per element the sum of the *values* of the runs inside."""
    total = np.append(0, np.cumsum(values))
    first, end = document.elements.first_run, document.elements.end_run
    return np.asarray(total[end] - total[first])


def sums_of_elements(document: Document, values: Array) -> Array:
    """Per element the sum of the *values* of itself and the elements inside."""
    total = np.append(0, np.cumsum(values))
    return np.asarray(total[document.elements.end] - total[:-1])


def last_of_chain(following: Array) -> Array:
    """Where each place ends that goes on to the *following* one, or stays."""
    # Pointer jumping: each round doubles the distance.
    while not np.array_equal(further := following[following], following):
        following = further
    return following


def elements_with(document: Document, runs: Mask) -> Mask:
    """The elements around any of the *runs*."""
    return np.asarray(sums_of_runs(document, runs) > 0)


def breaking_elements(
    document: Document,
    is_block: Mask,
    significant: Mask,
    texts: Mask,
    *,
    hidden: Mask,
    holder: Ints,
) -> Mask:
    """The elements that break lines by their children, or that have one inside.

    *is_block* marks elements displayed as blocks; only *significant* elements and the
    runs of *texts* count. An element breaks lines if it has two block children, a block
    child next to an inline one, or a ``br`` or ``hr`` with text on both sides.

    A *hidden* ``br`` or ``hr`` does not break lines.
    *holder* is each element itself or, for an element without a box, the nearest one
    around it with a box: the effective parent of its children.
    """
    blocks = _children(document, significant & is_block, holder)
    inlines = _children(document, significant & ~is_block, holder)
    owners = holder[document.runs.element[texts]]
    inlines += np.bincount(owners, minlength=len(inlines))
    own = (blocks >= 2) | ((blocks >= 1) & (inlines >= 1))
    own |= _has_break(document, texts, hidden, holder)
    breaks: Mask = sums_of_elements(document, own & significant) > 0
    return breaks


def zone_root(document: Document, breaks: Mask, element: int) -> int:
    """The element of the zone around *element*.

    Zones are split as long as they break lines: an element is a zone of its own if all
    its ancestors break lines, else it belongs to the first ancestor that does not.
    """
    root = element
    parent = int(document.elements.parent[element])
    while parent >= 0:
        if not breaks[parent]:
            root = parent
        parent = int(document.elements.parent[parent])
    return root


def _children(document: Document, which: Mask, holder: Ints) -> Longs:
    parents = document.elements.parent[which]
    return np.bincount(holder[parents[parents >= 0]], minlength=document.n_elements)


def _has_break(document: Document, texts: Mask, hidden: Mask, holder: Ints) -> Mask:
    """Whether a child ``br`` or ``hr`` has text before and after it in the element."""
    runs, elements = document.runs, document.elements
    total = np.concatenate(([0], np.cumsum(texts)))
    breaks = (runs.kind == RunKind.BREAK) | (runs.kind == RunKind.RULE)
    at = np.flatnonzero(breaks & ~hidden[runs.element])
    parent = holder[elements.parent[runs.element[at]]]
    before = total[at] - total[elements.first_run[parent]]
    after = total[elements.end_run[parent]] - total[at]
    mask = np.zeros(document.n_elements, bool)
    mask[parent[(before > 0) & (after > 0)]] = True
    return mask
