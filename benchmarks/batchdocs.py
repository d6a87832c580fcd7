"""The tables of ``docs/capacity``, written from what ``python -m benchmarks batch``
has measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .speeddocs import cells, read_csv, write_csv

TARGET = Path(__file__).parents[1] / "docs" / "capacity"
PREFIX = "capacity-"
FACTS = ["", "measured", "date", "Python", "processor"]


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
        write_csv(target / "facts.csv", facts(record, tables, target / "facts.csv"))
    return written


def facts(
    record: dict[str, Any], tables: list[dict[str, Any]], file: Path
) -> list[list[str]]:
    """How everything was measured: of this record, and else as it was said before."""
    known = {row[0]: row for row in read_csv(file)[1:]}
    for table in tables:
        part = table["name"].removeprefix(PREFIX)
        day, python = record["time"][:10], record["python"]
        known[part] = [part, table["title"], day, python, record["processor"]]
    return [FACTS, *(known[part] for part in sorted(known))]
