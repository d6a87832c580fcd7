"""Tables for the terminal and for the record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Table:
    """Rows of cells below a header; *name* is that of its file in the documentation."""

    title: str
    header: list[str]
    rows: list[list[Any]] = field(default_factory=list)
    name: str = ""

    def __str__(self) -> str:
        cells = [
            self.header,
            *([format_cell(cell) for cell in row] for row in self.rows),
        ]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = (
            "  ".join(
                text.ljust(width) if k == 0 else text.rjust(width)
                for k, (text, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in cells
        )
        return "\n".join([self.title, *lines])

    def as_dict(self) -> dict[str, Any]:
        rows = [dict(zip(self.header, row, strict=True)) for row in self.rows]
        return {"title": self.title, "name": self.name, "rows": rows}


def format_cell(cell: Any) -> str:
    """Floats with about three significant digits."""
    if not isinstance(cell, float):
        return str(cell)
    size = abs(cell)
    places = 3 if size < 1 else 2 if size < 10 else 1 if size < 100 else 0
    return f"{round(cell, places) + 0:.{places}f}"
