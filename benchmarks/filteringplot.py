"""The curves of what the filter drops, as an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from scrapy_mainpage.evaluation.plots import colours

from .filtering import Judged
from .plotting import GREY, TEXT, plain, svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = {
    "words": ("fewer words than", np.arange(0, 201, 5.0)),
    "share": ("a smaller share than", np.arange(0, 0.505, 0.01)),
    "confidence": ("a lower confidence than", np.arange(0, 0.81, 0.02)),
}
DEFAULTS = {"words": 20.0}
ALL = "all pages"
BLACK = "#111111"


def plot(pages: Sequence[Judged]) -> str:
    """Above the good pages that are lost, below the bad ones that are caught."""
    kinds = sorted({page.type for page in pages})
    colour = {**colours(kinds), ALL: BLACK}
    rows = {
        "good pages lost, %": ([p for p in pages if p.good], 20),
        "bad pages caught, %": ([p for p in pages if p.bad], 100),
    }
    figure = Figure(figsize=(10, 6.2), layout="constrained")
    grid = figure.subplots(2, 3, sharex="col", sharey="row")
    for row, (title, (chosen, top)) in enumerate(rows.items()):
        for column, (name, (_, places)) in enumerate(COLUMNS.items()):
            axes = grid[row][column]
            _draw(axes, chosen, name, places, colour)
            axes.set_ylim(-top / 50, top)
            axes.set_yticks(range(0, top + 1, top // 5 if top > 20 else 5))
        grid[row][0].set_ylabel(title, color=TEXT)
    for column, (label, _) in enumerate(COLUMNS.values()):
        grid[1][column].set_xlabel(label, color=TEXT)
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=8, frameon=False, fontsize=9
    )
    return svg(figure)


def _draw(
    axes: Axes,
    pages: Sequence[Judged],
    figure: str,
    places: np.ndarray,
    colour: dict[str, str],
) -> None:
    for kind, line in colour.items():
        own = [getattr(p, figure) for p in pages if kind in (p.type, ALL)]
        if own:
            heights = 100 * np.searchsorted(np.sort(own), places) / len(own)
            width = 2.2 if kind == ALL else 1.1
            axes.plot(places, heights, color=line, linewidth=width, label=kind)
    if figure in DEFAULTS:
        axes.axvline(DEFAULTS[figure], color=TEXT, linewidth=0.9, linestyle=":")
    axes.set_xlim(places[0], places[-1])
    axes.grid(color=GREY, linewidth=0.8)
    plain(axes)
