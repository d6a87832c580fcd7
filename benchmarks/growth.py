"""Whether the time grows with the size of a page and no faster."""

from __future__ import annotations

import argparse
import gc
import itertools
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import process_time

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.algorithms import available, get_algorithm
from scrapy_mainpage.extraction.document.document import Document, read_tree

from .largepages import generated_page, repeated_page
from .layouts import stacked
from .pages import generated
from .tables import Table
from .timing import parse

PARAGRAPHS = (1_000, 10_000, 100_000)  # a text block each, and some more
MEGABYTES = (0.1, 1.0, 10.0)
MORE_ROUNDS = (20, 5, 2)  # what takes less time needs more of them to be as sure of it
LIMIT = 1.3
WHOLE = "bytes to text"


def run(options: argparse.Namespace) -> list[Table]:
    return [by_blocks(options.rounds), by_size(options.data, options.rounds)]


def by_blocks(rounds: int) -> Table:
    """The document pass and every algorithm, by the number of text blocks."""
    pages = [generated(count) for count in PARAGRAPHS]
    roots = [parse(html) for html in pages]
    documents = [read_tree(root) for root in roots]
    calls = {
        "parse": [partial(parse, html) for html in pages],
        "document": [partial(read_tree, root) for root in roots],
    }
    calls |= {name: _judgements(name, documents) for name in available()}
    blocks = [document.n_blocks for document in documents]
    header = ["", *(f"{count:,} blocks" for count in blocks), "growth / linear"]
    table = Table("processor time in ms by the size of a generated page", header)
    for name, steps in calls.items():
        seconds = [_seconds(step, rounds) for step in steps]
        growth = seconds[-1] / seconds[0] / (blocks[-1] / blocks[0])
        table.rows.append([name, *(1e3 * s for s in seconds), growth])
    return table


def _judgements(name: str, documents: list[Document]) -> list[partial[object]]:
    algorithm = get_algorithm(name)
    layouts = [stacked(d) if algorithm.needs_layout else None for d in documents]
    return [
        partial(algorithm.judge, document, layout)
        for document, layout in zip(documents, layouts, strict=True)
    ]


def by_size(data: Path, rounds: int) -> Table:
    """From bytes to text, by the size of a generated page and of a real one."""
    head = ["page", "ms of", *(f"{size:g} MB" for size in MEGABYTES)]
    head += ["words of the largest", "growth / linear", "limit", "holds"]
    title = f"least of {2 * rounds} rounds or more: processor time in ms by size"
    table = Table(title, head, name="speed-growth")
    makers = {"generated": generated_page, "repeated": repeated_page(data)}
    for what, make in makers.items():
        pages = [make(int(1e6 * size)) for size in MEGABYTES]
        words = extract(pages[-1]).words_total
        for name, call in BY_SIZE.items():
            seconds = [
                _seconds(partial(call, page), more * rounds)
                for page, more in zip(pages, MORE_ROUNDS, strict=True)
            ]
            growth = most_growth(seconds, [len(page) for page in pages])
            row = [what, name, *(1e3 * s for s in seconds), words, growth]
            table.rows.append([*row, *_verdict(name, growth)])
    return table


def _verdict(name: str, growth: float) -> list[object]:
    """The limit, which is that of the extraction, and whether it holds."""
    if name != WHOLE:
        return ["", ""]
    return [LIMIT, "yes" if growth <= LIMIT else "NO"]


def most_growth(seconds: Sequence[float], sizes: Sequence[int]) -> float:
    """By how much more than its size the time of a page grows, at worst.

    From any page to any larger one: what is spent on every page hides no later growth.
    """
    pairs = itertools.combinations(zip(seconds, sizes, strict=True), 2)
    return max((t / s) / (n / m) for (s, m), (t, n) in pairs)


def _parse_bytes(page: bytes) -> object:
    return parse(page.decode("utf-8", "replace"))


def _text_of_bytes(page: bytes) -> object:
    return extract(page).text


BY_SIZE: dict[str, Callable[[bytes], object]] = {
    "decode and parse": _parse_bytes,
    WHOLE: _text_of_bytes,
}


def _seconds(step: partial[object], rounds: int) -> float:
    """The least processor time of so many calls: what else runs does not count."""
    times = []
    gc.disable()
    for _ in range(rounds):
        start = process_time()
        step()
        times.append(process_time() - start)
    gc.enable()
    return min(times)
