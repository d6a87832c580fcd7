"""Crawls of a site that changes: after each round the index is compared with the site.

``python -m lab.benchmarks changing_site``; ``python -m lab.benchmarks.changing_site``
has options to run some rounds, and to keep the project.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from lab.server import served
from lab.tables import Table

from .bench import Bench, Report
from .rounds import ROUNDS, Round
from .site import Site

PAGES = 2000
HEAD = ["round", "documents", "indexed", "deleted wrongly", "lost", "stale", "written"]
HEAD += ["changed", "CPU, %", "bytes, %", "requests", "304", "sweep refused"]
HEAD += ["other faults"]


def run(options: argparse.Namespace) -> list[Table]:
    with tempfile.TemporaryDirectory() as folder:
        reports = list(play(options.pages or PAGES, ROUNDS, Path(folder)))
    return [make_table(reports)]


def play(pages: int, rounds: Sequence[Round], folder: Path) -> Iterator[Report]:
    """Run rounds on a site of that many pages."""
    site = Site(pages)
    with served(site) as (server, site.base):
        bench = Bench(site, server, folder)
        for each in rounds:
            yield bench.round(each.title, each.play)


def make_table(reports: Sequence[Report]) -> Table:
    """The figures of all rounds; CPU and bytes in percent of the first."""
    pages = reports[0].documents
    table = Table(f"A changing site of {pages} pages", HEAD, name="evaluation-changing")
    table.rows = [make_row(report, reports[0]) for report in reports]
    return table


def make_row(report: Report, first: Report) -> list[object]:
    verdict = report.verdict
    faults = [len(verdict.deleted), len(verdict.lost), len(verdict.stale)]
    counts = [verdict.written, verdict.changed]
    costs = [report.cpu / first.cpu, report.bytes / max(first.bytes, 1)]
    return [
        report.name, report.documents, report.indexed, *faults, *counts,
        *(float(100 * cost) for cost in costs), report.requests, report.unchanged,
        ", ".join(report.refused), "; ".join(report.faults),
    ]  # fmt: skip
