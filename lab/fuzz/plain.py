"""The same targets without sanitisers and coverage: quick, and wherever Python runs.

A finding is a failed check or an exception; a crash ends the process.
"""

from __future__ import annotations

import csv
import random
import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from lab import ROOT

from . import mutations, targets

#: Totals of all runs, as the documentation shows them.
TABLE = ROOT / "docs" / "evaluation" / "fuzzing.csv"
HEADER = ("target", "executions", "hours", "findings")

#: Inputs are cut off at one of these; most pages of the corpus are shorter.
LENGTHS = (600, 3000, 12_000)


@dataclass
class Outcome:
    """The outcome of one target."""

    target: str
    executions: int = 0
    seconds: float = 0.0
    findings: list[Path] = field(default_factory=list)


def run(target: str, corpus: list[bytes], seconds: float, found: Path) -> Outcome:
    """Run a target on mutated inputs of the corpus for a number of seconds.

    An input with a new finding is kept in *found*.
    """
    outcome, seen = Outcome(f"{target}, plain"), set()
    choose, began = random.Random(time.time_ns()), time.monotonic()
    while (past := time.monotonic() - began) < seconds:
        page = mutations.mutate(choose.choice(corpus), choose)
        page = page[: choose.choice(LENGTHS)]
        outcome.executions += 1
        try:
            targets.TARGETS[target](page)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = (type(error), str(error)[:60], last.filename, last.lineno)
            if place not in seen:
                seen.add(place)
                outcome.findings.append(_keep(page, error, found))
    outcome.seconds = past
    return outcome


def _keep(page: bytes, error: Exception, found: Path) -> Path:
    traceback.print_exception(error)
    found.mkdir(parents=True, exist_ok=True)
    path = found / f"plain-{time.time_ns()}"
    path.write_bytes(page)
    return path


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
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        for target, (executions, hours, findings) in sorted(rows.items()):
            writer.writerow([target, executions, f"{hours:.3f}", findings])


def read_table() -> dict[str, tuple[int, float, int]]:
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
