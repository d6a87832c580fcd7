"""Cost of indexing in a crawl: the page rate with an index and without one."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import mean, median
from tempfile import TemporaryDirectory

from scrapy_mainpage.evaluation.datasets import DataSetError, load_sets

from .crawling import Crawl, serve, uncaught
from .indexplaces import Place, Places, places
from .pages import generated
from .tables import Table

PAGES = 2_000
NONE = "no index"
HEADER = [
    "", "crawls", "pages", "indexed", "pages/s", "CPU ms/page", "rate ratio",
    "lowest", "highest", "CPU ratio",
]  # fmt: skip
#: The pages link to pages that are not there: the crawl ends at those it is given.
SETTINGS = {
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "DEPTH_LIMIT": 1,
    "FEEDS": "{}",
    "LOG_LEVEL": "INFO",
    "MAINPAGE_DUPLICATES_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
}


@dataclass
class Figures:
    """Cost of a crawl: pages a second, milliseconds of the processor a page."""

    pages: int
    indexed: int
    rate: float
    cpu: float


class Pages(Mapping[str, bytes]):
    """Pages by path, each read when it is asked for; the first links to all others."""

    def __init__(self, pages: list[Callable[[], bytes]]):
        self._pages = {f"/page/{number}": page for number, page in enumerate(pages)}
        links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in self._pages)
        self._pages["/"] = f"<!DOCTYPE html><title>All</title><ul>{links}</ul>".encode

    def __getitem__(self, path: str) -> bytes:
        return self._pages[path]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._pages)

    def __len__(self) -> int:
        return len(self._pages)


def run(options: argparse.Namespace) -> list[Table]:
    what, pages = served(options.data, options.pages or PAGES)
    with serve(pages) as site, places(options) as available:
        figures = measure(site, available, options.runs)
    title = f"crawls of {what}, without an index and with one, by turns"
    return [Table(title, HEADER, [row(name, *each) for name, each in figures.items()])]


def served(data: Path, most: int) -> tuple[str, Pages]:
    """A description of the pages, and the pages."""
    try:
        found = [page for each in load_sets(data) for page in each.pages]
    except DataSetError:
        made = [generated(20, seed=number).encode for number in range(most)]
        return f"{most:,} GENERATED pages: none in {data}", Pages(made)
    chosen = random.Random(8).sample(found, min(most, len(found)))
    return f"{len(chosen):,} real pages", Pages([page.html for page in chosen])


def measure(
    site: str, available: Places, runs: int
) -> dict[str, tuple[list[Figures], list[Figures]]]:
    """The crawls of each engine, and those to compare with."""
    with_index: dict[str, list[Figures]] = {}
    bare = [crawl(site, None)]
    for _ in range(runs):
        for place in available.all():
            with_index.setdefault(place.engine, []).append(crawl(site, place))
        bare.append(crawl(site, None))
    # The load of the machine changes: compare with the crawls before and after.
    around = [middle(*pair) for pair in pairwise(bare)]
    return {
        NONE: (bare[1:], bare[:-1]),
        **{name: (crawls, around) for name, crawls in with_index.items()},
    }


def middle(first: Figures, second: Figures) -> Figures:
    pages, indexed = first.pages, first.indexed
    rate, cpu = mean([first.rate, second.rate]), mean([first.cpu, second.cpu])
    return Figures(pages, indexed, rate, cpu)


def row(name: str, crawls: list[Figures], others: list[Figures]) -> list[object]:
    pairs = list(zip(crawls, others, strict=True))
    rates = [one.rate / other.rate for one, other in pairs]
    return [
        name,
        len(crawls),
        min(one.pages for one in crawls),
        min(one.indexed for one in crawls),
        round(median(one.rate for one in crawls), 1),
        round(median(one.cpu for one in crawls), 2),
        median(rates),
        min(rates),
        max(rates),
        median(one.cpu / other.cpu for one, other in pairs),
    ]


def crawl(site: str, place: Place | None) -> Figures:
    """Crawl all pages in a process of its own, into an index of its own."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        own = {
            "MAINPAGE_INDEX": place.url if place else "",
            "MAINPAGE_INDEX_JOURNAL": folder / "journal",
        }
        before = getrusage(RUSAGE_CHILDREN)
        done = Crawl(folder, "crawl", site + "/", {**SETTINGS, **own})
        done.end()
        after = getrusage(RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        stats, errors = done.stats, uncaught(done)
    pages = int(stats.get("mainpage/extracted", 0))
    if not pages or errors:
        raise RuntimeError(f"{errors} errors in a crawl of {pages} pages: {done.log}")
    return Figures(
        pages,
        int(stats.get("mainpage/index/put", 0)),
        pages / stats["elapsed_time_seconds"],
        1000 * cpu / pages,
    )
