"""Whether the time grows with the size of a page and no faster."""

from __future__ import annotations

import argparse
from functools import partial

from scrapy_mainpage.extraction.document import read_tree
from scrapy_mainpage.extraction.extractor import Extractor

from .pages import generated
from .stages import static_algorithms
from .tables import Table
from .timing import parse, timed

PARAGRAPHS = (480, 4_800, 48_000)  # about 0.1, 1 and 10 MB


def run(options: argparse.Namespace) -> list[Table]:
    pages = [generated(count) for count in PARAGRAPHS]
    roots = [parse(html) for html in pages]
    calls = {"parse": [partial(parse, html) for html in pages]}
    calls["document"] = [partial(read_tree, root) for root in roots]
    for name in static_algorithms():
        extract = Extractor(name).extract_document
        calls[name] = [partial(extract, read_tree(root)) for root in roots]
    megabytes = [len(html) / 1e6 for html in pages]
    header = ["", *(f"{size:.1f} MB" for size in megabytes), "growth / linear"]
    table = Table("time in ms by the size of a generated page", header)
    for name, steps in calls.items():
        seconds = [timed(step, options.rounds)[0] for step in steps]
        growth = seconds[-1] / seconds[0] / (megabytes[-1] / megabytes[0])
        table.rows.append([name, *(1e3 * s for s in seconds), growth])
    return [table]
