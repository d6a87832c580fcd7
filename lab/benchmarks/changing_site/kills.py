"""``python -m lab.benchmarks.changing_site.kills``: SIGKILL at random moments.

A crawl with ``JOBDIR`` is killed and resumed until so many kills have happened. Each
crawl that ends by itself must leave every page of the site in the index, once, with its
current text; the next one begins after edits.
"""

from __future__ import annotations

import argparse
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from .bench import Bench, Report
from .server import served
from .site import Site

PAGES, KILLS = 400, 20
#: A kill comes up to so many seconds after its request.
JITTER = 0.3


def kill(bench: Bench, choose: random.Random, left: int) -> int:
    """Kill and resume one crawl, *left* times at most; the number of kills."""
    job, kills = ("-s", f"JOBDIR=job-{bench.site.day}"), 0
    while kills < left:
        moment = _moment(bench, choose)
        if bench.crawl(*job, end=moment, by=signal.SIGKILL).code != -signal.SIGKILL:
            return kills
        kills += 1
    bench.crawl(*job)
    return kills


def _moment(bench: Bench, choose: random.Random) -> Callable[[], bool]:
    """A condition: so many requests of this run, and a little later."""
    least = bench.server.requests + choose.randrange(len(bench.site.pages) // 2)
    late, since = choose.uniform(0, JITTER), [0.0]

    def has_come() -> bool:
        if bench.server.requests < least:
            return False
        since[0] = since[0] or time.monotonic()
        return time.monotonic() - since[0] > late

    return has_come


def play(
    pages: int, kills: int, folder: Path, seed: int = 1
) -> Iterator[tuple[int, Report]]:
    """Crawls until all kills have happened: those of each crawl, and its report."""
    choose, site, left = random.Random(seed), Site(pages, seed), kills
    with served(site) as server:
        bench = Bench(site, server, folder)
        while left > 0:
            counts: list[int] = []

            def act(bench: Bench, left: int = left, counts: list[int] = counts) -> None:
                bench.rebuild(0)
                bench.edit(0.1)
                counts.append(kill(bench, choose, left))

            report = bench.round(f"{kills - left} kills before", act)
            left -= counts[0]
            yield counts[0], report


def main() -> int:
    parser = argparse.ArgumentParser(prog=f"python -m {__spec__.name}")
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="of the project; it must be empty")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="changing-site-"))
    print(f"project: {folder}")
    bad = 0
    for count, report in play(options.pages, options.kills, folder, options.seed):
        verdict = report.verdict
        bad += not verdict.is_good
        print(
            f"{count} kills: {report.indexed} of {report.documents} pages indexed, "
            f"{len(verdict.lost)} lost, {len(verdict.deleted)} deleted wrongly, "
            f"{len(verdict.stale)} stale, {report.requests} requests",
            *verdict.lost[:3],
            *verdict.stale[:3],
            flush=True,
        )
    return min(bad, 1)


if __name__ == "__main__":
    raise SystemExit(main())
