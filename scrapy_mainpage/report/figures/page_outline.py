"""The outline of a rendered page: its text blocks at their places, small, in grey."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ...extraction.algorithms.segmentation.zones import hidden_elements
from ...extraction.document.document import RunKind
from .drawing import MUTED, PALE, Svg, count, excerpt, number

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...extraction.document.document import Document
    from ...extraction.document.layout import Layout

    Boxes = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

WIDTH: Final = 620
"""Pixels of the drawing; the page's window is scaled to them."""

MAX_HEIGHT: Final = 9000
"""CSS pixels of a page that are drawn, from its top."""

MAX_TEXTS: Final = 1200
MAX_LINES: Final = 60
_MIN_FONT_SIZE: Final = 4.5


class PageOutline:
    """A page's outline, to draw on in CSS pixels of the page.

    ``height`` is that of the drawn part, ``notes`` list omissions.
    """

    def __init__(self, document: Document, layout: Layout, label: str) -> None:
        self.page_width = max(layout.window[0], 1.0)
        whole = max(layout.page[1], layout.window[1], 1.0)
        self.height = min(whole, float(MAX_HEIGHT))
        self.scale = WIDTH / self.page_width
        self.svg = Svg(WIDTH, self.height * self.scale, label)
        self.svg.rect(0, 0, WIDTH, self.height * self.scale, fill="#fff", stroke=PALE)
        self.notes: list[str] = []
        if whole > self.height:
            self.notes.append(
                f"Drawn are the upper {MAX_HEIGHT:,} of the page's {whole:,.0f} pixels."
            )
        self._draw_texts(document, layout)

    def box(self, box: npt.ArrayLike, **attributes: object) -> None:
        """A rectangle from left, top, right, bottom; left out below the drawn part."""
        left, top, right, bottom = np.asarray(box, float).tolist()
        if top < self.height and right > 0 and left < self.page_width:
            left, right = max(left, 0), min(right, self.page_width)
            top, bottom = max(top, 0), min(bottom, self.height)
            left, top, right, bottom = (
                value * self.scale for value in (left, top, right, bottom)
            )
            attributes = {"fill": "none", **attributes}
            self.svg.rect(left, top, right - left, bottom - top, **attributes)

    def tag(self, box: npt.ArrayLike, text: str, colour: str) -> None:
        """A text on a coloured ground, above a box or, without room there, inside."""
        left, top = np.asarray(box, float)[:2].tolist()
        width, x = 16 + 7.2 * len(text), max(left * self.scale, 0)
        x = max(min(x, WIDTH - width), 0)
        y = top * self.scale - 20
        y = y if y >= 0 else max(top * self.scale, 0)
        if y < self.svg.height:
            self.svg.rect(x, y, width, 20, fill=colour)
            self.svg.text(x + 8, y + 14, text, 13, fill="#fff", font_weight="bold")

    def label(
        self, x: float, y: float, text: str, size: float = 11, **attributes: object
    ) -> None:
        """A text at a place of the page, moved into the drawing."""
        width = len(text) * size * 0.55
        left = min(max(x * self.scale, 2), max(WIDTH - width, 2))
        down = min(max(y * self.scale, size), self.svg.height - 3)
        self.svg.halo(left, down, text, size, **attributes)

    def sees(self, box: npt.ArrayLike) -> bool:
        """Whether a box begins inside of the drawn part."""
        return bool(np.asarray(box, float)[1] < self.height)

    def _draw_texts(self, document: Document, layout: Layout) -> None:
        blocks, boxes = text_boxes(document, layout)
        inside = (boxes[:, 1] < self.height) & (boxes[:, 0] < self.page_width)
        blocks, boxes = blocks[inside], boxes[inside]
        if len(blocks) > MAX_TEXTS:
            self.notes.append(
                f"The texts of {count(len(blocks) - MAX_TEXTS, 'block')} more are "
                "not sketched."
            )
        for block, box in zip(
            blocks[:MAX_TEXTS].tolist(), boxes[:MAX_TEXTS].tolist(), strict=True
        ):
            element = int(document.blocks.element[block])
            size = float(layout.font_size[element]) or 16.0
            self._draw_text(document, block, box, size)

    def _draw_text(
        self, document: Document, block: int, box: list[float], size: float
    ) -> None:
        """The block's first words, and a grey stroke for each further line."""
        left, top, right, bottom = box
        start, end = int(document.blocks.start[block]), int(document.blocks.end[block])
        chars = max(int(document.blocks.chars[block]), 1)
        # A character of CJK text is as wide as high, of other scripts half of that.
        advance = size * (0.95 if document.blocks.cjk[block] * 2 > chars else 0.5)
        room = int(max((right - left) / advance, 1))
        small = max(size * self.scale, _MIN_FONT_SIZE)
        first = excerpt(document, start, end, min(room, chars, 120))
        self.svg.text(
            left * self.scale,
            top * self.scale + small,
            first.removesuffix("…") if chars > room else first,
            small,
            fill=MUTED,
            textLength=number(min(room, len(first)) * advance * self.scale)
            if len(first) > 8
            else None,
            lengthAdjust="spacingAndGlyphs" if len(first) > 8 else None,
        )
        self._draw_lines(left, top, right, min(bottom, self.height), size)

    def _draw_lines(
        self, left: float, top: float, right: float, bottom: float, size: float
    ) -> None:
        step = max(size * 1.5, (bottom - top) / MAX_LINES)
        x, width = number(left * self.scale), number((right - left) * self.scale)
        data = [
            f"M{x} {number(y * self.scale)}h{width}"
            for y in np.arange(top + 1.5 * size + size / 2, bottom, step).tolist()
        ]
        if data:
            self.svg.path("".join(data), stroke=PALE, stroke_width=1.5)


def text_boxes(document: Document, layout: Layout) -> tuple[Ints, Boxes]:
    """The visible text blocks and their boxes: left, top, right, bottom.

    A block whose element holds others has the box of its inline elements.
    """
    hidden = hidden_elements(document, layout)
    owner, elements = document.blocks.element, document.elements
    shared = (elements.end_block - elements.first_block)[owner] > 1
    boxes = box_of(layout, owner.astype(np.int64))
    boxes[shared] = _inline_boxes(document, layout)[shared]
    seen = ~hidden[owner] & (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])
    blocks = np.flatnonzero(seen)
    return blocks, boxes[blocks]


def _inline_boxes(document: Document, layout: Layout) -> Boxes:
    """Per block the union of its inline elements' boxes; an empty box without any."""
    runs, n = document.runs, document.n_blocks
    at = np.flatnonzero((runs.block >= 0) & (runs.kind == RunKind.TEXT))
    at = at[runs.element[at] != document.blocks.element[runs.block[at]]]
    at = at[layout.area[runs.element[at]] > 0]
    boxes = box_of(layout, runs.element[at].astype(np.int64))
    union = np.tile([np.inf, np.inf, -np.inf, -np.inf], (n, 1))
    for column, join in enumerate((np.minimum, np.minimum, np.maximum, np.maximum)):
        join.at(union[:, column], runs.block[at], boxes[:, column])
    union[~np.isfinite(union).all(axis=1)] = 0
    return union


def box_of(layout: Layout, elements: Ints) -> Boxes:
    """Left, top, right and bottom of each of the *elements*."""
    left, top = layout.x[elements], layout.y[elements]
    right, bottom = left + layout.width[elements], top + layout.height[elements]
    return np.stack([left, top, right, bottom], axis=1).astype(np.float64)
