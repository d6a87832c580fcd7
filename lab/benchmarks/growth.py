"""Growth of processor time with the size of a page: linear or worse."""

from __future__ import annotations

import argparse
import gc
import itertools
from collections.abc import Callable, Sequence
from functools import partial
from time import process_time

from parsel import Selector

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.algorithms import available, get_algorithm

from .pages import generated_page, repeated_page
from .tables import Table

MEGABYTES = (0.1, 1.0, 10.0)
ROUNDS = (40, 10, 4)  # short times need more of them
MAX_GROWTH = 1.3
WHOLE = "bytes to text"


def run(options: argparse.Namespace) -> list[Table]:
    head = ["page", "ms of", *(f"{size:g} MB" for size in MEGABYTES)]
    head += ["growth / linear", "limit", "holds"]
    table = Table("least processor time in ms by size", head, name="speed-growth")
    makers = {"generated": generated_page, "repeated": repeated_page(options.data)}
    for what, make in makers.items():
        pages = [make(int(1e6 * size)) for size in MEGABYTES]
        for name, call in steps().items():
            seconds = [
                least_seconds(partial(call, page), rounds)
                for page, rounds in zip(pages, ROUNDS, strict=True)
            ]
            growth = worst_growth(seconds, [len(page) for page in pages])
            bar = [MAX_GROWTH, "yes" if growth <= MAX_GROWTH else "NO"]
            row = [what, name, *(1e3 * s for s in seconds), growth]
            table.rows.append([*row, *(bar if name == WHOLE else ["", ""])])
    return [table]


def steps() -> dict[str, Callable[[bytes], object]]:
    """Decode and parse, bytes to text, and bytes to text by each other algorithm."""
    static = [name for name in available() if not get_algorithm(name).needs_layout]
    return {
        "decode and parse": parse,
        WHOLE: lambda page: extract(page).text,
        **{
            name: partial(lambda name, page: extract(page, algorithm=name).text, name)
            for name in static
        },
    }


def parse(page: bytes) -> object:
    return Selector(text=page.decode("utf-8", "replace"), type="html")


def worst_growth(seconds: Sequence[float], sizes: Sequence[int]) -> float:
    """The largest ratio of time to size growth, from any page to any larger one."""
    pairs = itertools.combinations(zip(seconds, sizes, strict=True), 2)
    return max((t / s) / (n / m) for (s, m), (t, n) in pairs)


def least_seconds(step: Callable[[], object], rounds: int) -> float:
    """The least processor time of *rounds* calls, without garbage collection."""
    times = []
    gc.disable()
    try:
        for _ in range(rounds):
            start = process_time()
            step()
            times.append(process_time() - start)
    finally:
        gc.enable()
    return min(times)
