"""Figures: values of a paper's tables, and its algorithm at work on one page.

All are plots of Matplotlib, written as SVG.
"""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl
import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from scrapy_mainpage.extraction.algorithms.danag import (
    Danag,
    line_lengths,
    main_lines,
    smooth,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt
    from matplotlib.axes import Axes

    from scrapy_mainpage.extraction.algorithms import Algorithm
    from scrapy_mainpage.extraction.algorithms.first_impression import FirstImpression
    from scrapy_mainpage.extraction.algorithms.layout_analysis import LayoutAnalysis
    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout

    from .tables import PaperTable

#: Told apart by readers who see few colours, too.
MAIN, OTHER, MARK = "#0072b2", "#d55e00", "#009e73"
#: Longer series, and more boxes, are drawn as pixels.
MAX_SHAPES: Final = 2000


def new_plot(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty plot, *width* by *height* inches."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def write_svg(figure: Figure) -> str:
    """The plot with its legend, as SVG."""
    if any(axes.get_legend_handles_labels()[0] for axes in figure.axes):
        figure.legend(loc="outside right upper", frameon=False)
    file = io.StringIO()
    # Text stays text, in whatever script: the browser has the letters.
    text = mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "mainpage"})
    with text, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()


def plot_table(table: PaperTable) -> str:
    """The picture of a figure of values; empty for a table without one."""
    groups = [*table.bars]
    names = dict.fromkeys(name for bars in table.bars.values() for name in bars)
    if not (names or table.points):
        return ""
    figure, axes = new_plot(10, 3.2)
    for name, points in table.points.items():
        axes.scatter(*np.reshape(points, (-1, 2)).T, s=14, label=name)
    for k, name in enumerate(names):
        heights = [table.bars[group].get(name, 0.0) for group in groups]
        places = np.arange(len(groups)) + (k + 0.5) / len(names) * 0.84
        spread = [table.variation[g][name] for g in groups] if table.variation else None
        bars = axes.bar(places, heights, 0.77 / len(names), yerr=spread, label=name)
        axes.bar_label(bars, fmt="%.2f", fontsize=6)
    if names:
        axes.set_xticks(np.arange(len(groups)) + 0.42, groups)
        axes.set_ylim(0, 1)
    axes.set(xlabel=table.axes[0], ylabel=table.axes[1])
    return write_svg(figure)


# --- Algorithms at work


def draw_danag(
    document: Document, algorithm: Danag, layout: Layout | None
) -> Iterator[tuple[str, Figure]]:
    """Mohammadzadeh et al., figures 1 and 2."""
    content, code = line_lengths(document)
    difference = smooth(content) - smooth(code)
    chosen = main_lines(
        content, difference, algorithm.gap, whole_area=algorithm.whole_area
    )
    series = {
        "Figure 1: content above the axis, code below, by line": (content, -code),
        "Figure 2: content minus code of three lines": (
            np.maximum(difference, 0),
            np.minimum(difference, 0),
        ),
    }
    for caption, (above, below) in series.items():
        figure, axes = new_plot(12, 3)
        is_long = len(above) > MAX_SHAPES
        style: dict[str, Any] = {"fill": True, "rasterized": is_long}
        axes.stairs(above, color=MAIN, label="content", **style)
        axes.stairs(below, color=OTHER, label="code", **style)
        if "Figure 2" in caption:
            axes.fill_between(
                np.arange(len(chosen)), *axes.get_ylim(), where=chosen, alpha=0.2,
                label="main content", step="post", rasterized=is_long,
            )  # fmt: skip
        axes.set(xlabel="line of the source", ylabel="characters")
        yield f"{caption}; {int(chosen.sum())} lines of {len(chosen)} are taken", figure


def draw_text_block_context(
    document: Document, algorithm: Algorithm, layout: Layout | None
) -> Iterator[tuple[str, Figure]]:
    """Kim et al., figure 2."""
    scores = algorithm.score(document)
    main = document.blocks.element[scores >= 0.5]
    tags = [document.tag_name(element) for element in range(document.n_elements)]
    rows: dict[str, list[int]] = {}
    for place, tag in enumerate(tags):
        rows.setdefault(tag, []).append(place)
    figure, axes = new_plot(12, 4)
    axes.eventplot(
        list(rows.values()), linelengths=0.7, rasterized=len(tags) > MAX_SHAPES
    )
    axes.set_yticks(range(len(rows)), list(rows))
    axes.set_xlabel("tag, in the order of the page")
    if len(main):
        axes.axvspan(main.min(), main.max() + 1, alpha=0.2, label="main content")
    yield f"Figure 2: the tags; {len(main)} blocks of {len(scores)} are taken", figure


