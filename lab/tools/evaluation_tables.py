"""Write the tables of ``docs/evaluation.rst`` from results of the lab.

``python -m lab.tools.evaluation_tables DIR...`` reads ``summary.csv`` of each folder
that ``python -m lab.papers compare`` wrote, and writes CSV files below ``docs``. Rows
of algorithms that were not measured stay. With ``--baselines`` first they are the
tables of all systems, with ``--peers`` those of other packages' extractors, to which
``python -m lab.benchmarks comparison --docs`` adds the row of the default.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

from lab.benchmarks.comparison import CROSS_VALIDATED
from lab.evaluation.systems import EXTRACTORS
from lab.tables import DOCS, read_csv, write_csv

TARGET = DOCS / "evaluation"

Line = dict[str, str]

COLUMNS = {
    "Precision": "precision",
    "Recall": "recall",
    "F1": "f1",
    "LCS F1": "lcs_f1",
    "LCS F0.5": "lcs_f05",
    "Text blocks F1": "text_nodes_f1",
    "DOM nodes F1": "nodes_f1",
    "Main class F1": "blocks_f1",
    "With": "snippets_with",
    "Without": "snippets_without",
}

STRUCTURE_COLUMNS = {
    "Word F1": "f1",
    "Tables whole": "tables_whole",
    "torn": "tables_torn",
    "Code whole": "code_whole",
    "Lists whole": "lists_whole",
    "Headings kept": "headings_kept",
    "Text orphaned": "paragraphs_orphaned",
    "Titles kept": "titles_kept",
    "Cells misplaced": "cells_misplaced",
}

SNIPPETS = {name: f"snippets_{name.lower()}" for name in ("with", "without", "F1")}

MIN_PEERS_PAGES = 20
"""Pages that a type needs for a column."""


def read_summary(folder: Path) -> list[Line]:
    """The lines of the summary in *folder*."""
    head, *rows = read_csv(folder / "summary.csv")
    return [dict(zip(head, row, strict=True)) for row in rows]


def set_table(lines: list[Line], columns: dict[str, str] = COLUMNS) -> list[list[str]]:
    """A row per algorithm with every measure that the set has."""
    columns = {title: name for title, name in columns.items() if lines[0].get(name)}
    head = [f"{lines[0]['pages']} pages", *columns]
    rows = [
        [line["algorithm"], *(number(line[name]) for name in columns.values())]
        for line in lines
    ]
    return [head, *rows]


def cell(line: Line) -> str:
    """F1 with precision and recall."""
    return "{} ({} / {})".format(
        *(number(line[name]) for name in ("f1", "precision", "recall"))
    )


def f1(line: Line) -> str:
    """F1 alone."""
    return number(line["f1"])


def group_table(
    lines: list[Line], cell: Callable[[Line], str] = cell
) -> list[list[str]]:
    """A row per algorithm, a column per group, with its *cell*."""
    groups = {line["group"]: line["pages"] for line in reversed(lines)}
    names = list(reversed(groups))
    cells = {(line["algorithm"], line["group"]): cell(line) for line in lines}
    algorithms = dict.fromkeys(line["algorithm"] for line in lines)
    head = ["", *(f"{name} ({groups[name]})" for name in names)]
    return [
        head,
        *([each, *(cells.get((each, n), "") for n in names)] for each in algorithms),
    ]


def number(text: str) -> str:
    """Three places after the point."""
    return f"{float(text):.3f}" if text else ""


def write(name: str, rows: list[list[str]]) -> None:
    """Write one CSV file."""
    write_csv(TARGET / f"{name}.csv", rows)


def main(folders: list[str]) -> None:
    """Write the tables of each set."""
    kinds = {"--baselines": write_baselines, "--peers": write_peers}
    if write_kind := kinds.get(folders[0]):
        write_kind([line for each in folders[1:] for line in read_summary(Path(each))])
        return
    for folder in folders:
        lines = read_summary(Path(folder))
        for name in dict.fromkeys(line["set"] for line in lines):
            write_set(name, [line for line in lines if line["set"] == name])


def write_set(name: str, own: list[Line]) -> None:
    """Write the tables of the set *name* from its lines."""
    whole = [line for line in own if line["kind"] == "set"]
    if whole[0].get("headings"):
        table = set_table(whole, STRUCTURE_COLUMNS)
        write(f"{name}-structure", with_others(f"{name}-structure", table))
    write(name, with_others(name, set_table(whole)))
    kinds = {line["kind"]: line for line in own if line.get("f1")}
    # Where pages have a type, it says more than the language they declare.
    kind = "type" if "type" in kinds else "language"
    if kind in kinds:
        groups = [line for line in own if line["kind"] == kind]
        write(f"{name}-{kind}", with_others(f"{name}-{kind}", group_table(groups)))


def with_others(name: str, table: list[list[str]]) -> list[list[str]]:
    """The table with the rows of the file for algorithms that were not measured now."""
    before = read_csv(TARGET / f"{name}.csv")
    if not before:
        return table
    head, *rows = before
    known = {row[0]: dict(zip(head, row, strict=True)) for row in rows}
    new = {row[0]: row for row in table[1:]}
    order = [*known, *(name for name in new if name not in known)]
    return [
        table[0],
        *(
            new.get(name) or [name, *(known[name][title] for title in table[0][1:])]
            for name in order
        ),
    ]


def write_baselines(lines: list[Line]) -> None:
    """Write a table per set, the best systems first."""
    for name in dict.fromkeys(line["set"] for line in lines):
        whole = [x for x in lines if (x["set"], x["kind"]) == (name, "set")]
        whole.sort(key=lambda line: -float(line["lcs_f1"]))
        write(f"baselines-{name}", set_table(whole))


def write_peers(lines: list[Line]) -> None:
    """Write F1 by set and by type, shares of snippets, versions and failures."""
    whole = [line | {"group": line["set"]} for line in lines if line["kind"] == "set"]
    tables = {"peers": group_table([line for line in whole if line["f1"]], f1)}
    for name in dict.fromkeys(line["set"] for line in lines):
        own = [line for line in lines if line["set"] == name]
        types = [
            line
            for line in own
            if line["kind"] == "type" and int(line["pages"]) >= MIN_PEERS_PAGES
        ]
        if types:
            tables[f"peers-{name}"] = group_table(types, f1)
        elif not own[0]["f1"]:
            tables[f"peers-{name}"] = set_table(own, SNIPPETS)
    for name, (head, *rows) in tables.items():
        # Filled from the card of the model.
        write(name, [head, [CROSS_VALIDATED, *[""] * (len(head) - 1)], *rows])
    failed: Counter[str] = Counter()
    for line in whole:
        failed[line["algorithm"]] += int(line["failed"])
    versions = [
        [name, each.version or "", each.settings, str(failed[name])]
        for name, each in EXTRACTORS.items()
        if name in failed
    ]
    head = [f"measured {date.today()}", "version", "settings", "failed"]
    write("peers-versions", [head, *versions])


if __name__ == "__main__":
    main(sys.argv[1:])
