"""Cost of extraction in a whole crawl: pages a second, processor time a page.

The same pages are served on loopback by one process, and crawled by a process for each
way to their text (``crawlspeedchild``), in an order that changes. All crawls run with
the same settings of the garbage collector.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from lab.evaluation.extractors import installed
from lab.server import served as served_from_thread

from .childprocess import run_child
from .crawlspeedchild import INDEXED, NOTHING, PLUGIN, READS, TRAFILATURA, WITHOUT
from .pages import FixedPages, served_pages
from .tables import Table

PAGES = 1000
SEED = 7
MAX_RATIO = 1.15
CALLBACKS = {READS: "reads links and title", NOTHING: "reads nothing"}
HEAD = ["callback", "text by", "pages/s", "CPU ms/page", "lowest", "highest"]
HEAD += ["CPU / without", "lowest ratio", "highest ratio", "peak memory, MB"]

Key = tuple[str, str]
Crawled = dict[str, float]


def run(options: argparse.Namespace) -> list[Table]:
    with served(options.data, options.pages or PAGES) as (url, what, count):
        crawled = crawl_all(url, count, options.runs)
    table = Table(f"{what}, median of {options.runs} crawls", HEAD, name="speed-crawl")
    for (callback, way), crawls in crawled.items():
        cpu = cpu_per_page(crawls)
        rates = [each["pages"] / each["seconds"] for each in crawls]
        ratio = cpu / cpu_per_page(crawled[callback, WITHOUT])
        figures = [np.median(rates), np.median(cpu), cpu.min(), cpu.max()]
        figures += [np.median(ratio), ratio.min(), ratio.max()]
        figures.append(np.median([each["memory"] for each in crawls]))
        table.rows.append([CALLBACKS[callback], way, *map(float, figures)])
    return [table]


def crawl_all(url: str, pages: int, runs: int) -> dict[Key, list[Crawled]]:
    """All crawls, *runs* times, in an order that changes."""
    ways = [WITHOUT, PLUGIN]
    if TRAFILATURA in {each.label for each in installed()}:
        ways.append(TRAFILATURA)
    keys = [(callback, way) for callback in CALLBACKS for way in ways]
    keys.append((READS, INDEXED))
    crawled = defaultdict(list)
    choose = random.Random(SEED)
    for _ in range(runs):
        for key in choose.sample(keys, len(keys)):
            crawled[key].append(crawl(*key, url, pages))
    return {key: crawled[key] for key in keys}


def crawl(callback: str, way: str, url: str, pages: int) -> Crawled:
    """One crawl; raises ``RuntimeError`` with its log if it fails or misses a page."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "crawl.log"
        try:
            arguments = (callback, way, url, pages, log)
            found: Crawled = run_child("crawlspeedchild", *arguments)
        except subprocess.CalledProcessError as error:
            raise RuntimeError(f"{error}, its log: {log.read_text()}") from error
        if found["pages"] != pages:
            count = f"{found['pages']:g} of {pages} pages"
            raise RuntimeError(f"{count} crawled, its log: {log.read_text()}")
    return found


def cpu_per_page(crawls: Sequence[Crawled]) -> Any:
    """Milliseconds of processor time a page, of each crawl."""
    return np.array([1e3 * each["cpu"] / each["pages"] for each in crawls])


@contextmanager
def served(data: Path, count: int) -> Iterator[tuple[str, str, int]]:
    """URL, description and number of the pages that another process serves."""
    context = multiprocessing.get_context("spawn")
    pipe, other = context.Pipe()
    process: Any = context.Process(
        target=_serve, args=(other, data, count), daemon=True
    )
    process.start()
    other.close()
    try:
        yield pipe.recv()
    finally:
        pipe.close()
        process.join(10)
        process.kill()


def _serve(pipe: Connection, data: Path, count: int) -> None:
    """Serve until the other end of the pipe is closed."""
    what, pages = served_pages(data, count)
    site = FixedPages({f"/{k}": page.body for k, page in enumerate(pages)})
    with served_from_thread(site) as (_, url):
        pipe.send((url, what, len(pages)))
        try:
            pipe.recv()
        except EOFError:
            return
