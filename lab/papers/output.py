"""A paper's tables as text, CSV and SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lab.evaluation.groups import write_csv
from lab.evaluation.plots import (
    TEXT,
    colours,
    new_plot,
    plot_bars,
    write_svg,
)
from scrapy_mainpage.evaluation.scores import align_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from .tables import PaperTable

MAX_PAPER_LINES: Final = 30


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
