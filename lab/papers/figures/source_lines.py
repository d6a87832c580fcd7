"""The lines of a page's source, content against code.

Mohammadzadeh et al., figures 1 and 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lab.papers.figures.charts import MAX_BINS, Axes, pool_edges
from lab.papers.figures.drawing import (
    INK,
    MAIN,
    OTHER,
    AlgorithmFigures,
    Figure,
    Svg,
)
from scrapy_mainpage.extraction.algorithms.danag import Danag, main_lines, smooth
from scrapy_mainpage.text.words import number_of

from .shapes import MAIN_PALE, MirroredAxes, bars, pool, reach

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout
    from scrapy_mainpage.extraction.document.schema import Longs as Ints

    Mask = npt.NDArray[np.bool_]

_WIDTH, _HEIGHT = 1280, 290


def draw_danag(
    document: Document, algorithm: Danag, layout: Layout | None = None
) -> AlgorithmFigures:
    """Both figures, with the lines that *algorithm* chooses."""
    t1, t2 = algorithm.lengths(document)
    diff = smooth(t1) - smooth(t2)
    chosen = main_lines(t1, diff, algorithm.gap, whole_area=algorithm.whole_area)
    first = main_lines(t1, diff, 0)
    edges = pool_edges(len(t1))
    return AlgorithmFigures(
        "DANAg: content against code, line by line",
        (_draw_raw(t1, t2, edges), _draw_smoothed(diff, chosen, first, edges)),
        _danag_notes(chosen, first, edges),
    )


def _draw_raw(t1: Ints, t2: Ints, edges: Ints) -> Figure:
    content, code = pool(t1.astype(float), edges), pool(t2.astype(float), edges)
    svg, axes = _plot(edges, reach(np.concatenate((content, code))), "before smoothing")
    axes = MirroredAxes(**vars(axes))
    axes.draw("line of the source", "code ← characters → content", counted=True)
    bars(axes, edges, content, MAIN)
    bars(axes, edges, -code, OTHER)
    _draw_zero(axes)
    caption = (
        "Before smoothing (figure 1 of the paper): the characters of content of each "
        "line above the axis, those of its code below."
    )
    return Figure(svg, caption, ((MAIN, "content"), (OTHER, "code")))


def _draw_smoothed(diff: Ints, chosen: Mask, first: Mask, edges: Ints) -> Figure:
    values = pool(diff.astype(float), edges)
    svg, axes = _plot(edges, reach(values), "after smoothing")
    for start, end in _stretches(chosen):
        _draw_band(axes, start, end)
    axes.draw("line of the source", "content minus code", counted=True)
    bars(axes, edges, np.where(values > 0, values, 0), MAIN)
    bars(axes, edges, np.where(values < 0, values, 0), OTHER)
    _draw_zero(axes)
    for start, end in _stretches(first):
        _mark_first(axes, start, end)
    caption = (
        "After smoothing (figure 2): content minus code of each line and its two "
        "neighbours. The region above the axis with the most content is the first "
        "paragraph; regions near it join it. Shaded lines are the main content area."
    )
    legend = (
        (MAIN, "more content"),
        (OTHER, "more code"),
        (MAIN_PALE, "chosen region"),
        (INK, "first paragraph"),
    )
    return Figure(svg, caption, legend)


def _plot(edges: Ints, limit: float, stage: str) -> tuple[Svg, Axes]:
    svg = Svg(_WIDTH, _HEIGHT, f"Characters of content and code per line, {stage}")
    return svg, Axes(
        svg, 74, 20, _WIDTH - 90, _HEIGHT - 66, (0, int(edges[-1])), (-limit, limit)
    )


def _draw_band(axes: Axes, start: int, end: int) -> None:
    """Mark the chosen lines from *start* to *end*, over the whole height."""
    x, right = axes.x(start), axes.x(end)
    title = f"chosen: lines {start + 1} to {end}"
    width = max(right - x, 1)
    axes.svg.rect(x, axes.top, width, axes.height, fill=MAIN_PALE, title=title)


def _draw_zero(axes: Axes) -> None:
    y = axes.y(0)
    axes.svg.line(axes.left, y, axes.left + axes.width, y, stroke=INK)


def _mark_first(axes: Axes, start: int, end: int) -> None:
    x, right = axes.x(start), axes.x(end)
    axes.svg.rect(x, axes.top, max(right - x, 3), 5, fill=INK)
    anchor = "end" if x > axes.left + axes.width * 0.8 else "start"
    place = right if anchor == "end" else x
    axes.svg.text(place, axes.top - 5, "first paragraph", 11, text_anchor=anchor)


def _stretches(mask: Mask) -> list[tuple[int, int]]:
    """The half-open ranges of true values; the first :data:`MAX_BINS` of them."""
    at = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False]))))
    return list(zip(at[::2].tolist(), at[1::2].tolist(), strict=True))[:MAX_BINS]


def _danag_notes(chosen: Mask, first: Mask, edges: Ints) -> tuple[str, ...]:
    lines = np.flatnonzero(chosen)
    if not len(lines):
        return ("No line has more content than code: no main content.",)
    begin = int(np.argmax(first)) + 1
    notes = [
        f"Chosen: {number_of(len(lines), 'line')} of {len(chosen):,}, from line "
        f"{lines[0] + 1:,} to {lines[-1] + 1:,}; the first paragraph begins at line "
        f"{begin:,}. A line break stands before each block-level tag."
    ]
    if len(chosen) > MAX_BINS:
        notes.append(
            f"The page has {len(chosen):,} lines: each bar is the strongest of up to "
            f"{number_of(int(np.diff(edges).max()), 'line')}."
        )
    return tuple(notes)
