"""What extraction costs a whole crawl: pages a second, and the processor's time a page.

The same pages are served on loopback by a process of their own, and crawled by a
process for each way to have their text (``crawlspeedchild``), one after the other, in
an order that changes.
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

from .childprocess import answer_of
from .contenders import TRAFILATURA, contender
from .crawling import serve
from .crawlspeedchild import NOTHING, PLUGIN, READS, WITHOUT
from .interleaved import SEED
from .speedpages import each_page, what_pages
from .tables import Table

PAGES = 1000
REPEATS = 3
LIMIT = 1.15
LOG = "crawl.log"
CALLBACKS = {READS: "reads links and title", NOTHING: "reads nothing"}
FIGURES = ["pages/s", "CPU ms/page", "lowest", "highest"]
HEAD = ["callback", "text by", *FIGURES, "CPU / without", "peak memory, MB"]

Key = tuple[str, str]
Crawled = dict[str, float]


def run(options: argparse.Namespace) -> list[Table]:
    count = options.pages or PAGES
    with served(options.data, count) as (url, pages):
        crawled = crawl_all(url, pages, options.repeats)
    what = what_pages(options.data, pages)
    return [crawl_table(what, crawled), bar_table(what, crawled)]


def crawl_all(url: str, pages: int, repeats: int) -> dict[Key, list[Crawled]]:
    """All crawls, in an order that changes, so many times."""
    ways = [WITHOUT, PLUGIN]
    if contender(TRAFILATURA).version is not None:
        ways.append(TRAFILATURA)
    keys = [(callback, way) for callback in CALLBACKS for way in ways]
    crawled = defaultdict(list)
    choose = random.Random(SEED)
    for _ in range(repeats):
        for key in choose.sample(keys, len(keys)):
            crawled[key].append(crawl(*key, url, pages))
    return {key: crawled[key] for key in keys}


def crawl(callback: str, way: str, url: str, pages: int) -> Crawled:
    """One crawl; its log is shown if it does not end well or misses a page."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / LOG
        try:
            arguments = (callback, way, url, pages, log)
            found: Crawled = answer_of("crawlspeedchild", *arguments)
        except subprocess.CalledProcessError as error:
            raise RuntimeError(f"{error}, its log: {log.read_text()}") from error
        if found["pages"] != pages:
            count = f"{found['pages']:g} of {pages} pages"
            raise RuntimeError(f"{count} crawled, its log: {log.read_text()}")
    return found


def crawl_table(what: str, crawled: dict[Key, list[Crawled]]) -> Table:
    repeats = len(next(iter(crawled.values())))
    title = f"{what}, median of {repeats} crawls each: crawls"
    table = Table(title, HEAD, name="speed-crawl")
    for (callback, way), crawls in crawled.items():
        cpu = cpu_per_page(crawls)
        rate = np.median([each["pages"] / each["seconds"] for each in crawls])
        table.rows.append([
            CALLBACKS[callback],
            way,
            float(rate),
            *(float(each) for each in (np.median(cpu), cpu.min(), cpu.max())),
            float(np.median(cpu / cpu_per_page(crawled[callback, WITHOUT]))),
            float(np.median([each["memory"] for each in crawls])),
        ])  # fmt: skip
    return table


def bar_table(what: str, crawled: dict[Key, list[Crawled]]) -> Table:
    """The ratio that is not to be exceeded."""
    quotients = cpu_per_page(crawled[READS, PLUGIN]) / cpu_per_page(
        crawled[READS, WITHOUT]
    )
    found = float(np.median(quotients))
    row = [
        f"CPU a page of a crawl that {CALLBACKS[READS]}, with the plugin / without",
        LIMIT,
        found,
        float(quotients.min()),
        float(quotients.max()),
        "yes" if found <= LIMIT else "NO",
    ]
    head = ["ratio", "limit", "median of runs", "lowest", "highest", "holds"]
    return Table(f"{what}, crawled: the bar", head, [row], name="speed-crawl-bar")


def cpu_per_page(crawls: Sequence[Crawled]) -> np.ndarray:
    """Milliseconds of the processor in each of the crawls."""
    return np.array([1e3 * each["cpu"] / each["pages"] for each in crawls])


@contextmanager
def served(data: Path, most: int) -> Iterator[tuple[str, int]]:
    """The URL of a process that serves so many pages, and how many there are."""
    context = multiprocessing.get_context("spawn")
    pipe, other = context.Pipe()
    process: Any = context.Process(target=_serve, args=(other, data, most), daemon=True)
    process.start()
    other.close()
    try:
        yield pipe.recv()
    finally:
        pipe.close()
        process.join(10)
        process.kill()


def _serve(pipe: Connection, data: Path, most: int) -> None:
    """Serve until nobody is at the other end of the pipe."""
    pages = {f"/{k}": page.body for k, page in enumerate(each_page(data, most))}
    with serve(pages) as site:
        pipe.send((site.url, len(pages)))
        try:
            pipe.recv()
        except EOFError:
            return
