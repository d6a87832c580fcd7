"""Short lines below the title of a page: where it says who wrote it, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..document.document import HEADING_SHIFT
from ..output.title_rule import is_banner

if TYPE_CHECKING:
    from ..document.document import Document

MAX_LINE_BLOCKS: Final = 4
"""Text blocks from the title to the line."""

MAX_LINE_CHARACTERS: Final = 90
MAX_HEADINGS: Final = 50
"""Of the page, one of which may be the title."""


def title_block(document: Document) -> int:
    """The first heading outside of the banner, of level 1 if any is; or -1."""
    flags = document.blocks.flags
    first = document.headings[:MAX_HEADINGS]
    own = [each for each in first if not is_banner(int(flags[each[0]]))]
    return min(own, key=lambda each: (each[1] != 1, each[0]), default=(-1, 0))[0]


def blocks_below(document: Document, title: int, most: int) -> range:
    """The first blocks below the block *title*, *most* of them; none below -1."""
    end = min(title + most + 1, document.n_blocks)
    return range(title + 1, end) if title >= 0 else range(0)


def short_line(document: Document, block: int) -> str:
    """The text of a block; empty if it is long or a heading."""
    is_heading = document.blocks.flags[block] >> HEADING_SHIFT
    if is_heading or document.blocks.chars[block] > MAX_LINE_CHARACTERS:
        return ""
    return document.block_text(block)
