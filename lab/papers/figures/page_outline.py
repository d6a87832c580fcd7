"""The outline of a rendered page, to draw boxes and names of elements on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from lab.papers.figures.drawing import MUTED, PALE, Svg, excerpt
from scrapy_mainpage.extraction.algorithms.segmentation.zones import hidden_elements

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout

    Boxes = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

WIDTH: Final = 620
"""Pixels of the drawing; the page's window is scaled to them."""

MAX_HEIGHT: Final = 9000
"""CSS pixels of a page that are drawn, from its top."""

MAX_TEXTS: Final = 1200
_MIN_FONT_SIZE: Final = 4.5


def describe(document: Document, element: int, limit: int = 40) -> str:
    """The tag of an element with its id or its first class, as in a CSS selector."""
    values = document.attributes_of(element)
    name = document.tag_name(element)
    classes = (values.get("class") or "").split()
    if (values.get("id") or "").strip():
        name += "#" + values["id"].strip()
    elif classes:
        name += "." + classes[0]
    return name if len(name) <= limit else name[: limit - 1] + "…"


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
            # Fonts differ: the text is made to fit.
            fit = {"textLength": width - 16, "lengthAdjust": "spacingAndGlyphs"}
            style = {"fill": "#fff", "font_weight": "bold"}
            self.svg.text(x + 8, y + 14, text, 13, **style, **fit)

    def label(
        self, x: float, y: float, text: str, size: float = 11, **attributes: object
    ) -> None:
        """A text at a place of the page, moved into the drawing."""
        width = len(text) * size * 0.55
        left = min(max(x * self.scale, 2), max(WIDTH - width, 2))
        down = min(max(y * self.scale, size), self.svg.height - 3)
        self.svg.halo(left, down, text, size, **attributes)

    def _draw_texts(self, document: Document, layout: Layout) -> None:
        """The first words of each visible block, clipped to the width of its box."""
        hidden = hidden_elements(document, layout)
        owners = document.blocks.element.astype(np.int64)
        boxes = box_of(layout, owners)
        seen = ~hidden[owners] & (boxes[:, 2] > boxes[:, 0])
        blocks = np.flatnonzero(seen & (boxes[:, 1] < self.height))
        if len(blocks) > MAX_TEXTS:
            self.notes.append(
                f"Texts are drawn of the first {MAX_TEXTS:,} of {len(blocks):,} blocks."
            )
        for block in blocks[:MAX_TEXTS].tolist():
            self._draw_text(document, layout, block, boxes[block].tolist())

    def _draw_text(
        self, document: Document, layout: Layout, block: int, box: list[float]
    ) -> None:
        size = float(layout.font_size[document.blocks.element[block]]) or 16.0
        small = max(size * self.scale, _MIN_FONT_SIZE)
        # A character of CJK text is as wide as high, of other scripts half of that.
        is_wide = document.blocks.cjk[block] * 2 > document.blocks.chars[block]
        room = int((box[2] - box[0]) * self.scale / (small * (1 if is_wide else 0.5)))
        start, end = int(document.blocks.start[block]), int(document.blocks.end[block])
        text = excerpt(document, start, end, min(max(room, 1), 120))
        x, y = box[0] * self.scale, box[1] * self.scale + small
        self.svg.text(x, y, text.removesuffix("…"), small, fill=MUTED)


def box_of(layout: Layout, elements: Ints) -> Boxes:
    """Left, top, right and bottom of each of the *elements*."""
    left, top = layout.x[elements], layout.y[elements]
    right, bottom = left + layout.width[elements], top + layout.height[elements]
    return np.stack([left, top, right, bottom], axis=1).astype(np.float64)
