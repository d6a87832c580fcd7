"""The layout of a rendered page: boxes and computed styles of its elements, as arrays.

A snapshot is one JSON object from a script in the rendered page, which also stamps each
element with its number (:data:`STAMP`): the stamps match the boxes with the elements of
the tree that is parsed from the rendered source. The page may be hostile, so every
value of a snapshot is checked.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .schema import RunKind
from .tags import ATTRIBUTE_CODES, CODES

if TYPE_CHECKING:
    import numpy.typing as npt

    from .document import Document
    from .schema import Bytes, Doubles, Floats, Longs, Mask


STAMP: Final = "data-mainpage"
"""The attribute with an element's number in the snapshot."""

VERSION: Final = 1

DISPLAYS: Final = (
    "none inline inline-block inline-flex inline-grid inline-table run-in contents "
    "table-cell ruby ruby-base ruby-text math block flex grid flow-root list-item "
    "table table-row table-row-group table-header-group table-footer-group "
    "table-caption table-column table-column-group"
).split()
"""The computed ``display`` values; a code is an index. Unknown ones are blocks."""

MAX_LENGTH: Final = float(2**25)
"""The largest coordinate or size, in CSS pixels, that browsers use."""

_MAX_DIGITS: Final = 8

# The columns of a snapshot with the minimum and maximum of each.
_RANGES: Final = {
    "x": (-MAX_LENGTH, MAX_LENGTH),
    "y": (-MAX_LENGTH, MAX_LENGTH),
    "width": (0, MAX_LENGTH),
    "height": (0, MAX_LENGTH),
    "display": (0, len(DISPLAYS) - 1),
    "visible": (0, 1),
    "opacity": (0, 1),
    "font": (0, MAX_LENGTH),
}


_PARENT, _AFTER = "text_parent", "text_after"
_FREE_RANGES: Final = {
    _PARENT: (0, MAX_LENGTH),
    _AFTER: (-1, MAX_LENGTH),
    **{f"text_{name}": _RANGES[name] for name in ("x", "y", "width", "height")},
}


class LayoutError(ValueError):
    """A malformed layout snapshot, or the snapshot of another page."""


@dataclass(frozen=True, eq=False)
class Layout:
    """One value per element of a document; lengths in CSS pixels.

    Coordinates are relative to the top left of the page, not of the window. An element
    without a box has the width and height 0. ``visible`` is false for elements that are
    not rendered or have ``visibility: hidden``, whatever their ``opacity`` (0 to 1, not
    inherited). ``window`` and ``page`` are the width and height of the browser's window
    and of the whole page.

    ``free_run`` are runs of text beside elements, ``free_box`` the x, y, width and
    height of each; older snapshots have none.
    """

    x: Floats
    y: Floats
    width: Floats
    height: Floats
    display: Bytes
    visible: Mask
    opacity: Floats
    font_size: Floats
    window: tuple[float, float]
    page: tuple[float, float]
    free_run: Longs = field(default_factory=lambda: np.zeros(0, np.int64))
    free_box: Floats = field(default_factory=lambda: np.zeros((0, 4), np.float32))

    @property
    def area(self) -> Floats:
        """The area of each element's box."""
        return self.width * self.height

    @property
    def n_elements(self) -> int:
        """The number of elements of the page."""
        return len(self.x)

    def boxes(self, document: Document) -> Floats:
        """The x, y, width and height of the element of each text block."""
        boxes: Floats = self.box[document.blocks.element]
        return boxes

    @property
    def box(self) -> Floats:
        """The x, y, width and height of each element."""
        return np.stack((self.x, self.y, self.width, self.height), axis=1)

    def run_boxes(self, owner: npt.NDArray[np.integer[Any]]) -> Floats:
        """The box of each run: the text's own where it has one, else its *owner*'s."""
        boxes: Floats = self.box[owner]
        known = self.free_run < len(boxes)
        boxes[self.free_run[known]] = self.free_box[known]
        return boxes

    @classmethod
    def from_json(cls, snapshot: str | bytes, document: Document) -> Layout:
        """Read a snapshot and assign its boxes to the elements of *document*.

        Elements without a stamp (added by the parser) have no box and are invisible.
        Raises :exc:`LayoutError` for a malformed snapshot, another version, or another
        page (unknown stamps, different tags).
        """
        data = _parse(snapshot)
        columns = {name: _column(data, name, *_RANGES[name]) for name in _RANGES}
        tags = _tags(data)
        if {len(column) for column in columns.values()} != {len(tags)}:
            raise LayoutError("a layout snapshot with columns of unlike length")
        stamps = _stamps(document)
        _check_same_page(document, stamps, tags)
        # Index -1 is the zero appended at the end.
        column = {
            name: np.append(values, 0.0)[stamps].astype(np.float32)
            for name, values in columns.items()
        }
        free_run, free_box = _free_texts(data, document, stamps)
        return cls(
            x=column["x"],
            y=column["y"],
            width=column["width"],
            height=column["height"],
            display=column["display"].astype(np.uint8),
            visible=column["visible"] > 0,
            opacity=column["opacity"],
            font_size=column["font"],
            window=_size(data, "window"),
            page=_size(data, "page"),
            free_run=free_run,
            free_box=free_box,
        )


