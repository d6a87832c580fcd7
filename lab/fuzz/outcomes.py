"""The outcomes of runs, and their sums in the documentation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from lab.tables import DOCS, read_csv, write_csv

#: Totals of all runs, as the documentation shows them.
TABLE = DOCS / "evaluation" / "fuzzing.csv"
HEADER = ("target", "executions", "hours", "findings")


@dataclass
class Outcome:
    """The outcome of one target."""

    target: str
    executions: int = 0
    seconds: float = 0.0
    findings: list[Path] = field(default_factory=list)


def add_to_table(outcomes: Iterable[Outcome]) -> None:
    """Add the outcomes of a run to the sums of the table."""
    rows = read_table()
    for outcome in outcomes:
        executions, hours, findings = rows.get(outcome.target, (0, 0.0, 0))
        rows[outcome.target] = (
            executions + outcome.executions,
            hours + outcome.seconds / 3600,
            findings + len([f for f in outcome.findings if f.suffix != ".txt"]),
        )
    lines = (
        [name, n, f"{h:.3f}", found] for name, (n, h, found) in sorted(rows.items())
    )
    write_csv(TABLE, [HEADER, *lines])


def read_table() -> dict[str, tuple[int, float, int]]:
    """The sums so far: executions, hours, findings of each target."""
    return {
        target: (int(executions), float(hours), int(findings))
        for target, executions, hours, findings in read_csv(TABLE)[1:]
    }
