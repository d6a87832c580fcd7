"""The kind of each block as main content: title, heading, list, table, ..."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from ...page import Label
from ..document._walk import shared_words
from ..document.document import HEADING_SHIFT, Context, RunKind
from ..document.tags import CODES
from .labels import CODE

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document
    from .labels import Codes, Mask

MOST_ITEM_BLOCKS: Final = 3
"""A list item of more blocks is a container: a post, a card."""

MOST_CELL_WORDS: Final = 50
"""A table cell with more words lays out the page."""

MOST_CAPTION_WORDS: Final = 60

MOST_BUTTON_WORDS: Final = 15
"""A button in the main content with no more words opens the text below it."""

LONGEST_TITLE: Final = 1000
"""Bytes of a ``title`` element that are read."""

_SEPARATOR: Final = re.compile(r"[|｜_]|\s[-–—:·•»«<>]\s")
MOST_TITLE_WORDS: Final = 60
LEAST_TITLE_BYTES: Final = 8
AGREES: Final = (0.5, 0.75, 1.0)
"""The least share of its words that the own title has: ``h1``, heading, other."""

SPELLED_OUT: Final = 0.3
"""The least share of the own title's words that a heading which agrees holds."""


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
            has(flags, Context.PRE),
            has(flags, Context.CAPTION)
            | captions & (blocks.words <= MOST_CAPTION_WORDS),
            _in_table(document),
            _in_list(document),
            has(flags, Context.QUOTE),
            button & (blocks.words <= MOST_BUTTON_WORDS),
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


def has(flags: npt.NDArray[np.int32], bit: Context) -> Mask:
    """Where the *bit* is set."""
    mask: Mask = (flags & int(bit)) != 0
    return mask


def _in_list(document: Document) -> Mask:
    """Blocks of a list item that is an item, not a container of many blocks."""
    return _one_of_few(document, document.blocks.item, MOST_ITEM_BLOCKS)


def _in_table(document: Document) -> Mask:
    """Blocks that are the only one of their table cell.

    A cell with several blocks belongs to a table that lays out the page.
    """
    short = document.blocks.words <= MOST_CELL_WORDS
    return _one_of_few(document, document.blocks.cell, 1) & short


def _one_of_few(document: Document, owner: npt.NDArray[np.int32], most: int) -> Mask:
    """Blocks that have an *owner* which owns no more than so many."""
    owned = owner >= 0
    if not owned.any():
        return owned
    number = np.bincount(owner[owned], minlength=document.n_elements)
    few: Mask = owned & (number[owner] <= most)
    return few


def find_title(document: Document, main: Mask) -> int:
    """The block that is the page's title, or -1; it need not be main content.

    It is the block that agrees best with the ``title`` element, a heading if one does;
    else the first ``h1`` of the main content, or of the page.
    """
    level = document.blocks.flags >> HEADING_SHIFT
    best = _agreeing(document, main, level)
    if best >= 0:
        return best
    first = np.flatnonzero(level == 1)
    own = first[main[first]]
    return int([*own, *first, -1][0])


def _agreeing(document: Document, main: Mask, level: npt.NDArray[np.int32]) -> int:
    """The heading or main block that agrees best with the ``title`` element, or -1."""
    blocks = document.blocks
    size = blocks.end - blocks.start
    short = (blocks.words <= MOST_TITLE_WORDS) & (size >= LEAST_TITLE_BYTES)
    asked = np.flatnonzero((main | (level > 0)) & short)
    if not len(asked):
        return -1
    words, shared, n_title = shared_words(
        document.text, blocks.start[asked], blocks.end[asked], own_title(document)
    )
    own = shared / np.maximum(words, 1)
    found = np.minimum(shared / max(n_title, 1), 1)
    is_heading, is_first = level[asked] > 0, level[asked] == 1
    first, other, plain = AGREES
    least = np.where(is_heading, np.where(is_first, first, other), plain)
    score = found * (0.6 + 0.4 * own)
    score += 0.25 * is_first + 0.1 * is_heading + 0.05 * main[asked]
    score[(own < least) | (found < SPELLED_OUT)] = -1
    best = int(np.argmax(score))
    return int(asked[best]) if score[best] > 0 else -1


def own_title(document: Document) -> bytes:
    """The longest part of the page's ``title`` element: the site's name is shorter."""
    runs = document.runs
    heads = np.flatnonzero(runs.kind == RunKind.HEAD)
    at = heads[document.elements.tag[runs.element[heads]] == CODES["title"]]
    if not len(at):
        return b""
    title = document.values[runs.start[at[0]] : runs.end[at[0]]][:LONGEST_TITLE]
    return max(_SEPARATOR.split(title.decode("utf-8", "replace")), key=len).encode()
