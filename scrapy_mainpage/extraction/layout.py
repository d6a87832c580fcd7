"""Where a browser put the elements of a page: boxes and computed styles, as arrays.

A snapshot is one JSON object, made by a script in the rendered page that also stamps
each element with its number (:data:`STAMP`), so that the boxes find their elements
again in the tree that is parsed from the rendered page's source.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .tags import ATTRIBUTE_CODES

if TYPE_CHECKING:
    import numpy.typing as npt

    from .document import Document

    Floats = npt.NDArray[np.float32]
    Mask = npt.NDArray[np.bool_]

STAMP: Final = "data-mainpage"
"""The attribute that holds an element's number in the snapshot."""

VERSION: Final = 1

DISPLAYS: Final = (
    "none inline inline-block inline-flex inline-grid inline-table run-in contents "
    "table-cell ruby ruby-base ruby-text math block flex grid flow-root list-item table "
    "table-row table-row-group table-header-group table-footer-group table-caption "
    "table-column table-column-group"
).split()
"""The computed ``display`` values; a code is a place here. Unknown ones are blocks."""

_MAX_DIGITS: Final = 8

_FIELDS: Final = ("x", "y", "width", "height", "display", "visible", "opacity", "font")


class LayoutError(ValueError):
    """A snapshot that is not one, or that belongs to another page."""


@dataclass(frozen=True, eq=False)
class Layout:
    """One value per element of a document; lengths in CSS pixels.

    Coordinates count from the top left of the page, not of the window. An element
    without a box has the width and height 0. ``window`` and ``page`` are the width and
    height of the browser's window and of the whole page.
    """

    x: Floats
    y: Floats
    width: Floats
    height: Floats
    display: npt.NDArray[np.uint8]
    visible: Mask
    opacity: Floats
    font_size: Floats
    window: tuple[float, float]
    page: tuple[float, float]

    @property
    def area(self) -> Floats:
        """The area of each element's box."""
        return self.width * self.height

    @classmethod
    def from_json(cls, snapshot: str | bytes, document: Document) -> Layout:
        """Read a snapshot and give each element of *document* its box.

        Elements without a stamp (a parser adds some) have no box and are invisible.
        Raises :exc:`LayoutError` for what is not a snapshot of this version.
        """
        data = _parse(snapshot)
        stamps = _stamps(document)
        count = len(data["x"])
        known = (stamps >= 0) & (stamps < count)
        at = np.where(known, stamps, 0)
        columns = {
            name: np.where(known, np.asarray(data[name])[at], 0) if count else known * 0
            for name in _FIELDS
        }
        return cls(
            x=columns["x"].astype(np.float32),
            y=columns["y"].astype(np.float32),
            width=columns["width"].astype(np.float32),
            height=columns["height"].astype(np.float32),
            display=columns["display"].astype(np.uint8),
            visible=columns["visible"].astype(bool),
            opacity=columns["opacity"].astype(np.float32),
            font_size=columns["font"].astype(np.float32),
            window=_pair(data["window"]),
            page=_pair(data["page"]),
        )


def _parse(snapshot: str | bytes) -> dict[str, Any]:
    try:
        data = json.loads(snapshot)
    except ValueError as error:
        raise LayoutError(f"not a layout snapshot: {error}") from None
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise LayoutError(f"not a layout snapshot of version {VERSION}")
    columns = [data.get(name) for name in _FIELDS]
    lengths = {len(column) if isinstance(column, list) else -1 for column in columns}
    if len(lengths) != 1 or -1 in lengths:
        raise LayoutError("a layout snapshot with columns missing or of unlike length")
    if not all(_is_numeric(column) for column in columns):
        raise LayoutError("a layout snapshot with something else than numbers")
    return data


def _is_numeric(column: Any) -> bool:
    try:
        return bool(np.isfinite(np.asarray(column, np.float64)).all())
    except (TypeError, ValueError):
        return False


def _pair(value: Any) -> tuple[float, float]:
    if not (isinstance(value, list) and len(value) == 2 and _is_numeric(value)):
        raise LayoutError("a layout snapshot without the size of its window or page")
    return float(value[0]), float(value[1])


def _stamps(document: Document) -> npt.NDArray[np.int64]:
    """The number stamped on each element, -1 where there is none."""
    stamps = np.full(document.n_elements, -1, np.int64)
    attributes = document.attributes
    stamped = attributes.name == ATTRIBUTE_CODES[STAMP]
    start, end = attributes.start[stamped], attributes.end[stamped]
    characters = np.frombuffer(document.values + b" ", np.uint8)
    number = np.zeros(len(start), np.int64)
    valid = (end > start) & (end - start <= _MAX_DIGITS)
    for place in range(_MAX_DIGITS):
        inside = start + place < end
        digit = characters[np.where(inside, start + place, 0)].astype(np.int64) - 48
        valid &= ~inside | ((digit >= 0) & (digit <= 9))
        number = np.where(inside, number * 10 + digit, number)
    stamps[attributes.element[stamped][valid]] = number[valid]
    return stamps
