"""Processor time from bytes to text: this package, and every extractor installed.

Each page is read once by each extractor in every run, in random order (fixed seed), as
a crawl reads pages: nothing is warm but what a crawl keeps warm. Every extractor runs
with the same settings of the garbage collector. Ratios are taken per run, on the pages
that both have read.
"""

from __future__ import annotations

import argparse
import gc
import logging
import random
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt
from parsel import Selector
from tqdm import tqdm
from w3lib.encoding import html_to_unicode

from lab.evaluation.systems import OURS, RESILIPARSE, TRAFILATURA, installed
from lab.tables import Table

from .pages import ServedPage, served_pages

PAGES = 500
SEED = 7
PARSE = "parse"
RANGE = ["median of runs", "lowest", "highest"]
FIGURES: dict[str, Callable[..., Any]] = {
    "mean": np.nanmean,
    "median": np.nanmedian,
    "p95": lambda seconds, axis: np.nanpercentile(seconds, 95, axis=axis),
    "p99": lambda seconds, axis: np.nanpercentile(seconds, 99, axis=axis),
}

Seconds = npt.NDArray[np.float64]
Call = Callable[[ServedPage], dict[str, float]]


def run(options: argparse.Namespace) -> list[Table]:
    what, pages = served_pages(options.data, options.pages or PAGES)
    seconds, failed = measure(pages, options.runs)
    what = f"{what}, {options.runs} runs"
    return [
        extractors_table(what, seconds, failed),
        ratios_table(what, seconds),
        types_table(what, seconds, [page.type for page in pages]),
    ]


def measure(
    pages: Sequence[ServedPage], runs: int
) -> tuple[dict[str, Seconds], Counter[str]]:
    """Seconds by subject, of each run and page (NaN: not read), and failures."""
    calls: dict[str, tuple[Call, int]] = {PARSE: (time_parse, 1)}
    for each in installed():
        calls[each.label] = (time_call(each.label, each.extract), each.every)
    seconds: dict[str, Seconds] = {}
    failed: Counter[str] = Counter()
    logging.disable(logging.CRITICAL)
    choose = random.Random(SEED)
    for call, _ in calls.values():  # models and modules are loaded
        _try(call, pages[0])
    with warnings.catch_warnings(), tqdm(total=runs * len(pages), disable=None) as bar:
        warnings.simplefilter("ignore")
        for run_number in range(runs):
            for k, page in enumerate(pages):
                turn = [name for name, (_, every) in calls.items() if k % every == 0]
                for name in choose.sample(turn, len(turn)):
                    # Garbage of one is not collected at the cost of another.
                    gc.collect()
                    found = _try(calls[name][0], page)
                    failed[name] += not found
                    for part, value in found.items():
                        empty = np.full((runs, len(pages)), np.nan)
                        seconds.setdefault(part, empty)[run_number, k] = value
                bar.update()
    logging.disable(logging.NOTSET)
    return seconds, failed


def _try(call: Call, page: ServedPage) -> dict[str, float]:
    try:
        return call(page)
    except Exception:  # noqa: BLE001 - a failure of other people's code is a result
        return {}


def time_call(label: str, call: Callable[[bytes, str], str]) -> Call:
    def read(page: ServedPage) -> dict[str, float]:
        started = process_time()
        call(page.body, "en")
        return {label: process_time() - started}

    return read


def time_parse(page: ServedPage) -> dict[str, float]:
    """Decode and parse, as a response's selector does."""
    started = process_time()
    Selector(text=html_to_unicode(None, page.body)[1] or " ", type="html")
    return {PARSE: process_time() - started}


def ratios(
    seconds: dict[str, Seconds], figure: str, above: str, below: str, chosen: Any = ...
) -> list[float]:
    """Median, lowest and highest of the runs' ratios, on pages that both have read."""
    upper, lower = seconds[above], seconds[below]
    if chosen is not ...:
        upper, lower = upper[:, chosen], lower[:, chosen]
    both = ~(np.isnan(upper) | np.isnan(lower)).any(axis=0)
    of = FIGURES[figure]
    values = of(upper[:, both], axis=1) / of(lower[:, both], axis=1)
    return [float(each) for each in (np.median(values), values.min(), values.max())]


def extractors_table(
    what: str, seconds: dict[str, Seconds], failed: Counter[str]
) -> Table:
    """Milliseconds of every extractor, and failures."""
    head = ["ms from bytes to text", "version", "pages", *FIGURES, "/ parse", "failed"]
    table = Table(f"{what}: from bytes to text", head, name="speed-extractors")
    versions = {PARSE: "", **{each.label: each.version for each in installed()}}
    for label, version in versions.items():
        own = seconds[label]
        figures = [1e3 * float(np.median(of(own, axis=1))) for of in FIGURES.values()]
        pages = int((~np.isnan(own[0])).sum())
        ratio = ratios(seconds, "mean", label, PARSE)[0]
        table.rows.append([label, version, pages, *figures, ratio, failed[label]])
    return table


def ratios_table(what: str, seconds: dict[str, Seconds]) -> Table:
    """This package over each of the others."""
    head = [f"{OURS} /", "figure", *RANGE]
    table = Table(f"{what}: ratios", head, name="speed-ratios")
    for each in installed():
        if each.label != OURS:
            for figure in FIGURES:
                found = ratios(seconds, figure, OURS, each.label)
                table.rows.append([each.label, figure, *found])
    return table


def types_table(what: str, seconds: dict[str, Seconds], types: list[str]) -> Table:
    """Mean times over the parse, of the pages of each type."""
    peers = [name for name in (OURS, RESILIPARSE, TRAFILATURA) if name in seconds]
    head = ["type", "pages", "parse, ms", *(f"{name} / parse" for name in peers)]
    table = Table(f"{what}: by type", head, name="speed-types")
    for name in sorted(set(types), key=lambda each: (-types.count(each), each)):
        chosen = np.flatnonzero(np.array(types) == name)
        parse = 1e3 * float(np.nanmean(seconds[PARSE][:, chosen]))
        row = [ratios(seconds, "mean", peer, PARSE, chosen)[0] for peer in peers]
        table.rows.append([name, len(chosen), parse, *row])
    return table
