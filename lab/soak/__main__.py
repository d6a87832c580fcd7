"""``python -m lab.soak``: crawl undisturbed, stopped and killed; report."""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from pathlib import Path

from lab.server import port_of, served

from . import report, runs
from .site import Site
from .verify import Verdict, verify, verify_again


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
    without = max((each.growth for each in outcomes if each.name == "bare"), default=0)
    return int(any(outcome.is_bad(without) for outcome in outcomes))


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
    parser.add_argument("--kills", type=int, default=20, help="by SIGKILL")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="keep everything there, for a look at it")
    parser.add_argument("--record", action="store_true", help="write the docs' figures")
    return parser.parse_args()


def crawl(folder: Path, options: argparse.Namespace, pages: int) -> report.Outcome:
    """Crawl *pages* pages into *folder*, and those of their second edition."""
    folder.mkdir(parents=True)
    site = Site(pages, options.seed)
    began = time.monotonic()
    with served(site) as (server, url):
        crawl = runs.Crawl(site, folder, port_of(url), bare=folder.name == "bare")
        if folder.name in ("whole", "bare"):
            crawl.go()
        elif folder.name == "stopped":
            runs.interrupted(crawl, signal.SIGTERM, options.stops, options.seed)
        else:
            runs.interrupted(crawl, signal.SIGKILL, options.kills, options.seed)
    seconds, looks = time.monotonic() - began, report.looks(folder)
    verdict = Verdict({})
    if not crawl.bare:
        verdict = verify(crawl, server.answered)
        verdict |= again(crawl, seconds)
    return report.Outcome(folder.name, pages, seconds, crawl.stops, verdict,
                          looks, report.errors(folder))  # fmt: skip


def again(crawl: runs.Crawl, first: float) -> Verdict:
    """Crawl the second edition; *first* is the time of the first crawl, in seconds."""
    site = Site(crawl.site.count, crawl.site.seed, edition=2)
    began = time.monotonic()
    with served(site) as (_, url):
        second = runs.Crawl(site, crawl.folder, port_of(url), run=crawl.run)
        second.go()
    verdict = verify_again(second)
    share = (time.monotonic() - began) / first
    verdict.figures["second crawl: time of the first, %"] = 100 * share
    return verdict


if __name__ == "__main__":
    sys.exit(main())
