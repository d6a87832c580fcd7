"""Write the tables of ``docs/evaluation.rst`` from results of the lab.

``python -m lab.tools.evaluation_tables DIR...`` reads ``summary.csv`` of each folder
that ``python -m lab.papers compare`` or ``python -m lab.evaluation measure`` wrote, and
writes CSV files below ``docs``: of a set with structure the table of structure alone.
Rows of algorithms that were not measured stay. With ``--baselines`` first they are the
tables of all systems.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from lab import ROOT

TARGET = ROOT / "docs" / "evaluation"

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


def read_summary(folder: Path) -> list[Line]:
    """The lines of the summary in *folder*."""
    with (folder / "summary.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def set_table(lines: list[Line], columns: dict[str, str] = COLUMNS) -> list[list[str]]:
    """A row per algorithm with every measure that the set has."""
    columns = {title: name for title, name in columns.items() if lines[0].get(name)}
    head = [f"{lines[0]['pages']} pages", *columns]
    rows = [
        [line["algorithm"], *(number(line[name]) for name in columns.values())]
        for line in lines
    ]
    return [head, *rows]


def group_table(lines: list[Line]) -> list[list[str]]:
    """A row per algorithm, a column per group: F1, and precision / recall below it."""
    groups = {line["group"]: line["pages"] for line in reversed(lines)}
    names = list(reversed(groups))
    cells = {(line["algorithm"], line["group"]): cell(line) for line in lines}
    algorithms = dict.fromkeys(line["algorithm"] for line in lines)
    head = ["", *(f"{name} ({groups[name]})" for name in names)]
    return [
        head,
        *([each, *(cells.get((each, n), "") for n in names)] for each in algorithms),
    ]


def cell(line: Line) -> str:
    """F1 with precision and recall."""
    return "{} ({} / {})".format(
        *(number(line[name]) for name in ("f1", "precision", "recall"))
    )


def number(text: str) -> str:
    """Three places after the point."""
    return f"{float(text):.3f}" if text else ""


def write(name: str, rows: list[list[str]]) -> None:
    """Write one CSV file."""
    with (TARGET / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def main(folders: list[str]) -> None:
    """Write the tables of each set."""
    TARGET.mkdir(exist_ok=True)
    if folders[:1] == ["--baselines"]:
        write_baselines(folders[1:])
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
        return
    write(name, with_others(name, set_table(whole)))
    kinds = {line["kind"]: line for line in own if line.get("f1")}
    # Where pages have a type, it says more than the language they declare.
    kind = "type" if "type" in kinds else "language"
    if kind in kinds:
        groups = [line for line in own if line["kind"] == kind]
        write(f"{name}-{kind}", with_others(f"{name}-{kind}", group_table(groups)))


def with_others(name: str, table: list[list[str]]) -> list[list[str]]:
    """The table with the rows of the file for algorithms that were not measured now."""
    path = TARGET / f"{name}.csv"
    if not path.is_file():
        return table
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
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


def write_baselines(folders: list[str]) -> None:
    """Write a table per set, the best systems first."""
    lines = [line for folder in folders for line in read_summary(Path(folder))]
    for name in dict.fromkeys(line["set"] for line in lines):
        whole = [x for x in lines if (x["set"], x["kind"]) == (name, "set")]
        whole.sort(key=lambda line: -float(line["lcs_f1"]))
        write(f"baselines-{name}", set_table(whole))


if __name__ == "__main__":
    main(sys.argv[1:])
