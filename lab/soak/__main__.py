"""``python -m lab.soak``: crawl undisturbed, stopped and killed; report."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
import time
from pathlib import Path

from . import report, runs
from .site import Site
from .verify import Verdict, verify


def main() -> int:
    """Run the command line; 1 if anything was lost or indexed twice."""
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        home = Path(options.folder or name)
        outcomes = []
        if options.pages:
            outcomes.append(crawl(home / "whole", options, options.pages))
        if options.bare:
            outcomes.append(crawl(home / "bare", options, options.bare))
        if options.interrupted and options.stops:
            outcomes.append(crawl(home / "stopped", options, options.interrupted))
        if options.interrupted and options.kills:
            outcomes.append(crawl(home / "killed", options, options.interrupted))
        report.show(outcomes)
        if options.record:
            report.write(outcomes)
    return int(any(outcome.is_bad for outcome in outcomes))


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("--pages", type=int, default=2000, help="of the whole crawl")
    parser.add_argument(
        "--bare", type=int, default=0, help="pages of a crawl without the plugin"
    )
    parser.add_argument(
        "--interrupted", type=int, default=2000, help="pages of the others"
    )
    parser.add_argument("--stops", type=int, default=20, help="by SIGTERM")
    parser.add_argument("--kills", type=int, default=10, help="by SIGKILL")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="keep everything there, for a look at it")
    parser.add_argument("--record", action="store_true", help="write the docs' figures")
    return parser.parse_args()


def crawl(folder: Path, options: argparse.Namespace, pages: int) -> report.Outcome:
    """Crawl *count* pages into *folder*."""
    folder.mkdir(parents=True)
    site = Site(pages, options.seed)
    answered = folder / "answered.json"
    began = time.monotonic()
    with runs.served(site, answered) as port:
        crawl = runs.Crawl(site, folder, port, bare=folder.name == "bare")
        if folder.name in ("whole", "bare"):
            runs.whole(crawl)
        elif folder.name == "stopped":
            runs.interrupted(crawl, signal.SIGTERM, options.stops, options.seed)
        else:
            runs.interrupted(crawl, signal.SIGKILL, options.kills, options.seed)
    seconds = time.monotonic() - began
    if crawl.bare:
        verdict = Verdict({})
    else:
        verdict = verify(crawl, json.loads(answered.read_text(encoding="utf-8")))
    return report.Outcome(folder.name, pages, seconds, crawl.stops, verdict,
                          report.looks(folder), report.errors(folder))  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
