"""Results as text: tables for a terminal, and CSV."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any, Final

from .columns import COUNTS, MEASURES, STRUCTURE_COLUMNS, TEXT_COLUMNS
from .summary import LANGUAGE, SET, SITE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from .columns import Column
    from .measure import Row
    from .paper_tables import PaperTable
    from .summary import Summary

MAX_PAPER_LINES: Final = 30

LEGEND: Final = (
    "P, R, F1: words, mean over pages. LCS: longest common subsequence. TEXTS: matched "
    "text blocks, F1.\nNODES: DOM nodes, F1. BLOCKS: main content class, F1 over all "
    "blocks. WITH, W/OUT: snippets found, absent."
)
STRUCTURE_LEGEND: Final = (
    "TABLES, CODE, LISTS: share whole, torn, gone. HEADINGS, TITLES: share kept. "
    "ORPHANS: text blocks kept\nwithout their heading. MISPLACED: cells in the wrong "
    "column of the Markdown. mean: sites, each alike."
)


def format_tables(summaries: Sequence[Summary]) -> str:
    """A table per set: a row per algorithm, and below it per type and language."""
    sets: dict[str, list[Summary]] = {}
    for summary in summaries:
        sets.setdefault(summary.set, []).append(summary)
    parts = []
    for name, members in sets.items():
        others = [s for s in members if s.kind != SITE]
        parts.append(_table(name, others, TEXT_COLUMNS))
        if counts := ", ".join(_counts(members[0])):
            others = [s for s in members if s.kind != LANGUAGE]
            parts.append(_table(f"{name}: {counts}", others, STRUCTURE_COLUMNS))
    if len(parts) > len(sets):
        parts.append(STRUCTURE_LEGEND)
    return "\n\n".join([*parts, LEGEND]) if parts else ""


def _counts(summary: Summary) -> Iterator[str]:
    for name in COUNTS:
        if name != "cells" and name in summary.measures:
            yield f"{summary.measures[name]:.0f} {name}"


def _table(name: str, summaries: list[Summary], titles: Mapping[str, Column]) -> str:
    known = {measure for summary in summaries for measure in summary.measures}
    columns = {m: c.terminal for m, c in titles.items() if c.terminal and m in known}
    head = ["", "", "PAGES", "FAILED", "MS", *columns.values()]
    rows: list[list[str]] = []
    last = ("", "")
    for summary in summaries:
        group = (summary.kind, summary.group)
        rows.append(_cells(summary, columns, group != last))
        last = group
    if not any(summary.failed for summary in summaries):
        rows = [row[:3] + row[4:] for row in rows]
        head.remove("FAILED")
    return f"{name}\n{align_columns([head, *rows], left=2)}"


def _cells(summary: Summary, columns: Iterable[str], first: bool) -> list[str]:
    title = "" if summary.kind == SET else f"{summary.kind} {summary.group}"
    values = (summary.measures.get(measure) for measure in columns)
    return [
        title if first else "",
        summary.algorithm,
        str(summary.pages),
        str(summary.failed),
        f"{summary.milliseconds:.1f}",
        *("" if value is None else f"{value:.3f}" for value in values),
    ]


def align_columns(rows: Sequence[Sequence[str]], left: int) -> str:
    """The rows with their cells in columns; the first *left* begin at the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = zip(row, widths, strict=True)
        aligned = [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(cells)
        ]
        lines.append("  ".join(aligned).rstrip())
    return "\n".join(lines)


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


def write_paper_csv(table: PaperTable, path: Path) -> None:
    """The cells of a table, or the values of a figure."""
    head, rows = list(table.head), [list(row) for row in table.rows]
    if table.points:
        head = ["algorithm", *table.axes]
        rows = [[n, *point] for n, points in table.points.items() for point in points]
    elif not rows:
        head = ["group", "algorithm", "value"]
        rows = [[g, n, v] for g, bars in table.bars.items() for n, v in bars.items()]
    _write(path, head, rows)


def write_summary_csv(summaries: Iterable[Summary], path: Path) -> None:
    """One line per set, group and algorithm, with every measure."""
    head = ["set", "kind", "group", "algorithm", "pages", "failed", "milliseconds"]
    measures = list(MEASURES)
    lines = (
        [*(getattr(s, name) for name in head), *(s.measures.get(m) for m in measures)]
        for s in summaries
    )
    _write(path, [*head, *measures], lines)


def write_pages_csv(rows: Iterable[Row], path: Path) -> None:
    """One line per page and algorithm, with every measure of the page."""
    head = ["set", "page", "url", "type", "language", "algorithm", "words", "seconds"]
    rows = list(rows)
    measures = list(dict.fromkeys(name for row in rows for name in row.measures))
    head.append("error")
    lines = (
        [
            *(getattr(row, name) for name in head),
            *map(row.measures.get, measures),
            "; ".join(row.faults),
        ]
        for row in rows
    )
    _write(path, [*head, *measures, "first_faults"], lines)


def _write(path: Path, head: list[str], lines: Iterable[list[Any]]) -> None:
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows([_cell(value) for value in line] for line in lines)


def _cell(value: Any) -> Any:
    """Numbers short, and no text that a spreadsheet would take for a formula."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str) and value[:1] in tuple("=+-@\t\r"):
        return f"'{value}"
    return value
