"""A paper's tables as text, CSV and SVG."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Final

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from lab.evaluation.groups import write_csv
from lab.evaluation.systems import REFERENCES
from scrapy_mainpage.evaluation.scores import align_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from .tables import PaperTable

MAX_PAPER_LINES: Final = 30
#: Told apart by readers who see few colours, too.
_COLOURS: Final = (
    "#0072b2 #e69f00 #009e73 #cc79a7 #56b4e9 #d55e00 #8a7a00 #5b3a9e #7a4a2b #3d3d3d"
).split()
_GREYS: Final = {name: ("#c9c9c9", "#8f8f8f")[i] for i, name in enumerate(REFERENCES)}
TEXT: Final = "#333333"

LEGEND_LINE_INCHES: Final = 0.2


def format_paper(title: str, tables: Iterable[PaperTable]) -> str:
    """A paper's tables; of long ones the first lines and the last."""
    parts = [title]
    for table in tables:
        if table.rows:
            rows = [[_number(cell) for cell in row] for row in table.rows]
            left_out = len(rows) - MAX_PAPER_LINES
            if left_out > 0:
                more = [f"{left_out} more"] + [""] * (len(table.head) - 1)
                rows[MAX_PAPER_LINES - 1 : -1] = [more]
            lines = align_columns([[*table.head], *rows], left=1)
            parts.append(f"{table.heading}\n{lines}")
    return "\n\n".join(parts)


def _number(cell: str | float | None) -> str:
    if isinstance(cell, float):
        return f"{cell:.3f}"
    return "" if cell is None else str(cell)


def write_table(table: PaperTable, path: Path) -> None:
    """Write a table or figure to *path* with the suffix csv, and its drawing as SVG."""
    write_cells(table, path.with_suffix(".csv"))
    if drawing := draw(table):
        path.with_suffix(".svg").write_text(drawing, "utf-8")


def draw(table: PaperTable) -> str:
    """The picture of a paper's figure; empty for a table without one."""
    if table.points:
        return plot_points(table.points, colours([*table.points]), table.axes)
    names = dict.fromkeys(name for bars in table.bars.values() for name in bars)
    return plot_bars(table.bars, colours([*names])) if names else ""


def write_cells(table: PaperTable, path: Path) -> None:
    """The cells of a table, or the values of a figure."""
    head, rows = list(table.head), [list(row) for row in table.rows]
    if table.points:
        head = ["algorithm", *table.axes]
        rows = [[n, *point] for n, points in table.points.items() for point in points]
    elif not rows:
        head = ["group", "algorithm", "value"]
        rows = [[g, n, v] for g, bars in table.bars.items() for n, v in bars.items()]
    write_csv(path, head, rows)


def plot_points(
    points: Mapping[str, Sequence[tuple[float, float]]],
    colour: Mapping[str, str],
    titles: tuple[str, str],
) -> str:
    """Points of two values by algorithm; *titles* are those of the axes."""
    figure, axes = new_plot(10, 3.2)
    for algorithm, values in points.items():
        x, y = zip(*values, strict=True) if values else ((), ())
        axes.scatter(x, y, s=14, color=colour[algorithm], label=algorithm)
    axes.set_xlabel(titles[0], color=TEXT)
    axes.set_ylabel(titles[1], color=TEXT)
    axes.grid(color="#e6e6e6", linewidth=0.8)
    return write_svg(figure, axes)


def colours(algorithms: Sequence[str]) -> dict[str, str]:
    """A colour for each algorithm, grey for the references."""
    own = [name for name in algorithms if name not in _GREYS]
    taken = {name: _COLOURS[i % len(_COLOURS)] for i, name in enumerate(own)}
    return {name: _GREYS.get(name) or taken[name] for name in algorithms}


def plot_bars(
    values: Mapping[str, Mapping[str, float]], colour: Mapping[str, str]
) -> str:
    """Bars of *values* by group and algorithm: in each group one per algorithm."""
    width = 0.84 / len(colour)
    figure, axes = new_plot(10, 3.2)
    for i, (algorithm, fill) in enumerate(colour.items()):
        heights = [value.get(algorithm, 0.0) for value in values.values()]
        places = np.arange(len(values)) + (i - (len(colour) - 1) / 2) * width
        axes.bar(places, heights, width * 0.92, color=fill, label=algorithm)
    axes.set_xticks(range(len(values)), list(values))
    axes.set_xlim(-0.6, len(values) - 0.4)
    axes.set_ylim(0, 1)
    axes.grid(axis="y", color="#e6e6e6", linewidth=0.8)
    return write_svg(figure, axes)


def new_plot(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty plot, *width* by *height* inches."""
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.set_axisbelow(True)
    axes.tick_params(length=0, labelcolor=TEXT, labelsize=9)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    return figure, axes


def write_svg(figure: Figure, axes: Axes) -> str:
    """The plot with its legend, as SVG."""
    # Room for the legend of many algorithms.
    lines = len(axes.get_legend_handles_labels()[1])
    figure.set_figheight(max(figure.get_figheight(), LEGEND_LINE_INCHES * lines))
    axes.legend(
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        frameon=False,
        fontsize=9,
        labelcolor=TEXT,
    )
    file = io.StringIO()
    # Text stays text, in whatever script: the browser has the letters.
    text = mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "mainpage"})
    with text, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()
