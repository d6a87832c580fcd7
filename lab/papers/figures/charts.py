"""Axes, strips, and the figure of ``learned``: probabilities of blocks as bars."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final

import numpy as np

from scrapy_mainpage.text.words import number_of

from .drawing import (
    INK,
    MAIN,
    MARK,
    MUTED,
    OTHER,
    PALE,
    AlgorithmFigures,
    Figure,
    Svg,
    number,
)

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout
    from scrapy_mainpage.extraction.document.schema import (
        Doubles,
        Floats,
        Longs,
        Mask,
    )
    from scrapy_mainpage.extraction.learned.learned import Learned


MAX_BINS: Final = 1000
"""Longer series are pooled."""


@dataclass(frozen=True)
class Axes:
    """A rectangle of a drawing with a linear scale on each side."""

    svg: Svg
    left: float
    top: float
    width: float
    height: float
    x_range: tuple[float, float]
    y_range: tuple[float, float]

    def x(self, value: float) -> float:
        """The place of *value* on the drawing, from the left."""
        low, high = self.x_range
        return self.left + (value - low) / ((high - low) or 1) * self.width

    def y(self, value: float) -> float:
        """The place of *value* on the drawing, from the top."""
        low, high = self.y_range
        return (
            self.top + self.height - (value - low) / ((high - low) or 1) * self.height
        )

    def draw(self, x_label: str, y_label: str, *, counted: bool = False) -> None:
        """The frame with its ticks, *counted* ones at whole numbers on the x axis."""
        bottom = self.top + self.height
        for tick in ticks(*self.y_range, limit=6):
            y = self.y(tick)
            self.svg.line(self.left, y, self.left + self.width, y, stroke=PALE)
            text = self.tick_text(tick)
            self.svg.text(self.left - 6, y + 4, text, 11, text_anchor="end", fill=MUTED)
        across = ticks(*self.x_range, limit=10)
        if counted:
            across = [tick for tick in across if tick == int(tick)]
        for tick in across:
            x = self.x(tick)
            self.svg.line(x, bottom, x, bottom + 4, stroke=MUTED)
            text = self.tick_text(tick)
            self.svg.text(x, bottom + 17, text, 11, text_anchor="middle", fill=MUTED)
        self.labels(x_label, y_label)

    def tick_text(self, value: float) -> str:
        """The text of a tick."""
        return f"{int(value):,}" if value == int(value) else number(value)

    def labels(self, x_label: str, y_label: str) -> None:
        """The names of the axes."""
        across, down = self.left + self.width / 2, self.top + self.height / 2
        below = self.top + self.height + 34
        self.svg.text(across, below, x_label, 12, text_anchor="middle")
        turned = f"rotate(-90 {number(self.left - 48)} {number(down)})"
        self.svg.text(
            self.left - 48, down, y_label, 12, text_anchor="middle", transform=turned
        )

    def bars(self, edges: Longs, values: Doubles, colour: str) -> None:
        """A bar from zero for each value, between its *edges*."""
        low, high = self.y_range
        zero = number(self.y(0))
        data = []
        for k, value in enumerate(np.clip(values, low, high).tolist()):
            if value:
                x, right = self.x(float(edges[k])), self.x(float(edges[k + 1]))
                # Bars below 0.8 pixels fade out.
                right = max(right - (0.3 if right - x > 2 else 0), x + 0.8)
                y = number(self.y(value))
                data.append(f"M{number(x)} {zero}V{y}H{number(right)}V{zero}Z")
        if data:
            self.svg.path("".join(data), fill=colour)


def ticks(low: float, high: float, limit: int) -> list[float]:
    """Round numbers from *low* to *high*, at most *limit* + 1.

    >>> ticks(0, 95, 5)
    [0, 20, 40, 60, 80]
    """
    if not high > low:
        return [low]
    rough = (high - low) / limit
    power = 10.0 ** floor(log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
    places = max(0, -floor(log10(step)))
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    if places == 0:
        return [int(k * step) for k in range(first, last + 1)]
    return [round(k * step, places) for k in range(first, last + 1)]


def pool_edges(n: int, limit: int = MAX_BINS) -> Longs:
    """The edges of at most *limit* bins over *n* values, all about equally large."""
    return np.linspace(0, n, min(n, limit) + 1).astype(np.int64)


# Strips of cells


def draw_strip(
    svg: Svg, left: float, top: float, width: float, height: float, colours: list[str]
) -> None:
    """A row of equally wide cells; neighbours of one colour become one shape."""
    if not colours:
        svg.rect(left, top, width, height, fill=PALE)
        return
    step = width / len(colours)
    starts = [
        k for k, colour in enumerate(colours) if k == 0 or colour != colours[k - 1]
    ]
    ends = [*starts[1:], len(colours)]
    data: dict[str, list[str]] = {}
    for start, end in zip(starts, ends, strict=True):
        x, wide = number(left + start * step), number((end - start) * step)
        cell = f"M{x} {number(top)}h{wide}v{number(height)}h-{wide}z"
        data.setdefault(colours[start], []).append(cell)
    for colour, cells in data.items():
        svg.path("".join(cells), fill=colour)


# Probabilities of the default algorithm

_SIZE: Final = 1280, 270


def find_cut(scores: Floats, chosen: Mask) -> float | None:
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
    svg = Svg(*_SIZE, "Probability of each text block, and the cut")
    edges = pool_edges(document.n_blocks)
    axes = Axes(svg, 66, 14, 1200, 210, (0, len(scores)), (0, 1))
    axes.draw("text block, in the order of the page", "probability", counted=True)
    groups = ((~chosen, OTHER), (chosen & ~joined, MAIN), (joined, MARK))
    for mask, colour in groups:
        values = np.where(mask, scores, 0).astype(float)
        axes.bars(edges, np.maximum.reduceat(values, edges[:-1]), colour)
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
    blocks = f"{int(chosen.sum()):,} of {number_of(len(chosen), 'block')}"
    words = int(document.blocks.words[chosen].sum())
    return f"Taken: {blocks}, {words:,} words; the expected F1 is {expected or 0:.2f}."
