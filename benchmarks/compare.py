"""``python -m benchmarks.compare [OLD NEW]``: two records of speed, figure by figure.

OLD and NEW are the JSON files that ``python -m benchmarks`` has written; without them,
the two latest ones that measured speed are compared. Every cell is new / old. Times
differ from run to run, and what is in the same range both times is called so; counted
instructions hardly do, and tell what has changed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .tables import Table

RESULTS = Path(__file__).parent / "results"
PREFIX = "speed"
INSTRUCTIONS = "speed-instructions"
#: Counts of the same code differ by less: where memory lies is left to chance.
SAME = 0.01
LOWEST, HIGHEST = "lowest", "highest"

#: Columns that are no figures and say nothing of what a row is about.
IGNORED = ("holds", "limit", "version")

Row = dict[str, Any]
Record = dict[str, Any]


def compare(old: Record, new: Record) -> list[Table]:
    """A table for each that both records have, of the rows that both have."""
    before = {table["name"]: table for table in old["tables"]}
    tables = []
    for table in new["tables"]:
        name = table["name"]
        if name.startswith(PREFIX) and name in before:
            compared = compare_tables(before[name], table)
            if compared.rows:
                tables.append(compared)
    return tables


def compare_tables(old: Record, new: Record) -> Table:
    """New over old of all figures; which rows are the same is told by their words."""
    before = {key_of(row): row for row in old["rows"]}
    pairs = [(before[key_of(row)], row) for row in new["rows"] if key_of(row) in before]
    title = f"{new['title']}: new / old"
    if old["title"] != new["title"]:
        title += f"\nOTHER PAGES OR RUNS, of old: {old['title']}"
    if not pairs:
        return Table(title, [])
    first = {name: cell for name, cell in pairs[0][1].items() if name not in IGNORED}
    words = [name for name, cell in first.items() if isinstance(cell, str)]
    figures = [name for name, cell in first.items() if isinstance(cell, float)]
    table = Table(title, [*words, *figures, "change"], name=new["name"])
    for one, other in pairs:
        quotients = [quotient(one.get(name), other[name]) for name in figures]
        change = change_of(new["name"], one, other)
        table.rows.append([*(other[name] for name in words), *quotients, change])
    return table


def key_of(row: Row) -> tuple[str, ...]:
    """What the row is about; versions and verdicts may change."""
    return tuple(
        str(cell)
        for name, cell in row.items()
        if isinstance(cell, str) and name not in IGNORED
    )


def quotient(old: Any, new: Any) -> float | str:
    """New over old; nothing where there is no such figure, or none to divide by."""
    return new / old if isinstance(old, (int, float)) and old else ""


def change_of(name: str, old: Row, new: Row) -> str:
    """In a word, where it can be said for sure; nothing where it cannot."""
    if name == INSTRUCTIONS:
        change = new["millions a page"] / old["millions a page"] - 1
        return "same" if abs(change) <= SAME else "more" if change > 0 else "fewer"
    if not {LOWEST, HIGHEST} <= old.keys() & new.keys():
        return ""
    if new[LOWEST] > old[HIGHEST]:
        return "slower"
    return "faster" if new[HIGHEST] < old[LOWEST] else "same range"


def latest(results: Path) -> list[Path]:
    """The two latest records with a table of speed, the older one first."""
    found = [path for path in sorted(results.glob("*.json")) if measures_speed(path)]
    return found[-2:]


def measures_speed(path: Path) -> bool:
    tables = json.loads(path.read_text(encoding="utf-8"))["tables"]
    return any(table["name"].startswith(PREFIX) for table in tables)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.compare", description=__doc__
    )
    parser.add_argument("records", nargs="*", type=Path, metavar="OLD NEW")
    parser.add_argument("--results", type=Path, default=RESULTS, help="of the records")
    options = parser.parse_args(arguments)
    paths = options.records or latest(options.results)
    if len(paths) != 2:
        parser.error(f"two records are compared, not {len(paths)}")
    old, new = (json.loads(path.read_text(encoding="utf-8")) for path in paths)
    print(f"old: {paths[0]}, {old['time']}\nnew: {paths[1]}, {new['time']}\n")
    tables = compare(old, new)
    for table in tables:
        print(table, end="\n\n")
    if not tables:
        sys.exit("no table of speed is in both records")


if __name__ == "__main__":
    main(sys.argv[1:])
