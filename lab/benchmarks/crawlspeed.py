"""Cost of extraction in a whole crawl: pages a second, processor time a page.

The same pages are served on loopback, and crawled by a process for each way to their
text, in an order that changes. The callback makes an item of title, links and text, as
spiders do. All crawls run with the same settings of the garbage collector.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from lab.crawls import crawl as run_crawl
from lab.crawls import path_of
from lab.server import served
from lab.tables import Table

from .pages import FixedPages, served_pages
from .processes import (
    INDEXED,
    OWN,
    PLUGIN,
    WHOLE,
    WITHOUT,
    Meter,
    PagesSpider,
)

PAGES = 1000
FIRST = 50  # of the crawl that is not counted
SEED = 7
HEAD = ["text by", "pages/s", "CPU ms/page", "lowest", "highest"]
HEAD += ["CPU / without", "lowest ratio", "highest ratio", "peak memory, MB"]

Crawled = dict[str, float]


def run(options: argparse.Namespace) -> list[Table]:
    what, pages = served_pages(options.data, options.pages or PAGES)
    site = FixedPages({f"/{k}": page.body for k, page in enumerate(pages)})
    with served(site) as (_, url):
        crawled = crawl_all(url, len(pages), options.runs)
    table = Table(f"{what}, median of {options.runs} crawls", HEAD, name="speed-crawl")
    for way, crawls in crawled.items():
        cpu = cpu_per_page(crawls)
        rates = [each["pages"] / each["seconds"] for each in crawls]
        ratio = cpu / cpu_per_page(crawled[WITHOUT])
        figures = [np.median(rates), np.median(cpu), cpu.min(), cpu.max()]
        figures += [np.median(ratio), ratio.min(), ratio.max()]
        figures.append(np.median([each["memory"] for each in crawls]))
        table.rows.append([way, *map(float, figures)])
    return [table]


def crawl_all(url: str, pages: int, runs: int) -> dict[str, list[Crawled]]:
    """All crawls, *runs* times, in an order that changes."""
    ways = [WITHOUT, PLUGIN, INDEXED, WHOLE]
    crawled = defaultdict(list)
    choose = random.Random(SEED)
    with tempfile.TemporaryDirectory() as compiled:
        # Compiled code of all modules, as pip leaves it, is made by the first crawl.
        os.environ |= {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        crawl(WHOLE, url, min(pages, FIRST))
        for _ in range(runs):
            for way in choose.sample(ways, len(ways)):
                crawled[way].append(crawl(way, url, pages))
    return {way: crawled[way] for way in ways}


def crawl(way: str, url: str, pages: int, meter: type[Meter] = Meter) -> dict[str, Any]:
    """One crawl; raises ``RuntimeError`` if it fails or misses a page."""
    with tempfile.TemporaryDirectory() as folder:
        settings: dict[str, Any] = {
            "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
            "EXTENSIONS": {path_of(meter): 0},
        }
        if way not in OWN:
            settings["ADDONS"] = {}
        for part in ("FILTER", "DUPLICATES"):
            settings[f"MAINPAGE_{part}_ENABLED"] = way == WHOLE
        if way in (INDEXED, WHOLE):
            settings["MAINPAGE_INDEX"] = f"sqlite:///{folder}/index"
        urls = [f"{url}/{k}" for k in range(pages)]
        arguments = {"start_urls": urls, "way": way}
        stats = run_crawl(settings, PagesSpider, has_items=False, **arguments).stats
    read = stats["response_received_count"] - stats.get("log_count/ERROR", 0)
    if read != pages:
        raise RuntimeError(f"{read} of {pages} pages crawled: {stats}")
    return {"pages": pages, **stats["meter"]}


def cpu_per_page(crawls: Sequence[Crawled]) -> Any:
    """Milliseconds of processor time a page, of each crawl."""
    return np.array([1e3 * each["cpu"] / each["pages"] for each in crawls])
