"""The figures of the crawls: shown, and written for the documentation."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .runs import Stop
    from .verify import Verdict

FOLDER = Path(__file__).parents[1] / "docs" / "evaluation"
#: Pages after which the memory should grow no more.
SETTLED = 5000
MEGABYTE = 2**20
GROWTH = 20 * MEGABYTE


@dataclass
class Outcome:
    """What came of a crawl."""

    name: str
    pages: int
    seconds: float
    stops: list[Stop]
    verdict: Verdict
    looks: list[list[dict[str, Any]]]
    errors: int

    @property
    def is_bad(self) -> bool:
        """Whether anything was lost, indexed twice, or failed."""
        return any(self.verdict.wrong.values()) or bool(self.errors)

    @property
    def figures(self) -> dict[str, object]:
        """All numbers by name."""
        return {
            **self.verdict.figures,
            **{f"{name}": len(keys) for name, keys in self.verdict.wrong.items()},
            "tracebacks in the logs": self.errors,
            "seconds": round(self.seconds),
            "pages/s": round(self.pages / self.seconds, 1),
            **self._of_the_process(),
        }

    def _of_the_process(self) -> dict[str, object]:
        """How memory, descriptors and event loop were, in the longest run."""
        looks = max(self.looks, key=len, default=[])
        settled = [look for look in looks if look["pages"] >= min(
            SETTLED, looks[-1]["pages"] // 4)]  # fmt: skip
        if len(settled) < 20:
            return {}
        tenth = max(1, len(settled) // 20)
        first, last = settled[:tenth], settled[-tenth:]
        lags = sorted(look["lag_most"] for look in settled)
        return {
            "memory after 5,000 pages, MB": _mean(first, "memory") / MEGABYTE,
            "memory at the end, MB": _mean(last, "memory") / MEGABYTE,
            "growth, MB": (_mean(last, "memory") - _mean(first, "memory")) / MEGABYTE,
            "descriptors after 5,000 pages": _mean(first, "descriptors"),
            "descriptors at the end": _mean(last, "descriptors"),
            "most descriptors": max(look["descriptors"] for look in settled),
            "median of each second's longest lag, ms": 1e3 * lags[len(lags) // 2],
            "longest lag, ms": 1e3 * lags[-1],
        }


def _mean(looks: list[dict[str, Any]], name: str) -> float:
    return float(sum(look[name] for look in looks) / len(looks))


def looks(folder: Path) -> list[list[dict[str, Any]]]:
    """The looks at the process of each run."""
    return [
        [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for path in sorted(folder.glob("run-*.looks"))
    ]


def errors(folder: Path) -> int:
    """How many tracebacks there are in the logs."""
    return sum(
        len(re.findall(r"^Traceback|Unhandled", path.read_text("utf-8"), re.MULTILINE))
        for pattern in ("run-*.log", "run-*.err")
        for path in folder.glob(pattern)
    )


def show(outcomes: list[Outcome]) -> None:
    """Print the figures, and some of the pages that something is wrong with."""
    for outcome in outcomes:
        print(f"\n{outcome.name}: {outcome.pages:,} pages")
        for name, value in outcome.figures.items():
            shown = f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
            print(f"  {name:50} {shown}")
        for name, keys in outcome.verdict.wrong.items():
            if keys:
                print(f"  ! {name}: {', '.join(keys[:12])}")


def write(outcomes: list[Outcome]) -> None:
    """Write the tables and the plot that the documentation shows."""
    from .plot import plot

    for outcome in outcomes:
        path = FOLDER / f"soak-{outcome.name}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["", "crawl"])
            for name, value in outcome.figures.items():
                shown = f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
                writer.writerow([name, shown])
    svg = plot({outcome.name: outcome for outcome in outcomes})
    (FOLDER / "soak.svg").write_text(svg, encoding="utf-8")
