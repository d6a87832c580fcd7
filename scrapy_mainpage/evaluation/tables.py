"""Results for readers: tables, CSV, and visual reports of the worst pages."""

from __future__ import annotations

import csv
import logging
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from ..extraction.document.document import read_tree
from ..extraction.document.layout import Layout
from .datasets import parse_page
from .summary import SET, TEXT_HEADS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from .datasets import LabelledPage
    from .measure import Row
    from .specs import AlgorithmSpec
    from .summary import Summary

logger = logging.getLogger(__name__)

LEGEND: Final = (
    "P, R, F1: words, mean over pages. BLOCKS: main content class, F1 over all "
    "blocks.\nWITH, W/OUT: snippets found, absent."
)

MAX_WORST_PAGES: Final = 3
REPORTS: Final = "reports"

_UNSAFE: Final = re.compile(r"[^\w.-]+", re.ASCII)


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
    _write_measures(path, head, summaries)


def write_pages_csv(rows: Iterable[Row], path: Path) -> None:
    """One line per page and algorithm, with every measure of the page."""
    head = ["set", "page", "url", "type", "language", "algorithm", "words", "seconds"]
    _write_measures(path, [*head, "error"], list(rows))


def _write_measures(
    path: Path, head: list[str], rows: Sequence[Row] | Sequence[Summary]
) -> None:
    measures = list(dict.fromkeys(name for row in rows for name in row.measures))
    lines = (
        [*(getattr(row, name) for name in head), *map(row.measures.get, measures)]
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


# Visual reports


def worst_pages(rows: Iterable[Row], algorithm: str, count: int) -> list[Row]:
    """The *count* rows of *algorithm* with the lowest score, failures first."""
    scores = [(score_of(row), row) for row in rows if row.algorithm == algorithm]
    own = [(bool(not row.error), score, row) for score, row in scores if score >= 0]
    return [row for *_, row in sorted(own, key=lambda each: each[:2])[:count]]


def score_of(row: Row) -> float:
    """The F1 of words; the share of the snippets that are right; or -1 without both."""
    found = row.measures
    if "f1" in found:
        return found["f1"]
    snippets = found.get("snippets_required", 0) + found.get("snippets_forbidden", 0)
    if not snippets:
        return -1.0
    return (found["snippets_found"] + found["snippets_absent"]) / snippets


def report_path(row: Row) -> PurePosixPath:
    """Where the visual report of a row is, from the folder of the results."""
    parts = (_safe(part) for part in (row.set, row.algorithm))
    return PurePosixPath(REPORTS, *parts, f"{_safe(row.page)}.html")


def _safe(name: str) -> str:
    return _UNSAFE.sub("_", name).lstrip(".")[:120] or "_"


def write_reports(
    jobs: Iterable[tuple[Row, LabelledPage, AlgorithmSpec]], folder: Path
) -> Iterator[Path]:
    """Write the visual report of each row; yields the paths. Failures are logged."""
    for row, page, spec in jobs:
        path = folder / report_path(row)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.write_text(_report(page, spec), "utf-8", errors="replace")
        except Exception:  # the results are worth more than a report
            logger.exception("no report of page %s in %s", row.page, row.set)
        yield path


def _report(page: LabelledPage, spec: AlgorithmSpec) -> str:
    from ..report import write_report

    root = parse_page(page.html())
    document = read_tree(root, all_attributes=True)
    snapshot = page.layout_json()
    layout = Layout.from_json(snapshot, document) if snapshot else None
    extractor = spec.extractor()
    result = extractor.extract_document(
        document, url=page.url, layout=layout, root=root
    )
    return write_report(result, layout=layout, algorithm=extractor.algorithm)
