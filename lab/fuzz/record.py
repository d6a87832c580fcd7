"""Totals of all runs, as a table of the documentation."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from lab import ROOT

TABLE = ROOT / "docs" / "evaluation" / "fuzzing.csv"
HEADER = ("target", "executions", "hours", "findings")


class Outcome(Protocol):
    """The outcome of one target."""

    target: str
    executions: int
    seconds: float
    findings: list[Path]


def add(outcomes: Iterable[Outcome]) -> None:
    """Add the outcomes of a run to the sums of the table."""
    rows = read()
    for outcome in outcomes:
        executions, hours, findings = rows.get(outcome.target, (0, 0.0, 0))
        rows[outcome.target] = (
            executions + outcome.executions,
            hours + outcome.seconds / 3600,
            findings + len([f for f in outcome.findings if f.suffix != ".txt"]),
        )
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        for target, (executions, hours, findings) in sorted(rows.items()):
            writer.writerow([target, executions, f"{hours:.3f}", findings])


def read() -> dict[str, tuple[int, float, int]]:
    """The sums so far: executions, hours, findings of each target."""
    if not TABLE.exists():
        return {}
    with TABLE.open(newline="", encoding="utf-8") as file:
        return {
            row["target"]: (
                int(row["executions"]), float(row["hours"]), int(row["findings"])
            )
            for row in csv.DictReader(file)
        }  # fmt: skip
