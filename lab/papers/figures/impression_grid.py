"""The first impression of a rendered page: grid and centers.

Jung et al., figures 2 to 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from lab.papers.figures.drawing import (
    INK,
    MAIN,
    MARK,
    MUTED,
    OTHER,
    AlgorithmFigures,
    Figure,
)
from scrapy_mainpage.text.words import number_of

from .page_outline import PageOutline, describe
from .shapes import EXTRA, OTHER_PALE, circle

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.algorithms.first_impression import (
        FirstImpression,
        Grid,
        Impression,
    )
    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout

_CENTERS: Final = ("C1", "C2", "C3")
_COLOURS: Final = (INK, MARK, EXTRA)
MAX_CELLS: Final = 2000


def draw_first_impression(
    document: Document, algorithm: FirstImpression, layout: Layout | None
) -> AlgorithmFigures:
    """The grid. Raises ``LayoutRequired`` without a *layout*."""
    impression = algorithm.analyse(document, layout)
    assert layout is not None
    grid = PageOutline(document, layout, "The grid with its excluded cells and centers")
    _draw_grid(grid, impression.grid)
    _draw_areas(grid, impression.grid, layout)
    _draw_centers(grid, impression, layout)
    return AlgorithmFigures(
        "First impression area: grid and centering",
        (_grid_figure(grid, impression.grid),),
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


def _draw_areas(outline: PageOutline, grid: Grid, layout: Layout) -> None:
    """The first impression area, and the extraction band (figure 2 of the paper)."""
    bottom = min(float(grid.cells[:, 3].max(initial=0)), layout.page[1])
    area = (0, 0, layout.window[0], bottom)
    dashes = {"stroke_width": 3, "stroke_dasharray": "9 5"}
    outline.box(area, stroke=INK, title="first impression area", **dashes)
    x, y = np.sort([layout.window, layout.page], axis=0).T / 2
    # Of no width where the page is as wide as the window.
    band = (x[0] - 4, y[0], x[1] + 4, y[1])
    outline.box(band, fill=OTHER_PALE, fill_opacity=0.8, title="extraction band")


def _draw_centers(outline: PageOutline, impression: Impression, layout: Layout) -> None:
    marks = dict(zip(_CENTERS, impression.grid.centers.tolist(), strict=True))
    marks["window"] = [size / 2 for size in layout.window]
    marks["page"] = [size / 2 for size in layout.page]
    for k, (name, (x, y)) in enumerate(marks.items()):
        at, down = x * outline.scale, y * outline.scale
        if y >= outline.height:
            outline.notes.append(f"The center of the {name} lies below what is drawn.")
        elif name in _CENTERS:
            circle(outline.svg, at, down, 6, fill=_COLOURS[k], stroke="#fff")
            # The points lie close together: the names fan out.
            outline.label(x + 16, y + (k * 34 - 20), name, 13, font_weight="bold")
        else:
            outline.svg.path(
                f"M{at - 6:.1f} {down:.1f}h12m-6 -6v12", stroke=INK, stroke_width=2
            )
            outline.label(x - 140, y + 24, f"{name} center", 11)


def _grid_figure(outline: PageOutline, grid: Grid) -> Figure:
    kept = int((~grid.edge & ~grid.linked).sum())
    caption = (
        f"The grid (figures 3 and 4 of the paper): "
        f"{number_of(len(grid.cells), 'cell')}, "
        f"{int(grid.linked.sum())} under dense links, {int(grid.edge.sum())} at the "
        f"edges, {kept} kept. C1 is the middle of what is kept; C2 counts the window's "
        "center in, C3 the page's too."
    )
    legend = (
        (OTHER, "under dense links"),
        (MUTED, "at the edge"),
        (MAIN, "kept"),
        (INK, "first impression area (dashed)"),
        (OTHER_PALE, "extraction band"),
        *zip(_COLOURS, _CENTERS, strict=True),
    )
    return Figure(outline.svg, caption, legend)


def _describe_group(
    document: Document,
    impression: Impression,
    group: tuple[int, ...],
    rules: tuple[str, ...],
) -> str:
    """Each candidate with the rule that gave it, D_t and D_l."""
    return ", ".join(
        f"{describe(document, element)} ({rule}, "
        f"text {impression.text_density[element]:.2f}, "
        f"links {impression.link_density[element]:.2f})"
        for element, rule in zip(group, rules or ("no rule",), strict=True)
    )


def _impression_notes(
    document: Document, impression: Impression, left_out: list[str]
) -> tuple[str, ...]:
    if impression.element is None:
        found = "No candidate is a wrapper: no main content."
    else:
        groups = zip(_CENTERS, impression.candidates, impression.rules, strict=False)
        names = [
            f"{name}: {_describe_group(document, impression, group, rules)}"
            for name, group, rules in groups
        ]
        chosen = describe(document, impression.element)
        found = f"Candidates of {'; '.join(names)}. Chosen: {chosen}."
    notes = [found, *left_out]
    if len(impression.grid.cells) > MAX_CELLS:
        notes.append(f"Drawn are the first {MAX_CELLS:,} cells.")
    return tuple(notes)
