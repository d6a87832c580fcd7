"""Zones and columns of a rendered page (Rae et al. 2018, sections 3.1 and 3.2).

A zone is a part of the page between two line breaks; zones nest. A column is a series
of zones with the same left and right edge; columns nest, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ...document.document import nonblank_texts
from ...document.layout import DISPLAYS, Layout
from ...document.tags import CODES
from ._zones import build_columns, build_zones, collapse_columns
from .line_breaks import (
    breaking_elements,
    count_around,
    elements_with,
    last_of_chain,
)
from .link_areas import body_of

if TYPE_CHECKING:
    from ...document.document import Document
    from ...document.schema import Doubles, Floats, Ints, Mask


BLOCK_DISPLAYS: Final = (
    "block flex grid flow-root list-item table table-row table-row-group "
    "table-header-group table-footer-group table-caption"
).split()
_IS_BLOCK = np.isin(np.array(DISPLAYS), BLOCK_DISPLAYS)
_NONE, _CONTENTS = DISPLAYS.index("none"), DISPLAYS.index("contents")


@dataclass(frozen=True, eq=False)
class Zones:
    """A zone tree; parents come before their children, the body's zone is the first.

    ``box`` is left, top, right, bottom in CSS pixels. ``run`` gives each run of the
    document its innermost zone, -1 outside of all.
    """

    parent: Ints
    element: Ints
    box: Doubles
    run: Ints

    @property
    def leaf(self) -> Mask:
        """The zones without zones inside."""
        leaf = np.ones(len(self.parent), bool)
        leaf[self.parent[1:]] = False
        return leaf


@dataclass(frozen=True, eq=False)
class Columns:
    """A column tree; parents come before their children.

    ``parent`` is the tree before columns equal to their parent are collapsed; ``stays``
    marks the others, and ``outer`` is each column's nearest ancestor among them.
    ``zone`` is the column of each zone.
    """

    parent: Ints
    box: Doubles
    zone: Ints
    stays: Mask
    outer: Ints


class ZoneTexts:
    """The texts of the zones of a document."""

    def __init__(self, document: Document, zones: Zones) -> None:
        runs = np.flatnonzero(zones.run >= 0)
        self._runs = runs[np.argsort(zones.run[runs], kind="stable")]
        self._zone = zones.run[self._runs]
        self._document = document

    def read(self, zone: int) -> str:
        """The text of a zone, with a space where a text block ends.

        Between two text blocks there is a line break, or the edge of a table's cell.
        """
        document = self._document
        first, after = np.searchsorted(self._zone, [zone, zone + 1])
        runs = self._runs[first:after]
        block = document.runs.block[runs]
        ends = np.flatnonzero(np.append(block[1:] != block[:-1], True))
        starts = np.append(0, ends[:-1] + 1)
        first_byte = document.runs.start[runs[starts]]
        last_byte = document.runs.end[runs[ends]]
        spans = zip(first_byte.tolist(), last_byte.tolist(), strict=True)
        texts = (document.text[start:end] for start, end in spans)
        return b" ".join(texts).decode("utf-8", "replace")


def hidden_elements(document: Document, layout: Layout) -> Mask:
    """The elements that are hidden by themselves or by an ancestor.

    Hidden are elements that are invisible, not displayed, fully transparent, or wholly
    outside of the page to the left, the top or the right.
    """
    outside = (
        (layout.x + layout.width <= 0) & (layout.width > 0)
        | (layout.y + layout.height <= 0) & (layout.height > 0)
        | (layout.x >= layout.page[0]) & (layout.width > 0)
    )
    inherited = outside | (layout.display == _NONE) | (layout.opacity == 0)
    # An element with an invisible ancestor may be visible: the computed value says so.
    hidden: Mask = ~layout.visible | (count_around(document, inherited) > 0)
    return hidden


@dataclass(frozen=True, eq=False)
class RenderedBreaks:
    """Where lines break on the screen: masks of elements, and of the runs that show.

    ``holder`` is each element's nearest element with a box, itself included.
    """

    is_block: Mask
    significant: Mask
    breaks: Mask
    line_break: Mask
    holder: Ints
    seen: Mask


def find_breaks(document: Document, layout: Layout) -> RenderedBreaks:
    """The elements that break lines on the screen (section 3.1)."""
    elements, runs = document.elements, document.runs
    hidden = hidden_elements(document, layout)
    is_block = _IS_BLOCK[np.minimum(layout.display, len(_IS_BLOCK) - 1)]
    contents = layout.display == _CONTENTS
    # The root and the body may have no height of their own around floating children.
    boxed = (layout.area > 0) & ~contents | (elements.depth <= 1)
    seen = nonblank_texts(document) & (~hidden & (boxed | contents))[runs.element]
    significant = boxed & elements_with(document, seen)
    holder = box_holders(document, boxed)
    breaks = breaking_elements(
        document, is_block, significant, seen, hidden=hidden, holder=holder
    )
    line_break = np.isin(elements.tag, (CODES["br"], CODES["hr"])) & ~hidden
    return RenderedBreaks(is_block, significant, breaks, line_break, holder, seen)


def segment(document: Document, layout: Layout) -> Zones:
    """Line break segmentation: the zone tree of the page's body."""
    elements, runs = document.elements, document.runs
    found = find_breaks(document, layout)
    start = body_of(document)
    parent = np.where(elements.parent >= 0, found.holder[elements.parent], -1)
    owner = found.holder[runs.element]
    return Zones(
        *build_zones(
            start,
            int(elements.end[start]) if document.n_elements else 0,
            parent.astype(np.int32),
            elements.first_run,
            found.breaks.view(np.uint8),
            found.significant.view(np.uint8),
            found.is_block.view(np.uint8),
            found.line_break.view(np.uint8),
            _edges(layout.box),
            _edges(layout.run_boxes(owner)),
            owner,
            found.seen.view(np.uint8),
        )
    )


