"""Results as text: tables for a terminal, and CSV."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any, Final

from .reports import report_path, score_of, worst_pages
from .summary import SET, TEXT_HEADS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from .measure import Row
    from .summary import Summary

LEGEND: Final = (
    "P, R, F1: words, mean over pages. BLOCKS: main content class, F1 over all "
    "blocks.\nWITH, W/OUT: snippets found, absent."
)

MAX_WORST_PAGES: Final = 3


def format_tables(
    summaries: Sequence[Summary], heads: Mapping[str, str] = TEXT_HEADS
) -> str:
    """A table per set: a row per algorithm, and below it per type and language.

    *heads* are the measures, by what stands above their columns.
    """
    sets: dict[str, list[Summary]] = {}
    for summary in summaries:
        sets.setdefault(summary.set, []).append(summary)
    parts = [format_table(name, members, heads) for name, members in sets.items()]
    return "\n\n".join([*parts, LEGEND]) if parts else ""


def format_table(
    name: str, summaries: Sequence[Summary], heads: Mapping[str, str]
) -> str:
    """The table *name* with those of the measures *heads* that *summaries* have."""
    known = {measure for summary in summaries for measure in summary.measures}
    columns = {m: head for m, head in heads.items() if m in known}
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


def format_worst(rows: Sequence[Row], algorithms: Iterable[str], folder: Path) -> str:
    """The worst pages of each algorithm, with their reports below *folder*.

    Pages without any fault are left out.
    """
    cells = []
    for algorithm in algorithms:
        for row in worst_pages(rows, algorithm, MAX_WORST_PAGES):
            if score_of(row) == 1:
                continue
            report = folder / report_path(row)
            shown = str(report) if report.is_file() else ""
            where = row.url or row.page
            cells.append((algorithm, row.set, where, f"{score_of(row):.3f}", shown))
    head = ("worst pages", "SET", "PAGE", "F1", "REPORT")
    return align_columns([head, *cells], left=3) if cells else ""


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


def write_summary_csv(summaries: Sequence[Summary], path: Path) -> None:
    """One line per set, group and algorithm, with every measure."""
    head = ["set", "kind", "group", "algorithm", "pages", "failed", "milliseconds"]
    measures = list(dict.fromkeys(name for s in summaries for name in s.measures))
    lines = (
        [*(getattr(s, name) for name in head), *map(s.measures.get, measures)]
        for s in summaries
    )
    write_csv(path, [*head, *measures], lines)


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
        ]
        for row in rows
    )
    write_csv(path, [*head, *measures], lines)


def write_csv(path: Path, head: list[str], lines: Iterable[list[Any]]) -> None:
    """Write *lines* below *head*, numbers with six digits, no text as a formula."""
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
