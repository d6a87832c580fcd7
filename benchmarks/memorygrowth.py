"""Whether memory grows with the number of pages: of a process that reads very many.

The pages of a set come again and again, each time with classes, ids, addresses and
elements that no page had before: what is kept by content would pile up. Of every
twentieth page all is asked for, and it is pickled. Resident memory is read from
``/proc``, hence only on Linux; what is in use is measured after a collection, and after
free memory was given back.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import pickle
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from scrapy.http import HtmlResponse

from scrapy_mainpage import mainpage

from .pages import TIMED_SET, generated, sampled_sets
from .rendermemory import resident
from .tables import Table

PAGES = 50_000
GENERATED = 500

STEPS = 20
EVERY = 20
SETTLED = 0.25
"""From this share of the pages on memory should not grow: the caches are full."""

MOST_GROWTH = 10.0
"""MB, from there on. The parser keeps every name of an element that it has seen."""

HEADER = ["pages", "resident MB", "MB in use"]

_BEFORE = tuple(b' %s="' % name for name in (b"class", b"id", b"href", b"src", b"rel"))


def run(options: argparse.Namespace) -> list[Table]:
    if sys.platform != "linux":
        return [Table("NOTHING MEASURED: memory is read from /proc", [""])]
    count = options.pages or PAGES
    what, pages = sources(options.data)
    step = max(count // STEPS, 1)
    table = Table("", HEADER, name="memory-growth")
    for number in range(count):
        read(renamed(pages[number % len(pages)](), number), number)
        if (number + 1) % step == 0:
            table.rows.append([number + 1, *measured()])
    table.title = f"{count} pages, of {what}: {verdict(table)}"
    return [table]


def sources(data: Path) -> tuple[str, list[Callable[[], bytes]]]:
    """What the pages are, and what reads each of them: they would take much memory."""
    folder = data / TIMED_SET
    if (folder / "pages.jsonl").exists():
        (data_set,) = sampled_sets(folder, None)
        return TIMED_SET, [page.html for page in data_set.pages]
    made = [partial(_generated, 50 + 7 * k, k) for k in range(GENERATED)]
    return f"GENERATED ones: {folder} is not there", made


def _generated(paragraphs: int, seed: int) -> bytes:
    return generated(paragraphs, seed).encode()


def renamed(html: bytes, number: int) -> bytes:
    """The page with names and addresses that no page of another number has."""
    for before in _BEFORE:
        html = html.replace(before, b"%sn%d-" % (before, number))
    added = b"<x%d data-x%d=1></x%d><p>" % (number, number, number)
    return html.replace(b"<p>", added, 3)


def read(html: bytes, number: int) -> None:
    """Read a page as a crawl does; of every twentieth ask for all there is."""
    response = HtmlResponse(f"http://{number}.example/", body=html)
    page = mainpage(response)
    assert len(response.css("body")) <= 1
    if number % EVERY == 0:
        page.as_dict(blocks=True)
        assert page.sections is not None
        assert page.comments is not None
        assert pickle.loads(pickle.dumps(page)).blocks == page.blocks


def measured() -> tuple[float, float]:
    """Memory in MB as it is, and without what is free but not given back."""
    before = resident(os.getpid())
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    return before, resident(os.getpid())


def verdict(table: Table) -> str:
    """How much memory in use grew, once the caches were full."""
    settled = int(SETTLED * len(table.rows))
    first, later = table.rows[:settled], table.rows[settled:]
    if not first:
        return "too few pages to tell"
    growth = max(row[2] for row in later) - max(row[2] for row in first)
    holds = "holds" if growth < MOST_GROWTH else "IS MISSED"
    return (
        f"in use it grew by {growth:.1f} MB after page {first[-1][0]}, "
        f"the bar of {MOST_GROWTH} {holds}"
    )