def _parse(snapshot: str | bytes) -> dict[str, Any]:
    try:
        data = json.loads(snapshot)
    except (ValueError, RecursionError) as error:
        raise LayoutError(f"not a layout snapshot: {error}") from None
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise LayoutError(f"not a layout snapshot of version {VERSION}")
    return data


def _column(data: dict[str, Any], name: str, least: float, greatest: float) -> Doubles:
    """The list of numbers *name*, checked to be in range."""
    values = data.get(name)
    if not isinstance(values, list):
        raise LayoutError(f"a layout snapshot without the list {name!r}")
    # NumPy would convert strings, and nested lists would make a table.
    if not {int, float}.issuperset(map(type, values)):
        raise LayoutError(f"a layout snapshot with something else than numbers: {name}")
    try:
        numbers = np.array(values, np.float64)
    except OverflowError:
        numbers = np.array([np.nan])
    if not ((numbers >= least) & (numbers <= greatest)).all():
        raise LayoutError(f"a layout snapshot with numbers out of range: {name}")
    return numbers


def _free_texts(
    data: dict[str, Any], document: Document, stamps: Longs
) -> tuple[Longs, Floats]:
    """The runs of texts beside elements, and their boxes.

    The place of a text is its parent, and the last element that began before it.
    """
    if _PARENT not in data:
        return np.zeros(0, np.int64), np.zeros((0, 4), np.float32)
    columns = [_column(data, name, *_FREE_RANGES[name]) for name in _FREE_RANGES]
    if len({len(column) for column in columns}) != 1:
        raise LayoutError("a layout snapshot with columns of unlike length: texts")
    parent, after = columns[0].astype(np.int64), columns[1].astype(np.int64)
    boxes = np.stack(columns[2:], axis=1).astype(np.float32)
    order = np.argsort(stamps, kind="stable")
    known, n = stamps[order], document.n_elements
    # Elements within pictures and the like are not in the document.
    begun = order[np.maximum(np.searchsorted(known, after, side="right") - 1, 0)]
    around = np.minimum(np.searchsorted(known, parent), n - 1)
    found = known[around] == parent
    key = (order[around] * n + begun)[found]
    runs, elements = document.runs, document.elements
    texts = np.flatnonzero(runs.kind == RunKind.TEXT)
    before = np.searchsorted(elements.first_run, texts, side="right") - 1
    own = runs.element[texts].astype(np.int64) * n + before
    by_key = np.argsort(key, kind="stable")
    key, boxes = key[by_key], boxes[found][by_key]
    at = np.searchsorted(key, own)
    matching = np.append(key, -1)[at] == own
    return texts[matching], boxes[at[matching]]


def _size(data: dict[str, Any], name: str) -> tuple[float, float]:
    size = _column(data, name, 0, MAX_LENGTH)
    if len(size) != 2:
        raise LayoutError(f"a layout snapshot without the size of the {name}")
    return float(size[0]), float(size[1])


def _tags(data: dict[str, Any]) -> Longs:
    """The code of each element's tag; -1 for unknown tags."""
    names = data.get("tags")
    if not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        raise LayoutError("a layout snapshot without the list 'tags'")
    codes = np.array([CODES.get(name, -1) for name in names], np.int64)
    places = _column(data, "tag", 0, len(names) - 1)
    return codes[places.astype(np.int64)]


def _check_same_page(document: Document, stamps: Longs, tags: Longs) -> None:
    stamped = np.flatnonzero(stamps >= 0)
    numbers = stamps[stamped]
    if len(stamped) == 0:
        raise LayoutError("a layout snapshot for a page without stamps")
    if numbers.max() >= len(tags):
        raise LayoutError("the layout snapshot of another page: elements are missing")
    there, here = tags[numbers], document.elements.tag[stamped]
    known = (there >= 0) & (here < len(CODES))
    if (there[known] != here[known]).any():
        raise LayoutError("the layout snapshot of another page: the tags are others")


def _stamps(document: Document) -> Longs:
    """The number stamped on each element; -1 without a stamp."""
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
    # With scripts on, a noscript holds text alone: stamps in it come from the page.
    for noscript in document.elements_with_tag("noscript"):
        stamps[noscript + 1 : document.elements.end[noscript]] = -1
    return stamps
