"""SVG as text (no styles, no scripts, all escaped), figures, and outlines of pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from ...extraction.algorithms.segmentation.zones import hidden_elements

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...extraction.document.document import Document
    from ...extraction.document.layout import Layout

    Boxes = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]
    from collections.abc import Iterable

INK: Final = "#1f2933"
MUTED: Final = "#5f6b7a"
PALE: Final = "#d5dbe3"
# Okabe's and Ito's colours, which colour-blind people can distinguish, in fixed roles.
MAIN: Final = "#0072b2"
OTHER: Final = "#d55e00"
MARK: Final = "#009e73"
EXTRA: Final = "#cc79a7"
MAIN_PALE: Final = "#cfe6f5"
OTHER_PALE: Final = "#f9dcc6"

FONT: Final = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif"

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")


def clean(text: str, limit: int | None = None) -> str:
    """*text* without control characters, cut to *limit* characters.

    >>> clean("<b>\\x00bold", 3)
    '<b…'
    """
    text = _CONTROLS.sub("", str(text))
    if limit is not None and len(text) > limit:
        text = text[: limit - 1] + "…"
    return text


def plain(text: str, limit: int | None = None) -> str:
    """*text* cleaned and escaped for HTML and SVG."""
    return escape(clean(text, limit))


def number(value: float) -> str:
    """*value* with at most two decimals.

    >>> number(2.50), number(-0.001), number(7)
    ('2.5', '0', '7')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Svg:
    """A drawing of a fixed size; lengths in pixels.

    The keywords of the shapes are SVG attributes, with ``_`` for ``-``; ``title`` is
    the tooltip of the shape.
    """

    def __init__(self, width: float, height: float, label: str) -> None:
        self.width, self.height, self.label = width, height, label
        self._parts: list[str] = []

    def rect(
        self, x: float, y: float, width: float, height: float, **attributes: object
    ) -> None:
        """A rectangle from its top left."""
        place = {"x": x, "y": y, "width": max(width, 0), "height": max(height, 0)}
        self._add("rect", {**place, **attributes})

    def line(
        self, x1: float, y1: float, x2: float, y2: float, **attributes: object
    ) -> None:
        """A straight line."""
        self._add("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, **attributes})

    def circle(self, x: float, y: float, radius: float, **attributes: object) -> None:
        """A circle around a centre."""
        self._add("circle", {"cx": x, "cy": y, "r": radius, **attributes})

    def path(self, data: str, **attributes: object) -> None:
        """A path from SVG path data."""
        self._add("path", {"d": data, **attributes})

    def polyline(
        self, points: Iterable[tuple[float, float]], **attributes: object
    ) -> None:
        """A line through *points*."""
        data = "L".join(f"{number(x)} {number(y)}" for x, y in points)
        self.path("M" + data, fill="none", **attributes)

    def text(
        self, x: float, y: float, text: str, size: float = 12, **attributes: object
    ) -> None:
        """A line of text; *y* is its base line."""
        attributes = {"x": x, "y": y, "font_size": size, "fill": INK, **attributes}
        self._add("text", attributes, plain(text))

    def halo(
        self, x: float, y: float, text: str, size: float = 12, **attributes: object
    ) -> None:
        """A line of text with a white outline, legible on top of other shapes."""
        ring = {"stroke": "#fff", "stroke_width": 4, "stroke_linejoin": "round"}
        self.text(x, y, text, size, paint_order="stroke", **{**ring, **attributes})

    def _add(self, tag: str, attributes: dict[str, object], inside: str = "") -> None:
        title = attributes.pop("title", None)
        if title is not None:
            inside = f"<title>{plain(str(title), 400)}</title>" + inside
        opening = f"<{tag}{_write_attributes(attributes)}"
        self._parts.append(f"{opening}>{inside}</{tag}>" if inside else f"{opening}/>")

    def __str__(self) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(self.width)}" '
            f'height="{number(self.height)}" '
            f'viewBox="0 0 {number(self.width)} {number(self.height)}" role="img" '
            f'aria-label="{plain(self.label)}" font-family="{FONT}">'
            + "".join(self._parts)
            + "</svg>"
        )

    __html__ = __str__  # templates insert it as it is


def _write_attributes(attributes: dict[str, object]) -> str:
    return "".join(
        f' {name.replace("_", "-")}="{_value(value)}"'
        for name, value in attributes.items()
        if value is not None
    )


def _value(value: object) -> str:
    return number(value) if isinstance(value, int | float) else plain(str(value))


@dataclass(frozen=True)
class Figure:
    """A drawing with its caption and its legend: pairs of colour and meaning."""

    svg: Svg
    caption: str
    legend: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class AlgorithmFigures:
    """The figures of one algorithm; ``notes`` give the result and omissions."""

    title: str
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()


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


def excerpt(document: Document, first: int, end: int, limit: int = 80) -> str:
    """The first *limit* characters of the text from byte *first* to byte *end*."""
    text = document.text[first : min(end, first + 4 * limit)].decode("utf-8", "replace")
    text = " ".join(text.split())
    is_whole = len(text) <= limit and end - first <= 4 * limit
    return text if is_whole else text[:limit] + "…"


def count(n: int, noun: str) -> str:
    """*n* with its noun, in the plural with an s.

    >>> count(1, "zone"), count(1200, "zone")
    ('1 zone', '1,200 zones')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


WIDTH: Final = 620
"""Pixels of the drawing; the page's window is scaled to them."""

MAX_HEIGHT: Final = 9000
"""CSS pixels of a page that are drawn, from its top."""

MAX_TEXTS: Final = 1200
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
