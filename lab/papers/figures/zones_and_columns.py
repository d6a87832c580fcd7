"""Zones and columns of a rendered page: Rae et al., figures 2 and 3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from lab.papers.figures.drawing import (
    MAIN,
    OTHER,
    AlgorithmFigures,
    Figure,
)
from scrapy_mainpage.text.words import number_of

from .page_outline import PageOutline
from .shapes import MAIN_PALE

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.algorithms.layout_analysis import (
        ColumnAnalysis,
        LayoutAnalysis,
    )
    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout

    Ints = npt.NDArray[np.int64]

MAX_ZONES: Final = 2000
MAX_COLUMNS: Final = 400

_MAX_STEPS: Final = 12


def draw_layout_analysis(
    document: Document, algorithm: LayoutAnalysis, layout: Layout | None
) -> AlgorithmFigures:
    """Both figures. Raises ``LayoutRequired`` without a *layout*."""
    analysis = algorithm.analyse(document, layout)
    assert layout is not None
    notes: list[str] = []
    figures = (
        _draw_zones(document, layout, analysis, notes),
        _draw_columns(document, layout, analysis, notes),
    )
    found = [_describe_choice(analysis, algorithm.delta)]
    if not analysis.knows_verbs:
        found.append(
            "The verbs of the page's language are not known: sentences of at least "
            f"{algorithm.least_words} words count instead."
        )
    return AlgorithmFigures(
        "Layout analysis: zones and columns of the rendered page",
        figures,
        (*found, *dict.fromkeys(notes)),
    )


def _draw_zones(
    document: Document, layout: Layout, analysis: ColumnAnalysis, notes: list[str]
) -> Figure:
    outline = PageOutline(document, layout, "Leaf zones of the page")
    leaves = np.flatnonzero(analysis.zones.leaf)
    drawn = _largest(leaves, analysis.zones.box, MAX_ZONES)
    for zone in drawn.tolist():
        score = float(analysis.zone_score[zone])
        kind = "paragraph, " if analysis.paragraph[zone] else ""
        outline.box(
            analysis.zones.box[zone],
            fill=MAIN if analysis.paragraph[zone] else "#fff",
            fill_opacity=0.18 if analysis.paragraph[zone] else 0,
            stroke=OTHER,
            title=f"zone {zone}: {kind}score {score:.3f}",
        )
    notes += outline.notes
    if len(drawn) < len(leaves):
        notes.append(f"Drawn are the {len(drawn):,} largest of {len(leaves):,} zones.")
    caption = (
        f"Leaf zones (figure 2 of the paper): "
        f"{number_of(len(leaves), 'zone')}, of which "
        f"{number_of(int(analysis.paragraph.sum()), 'paragraph')}."
    )
    return Figure(outline.svg, caption, ((OTHER, "zone"), (MAIN_PALE, "paragraph")))


def _draw_columns(
    document: Document, layout: Layout, analysis: ColumnAnalysis, notes: list[str]
) -> Figure:
    outline = PageOutline(document, layout, "Columns of the page")
    columns, chosen = analysis.columns, analysis.column
    stays = np.flatnonzero(columns.stays)
    drawn = _largest(stays, columns.box, MAX_COLUMNS)
    for column in drawn.tolist():
        score = float(analysis.column_score[column])
        outline.box(
            columns.box[column],
            stroke=OTHER,
            stroke_width=1.5,
            stroke_dasharray=None if score > 0 else "4 3",
            title=f"column {column}: score {score:.3f}",
        )
    if chosen is not None:
        _mark_chosen(outline, analysis, chosen)
    notes += outline.notes
    if len(drawn) < len(stays):
        notes.append(f"Drawn are the {len(drawn):,} largest of {len(stays):,} columns.")
    caption = (
        f"Columns (figure 3 of the paper): "
        f"{number_of(len(stays), 'column')}; a dashed one "
        "holds no paragraph."
    )
    legend = ((OTHER, "column"), (MAIN, "main content column"))
    return Figure(outline.svg, caption, legend)


def _mark_chosen(outline: PageOutline, analysis: ColumnAnalysis, chosen: int) -> None:
    box = analysis.columns.box[chosen]
    outline.box(box, stroke=MAIN, stroke_width=4, fill=MAIN, fill_opacity=0.1)
    text = f"main content column, score {analysis.column_score[chosen]:.2f}"
    outline.tag(box, text, MAIN)


def _describe_choice(analysis: ColumnAnalysis, delta: float) -> str:
    if analysis.column is None:
        if not analysis.paragraph.any():
            return "No paragraph was found: no main content."
        return "No column on the way holds enough of the paragraphs: no main content."
    scores = [float(analysis.column_score[column]) for column in analysis.path]
    steps = " → ".join(f"{score:.2f}" for score in scores[:_MAX_STEPS])
    more = " → …" if len(scores) > _MAX_STEPS else ""
    losses = zip(scores, [*scores[1:], 0.0], strict=True)
    deltas = ", ".join(f"{a - b:.2f}" for a, b in list(losses)[:_MAX_STEPS])
    place = analysis.path.index(analysis.column) + 1
    return (
        f"Scores on the way down the column tree: {steps}{more}. Lost to the best "
        f"child: {deltas}. The main content "
        f"column is number {place}: the first that loses more than {delta:g} to its "
        "best child, or else the deepest that holds enough."
    )


def _largest(items: Ints, boxes: npt.NDArray[np.float64], limit: int) -> Ints:
    """The first *limit* of *items* by the area of their boxes, largest first."""
    box = boxes[items]
    area = (box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1])
    return items[np.argsort(-area, kind="stable")[:limit]]
