"""Plain text: paragraphs apart by a blank line, list items and table rows on lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..tags import CODES
from ._text import join_blocks

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document import Document

    Mask = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int32]

_BLANK_LINE, _LINE, _TAB = 0, 1, 2
_SECTIONS = [CODES[tag] for tag in ("tbody", "thead", "tfoot")]


def write_text(document: Document, main: Mask) -> str:
    """The text of the *main* blocks.

    Cells of a table row are apart by a tab. An item or a cell that holds more than one
    block is laid out as paragraphs: it is no plain list or table.
    """
    chosen = np.flatnonzero(main)
    if not len(chosen):
        return ""
    blocks, separators = document.blocks, find_separators(document, chosen)
    return join_blocks(document.text, blocks.start, blocks.end, chosen, separators)


def find_separators(
    document: Document, chosen: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint8]:
    """What stands before each chosen block, as :func:`join_blocks` takes it."""
    separators = np.full(len(chosen), _BLANK_LINE, np.uint8)
    item = _single(document.blocks.item, document.n_elements)[chosen]
    cell = _single(document.blocks.cell, document.n_elements)[chosen]
    if item.max() >= 0:
        separators[1:][_same(_outermost_list(document, item))] = _LINE
    if cell.max() >= 0:
        row = _parent(document, cell)
        separators[1:][_same(_table(document, row))] = _LINE
        separators[1:][_same(row)] = _TAB
    return separators


def _same(group: Ints) -> Mask:
    """Where a block is in the same group as the one before it; -1 is no group."""
    same: Mask = (group[1:] >= 0) & (group[1:] == group[:-1])
    return same


def _parent(document: Document, element: Ints) -> Ints:
    return np.where(element >= 0, document.elements.parent[element], -1)


def _table(document: Document, row: Ints) -> Ints:
    """The table of each row, with or without a section in between."""
    outer = _parent(document, row)
    is_section = np.isin(document.elements.tag[outer], _SECTIONS)
    return np.where(is_section, _parent(document, outer), outer)


def _outermost_list(document: Document, item: Ints) -> Ints:
    """The list of each item; of a list inside an item, that item's list, and so on."""
    elements = document.elements
    outer = np.arange(document.n_elements)
    nested = elements.item >= 0
    outer[nested] = elements.parent[elements.item[nested]]
    # Each round doubles the distance: the deepest nesting needs few.
    while not np.array_equal(further := outer[outer], outer):
        outer = further
    return np.where(item >= 0, outer[item], -1)


def _single(container: Ints, n_elements: int) -> Ints:
    """Each block's container where it is the only block of it, else -1."""
    inside = container >= 0
    count = np.bincount(container[inside], minlength=n_elements)
    return np.where(inside & (count[container] == 1), container, -1)
