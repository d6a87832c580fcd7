"""SVG as text, without styles and scripts and with all text escaped; figures."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

from scrapy_mainpage.report.page_report import clean

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.document import Document

INK: Final = "#1f2933"
MUTED: Final = "#5f6b7a"
PALE: Final = "#d5dbe3"
# Okabe's and Ito's colours, which colour-blind people can distinguish, in fixed roles.
MAIN: Final = "#0072b2"
OTHER: Final = "#d55e00"
MARK: Final = "#009e73"

FONT: Final = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif"


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

    def path(self, data: str, **attributes: object) -> None:
        """A path from SVG path data."""
        self._add("path", {"d": data, **attributes})

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


def excerpt(document: Document, first: int, end: int, limit: int = 80) -> str:
    """The first *limit* characters of the text from byte *first* to byte *end*."""
    text = document.text[first : min(end, first + 4 * limit)].decode("utf-8", "replace")
    text = " ".join(text.split())
    is_whole = len(text) <= limit and end - first <= 4 * limit
    return text if is_whole else text[:limit] + "…"
