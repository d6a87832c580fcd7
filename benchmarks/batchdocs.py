"""The tables of ``docs/capacity``, written from what ``python -m benchmarks batch``
has measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .speeddocs import cells, write_csv

TARGET = Path(__file__).parents[1] / "docs" / "capacity"
PREFIX = "capacity-"


def write_docs(record: dict[str, Any], target: Path = TARGET) -> list[str]:
    """Write the record's tables of capacity; return the names of the files."""
    tables = [
        table
        for table in record["tables"]
        if table["name"].startswith(PREFIX) and table["rows"]
    ]
    written = []
    for table in tables:
        target.mkdir(parents=True, exist_ok=True)
        name = f"{table['name'].removeprefix(PREFIX)}.csv"
        write_csv(target / name, cells(table["rows"]))
        written.append(name)
    if tables:
        head = ["measured", "date", "Python", "processor"]
        day, python, processor = (
            record["time"][:10],
            record["python"],
            record["processor"],
        )
        rows = [[table["title"], day, python, processor] for table in tables]
        write_csv(target / "facts.csv", [head, *rows])
    return written
