"""From the algorithm's choice to a label per text block, for all blocks at once.

Main content gets its kind from the markup around it; the rest gets a boilerplate role
from the semantic containers (tags and ARIA roles) that it stands in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..page import Label
from .document import HEADING_SHIFT, Context

if TYPE_CHECKING:
    import numpy.typing as npt

    from .document import Document

    Codes = npt.NDArray[np.uint8]
    Mask = npt.NDArray[np.bool_]

LABELS = tuple(Label)
"""A label's code is its place here."""

_CODE = {label: code for code, label in enumerate(LABELS)}


def label_blocks(document: Document, main: Mask) -> Codes:
    """The code (see :data:`LABELS`) of each block's label, given the main content."""
    labels = np.where(main, _kinds(document), _roles(document, main))
    labels[_title_block(document, main)] = _CODE[Label.TITLE]
    return labels.astype(np.uint8)


def _kinds(document: Document) -> Codes:
    """The kind of each block as main content; the first condition that holds wins."""
    flags = document.blocks.flags
    kinds: Codes = np.select(
        [
            flags >> HEADING_SHIFT > 0,
            _has(flags, Context.PRE),
            _has(flags, Context.CAPTION),
            _in_table(document),
            document.blocks.item >= 0,
            _has(flags, Context.QUOTE),
        ],
        [
            _CODE[Label.HEADING],
            _CODE[Label.CODE],
            _CODE[Label.CAPTION],
            _CODE[Label.TABLE],
            _CODE[Label.LIST],
            _CODE[Label.QUOTE],
        ],
        _CODE[Label.PARAGRAPH],
    ).astype(np.uint8)
    return kinds


def _roles(document: Document, main: Mask) -> Codes:
    """The role of each block as boilerplate; the first condition that holds wins."""
    flags = document.blocks.flags
    inside = _has(flags, Context.ARTICLE) | _has(flags, Context.MAIN)
    roles: Codes = np.select(
        [
            _has(flags, Context.DIALOG),
            _has(flags, Context.NAVIGATION),
            _has(flags, Context.FORM),
            _has(flags, Context.FOOTER) & ~inside,
            _has(flags, Context.ASIDE),
            _has(flags, Context.HEADER) & ~inside,
        ],
        [
            _CODE[Label.CONSENT],
            _CODE[Label.NAVIGATION],
            _CODE[Label.FORM],
            _CODE[Label.FOOTER],
            _CODE[Label.SIDEBAR],
            _CODE[Label.HEADER],
        ],
        _CODE[Label.OTHER],
    ).astype(np.uint8)
    return roles


def _has(flags: npt.NDArray[np.int32], bit: Context) -> Mask:
    mask: Mask = (flags & int(bit)) != 0
    return mask


def _in_table(document: Document) -> Mask:
    """Blocks that are the only one of their table cell.

    A cell with several blocks belongs to a table that lays out the page.
    """
    cell = document.blocks.cell
    if not len(cell) or cell.max() < 0:
        return np.zeros(len(cell), bool)
    per_cell = np.bincount(cell[cell >= 0], minlength=document.n_elements)
    alone: Mask = (cell >= 0) & (per_cell[cell] == 1)
    return alone


def _title_block(document: Document, main: Mask) -> Mask:
    """The main block that is the page's title: the first ``h1``, if there is one."""
    title = np.zeros(len(main), bool)
    is_h1 = main & (document.blocks.flags >> HEADING_SHIFT == 1)
    if is_h1.any():
        title[np.argmax(is_h1)] = True
    return title


__all__ = ["LABELS", "label_blocks"]
