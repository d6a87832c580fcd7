"""The same targets without sanitisers and coverage: quick, and wherever Python runs.

A finding is a failed check or an exception; a crash ends the process.
"""

from __future__ import annotations

import random
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from . import mutations, targets

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
