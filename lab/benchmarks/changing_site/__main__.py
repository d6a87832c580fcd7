"""``python -m lab.benchmarks.changing_site``: some rounds, in a folder that stays."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from . import PAGES, make_table, play
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
    reports = []
    for report in play(options.pages, chosen, folder):
        reports.append(report)
        print("ok " if report.is_good else "BAD", report.name, flush=True)
        for kind in ("deleted", "lost", "stale"):
            if urls := getattr(report.verdict, kind):
                print(f"    {kind}: {len(urls)}: {' '.join(urls[:SHOWN])}")
    print(make_table(reports))
    return int(not all(report.is_good for report in reports))


if __name__ == "__main__":
    raise SystemExit(main())
