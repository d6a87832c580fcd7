"""What was dropped between the first and the last kept block, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ..extraction.document.schema import Context
from .charts import find_cut
from .drawing import count, excerpt

if TYPE_CHECKING:
    from ..extraction.document.schema import Mask
    from ..extraction.result import Extraction
    from .annotated_page import Window

MAX_LEFT_OUT: Final = 100
MIN_LINKED_SHARE: Final = 0.5
"""Links are given as a reason if they are at least this share of a block's words."""


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
        note = f"{count(missing, 'block')} with lower scores are not listed."
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
