"""``python -m benchmarks.speeddocs RECORD...``: the tables and plots of ``docs/speed``.

RECORD is a JSON file that ``python -m benchmarks`` has written. What it did not measure
stays as it is; ``python -m benchmarks speed crawlspeed growth startup --docs`` measures
all and writes all.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from .speedplots import Rows, plot_crawl, plot_sizes

TARGET = Path(__file__).parents[1] / "docs" / "speed"
PREFIX = "speed-"
#: What the figures of each table are called where it is said how they were measured.
PARTS = {
    "extractors": "from bytes to text",
    "instructions": "instructions",
    "crawl": "crawl",
    "growth": "growth",
    "startup": "start-up",
}
FACTS = ["", "measured on", "date", "Python", "processor"]
PLOTS: dict[str, Callable[[Rows], str]] = {"sizes": plot_sizes, "crawl": plot_crawl}


def write_docs(record: dict[str, Any], target: Path = TARGET) -> list[str]:
    """Write what the record has; return the names of the files, empty if nothing."""
    target.mkdir(parents=True, exist_ok=True)
    tables = {
        table["name"].removeprefix(PREFIX): table
        for table in record["tables"]
        if table["name"].startswith(PREFIX) and table["rows"]
    }
    for name, table in tables.items():
        write_csv(target / f"{name}.csv", cells(table["rows"]))
    written = [f"{name}.csv" for name in tables]
    for name in PLOTS.keys() & tables.keys():
        picture = PLOTS[name](tables[name]["rows"])
        (target / f"{name}.svg").write_text(picture, encoding="utf-8")
        written.append(f"{name}.svg")
    if written:
        write_csv(target / "facts.csv", facts(record, tables, target / "facts.csv"))
    return written


def cells(rows: Rows) -> list[list[str]]:
    """The head and the rows, numbers with as many places as say something."""
    return [list(rows[0]), *([number(cell) for cell in row.values()] for row in rows)]


def number(cell: Any) -> str:
    """About three digits that count, and never less than the whole number."""
    if not isinstance(cell, float):
        return str(cell)
    size = abs(cell)
    places = 3 if size < 1 else 2 if size < 10 else 1 if size < 100 else 0
    # Adding zero makes a negative zero one without a sign.
    return f"{round(cell, places) + 0:.{places}f}"


def facts(
    record: dict[str, Any], tables: dict[str, dict[str, Any]], file: Path
) -> list[list[str]]:
    """How everything was measured: of this record, and else as it was said before."""
    known = {row[0]: row for row in read_csv(file)[1:]}
    for name, part in PARTS.items():
        if name in tables:
            what = tables[name]["title"].partition(":")[0]
            day = record["time"][:10]
            known[part] = [part, what, day, record["python"], record["processor"]]
    return [FACTS, *(known[part] for part in PARTS.values() if part in known)]


def read_csv(file: Path) -> list[list[str]]:
    if not file.exists():
        return []
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))


def write_csv(file: Path, rows: Iterable[Iterable[str]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines, lineterminator="\n").writerows(rows)


def main(paths: list[str]) -> None:
    for path in paths:
        written = write_docs(json.loads(Path(path).read_text(encoding="utf-8")))
        if not written:
            sys.exit(f"{path}: no table of speed in it")
        print(f"{path}: {', '.join(written)}")


if __name__ == "__main__":
    main(sys.argv[1:])
