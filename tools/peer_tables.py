"""Write the tables of ``docs/comparison.rst`` from a record of the benchmark.

``python tools/peer_tables.py RECORD`` reads the JSON file that ``python -m benchmarks
peers`` names in its last line, and writes CSV files below ``docs``.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from evaluation_tables import write

PREFIX = "peers"
LEADERS = f"{PREFIX}-leaders"
VERSIONS = f"{PREFIX}-versions"

Cells = list[list[Any]]


def cells(table: dict[str, Any]) -> Cells:
    """The head and the rows of a table of the record."""
    rows = table["rows"]
    return [list(rows[0]), *(list(row.values()) for row in rows)]


def shown(table: Cells) -> list[list[str]]:
    """Numbers with three places, the highest of each column in bold."""
    columns = [
        [cell for cell in column if isinstance(cell, float)]
        for column in zip(*table[1:], strict=True)
    ]
    best = [max(numbers, default=None) for numbers in columns]
    rows = [
        [formatted(cell, top) for cell, top in zip(row, best, strict=True)]
        for row in table[1:]
    ]
    return [table[0], *rows]


def formatted(cell: Any, best: float | None) -> str:
    """A cell; the *best* number of its column, to the last place shown, is bold."""
    if not isinstance(cell, float):
        return str(cell)
    text = f"{cell:.3f}"
    return f"**{text}**" if text == f"{best:.3f}" else text


def leader(name: str, column: int, table: Cells) -> list[str]:
    """Of a column with F1: its pages, the highest and the second highest."""
    ranked = sorted(
        (row for row in table[1:] if isinstance(row[column], float)),
        key=lambda row: -row[column],
    )
    title = re.sub(r"\s\(\d+\)$", "", table[0][column])
    group = name.removeprefix(PREFIX).strip("-")
    places = [f"{row[0]} {row[column]:.3f}" for row in ranked[:2]]
    return [f"{group}: {title}" if group else title, *places]


def main(path: str) -> None:
    """Write the tables of a record."""
    record = json.loads(Path(path).read_text(encoding="utf-8"))
    named = {table["name"]: cells(table) for table in record["tables"] if table["name"]}
    tables = {k: v for k, v in named.items() if k.startswith(PREFIX)}
    if not tables:
        sys.exit(f"{path}: no table of peers in it")
    lines = []
    for name, table in tables.items():
        write(name, shown(table))
        if name != VERSIONS and not {"with", "without"} & set(table[0]):
            lines += [leader(name, k, table) for k in range(1, len(table[0]))]
    write(LEADERS, [["Pages", "Highest F1", "Next"], *lines])


if __name__ == "__main__":
    main(*sys.argv[1:])
