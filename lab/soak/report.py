"""The figures of the crawls: shown, and written for the documentation."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.tables import DOCS, write_csv

if TYPE_CHECKING:
    from .runs import Stop
    from .verify import Verdict

#: Pages after which the memory should grow no more.
SETTLED = 5000
#: Looks for a mean of a twentieth of them.
MANY_LOOKS = 20
MEGABYTE = 2**20
#: Of the memory after that, in megabytes more than without the plugin.
GROWTH = 20.0
#: So many descriptors may be connections by chance.
MORE_OPEN = 5


@dataclass
class Outcome:
    """The outcome of a crawl."""

    name: str
    pages: int
    seconds: float
    stops: list[Stop]
    verdict: Verdict
    looks: list[list[dict[str, Any]]]
    errors: int

    @property
    def growth(self) -> float:
        """Of the memory, in megabytes."""
        return self.process.get("memory growth, MB", 0.0)

    def is_bad(self, without: float) -> bool:
        """Whether anything was lost, indexed twice or failed, or grew too much.

        *without* is the growth without the plugin.
        """
        grown = self.growth - without > GROWTH
        more = self.process.get("descriptor growth", 0.0) >= MORE_OPEN
        return grown or more or bool(self.errors) or any(self.verdict.wrong.values())

    @property
    def figures(self) -> dict[str, object]:
        """All numbers by name."""
        return {
            **self.verdict.figures,
            **{name: len(keys) for name, keys in self.verdict.wrong.items()},
            "tracebacks in the logs": self.errors,
            "seconds": round(self.seconds),
            "pages/s": round(self.pages / self.seconds, 1),
            **self.process,
        }

    @property
    def process(self) -> dict[str, float]:
        """Memory and lag from the 5,000th page on; empty for a short crawl."""
        looks = max(self.looks, key=len, default=[])
        settled = [look for look in looks if look["pages"] >= SETTLED]
        if self.stops or len(settled) < MANY_LOOKS:
            return {}
        part = len(settled) // MANY_LOOKS
        first, last = settled[:part], settled[-part:]
        lags = sorted(look["lag_most"] for look in settled)
        before, after = _mean(first, "memory"), _mean(last, "memory")
        # Connections come and go; what is never closed shows in the fewest, too.
        opened = [min(look["descriptors"] for look in part) for part in (first, last)]
        return {
            "memory after 5,000 pages, MB": before / MEGABYTE,
            "memory growth, MB": (after - before) / MEGABYTE,
            "fewest descriptors after 5,000 pages": opened[0],
            "descriptor growth": opened[1] - opened[0],
            "half of the seconds: longest lag under, ms": 1e3 * lags[len(lags) // 2],
            "longest lag of the event loop, ms": 1e3 * lags[-1],
        }


def _mean(looks: list[dict[str, Any]], name: str) -> float:
    return float(sum(look[name] for look in looks) / len(looks))


def looks(folder: Path) -> list[list[dict[str, Any]]]:
    """The samples of the process of each run."""
    return [
        [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for path in sorted(folder.glob("run-*.looks"))
    ]


def errors(folder: Path) -> int:
    """The number of tracebacks in the logs."""
    return sum(
        len(re.findall(r"^Traceback|Unhandled", path.read_text("utf-8"), re.MULTILINE))
        for pattern in ("run-*.log", "run-*.err")
        for path in folder.glob(pattern)
    )


def show(outcomes: list[Outcome]) -> None:
    """Print the figures, and some of the pages with faults."""
    for outcome in outcomes:
        print(f"\n{outcome.name}: {outcome.pages:,} pages")
        for name, value in outcome.figures.items():
            print(f"  {name:50} {_shown(value)}")
        for name, keys in outcome.verdict.wrong.items():
            if keys:
                print(f"  ! {name}: {', '.join(keys[:12])}")


def write(outcomes: list[Outcome]) -> None:
    """Write the table that the documentation shows."""
    rows: dict[str, dict[str, str]] = {}
    for outcome in outcomes:
        for name, value in outcome.figures.items():
            rows.setdefault(name, {})[outcome.name] = _shown(value)
    names = [outcome.name for outcome in outcomes]
    lines = ([name, *map(by.get, names, repeat(""))] for name, by in rows.items())
    write_csv(DOCS / "evaluation" / "soak.csv", [["", *names], *lines])


def _shown(value: object) -> str:
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
