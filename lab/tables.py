"""Tables: for the terminal, as CSV, for the documentation, and read back."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab import ROOT
from scrapy_mainpage.evaluation.scores import align_columns

DOCS = ROOT / "docs"


@dataclass
class Table:
    """Rows of cells below a header; *name* is that of its file in the documentation."""

    title: str
    header: list[str]
    rows: list[list[Any]] = field(default_factory=list)
    name: str = ""

    def __str__(self) -> str:
        cells = [[format_cell(cell) for cell in row] for row in self.rows]
        return f"{self.title}\n{align_columns([self.header, *cells], left=1)}"

    def as_dict(self) -> dict[str, Any]:
        rows = [dict(zip(self.header, row, strict=True)) for row in self.rows]
        return {"title": self.title, "name": self.name, "rows": rows}

    def write(self) -> None:
        """Write the table ``FOLDER-NAME`` as ``docs/FOLDER/NAME.csv``."""
        folder, _, name = self.name.partition("-")
        rows = ([format_cell(cell) for cell in row] for row in self.rows)
        write_csv(DOCS / folder / f"{name}.csv", [self.header, *rows])


def format_cell(cell: Any) -> str:
    """Floats with about three significant digits."""
    if not isinstance(cell, float):
        return str(cell)
    size = abs(cell)
    places = 3 if size < 1 else 2 if size < 10 else 1 if size < 100 else 0
    return f"{round(cell, places) + 0:.{places}f}"


def write_csv(path: Path, rows: Iterable[Iterable[Any]]) -> None:
    """Write rows, numbers with six digits, no text that a spreadsheet would run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([_safe(cell) for cell in row] for row in rows)


def _safe(value: Any) -> Any:
    if isinstance(value, float):
        return f"{value:.6g}"
    is_text = isinstance(value, str) and not value[1:].replace(".", "").isdecimal()
    return f"'{value}" if is_text and value[:1] in tuple("=+-@\t\r") else value


def read_csv(path: Path) -> list[list[str]]:
    """The rows of a file, its header first; none where there is no file."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def simple_table(rows: Sequence[Sequence[str]], gap: str = " ") -> str:
    """A simple table of reStructuredText; columns as wide as their longest cell."""
    head, *others = rows
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = gap.join("=" * width for width in widths)
    # A first cell without text would continue the line above.
    lines = [
        gap.join(
            (cell or "\\" * (k == 0)).ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *others)
    ]
    return "\n".join([rule, lines[0], rule, *lines[1:], rule])
