"""Beside the page: the extracted text, tied to it, and what was dropped and why."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Final

import numpy as np

from ..extraction.document.schema import Context
from ..extraction.output.text import make_writer
from ..extraction.output.writers import write_html
from ..text.words import number_of
from .annotated_page import MAX_BLOCKS, MAX_COST, block_costs
from .charts import find_cut
from .drawing import excerpt

if TYPE_CHECKING:
    from ..extraction.document.schema import Mask
    from ..extraction.result import Extraction
    from .annotated_page import Window

# HTML as our own writer writes it: the values of attributes are escaped.
_IMAGE: Final = re.compile(r'<img src="[^"]*" alt="([^"]*)"(?: title="[^"]*")?>')
_TAG: Final = re.compile(r"(<[^>]*>)")
_BLOCK_TAG: Final = re.compile(
    r"<(?:p|h[1-6]|li|dt|dd|pre|figcaption|caption|td|th)\b[^>]*>"
)
_CELL: Final = ("<td", "<th", "<pre")
MAX_LEFT_OUT: Final = 100
MIN_LINKED_SHARE: Final = 0.5
"""Links are given as a reason if they are at least this share of a block's words."""


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


@dataclass(frozen=True)
class DroppedBlock:
    """A dropped block: its beginning, label, words, score, and the reasons."""

    block: int
    is_shown: bool
    text: str
    label: str
    words: int
    score: float
    reason: str


def find_dropped_blocks(
    content: Extraction, window: Window
) -> tuple[list[DroppedBlock], str]:
    """The dropped blocks inside of the main content, and a note on those not listed.

    Of many, those with the highest scores.
    """
    kept = np.flatnonzero(content.main)
    if not len(kept):
        return [], ""
    inside = np.arange(kept[0], kept[-1] + 1)
    dropped = inside[~content.main[inside]]
    highest = np.argsort(-content.scores[dropped], kind="stable")[:MAX_LEFT_OUT]
    listed = np.sort(dropped[highest])
    note = ""
    if missing := len(dropped) - len(listed):
        note = f"{number_of(missing, 'block')} with lower scores are not listed."
    explain = _Reasons(content)
    document, blocks = content.document, content.document.blocks
    return [
        DroppedBlock(
            block=block,
            is_shown=window.start <= block < window.end,
            text=excerpt(document, int(blocks.start[block]), int(blocks.end[block])),
            label=content.label(block).value,
            words=int(blocks.words[block]),
            score=float(content.scores[block]),
            reason=explain(block),
        )
        for block in listed.tolist()
    ], note


class _Reasons:
    """Says why a block was dropped, as far as scores, links and markup tell."""

    def __init__(self, content: Extraction) -> None:
        self.content, self.cut = content, None
        self.chosen: Mask = content.main
        algorithm = content.algorithm
        if algorithm is not None and algorithm.name == "learned":
            self.chosen = algorithm.select(content.document, content.scores)
            self.cut = find_cut(content.scores, self.chosen)

    def __call__(self, block: int) -> str:
        blocks = self.content.document.blocks
        words, linked = int(blocks.words[block]), int(blocks.linked_words[block])
        reasons = [self._verdict(block)]
        if blocks.flags[block] & Context.HIDDEN:
            reasons.append("hidden on the page")
        if linked and linked >= MIN_LINKED_SHARE * words:
            reasons.append(f"{linked / words:.0%} of its words are links")
        return "; ".join(reasons)

    def _verdict(self, block: int) -> str:
        if self.chosen[block]:
            return "chosen, but the title is not repeated in the text"
        if self.cut is None:
            return "not chosen by the algorithm"
        if self.content.scores[block] < self.cut:
            return f"below the cut at {self.cut:.2f}"
        return f"at the cut of {self.cut:.2f}, after the last block that was taken"
