"""Whether the time grows with the size of a page and no faster."""

from __future__ import annotations

import argparse
import gc
from functools import partial
from time import process_time

from scrapy_mainpage.extraction.algorithms import available, get_algorithm
from scrapy_mainpage.extraction.document import Document, read_tree

from .layouts import stacked
from .pages import generated
from .tables import Table
from .timing import parse

PARAGRAPHS = (1_000, 10_000, 100_000)  # a text block each, and some more


def run(options: argparse.Namespace) -> list[Table]:
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
        seconds = [_seconds(step, options.rounds) for step in steps]
        growth = seconds[-1] / seconds[0] / (blocks[-1] / blocks[0])
        table.rows.append([name, *(1e3 * s for s in seconds), growth])
    return [table]


def _judgements(name: str, documents: list[Document]) -> list[partial[object]]:
    algorithm = get_algorithm(name)
    layouts = [stacked(d) if algorithm.needs_layout else None for d in documents]
    return [
        partial(algorithm.judge, document, layout)
        for document, layout in zip(documents, layouts, strict=True)
    ]


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
