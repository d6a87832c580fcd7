"""How long it takes from bytes to text: ours, and every extractor that is installed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from .contenders import installed
from .instructions import few_pages, instruction_table
from .interleaved import Times, demanded, measure, parsed, stepwise, whole
from .speedmemory import memory_table
from .speedpages import SpeedPage, size_classes, speed_pages
from .speedtables import (
    bars_table,
    extractors_table,
    groups_table,
    parsed_table,
    ratios_table,
    steps_table,
)
from .tables import Table

PAGES = 500
EVERY = 5  # of the pages are enough to know what is made on demand


def run(options: argparse.Namespace) -> list[Table]:
    what, pages = speed_pages(options.data, options.pages or PAGES)
    times = measured(pages, options.runs)
    tables = [
        bars_table(what, times),
        extractors_table(what, times),
        ratios_table(what, times),
        parsed_table(what, times),
        steps_table(what, times),
        groups_table("size", what, times, [page.size for page in pages], _sizes(pages)),
        groups_table("type", what, times, [page.type for page in pages]),
        memory_table(what, [page.body for page in pages]),
    ]
    if options.counted:
        tables.append(instruction_table(what, few_pages(pages, options.counted)))
    return tables


def measured(pages: Sequence[SpeedPage], runs: int) -> Times:
    subjects = [whole(each) for each in installed()]
    subjects += [parsed(), stepwise(), demanded(EVERY)]
    return measure(pages, subjects, runs)


def _sizes(pages: Sequence[SpeedPage]) -> list[str]:
    present = {page.size for page in pages}
    return [each for each in size_classes() if each in present]
