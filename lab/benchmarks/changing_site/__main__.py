"""``python -m lab.benchmarks.changing_site``: some rounds, in a folder that stays."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from . import PAGES, make_row, play
from .bench import Report
from .rounds import NAMED, ROUNDS

SHOWN = 5


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m lab.benchmarks.changing_site")
    names = sorted(NAMED)
    parser.add_argument("rounds", nargs="*", metavar="ROUND", help=", ".join(names))
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--folder", type=Path, help="of the project; it must be empty")
    options = parser.parse_args()
    chosen = [NAMED[name] for name in options.rounds] or ROUNDS
    folder = options.folder or Path(tempfile.mkdtemp(prefix="changing-site-"))
    print(f"project: {folder}")
    bad, first = 0, None
    for each, report in zip(chosen, play(options.pages, chosen, folder), strict=True):
        first = first or report
        bad += not report.is_good
        print_report(each.name, report, first)
    return min(bad, 1)


def print_report(name: str, report: Report, first: Report) -> None:
    verdict = report.verdict
    mark = "ok  " if report.is_good else "BAD "
    row = make_row(report, first)
    documents, indexed, cpu, size, requests, unchanged, refused = *row[1:3], *row[8:13]
    counts = f"{indexed}/{documents} documents, "
    counts += f"{verdict.written}/{verdict.changed} written"
    costs = f"CPU {cpu:.1f}% bytes {size:.1f}% requests {requests} 304 {unchanged}"
    print(f"{mark}{name}: {counts}, {costs} {refused}", flush=True)
    for kind in ("deleted", "lost", "stale"):
        if urls := getattr(verdict, kind):
            print(f"    {kind}: {len(urls)}: {' '.join(urls[:SHOWN])}")
    for fault in report.faults:
        print(f"    {fault}")


if __name__ == "__main__":
    raise SystemExit(main())
