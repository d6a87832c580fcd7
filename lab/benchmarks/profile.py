"""Processor time of each stage of a page's way: from its bytes to the index.

Every output is of a page that has made nothing else yet, so what outputs share counts
in each. Ratios are to the parse of the same pages in the same run. A crawl is sampled
once a millisecond of processor time.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import numpy as np

from lab.server import served
from lab.tables import Table
from scrapy_mainpage import extract
from scrapy_mainpage.indexes import Index, IndexDocument, open_index
from scrapy_mainpage.pipelines.index_documents import DocumentMaker

from .crawlspeed import crawl
from .pages import FixedPages, ServedPage, served_pages
from .processes import WHOLE, Sampler
from .speed import PARSE, time_parse

PAGES = 30
CRAWLED = 4  # times as many
OUTPUTS = (
    "title", "metadata", "language", "page_type", "blocks", "comments", "sections",
    "all_links", "media", "markdown", "posts", "entries", "page_links", "product",
)  # fmt: skip
HEAD = ["stage", "ms", "/ parse", "lowest", "highest"]


def run(options: argparse.Namespace) -> list[Table]:
    what, pages = served_pages(options.data, options.pages or PAGES)
    measure(pages[:5])  # loads models and data
    gc.freeze()  # what is loaded is not searched for garbage before each page
    runs = [measure(pages) for _ in range(options.runs)]
    gc.unfreeze()
    table = Table(f"{what}, {options.runs} runs: stages", HEAD, name="speed-demand")
    table.rows = [row(name, runs) for name in runs[0]]
    return [table, crawl_table(*served_pages(options.data, CRAWLED * len(pages)))]


def measure(pages: Sequence[ServedPage]) -> dict[str, float]:
    """The mean seconds of each stage."""
    with TemporaryDirectory() as folder:
        index = open_index(f"sqlite:///{Path(folder).as_posix()}/index")
        with index:
            seconds = [dict(stages(page, index)) for page in pages]
    return {x: float(np.mean([s[x] for s in seconds])) for x in seconds[0]}


def stages(page: ServedPage, index: Index) -> Iterator[tuple[str, float]]:
    """Each stage with its seconds."""
    gc.collect()  # garbage of one page is not collected at the cost of another
    yield PARSE, time_parse(page)[PARSE]
    made, seconds = timed(extract, page.body, url=page.url)
    yield "bytes to text", seconds
    fresh = extract(page.body, url=page.url)
    yield "labels", timed(getattr, fresh._extraction, "labels")[1]
    for name in OUTPUTS:
        fresh = extract(page.body, url=page.url)
        yield name, timed(getattr, fresh, name)[1]
    yield "all of as_dict()", timed(extract(page.body, url=page.url).as_dict)[1]
    document, seconds = timed(DocumentMaker().make, {"url": page.url}, made)
    yield "document of the index", seconds
    is_made = isinstance(document, IndexDocument)
    yield "SQLite, one by one", timed(index.put_many, [document] * is_made)[1]


def timed(call: Callable[..., Any], *args: Any, **options: Any) -> tuple[Any, float]:
    """What a call returns, and its seconds."""
    started = process_time()
    found = call(*args, **options)
    return found, process_time() - started


def row(name: str, runs: Sequence[dict[str, float]]) -> list[Any]:
    """The mean of a stage: milliseconds, and ratios to the parse."""
    ratios = np.array([each[name] / each[PARSE] for each in runs])
    middle = 1e3 * float(np.median([each[name] for each in runs]))
    return [name, middle, *map(float, (np.median(ratios), ratios.min(), ratios.max()))]


def crawl_table(what: str, pages: Sequence[ServedPage]) -> Table:
    """Where a crawl with index, filter and duplicates is, the largest share first."""
    site = FixedPages({f"/{k}": page.body for k, page in enumerate(pages)})
    with served(site) as (_, url):
        shares = crawl(WHOLE, url, len(pages), Sampler)["shares"]
    table = Table(f"{what}: a crawl", ["code in", "%"], name="speed-stages")
    rows = ([name, 100 * share] for name, share in shares.items())
    table.rows = sorted(rows, key=lambda row: -row[1])
    return table
