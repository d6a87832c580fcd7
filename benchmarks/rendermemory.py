"""Memory while many pages are rendered: of Scrapy, and of the browser's processes.

Read from ``/proc``, hence only on Linux. Of Scrapy it is resident memory. Processes of
a browser share most of theirs, so of them it is the proportional share (PSS), which
adds up to what they take together; the sum of resident memory is shown beside it.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import Settings

from scrapy_mainpage.rendering.browser.launch import find_problem
from tests.rendering.mixedsite import serve_mixed

from .mixedcrawl import crawl
from .tables import Table

PAGES = 500
STEP = 50
STAT = "rendermemory"
MEGABYTE = 2**20
MOST_GROWTH = 50.0  # MB, of Scrapy
HEADER = ["pages", "Scrapy", "driver", "browser", "browser resident", "processes"]


class Sample(NamedTuple):
    """Memory in MB after so many pages, and how many processes the browser had."""

    pages: int
    scrapy: float
    driver: float
    browser: float
    browser_resident: float
    processes: int


class MemoryWatch:
    """An extension that takes a sample after every page, and keeps all in a stat."""

    def __init__(self, crawler: Crawler):
        self.samples: list[Sample] = []
        self.crawler = crawler
        crawler.signals.connect(self.sample, signals.item_scraped)
        crawler.signals.connect(self.finish, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> MemoryWatch:
        return cls(crawler)

    def sample(self) -> None:
        self.samples.append(take_sample(len(self.samples) + 1))

    def finish(self) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.set_value(STAT, self.samples)


def run(options: argparse.Namespace) -> list[Table]:
    if missing := find_problem(Settings()):
        return [Table(f"NOTHING MEASURED: rendering {missing}", [""])]
    if sys.platform != "linux":
        return [Table("NOTHING MEASURED: memory is read from /proc", [""])]
    count = options.pages or PAGES
    settings = {
        "MAINPAGE_RENDER": "always",
        "EXTENSIONS": {f"{__name__}.{MemoryWatch.__name__}": 0},
    }
    with serve_mixed(count) as site:
        crawled = crawl(site.url, settings)
    samples = [Sample(*values) for values in crawled.stats[STAT]]
    rendered = crawled.stats.get("mainpage/render/rendered", 0)
    return [samples_table(samples, rendered, crawled.seconds), growth_table(samples)]


def samples_table(samples: list[Sample], rendered: int, seconds: float) -> Table:
    wanted = {1, len(samples), *range(STEP, len(samples), STEP)}
    title = (
        f"memory in MB; {rendered} of {len(samples)} pages rendered in {seconds:.0f} s"
    )
    rows: list[list[Any]] = [[*each] for each in samples if each.pages in wanted]
    return Table(title, HEADER, rows, name="rendermemory-samples")


def growth_table(samples: list[Sample]) -> Table:
    """From the first page on, and from the first step on, when caches are filled."""
    table = Table("", ["MB", *HEADER[1:-1]], name="rendermemory-growth")
    first, step, last = samples[0], samples[min(STEP, len(samples)) - 1], samples[-1]
    highest = [max(column) for column in zip(*samples, strict=True)]
    for name, high, low in (
        ("highest", highest, [0.0] * len(first)),
        ("highest since page 1", highest, first),
        (f"last since page {step.pages}", last, step),
    ):
        difference = [a - b for a, b in zip(high, low, strict=True)]
        table.rows.append([name, *difference[1:-1]])
    growth = table.rows[1][1]
    holds = "holds" if growth < MOST_GROWTH else "IS MISSED"
    table.title = f"growth of Scrapy: {growth:.1f} MB, the bar of {MOST_GROWTH} {holds}"
    return table


def take_sample(pages: int) -> Sample:
    """The memory of this process and of those that it has started."""
    processes = descendants(os.getpid())
    browser = [pid for pid in processes if not is_driver(pid)]
    driver = [pid for pid in processes if pid not in browser]
    return Sample(
        pages,
        resident(os.getpid()),
        sum(map(proportional, driver)),
        sum(map(proportional, browser)),
        sum(map(resident, browser)),
        len(browser),
    )


def descendants(ancestor: int) -> list[int]:
    """The processes below *ancestor*."""
    parents = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit() and (fields := after_name(path)):
            parents[int(path.name)] = int(fields[1])
    found = {ancestor}
    while new := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= new
    return sorted(found - {ancestor})


def after_name(path: Path) -> list[str]:
    """The fields of ``stat`` after the name, which may hold blanks; none at its end."""
    text = read(path / "stat")
    return text.rpartition(")")[2].split()


def is_driver(pid: int) -> bool:
    """Whether it is Playwright's own process, which runs on Node.js."""
    try:
        return os.readlink(f"/proc/{pid}/exe").rpartition("/")[2].startswith("node")
    except OSError:
        return False


def resident(pid: int) -> float:
    """Resident memory in MB; 0 of a process that has ended."""
    fields = read(Path(f"/proc/{pid}/statm")).split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / MEGABYTE if fields else 0.0


def proportional(pid: int) -> float:
    """The proportional share in MB, or resident memory where it is not told."""
    lines = read(Path(f"/proc/{pid}/smaps_rollup")).splitlines()
    sizes = [int(line.split()[1]) for line in lines if line.startswith("Pss:")]
    return sizes[0] / 1024 if sizes else resident(pid)


def read(path: Path) -> str:
    """The text of a file of ``/proc``; empty if the process has ended."""
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
