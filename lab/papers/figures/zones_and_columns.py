"""Zones and columns of Rae et al.: elements with a semantic tag, figures 2 and 3."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from lab.papers.figures.drawing import (
    INK,
    MAIN,
    MUTED,
    OTHER,
    AlgorithmFigures,
    Figure,
    Svg,
)
from scrapy_mainpage.extraction.algorithms.semantic_markup import find_line_breaks
from scrapy_mainpage.text.words import number_of

from .page_outline import PageOutline, box_of, describe
from .shapes import MAIN_PALE

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.algorithms.layout_analysis import (
        ColumnAnalysis,
        LayoutAnalysis,
    )
    from scrapy_mainpage.extraction.algorithms.semantic_markup import SemanticMarkup
    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout

    Ints = npt.NDArray[np.int64]

MAX_ZONES: Final = 2000
MAX_COLUMNS: Final = 400
MAX_TREE_LINES: Final = 60
"""Columns of the column tree that are written."""

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
        _draw_column_tree(document, analysis, notes),
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


def _draw_column_tree(
    document: Document, analysis: ColumnAnalysis, notes: list[str]
) -> Figure:
    """A line per column with its score and delta, below its parent."""
    columns, below = analysis.columns, defaultdict[int, list[int]](list)
    for column in np.flatnonzero(columns.stays).tolist():
        below[int(columns.outer[column])].append(column)
    best = dict(pairwise(analysis.path))
    element = analysis.zones.element[np.unique(columns.zone, return_index=True)[1]]
    lines: list[tuple[int, int]] = []
    waiting = [(0, 0)]
    while waiting and len(lines) < MAX_TREE_LINES:
        column, depth = waiting.pop()
        lines.append((column, depth))
        waiting += [(child, depth + 1) for child in reversed(below[column])]
    if waiting:
        notes.append(f"The column tree has the first {MAX_TREE_LINES} columns.")
    svg = Svg(620, 22 * len(lines) + 14, "The column tree")
    for row, (column, depth) in enumerate(lines):
        score = float(analysis.column_score[column])
        text = f"{score:.2f} {describe(document, int(element[column]))}"
        if column in analysis.path:
            kept = analysis.column_score[best[column]] if column in best else 0.0
            text += f", delta {score - float(kept):.2f}"
        chosen = column == analysis.column
        weight = "bold" if column in analysis.path else None
        colour = MAIN if chosen else INK if score else MUTED
        x, y = 10 + 18 * min(depth, 20), 22 * row + 20
        svg.text(x, y, text, 13, fill=colour, font_weight=weight)
    caption = (
        "The column tree: the score of each column, and on the way down (bold) the "
        "delta, what its best child loses."
    )
    return Figure(svg, caption, ((MAIN, "main content column"), (MUTED, "score 0")))


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


MAX_LISTED: Final = 30


def draw_semantic_markup(
    document: Document, algorithm: SemanticMarkup, layout: Layout | None = None
) -> AlgorithmFigures:
    """The elements with the tag in their order, and their boxes with a *layout*."""
    title = f"Semantic markup: elements with the tag {algorithm.tag}"
    lines = find_line_breaks(document, layout)
    tagged = algorithm.find_tagged(document, *lines).tolist()
    zone = algorithm.find_zone(document, *lines)
    if zone is None:
        none = f"No visible element has the tag {algorithm.tag}: no main content."
        return AlgorithmFigures(title, notes=(none,))
    figures = [_list_elements(document, tagged[:MAX_LISTED])]
    notes = [f"Chosen: the zone of the first one, {describe(document, zone)}."]
    if layout is not None:
        outline = PageOutline(document, layout, title)
        figures.append(_outline_elements(outline, document, layout, tagged, zone))
        notes += outline.notes
    if len(tagged) > MAX_LISTED:
        notes.append(f"Listed are the first {MAX_LISTED} of {len(tagged):,} elements.")
    return AlgorithmFigures(title, tuple(figures), tuple(notes))


def _list_elements(document: Document, tagged: list[int]) -> Figure:
    elements = document.elements
    total = np.concatenate(([0], np.cumsum(document.runs.words)))
    words = total[elements.end_run] - total[elements.first_run]
    svg = Svg(620, 22 * len(tagged) + 14, "Elements with the tag")
    for row, element in enumerate(tagged):
        text = f"{row + 1}. {describe(document, element)}"
        text += f", {number_of(int(words[element]), 'word')}"
        style = {"fill": INK} if row else {"fill": MAIN, "font_weight": "bold"}
        svg.text(10, 22 * row + 20, text, 13, **style)
    caption = (
        "The visible elements with the tag, in the breadth-first order of their zones. "
        "The first one is chosen, however short it is."
    )
    return Figure(svg, caption, ((MAIN, "chosen"), (INK, "others")))


def _outline_elements(
    outline: PageOutline,
    document: Document,
    layout: Layout,
    tagged: list[int],
    zone: int,
) -> Figure:
    boxes = box_of(layout, np.array([zone, *tagged]))
    for box, element in zip(boxes[1:], tagged, strict=True):
        outline.box(box, stroke=OTHER, title=describe(document, element))
    outline.box(boxes[0], stroke=MAIN, stroke_width=4, fill=MAIN, fill_opacity=0.1)
    outline.tag(boxes[0], f"zone: {describe(document, zone)}", MAIN)
    caption = "The same elements on the page, and the zone that is chosen."
    legend = ((OTHER, "element with the tag"), (MAIN, "main content"))
    return Figure(outline.svg, caption, legend)
