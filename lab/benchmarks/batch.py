"""Batch extraction: pages a second of one and of two processes, bytes in and out.

Pages are packed into WARC files; ``scrapy mainpage-batch`` reads them, with one and
with two processes in turn. The best run of each counts.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.batch.archives import http, record

from .pages import ServedPage, served_pages
from .tables import Table

PAGES = 1000
#: Files of all pages: starting processes is not the question.
FILES = 8
MIN_SPEEDUP = 1.8
RATES = ["processes", "pages", "s", "pages/s", "times one", "goal"]
SIZES = ["", "bytes per page", "share of the HTML"]
OUTPUTS: dict[str, list[str]] = {
    "Parquet": [],
    "Parquet, with Markdown": ["--markdown"],
    "Parquet, with blocks": ["--blocks"],
}


def run(options: argparse.Namespace) -> list[Table]:
    what, pages = served_pages(options.data, options.pages or PAGES)
    with TemporaryDirectory() as name:
        folder = Path(name)
        files = pack(folder, pages)
        return [
            rates_table(what, len(pages), files, folder, options.runs),
            sizes_table(what, pages, files[0], folder),
        ]


def pack(folder: Path, pages: list[ServedPage]) -> list[Path]:
    """WARC files, each with all pages under addresses of its own."""
    files = []
    for number in range(FILES):
        members = (
            gzip.compress(
                record(http(page.body, content_type="text/html"), f"{page.url}#{k}"), 6
            )
            for k, page in enumerate(pages)
        )
        files.append(folder / f"{number}.warc.gz")
        files[-1].write_bytes(b"".join(members))
    return files


def extract(files: list[Path], output: Path, *arguments: str) -> float:
    """The seconds of the command, from the start of its processes to its end."""
    command = [sys.executable, "-m", "scrapy", "mainpage-batch", *map(str, files)]
    started = perf_counter()
    subprocess.run(
        [*command, "-o", str(output), *arguments],
        cwd=output.parent,
        capture_output=True,
        check=True,
    )
    return perf_counter() - started


def rates_table(
    what: str, count: int, files: list[Path], folder: Path, runs: int
) -> Table:
    """One and two processes in turn."""
    best: dict[int, float] = {}
    for run_number in range(runs):
        for processes in (1, 2):
            output = folder / f"{run_number}-{processes}.parquet"
            seconds = extract(files, output, "--processes", str(processes))
            best[processes] = min(seconds, best.get(processes, seconds))
            output.unlink()
    title = f"{what}, {FILES} WARC files of them, {os.cpu_count()} processors"
    table = Table(title, RATES, name="capacity-sharing")
    for processes, seconds in best.items():
        speedup = best[1] / seconds
        goal = f">= {MIN_SPEEDUP}" if processes == 2 else ""
        total = count * FILES
        row = [processes, total, seconds, total / seconds, speedup, goal]
        table.rows.append(row)
    return table


def sizes_table(what: str, pages: list[ServedPage], file: Path, folder: Path) -> Table:
    """Bytes a page, going in and coming out."""
    total = sum(len(page.body) for page in pages)
    sizes = {"HTML": total, "WARC, gzip": file.stat().st_size}
    for name, arguments in OUTPUTS.items():
        output = folder / "sizes.parquet"
        extract([file], output, *arguments)
        sizes[name] = output.stat().st_size
        output.unlink()
    table = Table(f"{what}: bytes a page", SIZES, name="capacity-sizes")
    for name, size in sizes.items():
        table.rows.append([name, round(size / len(pages)), size / total])
    return table
