"""DANAg: main content where content outweighs code (Mohammadzadeh et al. 2011).

H. Mohammadzadeh, T. Gottron, F. Schweiggert, G. Nakhaeizadeh: "Extracting the main
content of web documents based on a naive smoothing method", KDIR 2011, pages 462-467.
Section numbers are the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..document.schema import Context
from .algorithm import Algorithm, check_switch, check_whole

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.layout import Layout
    from ..document.schema import Longs
    from .algorithm import Mask, Scores


@dataclass(frozen=True)
class Danag(Algorithm):
    """Lines of the source whose content outweighs their code, around the longest run.

    ``gap``: the maximum of lines between two paragraphs of the main content (section
    3.3; 20 there). ``whole_area``: lines between two paragraphs, such as a heading with
    much code, belong to the main content area, too (section 3.4 passes the area as a
    whole to the parser).
    """

    name: ClassVar[str] = "danag"

    gap: int = 20
    whole_area: bool = True

    def __post_init__(self) -> None:
        check_whole("gap", self.gap, 0)
        check_switch("whole_area", self.whole_area)

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """Half the content's share around a block's line, plus a half if selected."""
        blocks = document.blocks
        t1, t2 = line_lengths(document)
        content, code = smooth(t1), smooth(t2)
        diff = content - code
        chosen = main_lines(t1, diff, self.gap, whole_area=self.whole_area)
        share = content / np.maximum(content + code, 1)
        scores: Scores = (share[blocks.line] / 2 + chosen[blocks.line] / 2).astype(
            np.float32
        )
        scores[(blocks.flags & Context.HIDDEN) != 0] = 0
        return scores


def line_lengths(document: Document) -> tuple[Longs, Longs]:
    """T1 and T2 (section 3.1): the characters of content and of code of each line.

    Text hidden by an inline style or the ``hidden`` attribute is not content.
    """
    blocks = document.blocks
    t1 = document.lines.text.astype(np.int64)
    hidden = (blocks.flags & Context.HIDDEN) != 0
    t1[blocks.line[hidden]] = 0
    return t1, document.lines.code.astype(np.int64)


def smooth(values: Longs) -> Longs:
    """Formula 1 (section 3.2), of T1 or T2: each line with its two neighbours."""
    total = values.copy()
    total[1:] += values[:-1]
    total[:-1] += values[1:]
    return total


def main_lines(t1: Longs, diff: Longs, gap: int, *, whole_area: bool = True) -> Mask:
    """The lines of the main content (sections 3.2 and 3.3).

    The run of positive ``diff`` with the most content is the first paragraph (the
    first such run on ties); runs join it, up and down, while at most ``gap`` lines lie
    between one and the next. The lines in between are chosen with *whole_area* only.
    """
    positive = diff > 0
    chosen = np.zeros(len(diff), bool)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], positive, [False]))))
    starts, ends = edges[::2], edges[1::2]
    if not len(starts):
        return chosen
    sums = np.concatenate(([0], np.cumsum(t1)))
    best = np.argmax(sums[ends] - sums[starts])
    group = np.concatenate(([0], np.cumsum(starts[1:] - ends[:-1] > gap)))
    members = np.flatnonzero(group == group[best])
    chosen[starts[members[0]] : ends[members[-1]]] = True
    return chosen if whole_area else chosen & positive
