"""The default algorithm at work: the probability of each block, and the cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .charts import Axes, pool, pool_edges
from .drawing import INK, MAIN, MARK, OTHER, AlgorithmFigures, Figure, Svg, count

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...extraction.document.document import Document
    from ...extraction.document.layout import Layout
    from ...extraction.learned.learned import Learned

    Mask = npt.NDArray[np.bool_]
    Scores = npt.NDArray[np.float32]

_WIDTH, _HEIGHT = 1280, 270


def find_cut(scores: Scores, chosen: Mask) -> float | None:
    """The lowest probability taken for itself; ``None`` if nothing is *chosen*.

    Headings and code that join the text around them may be less likely.
    """
    highest_left = scores.max(where=~chosen, initial=0)
    taken = scores[chosen & (scores >= highest_left)]
    return float(taken.min()) if len(taken) else None


def draw_probabilities(
    document: Document, algorithm: Learned, layout: Layout | None = None
) -> AlgorithmFigures:
    """The figure: a bar per block, in the order of the page."""
    selection = algorithm.judge(document, layout)
    scores, chosen = selection.scores, selection.main
    cut = find_cut(scores, chosen)
    joined = chosen & (scores < (0 if cut is None else cut))
    svg = Svg(_WIDTH, _HEIGHT, "Probability of each text block, and the cut")
    edges = pool_edges(document.n_blocks)
    axes = Axes(svg, 66, 14, _WIDTH - 80, _HEIGHT - 60, (0, len(scores)), (0, 1))
    axes.draw("text block, in the order of the page", "probability", counted=True)
    groups = ((~chosen, OTHER), (chosen & ~joined, MAIN), (joined, MARK))
    for mask, colour in groups:
        axes.bars(edges, pool(np.where(mask, scores, 0).astype(float), edges), colour)
    if cut is not None:
        y = axes.y(cut)
        line = {"stroke": INK, "stroke_width": 1.5, "stroke_dasharray": "6 4"}
        svg.line(axes.left, y, axes.left + axes.width, y, **line)
        svg.halo(axes.left + 6, y + (15 if cut > 0.9 else -5), f"cut at {cut:.2f}")
    caption = (
        "How likely each block is main content. The likeliest are taken, as many as "
        "make the expected F1 of the words highest: the cut lies where one more "
        "block would lower it. Headings of chosen text, and code within it, join; the "
        "page's title may be added or left out afterwards."
    )
    legend = ((MAIN, "taken"), (MARK, "joins, below the cut"), (OTHER, "left out"))
    return AlgorithmFigures(
        "Learned: the probability of each block",
        (Figure(svg, caption, legend),),
        (_describe(document, chosen, selection.confidence),),
    )


def _describe(document: Document, chosen: Mask, expected: float | None) -> str:
    if not chosen.any():
        return "No block is likely enough: no main content."
    blocks = f"{int(chosen.sum()):,} of {count(len(chosen), 'block')}"
    words = int(document.blocks.words[chosen].sum())
    return f"Taken: {blocks}, {words:,} words; the expected F1 is {expected or 0:.2f}."
