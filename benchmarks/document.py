"""The document pass against the parse of the same page."""

from __future__ import annotations

import argparse
from functools import partial

from scrapy_mainpage.extraction.document.document import read_tree

from .pages import timed_pages
from .tables import SPREAD, Table, spread
from .timing import parse, timed


def run(options: argparse.Namespace) -> list[Table]:
    what, pages = timed_pages(options.data, options.pages)
    parses, passes = [], []
    for html in pages:
        seconds, root = timed(partial(parse, html), options.rounds)
        parses.append(seconds)
        passes.append(timed(partial(read_tree, root), options.rounds)[0])
    table = Table(f"document pass, {what}", ["", *SPREAD])
    table.rows.append(["parse, ms", *spread([1e3 * s for s in parses])])
    table.rows.append(["pass, ms", *spread([1e3 * s for s in passes])])
    ratios = [b / a for a, b in zip(parses, passes, strict=True)]
    table.rows.append(["pass / parse", *spread(ratios)])
    table.rows.append(
        ["sum of passes / sum of parses", sum(passes) / sum(parses), "", ""]
    )
    return [table]
