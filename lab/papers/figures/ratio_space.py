"""The rated elements as points of R^4 (Alarte and Silva, section 3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from lab.papers.figures.charts import Axes
from lab.papers.figures.drawing import (
    INK,
    MAIN,
    MUTED,
    OTHER,
    AlgorithmFigures,
    Figure,
    Svg,
)
from scrapy_mainpage.text.words import number_of

from .page_outline import describe
from .shapes import polyline

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.algorithms.centroid import Centroid, Choice
    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout

    Floats = npt.NDArray[np.float64]

RATIOS: Final = ("word ratio", "hyperlink ratio", "children ratio", "position ratio")
MAX_LINES: Final = 800
_CELL_PIXELS: Final = 3


@dataclass(frozen=True)
class _Candidate:
    """A candidate: its row in the space, its name, whether it was chosen."""

    row: int
    name: str
    chosen: bool

    @property
    def colour(self) -> str:
        return MAIN if self.chosen else OTHER


def draw_centroid(
    document: Document, algorithm: Centroid, layout: Layout | None = None
) -> AlgorithmFigures:
    """The points on parallel axes."""
    choice = algorithm.choose(document)
    title = "Centroid distance: elements as points of four ratios"
    if not len(choice.space.element):
        return AlgorithmFigures(
            title, notes=("No element can be rated: no main content.",)
        )
    candidates = _candidates(document, choice)
    return AlgorithmFigures(
        title,
        (_draw_parallel(choice, candidates),),
        _notes(document, choice, candidates),
    )


def _candidates(document: Document, choice: Choice) -> list[_Candidate]:
    rows = {element: row for row, element in enumerate(choice.space.element.tolist())}
    return [
        _Candidate(rows[e], f"{k}. {describe(document, e)}", e in choice.main)
        for k, e in enumerate(choice.candidates, 1)
    ]


def _draw_parallel(choice: Choice, candidates: list[_Candidate]) -> Figure:
    space = choice.space
    values = np.column_stack([space.ratio, space.distance])
    svg = Svg(1280, 330, "Ratios of the rated elements on parallel axes")
    axes = [
        Axes(svg, 90 + 220 * k, 34, 0, 240, (0, 1), _range(values[:, k]))
        for k in range(5)
    ]
    groups, sizes = _group(values, axes)
    for row, size in zip(groups[:MAX_LINES], sizes[:MAX_LINES], strict=True):
        opacity = min(0.12 + 0.1 * np.log2(size), 0.7)
        _draw_path(axes, values[row], stroke=MUTED, stroke_opacity=opacity)
    _draw_path(
        axes[:4], np.zeros(4), stroke=INK, stroke_width=2, stroke_dasharray="6 4"
    )
    svg.halo(axes[0].left - 10, axes[0].y(0) + 4, "centroid", 11, text_anchor="end")
    for mark in candidates:
        _draw_path(
            axes, values[mark.row], stroke=mark.colour, stroke_width=3, title=mark.name
        )
    _draw_names(axes[4], values[:, 4], candidates)
    for axis, name in zip(axes, (*RATIOS, "distance"), strict=True):
        _draw_axis(axis, name)
    caption = (
        "Each line is a kind of element: its four standardised ratios and its distance "
        "to the centroid, darker where more elements are alike."
    )
    legend = (
        (MUTED, "element"),
        (INK, "centroid"),
        (OTHER, "candidate"),
        (MAIN, "chosen as main content"),
    )
    return Figure(svg, caption, legend)


def _draw_axis(axes: Axes, name: str) -> None:
    svg, (low, high) = axes.svg, axes.y_range
    svg.line(axes.left, axes.top, axes.left, axes.top + axes.height, stroke=INK)
    svg.text(axes.left, axes.top - 16, name, 13, text_anchor="middle")
    svg.halo(axes.left, axes.top - 3, f"{high:.1f}", 11, text_anchor="middle")
    bottom = axes.top + axes.height + 14
    svg.halo(axes.left, bottom, f"{low:.1f}", 11, text_anchor="middle")


def _draw_names(axes: Axes, distance: Floats, candidates: list[_Candidate]) -> None:
    lowest = axes.top
    for mark in sorted(candidates, key=lambda mark: -distance[mark.row]):
        y = max(axes.y(float(distance[mark.row])) + 4, lowest)
        lowest = y + 16
        if y > axes.svg.height - 8:
            return
        axes.svg.halo(axes.left + 10, y, mark.name, 12, fill=mark.colour)


def _draw_path(axes: list[Axes], values: Floats, **attributes: object) -> None:
    polyline(
        axes[0].svg,
        (
            (axis.left, axis.y(value))
            for axis, value in zip(axes, values.tolist(), strict=False)
        ),
        **attributes,
    )


def _range(values: Floats) -> tuple[float, float]:
    low, high = float(values.min(initial=0)), float(values.max(initial=0))
    margin = (high - low) * 0.05 or 1.0
    # A distance, and a ratio that is the same for all, is not below 0.
    return low - margin if low < 0 else 0.0, high + margin


def _group(values: Floats, axes: list[Axes]) -> tuple[list[int], list[int]]:
    """One row per group of lines that nearly cover each other, and the groups' sizes.

    The largest groups come first.
    """
    low, high = np.array([axis.y_range for axis in axes]).T
    heights = np.array([axis.height for axis in axes])
    cells = ((values - low) / (high - low) * heights // _CELL_PIXELS).astype(np.int64)
    _, first, sizes = np.unique(cells, axis=0, return_index=True, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    return first[order].tolist(), sizes[order].tolist()


def _notes(
    document: Document, choice: Choice, candidates: list[_Candidate]
) -> tuple[str, ...]:
    rated = number_of(len(choice.space.element), "element")
    if not candidates and choice.main:
        return (
            f"{rated} rated. The page is less deep than wide: all children of the body "
            "are its main content, without a search.",
        )
    if not choice.main:
        return (f"{rated} rated; no candidate was kept: no main content.",)
    names = ", ".join(mark.name for mark in candidates)
    chosen = ", ".join(describe(document, element) for element in choice.main[:20])
    return (f"{rated} rated. Candidates: {names}. Chosen: {chosen}.",)
