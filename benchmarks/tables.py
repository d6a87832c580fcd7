"""Tables for the terminal and for the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

SPREAD = ["mean", "median", "p95"]


@dataclass
class Table:
    """Rows of cells below a header; *name* is that of its file in the documentation."""

    title: str
    header: list[str]
    rows: list[list[Any]] = field(default_factory=list)
    name: str = ""

    def __str__(self) -> str:
        cells = [self.header, *([shown(cell) for cell in row] for row in self.rows)]
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


def shown(cell: Any) -> str:
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)


def spread(values: Sequence[float]) -> list[float]:
    """Mean, median and 95th percentile."""
    percentiles = np.percentile(values, [50, 95])
    return [float(value) for value in (np.mean(values), *percentiles)]
