"""Pages by the batch: throughput, memory and bytes, and what many pages would take.

``python -m benchmarks batch --docs`` writes what ``docs/capacity.rst`` shows. Pages are
packed into WARC files; each run is a process of its own, those of one and of two
workers in turn.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .batcharchives import Packed, packed
from .batchcapacity import capacity
from .batchengines import engines
from .batchindexes import of_indexes
from .childprocess import answer_of
from .tables import Table

PAGES = 1000
COPIES = 8
"""Of the pages in the file that is shared: to start processes is not what is asked."""

BAR = 1.8

SHARING = [
    "processes", "pages", "s", "pages/s", "processor s", "pages/s per core",
    "busiest process s", "times one", "times one, by the busiest",
]  # fmt: skip
STEPS = ["step", "ms per page", "MB/s of HTML"]
SIZES = ["", "bytes per page", "share of the HTML"]
MEMORY = ["", "MB with the first page", "MB at most"]


def run(options: argparse.Namespace) -> list[Table]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        pages = packed(folder, options.data, options.pages or PAGES, COPIES)
        shared = sharing(pages, options.rounds)
        one = answer_of("batchchild", "steps", pages.file, folder)
        tables = [
            shared,
            steps(pages, one),
            sizes(pages, one, of_indexes(options, one["documents"])),
            memory(pages),
            engines(pages, folder),
        ]
    return [*tables, capacity(tables)]


def sharing(pages: Packed, rounds: int) -> Table:
    """One and two processes in turn, and the best of each."""
    best: dict[int, dict[str, Any]] = {}
    for _ in range(rounds):
        for processes in (1, 2):
            found = answer_of("batchchild", "share", pages.repeated, processes)
            known = best.get(processes)
            if known is None or found["seconds"] < known["seconds"]:
                best[processes] = found
    table = Table("", SHARING, name="capacity-sharing")
    for processes, found in best.items():
        count, seconds, busy = found["pages"], found["seconds"], found["busy"]
        faster = best[1]["seconds"] / seconds
        ideal = best[1]["busiest"] / found["busiest"]
        row = [processes, count, seconds, count / seconds, busy, count / busy]
        table.rows.append([*row, found["busiest"], faster, ideal])
    verdict = "met" if faster >= BAR else "NOT MET"
    table.title = (
        f"{pages.what}, {COPIES} times in one WARC file, best of {rounds}, "
        f"{os.cpu_count()} processors: two processes are {faster:.2f} times as fast "
        f"as one ({ideal:.2f} by processor time), the bar is {BAR}: {verdict}"
    )
    return table


def steps(pages: Packed, one: dict[str, Any]) -> Table:
    title = f"{pages.what}: processor time of each step, in one process"
    table = Table(title, STEPS, name="capacity-steps")
    for step, seconds in one["steps"].items():
        speed = pages.size / seconds / 1e6
        table.rows.append([step, 1e3 * seconds / pages.count, speed])
    return table


def sizes(pages: Packed, one: dict[str, Any], indexes: dict[str, int]) -> Table:
    title = f"{pages.what}: bytes per page, going in and coming out"
    table = Table(title, SIZES, name="capacity-sizes")
    found = {"HTML": pages.size, "WARC, gzip": pages.packed, **one["sizes"]}
    found |= {f"index: {engine}": size for engine, size in indexes.items()}
    for what, size in found.items():
        table.rows.append([what, round(size / pages.count), size / pages.size])
    return table


def memory(pages: Packed) -> Table:
    found = answer_of("batchmemory", pages.file)
    title = f"{pages.what}: resident memory of a process that extracts them all"
    table = Table(title, MEMORY, name="capacity-memory")
    table.rows.append(["one process", found["started"], found["most"]])
    return table
