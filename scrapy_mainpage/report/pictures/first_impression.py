"""Grid, centres, seeds and the wrapper chosen (Jung et al., figures 3 and 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from .base import Figure, Picture, count, describe
from .sketch import Sketch, box_of
from .svg import EXTRA, INK, MAIN, MARK, MUTED, OTHER

if TYPE_CHECKING:
    from ...extraction.algorithms.first_impression import (
        FirstImpression,
        Grid,
        Impression,
    )
    from ...extraction.document.document import Document
    from ...extraction.document.layout import Layout

_NAMES: Final = ("C1", "C2", "C3")
_COLOURS: Final = (INK, MARK, EXTRA)
MOST_CELLS: Final = 2000


def draw(
    document: Document, algorithm: FirstImpression, layout: Layout | None
) -> Picture:
    """Both figures. Raises ``LayoutRequired`` without a *layout*."""
    impression = algorithm.analyse(document, layout)
    assert layout is not None
    grid = Sketch(document, layout, "The grid with its excluded cells and centers")
    _draw_grid(grid, impression.grid)
    _draw_centers(grid, impression, layout)
    wrapper = Sketch(document, layout, "Seeds, candidates and the chosen wrapper")
    _draw_wrappers(wrapper, document, impression, layout)
    return Picture(
        "First impression area: grid, centering, expanding",
        (_grid_figure(grid, impression.grid), _wrapper_figure(wrapper)),
        _notes(document, impression, grid.notes),
    )


def _draw_grid(sketch: Sketch, grid: Grid) -> None:
    for cell, edge, linked in list(
        zip(grid.cells, grid.edge.tolist(), grid.linked.tolist(), strict=True)
    )[:MOST_CELLS]:
        if linked:
            sketch.box(cell, fill=OTHER, fill_opacity=0.35)
        if edge:
            sketch.box(cell, fill=MUTED, fill_opacity=0.3)
        kept = not (edge or linked)
        sketch.box(cell, stroke=MAIN if kept else INK, stroke_width=2 if kept else 0.7)


def _draw_centers(sketch: Sketch, impression: Impression, layout: Layout) -> None:
    marks = dict(zip(_NAMES, impression.grid.centers.tolist(), strict=True))
    marks["window"] = [size / 2 for size in layout.window]
    marks["page"] = [size / 2 for size in layout.page]
    for k, (name, (x, y)) in enumerate(marks.items()):
        at, down = x * sketch.scale, y * sketch.scale
        if y >= sketch.height:
            sketch.notes.append(f"The center of the {name} lies below what is drawn.")
        elif name in _NAMES:
            sketch.svg.circle(at, down, 6, fill=_COLOURS[k], stroke="#fff")
            # The points lie close together: the names fan out.
            sketch.label(x + 16, y + (k * 34 - 20), name, 13, font_weight="bold")
        else:
            sketch.svg.path(
                f"M{at - 6:.1f} {down:.1f}h12m-6 -6v12", stroke=INK, stroke_width=2
            )
            sketch.label(x - 140, y + 24, f"{name} center", 11)


def _draw_wrappers(
    sketch: Sketch, document: Document, impression: Impression, layout: Layout
) -> None:
    boxes = box_of(layout, np.arange(document.n_elements))
    drawn = {element for group in impression.candidates for element in group}
    for element in sorted(drawn - {impression.element}):
        sketch.box(
            boxes[element],
            stroke=MUTED,
            stroke_width=1.5,
            stroke_dasharray="7 4",
            title=f"candidate {describe(document, element)}",
        )
    if impression.element is not None:
        box = boxes[impression.element]
        sketch.box(box, stroke=MAIN, stroke_width=4, fill=MAIN, fill_opacity=0.1)
        name = describe(document, impression.element)
        sketch.tag(box, f"wrapper: {name}", MAIN)
    for k, seed in enumerate(impression.seeds):
        _draw_seed(sketch, document, impression, boxes[seed].tolist(), k, seed)


def _draw_seed(
    sketch: Sketch,
    document: Document,
    impression: Impression,
    box: list[float],
    k: int,
    seed: int,
) -> None:
    x, y = impression.grid.centers[k].tolist()
    near = [min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3])]
    title = f"seed of {_NAMES[k]}: {describe(document, seed)}"
    # Seeds that are the same element are drawn around each other.
    outer = [box[0] - 5 * k, box[1] - 5 * k, box[2] + 5 * k, box[3] + 5 * k]
    sketch.box(outer, stroke=_COLOURS[k], stroke_width=2.5, title=title)
    if y < sketch.height and near[1] < sketch.height:
        (x, y), near = [[v * sketch.scale for v in p] for p in ((x, y), near)]
        sketch.svg.line(x, y, near[0], near[1], stroke=_COLOURS[k], stroke_width=2)
        sketch.svg.circle(x, y, 5, fill=_COLOURS[k], stroke="#fff")


def _grid_figure(sketch: Sketch, grid: Grid) -> Figure:
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
        *zip(_COLOURS, _NAMES, strict=True),
    )
    return Figure(sketch.svg, caption, legend)


def _wrapper_figure(sketch: Sketch) -> Figure:
    caption = (
        "Expanding: from each center to the nearest text, its seed, and up to the "
        "candidates that the rules keep. The wrapper is the densest candidate."
    )
    seeds = tuple(
        (colour, f"seed of {name}")
        for colour, name in zip(_COLOURS, _NAMES, strict=True)
    )
    return Figure(
        sketch.svg, caption, (*seeds, (MUTED, "candidate"), (MAIN, "wrapper"))
    )


def _notes(
    document: Document, impression: Impression, left_out: list[str]
) -> tuple[str, ...]:
    if impression.element is None:
        found = "No candidate is a wrapper: no main content."
    else:
        names = [
            f"{name}: {', '.join(describe(document, e) for e in group)}"
            for name, group in zip(_NAMES, impression.candidates, strict=False)
        ]
        chosen = describe(document, impression.element)
        found = f"Candidates of {'; '.join(names)}. Chosen: {chosen}."
    notes = [found, *left_out]
    if len(impression.grid.cells) > MOST_CELLS:
        notes.append(f"Drawn are the first {MOST_CELLS:,} cells.")
    return tuple(notes)