def draw_layout_analysis(
    document: Document, algorithm: LayoutAnalysis, layout: Layout | None
) -> Iterator[tuple[str, Figure]]:
    """Rae et al., figures 2 and 3."""
    analysis = algorithm.analyse(document, layout)
    assert layout is not None
    leaf, paragraph = analysis.zones.leaf, analysis.paragraph
    figure, axes = _page(layout)
    _boxes(axes, analysis.zones.box[leaf & ~paragraph], OTHER, "zone")
    _boxes(axes, analysis.zones.box[paragraph], MAIN, "paragraph", fill=True)
    counts = f"{int(leaf.sum())} leaf zones, {int(paragraph.sum())} paragraphs"
    yield f"Figure 2: {counts}", figure
    figure, axes = _page(layout)
    columns = analysis.columns
    _boxes(axes, columns.box[columns.stays], OTHER, "column")
    scores = [f"{analysis.column_score[column]:.2f}" for column in analysis.path]
    if analysis.column is not None:
        _boxes(axes, columns.box[[analysis.column]], MAIN, "main content", fill=True)
    way = " → ".join(scores)
    yield f"Figure 3: {int(columns.stays.sum())} columns, scores down to: {way}", figure


def draw_first_impression(
    document: Document, algorithm: FirstImpression, layout: Layout | None
) -> Iterator[tuple[str, Figure]]:
    """Jung et al., figures 2 to 4."""
    impression = algorithm.analyse(document, layout)
    assert layout is not None
    grid = impression.grid
    figure, axes = _page(layout)
    kept = ~(grid.edge | grid.linked)
    _boxes(axes, grid.cells[kept], MAIN, "kept")
    _boxes(axes, grid.cells[grid.linked], OTHER, "under dense links", fill=True)
    _boxes(axes, grid.cells[grid.edge], "#5f6b7a", "at the edge", fill=True)
    bottom = min(float(grid.cells[:, 3].max(initial=0)), layout.page[1])
    area = np.array([[0, 0, layout.window[0], bottom]])
    _boxes(axes, area, "black", "first impression area")
    for name, (x, y) in zip(("C1", "C2", "C3"), grid.centers.tolist(), strict=True):
        axes.plot(x, y, "o", color=MARK)
        axes.annotate(name, (x, y))
    groups = zip(impression.candidates, impression.rules, strict=False)
    pairs = (pair for group in groups for pair in zip(*group, strict=False))
    found = ", ".join(f"{document.tag_name(e)} ({rule})" for e, rule in pairs)
    yield f"Figures 2 to 4: {len(grid.cells)} cells; candidates {found}", figure


def _page(layout: Layout) -> tuple[Figure, Axes]:
    """A plot in the pixels of the page, from its top."""
    width, height = layout.window[0], max(layout.page[1], layout.window[1])
    figure, axes = new_plot(8, min(6 * height / width, 100))
    axes.set(xlim=(0, width), ylim=(height, 0), aspect="equal")
    return figure, axes


def _boxes(
    axes: Axes, boxes: npt.NDArray[Any], colour: str, label: str, fill: bool = False
) -> None:
    """Rectangles of left, top, right and bottom."""
    corners = np.asarray(boxes, float)[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)
    face = (*mpl.colors.to_rgb(colour), 0.2) if fill else "none"
    shapes = PolyCollection(corners, edgecolors=colour, facecolors=[face], label=label)
    shapes.set_rasterized(len(corners) > MAX_SHAPES)
    axes.add_collection(shapes)


FIGURES: Final[dict[str, Callable[..., Iterator[tuple[str, Figure]]]]] = {
    "layout-analysis": draw_layout_analysis,
    "text-block-context": draw_text_block_context,
    "danag": draw_danag,
    "first-impression": draw_first_impression,
}
"""Captions and figures by the name of the algorithm."""
