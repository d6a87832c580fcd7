"""Rendered pages: zones and columns, and the grid of the first impression.

Rae et al., figures 2 and 3, and Jung et al., figures 3 and 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from .drawing import (
    EXTRA,
    INK,
    MAIN,
    MAIN_PALE,
    MARK,
    MUTED,
    OTHER,
    AlgorithmFigures,
    Figure,
    count,
    describe,
)
from .page_outline import PageOutline, box_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...extraction.algorithms.first_impression import (
        FirstImpression,
        Grid,
        Impression,
    )
    from ...extraction.algorithms.layout_analysis import ColumnAnalysis, LayoutAnalysis
    from ...extraction.document.document import Document
    from ...extraction.document.layout import Layout

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
        f"Leaf zones (figure 2 of the paper): {count(len(leaves), 'zone')}, of which "
        f"{count(int(analysis.paragraph.sum()), 'paragraph')}."
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
        f"Columns (figure 3 of the paper): {count(len(stays), 'column')}; a dashed one "
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
    place = analysis.path.index(analysis.column) + 1
    return (
        f"Scores on the way down the column tree: {steps}{more}. The main content "
        f"column is number {place}: the first that loses more than {delta:g} to its "
        "best child, or else the deepest that holds enough."
    )


def _largest(items: Ints, boxes: npt.NDArray[np.float64], limit: int) -> Ints:
    """The first *limit* of *items* by the area of their boxes, largest first."""
    box = boxes[items]
    area = (box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1])
    return items[np.argsort(-area, kind="stable")[:limit]]


# First impression

_CENTERS: Final = ("C1", "C2", "C3")
_COLOURS: Final = (INK, MARK, EXTRA)
MAX_CELLS: Final = 2000


def draw_first_impression(
    document: Document, algorithm: FirstImpression, layout: Layout | None
) -> AlgorithmFigures:
    """Both figures. Raises ``LayoutRequired`` without a *layout*."""
    impression = algorithm.analyse(document, layout)
    assert layout is not None
    grid = PageOutline(document, layout, "The grid with its excluded cells and centers")
    _draw_grid(grid, impression.grid)
    _draw_centers(grid, impression, layout)
    wrapper = PageOutline(document, layout, "Seeds, candidates and the chosen wrapper")
    _draw_wrappers(wrapper, document, impression, layout)
    return AlgorithmFigures(
        "First impression area: grid, centering, expanding",
        (_grid_figure(grid, impression.grid), _wrapper_figure(wrapper)),
        _impression_notes(document, impression, grid.notes),
    )


def _draw_grid(outline: PageOutline, grid: Grid) -> None:
    for cell, edge, linked in list(
        zip(grid.cells, grid.edge.tolist(), grid.linked.tolist(), strict=True)
    )[:MAX_CELLS]:
        if linked:
            outline.box(cell, fill=OTHER, fill_opacity=0.35)
        if edge:
            outline.box(cell, fill=MUTED, fill_opacity=0.3)
        kept = not (edge or linked)
        outline.box(cell, stroke=MAIN if kept else INK, stroke_width=2 if kept else 0.7)


def _draw_centers(outline: PageOutline, impression: Impression, layout: Layout) -> None:
    marks = dict(zip(_CENTERS, impression.grid.centers.tolist(), strict=True))
    marks["window"] = [size / 2 for size in layout.window]
    marks["page"] = [size / 2 for size in layout.page]
    for k, (name, (x, y)) in enumerate(marks.items()):
        at, down = x * outline.scale, y * outline.scale
        if y >= outline.height:
            outline.notes.append(f"The center of the {name} lies below what is drawn.")
        elif name in _CENTERS:
            outline.svg.circle(at, down, 6, fill=_COLOURS[k], stroke="#fff")
            # The points lie close together: the names fan out.
            outline.label(x + 16, y + (k * 34 - 20), name, 13, font_weight="bold")
        else:
            outline.svg.path(
                f"M{at - 6:.1f} {down:.1f}h12m-6 -6v12", stroke=INK, stroke_width=2
            )
            outline.label(x - 140, y + 24, f"{name} center", 11)


def _draw_wrappers(
    outline: PageOutline, document: Document, impression: Impression, layout: Layout
) -> None:
    boxes = box_of(layout, np.arange(document.n_elements))
    drawn = {element for group in impression.candidates for element in group}
    for element in sorted(drawn - {impression.element}):
        outline.box(
            boxes[element],
            stroke=MUTED,
            stroke_width=1.5,
            stroke_dasharray="7 4",
            title=f"candidate {describe(document, element)}",
        )
    if impression.element is not None:
        box = boxes[impression.element]
        outline.box(box, stroke=MAIN, stroke_width=4, fill=MAIN, fill_opacity=0.1)
        name = describe(document, impression.element)
        outline.tag(box, f"wrapper: {name}", MAIN)
    for k, seed in enumerate(impression.seeds):
        _draw_seed(outline, document, impression, boxes[seed].tolist(), k, seed)


def _draw_seed(
    outline: PageOutline,
    document: Document,
    impression: Impression,
    box: list[float],
    k: int,
    seed: int,
) -> None:
    x, y = impression.grid.centers[k].tolist()
    near = [min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3])]
    title = f"seed of {_CENTERS[k]}: {describe(document, seed)}"
    # Seeds that are the same element are drawn around each other.
    outer = [box[0] - 5 * k, box[1] - 5 * k, box[2] + 5 * k, box[3] + 5 * k]
    outline.box(outer, stroke=_COLOURS[k], stroke_width=2.5, title=title)
    if y < outline.height and near[1] < outline.height:
        (x, y), near = [[v * outline.scale for v in p] for p in ((x, y), near)]
        outline.svg.line(x, y, near[0], near[1], stroke=_COLOURS[k], stroke_width=2)
        outline.svg.circle(x, y, 5, fill=_COLOURS[k], stroke="#fff")


def _grid_figure(outline: PageOutline, grid: Grid) -> Figure:
    kept = int((~grid.edge & ~grid.linked).sum())
    caption = (
        f"The grid (figures 3 and 4 of the paper): {count(len(grid.cells), 'cell')}, "
        f"{int(grid.linked.sum())} under dense links, {int(grid.edge.sum())} at the "
        f"edges, {kept} kept. C1 is the middle of what is kept; C2 counts the window's "
        "center in, C3 the page's too."
    )
    legend = (
        (OTHER, "under dense links"),
        (MUTED, "at the edge"),
        (MAIN, "kept"),
        *zip(_COLOURS, _CENTERS, strict=True),
    )
    return Figure(outline.svg, caption, legend)


def _wrapper_figure(outline: PageOutline) -> Figure:
    caption = (
        "Expanding: from each center to the nearest text, its seed, and up to the "
        "candidates that the rules keep. The wrapper is the densest candidate."
    )
    seeds = tuple(
        (colour, f"seed of {name}")
        for colour, name in zip(_COLOURS, _CENTERS, strict=True)
    )
    return Figure(
        outline.svg, caption, (*seeds, (MUTED, "candidate"), (MAIN, "wrapper"))
    )


def _impression_notes(
    document: Document, impression: Impression, left_out: list[str]
) -> tuple[str, ...]:
    if impression.element is None:
        found = "No candidate is a wrapper: no main content."
    else:
        names = [
            f"{name}: {', '.join(describe(document, e) for e in group)}"
            for name, group in zip(_CENTERS, impression.candidates, strict=False)
        ]
        chosen = describe(document, impression.element)
        found = f"Candidates of {'; '.join(names)}. Chosen: {chosen}."
    notes = [found, *left_out]
    if len(impression.grid.cells) > MAX_CELLS:
        notes.append(f"Drawn are the first {MAX_CELLS:,} cells.")
    return tuple(notes)