def _edges(boxes: Floats) -> Floats:
    """Left, top, right and bottom of boxes of x, y, width and height."""
    return np.concatenate((boxes[:, :2], boxes[:, :2] + boxes[:, 2:]), axis=1)


def box_holders(document: Document, boxed: Mask) -> Ints:
    """Each element itself if it has a box, else the nearest ancestor with one.

    Elements without a box (``display: contents``, a block without a height around
    floats) do not count, but their children do.
    """
    own, parent = np.arange(document.n_elements), document.elements.parent
    nearest = np.where(boxed | (parent < 0), own, parent)
    return np.asarray(last_of_chain(nearest), np.int32)


def columns_of(zones: Zones, tolerance: float) -> Columns:
    """Column segmentation: the column tree and its collapsed form.

    Edges are equal if they differ by at most *tolerance* times the column's width.
    """
    zone, parent, box = build_columns(zones.parent, zones.box, tolerance)
    stays, outer = collapse_columns(parent, box, tolerance)
    return Columns(parent, box, zone, stays, outer)


@dataclass(frozen=True)
class ColumnSearch:
    """The search down a column tree, by the words in the paragraphs of each column."""

    columns: Columns
    delta: float
    fallback_score: float

    def path(self, words: Doubles) -> tuple[int, ...]:
        """The path down the collapsed column tree, always to the best child.

        Of equally good children it takes the first.
        """
        columns, path = self.columns, [0]
        while len(below := np.flatnonzero(columns.stays & (columns.outer == path[-1]))):
            path.append(int(below[np.argmax(words[below])]))
        return tuple(path)

    def choose(self, words: Doubles, path: tuple[int, ...]) -> int | None:
        """The first column that loses more than delta, else the deepest good one.

        Words are subtracted before the division: integers have no rounding error, and a
        loss of exactly delta is not more than delta.
        """
        total = words[path[0]]
        if total == 0:
            return None
        following = [*(words[column] for column in path[1:]), 0.0]
        for column, kept in zip(path, following, strict=True):
            if (words[column] - kept) / total > self.delta:
                return column
        good = [
            column for column in path if words[column] / total >= self.fallback_score
        ]
        return good[-1] if good else None
