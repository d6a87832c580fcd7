"""Each step of an extraction against the parse of the same page, per algorithm."""

from __future__ import annotations

import argparse
from collections import defaultdict
from functools import partial

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.algorithms import available, get_algorithm
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.output.text import write_text

from .pages import timed_pages
from .tables import SPREAD, Table, spread
from .timing import parse, timed

STAGES = ["document", "algorithm", "text", "all but the parse", "extract()"]


def run(options: argparse.Namespace) -> list[Table]:
    what, pages = timed_pages(options.data, options.pages)
    return [measure(name, what, pages, options.rounds) for name in static_algorithms()]


def static_algorithms() -> list[str]:
    """The algorithms that need no rendered page."""
    return [name for name in available() if not get_algorithm(name).needs_layout]


def measure(name: str, what: str, pages: list[str], rounds: int) -> Table:
    ratios = defaultdict(list)
    for html in pages:
        for stage, ratio in stages(name, html, rounds).items():
            ratios[stage].append(ratio)
    rows = [[stage, *spread(ratios[stage])] for stage in STAGES]
    return Table(f"{name}, {what}: time / parse", ["", *SPREAD], rows)


def stages(name: str, html: str, rounds: int) -> dict[str, float]:
    """The time of each stage over that of the parse."""
    algorithm = get_algorithm(name)
    parsing, root = timed(partial(parse, html), rounds)
    reading, document = timed(partial(read_tree, root), rounds)
    judging, verdict = timed(partial(algorithm.judge, document), rounds)
    writing, _ = timed(partial(write_text, document, verdict.main), rounds)
    whole, _ = timed(partial(extract, html, algorithm=name), rounds)
    seconds = [reading, judging, writing, reading + judging + writing, whole]
    return {stage: s / parsing for stage, s in zip(STAGES, seconds, strict=True)}
