"""The kind of each block as main content: title, heading, list, table, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ...label import Label
from ..document.document import HEADING_SHIFT, Context
from ..document.tags import CODES
from . import CODE

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document

    Codes = npt.NDArray[np.uint8]
    Mask = npt.NDArray[np.bool_]

MAX_ITEM_BLOCKS: Final = 3
"""A list item of more blocks is a container: a post, a card."""

MAX_CELL_WORDS: Final = 50
"""A table cell with more words lays out the page."""

MAX_CAPTION_WORDS: Final = 60

MAX_BUTTON_WORDS: Final = 15
"""A button in the main content with no more words opens the text below it."""


def find_kinds(document: Document, captions: Mask) -> Codes:
    """The kind of each block; the first condition that holds wins.

    *captions* are the blocks whose elements call themselves captions or pictures.
    """
    blocks = document.blocks
    flags = blocks.flags
    button = document.elements.tag[blocks.element] == CODES["button"]
    kinds: Codes = np.select(
        [
            flags >> HEADING_SHIFT > 0,
            _has(flags, Context.PRE),
            _has(flags, Context.CAPTION)
            | captions & (blocks.words <= MAX_CAPTION_WORDS),
            _in_table(document),
            _in_list(document),
            _has(flags, Context.QUOTE),
            button & (blocks.words <= MAX_BUTTON_WORDS),
        ],
        [
            CODE[Label.HEADING],
            CODE[Label.CODE],
            CODE[Label.CAPTION],
            CODE[Label.TABLE],
            CODE[Label.LIST],
            CODE[Label.QUOTE],
            CODE[Label.HEADING],
        ],
        CODE[Label.PARAGRAPH],
    ).astype(np.uint8)
    return kinds


def _has(flags: npt.NDArray[np.int32], bit: Context) -> Mask:
    """Where *bit* is set."""
    mask: Mask = (flags & int(bit)) != 0
    return mask


def _in_list(document: Document) -> Mask:
    """Blocks of a list item that is an item, not a container of many blocks."""
    return _one_of_few(document, document.blocks.item, MAX_ITEM_BLOCKS)


def _in_table(document: Document) -> Mask:
    """Blocks that are the only one of their table cell.

    A cell with several blocks belongs to a table that lays out the page.
    """
    short = document.blocks.words <= MAX_CELL_WORDS
    return _one_of_few(document, document.blocks.cell, 1) & short


def _one_of_few(document: Document, owner: npt.NDArray[np.int32], maximum: int) -> Mask:
    """Blocks whose *owner* owns at most *maximum* blocks."""
    owned = owner >= 0
    if not owned.any():
        return owned
    number = np.bincount(owner[owned], minlength=document.n_elements)
    few: Mask = owned & (number[owner] <= maximum)
    return few
