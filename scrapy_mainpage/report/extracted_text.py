"""The extracted text as HTML, with anchors that connect it with the page beside it."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Final

import numpy as np

from ..extraction.output.text import make_writer
from ..extraction.output.writers import write_html
from .annotated_page import MAX_BLOCKS, MAX_COST, block_costs

if TYPE_CHECKING:
    from ..extraction.document.schema import Mask
    from ..extraction.result import Extraction


# HTML as our own writer writes it: the values of attributes are escaped.
_IMAGE: Final = re.compile(r'<img src="[^"]*" alt="([^"]*)"(?: title="[^"]*")?>')
_TAG: Final = re.compile(r"(<[^>]*>)")
_BLOCK_TAG: Final = re.compile(
    r"<(?:p|h[1-6]|li|dt|dd|pre|figcaption|caption|td|th)\b[^>]*>"
)
_CELL: Final = ("<td", "<th", "<pre")


def select_shown(content: Extraction) -> Mask:
    """The main blocks that are shown: the first, as many as the bounds allow."""
    blocks = content.document.blocks
    # Nothing is shortened here, so that a block counts in full.
    cost = block_costs(content.document) + (blocks.end - blocks.start)
    cost = np.where(content.main, cost, 0)
    few = np.cumsum(content.main) <= MAX_BLOCKS
    return content.main & few & (np.cumsum(cost) <= 2 * MAX_COST)


def write_plain(content: Extraction, shown: Mask) -> str:
    """The *shown* blocks as HTML, with alternative texts in the place of images."""
    return _IMAGE.sub(_box, write_html(content.document, shown, content.url))


def _box(match: re.Match[str]) -> str:
    about = f"image: {match[1]}" if match[1] else "image"
    return f'<span class="img">{about}</span>'


def write_anchored(content: Extraction, shown: Mask) -> tuple[str, set[int]]:
    """The same with the id ``x7`` where block 7 begins, and the blocks with an id.

    A block in the middle of an element has none. The place of a block is found by the
    letters and digits before it, without signs that are not written (permalinks).
    """
    html = write_html(content.document, shown, content.url)
    writer = make_writer(content.document)
    starts: dict[int, int] = {}
    total = 0
    for block in np.flatnonzero(shown).tolist():
        starts[total] = block
        total += _count_letters(writer.block_text(block))
    tokens, anchored = _TAG.split(html), set()
    at, tag = 0, -1
    for k, token in enumerate(tokens):
        if k % 2:
            tag = k if _BLOCK_TAG.fullmatch(token) else tag
        elif letters := _count_letters(unescape(token)):
            if tag >= 0 and at in starts:
                tokens[tag] = _with_anchor(tokens[tag], starts[at])
                anchored.add(starts[at])
            at, tag = at + letters, -1
    if at != total:
        tokens, anchored = [html], set()
    return _IMAGE.sub(_box, "".join(tokens)), anchored


def _count_letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _with_anchor(tag: str, block: int) -> str:
    back = f'<a class="back" href="#b{block}" title="Show in the page"></a>'
    return f'{tag[:-1]} id="x{block}">{"" if tag.startswith(_CELL) else back}'
