"""Where the time from bytes to text goes: each stage, with cold and with warm caches.

Cold: before each page other memory of the size of all caches is read, as a crawl's own
work displaces them. Warm: the same page was extracted right before. The least of the
runs counts. Where the machine has hardware counters their counts are given, too.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Sequence
from time import thread_time_ns
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.document.document import Document, read_tree
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.labels.labelling import LabelEvidence, label_blocks
from scrapy_mainpage.extraction.learned.features import compute, evaluate
from scrapy_mainpage.extraction.learned.learned import Learned, load_forest
from scrapy_mainpage.extraction.output.text import write_text
from scrapy_mainpage.extraction.parsing.encoding import to_utf8
from scrapy_mainpage.extraction.parsing.tree import parse_html
from scrapy_mainpage.extraction.title_rule import TitleFinder

from .counters import Counters
from .pages import served_pages
from .tables import Table

PAGES = 150
CACHE_BYTES = 48 << 20
STAGES = (
    "decode", "survey", "parse", "walk", "features", "first forest", "context forest",
    "selection", "title", "text", "labels", "bytes to text",
)  # fmt: skip
WHOLE = len(STAGES) - 1
FORESTS = STAGES.index("features")

Counts = npt.NDArray[np.float64]
Scoring = Callable[[Document], Any]


def run(options: argparse.Namespace) -> list[Table]:
    what, pages = served_pages(options.data, options.pages or PAGES)
    bodies = [page.body for page in pages]
    profile = Profile()
    cold = profile.measure(bodies, options.runs, is_cold=True)
    warm = profile.measure(bodies, options.runs, is_cold=False)
    names = profile.counters.names
    title = f"{what}, least of {options.runs} runs, ms a page"
    title += "" if names else "; no hardware counters on this machine"
    head = ["stage", "cold", "of the whole", "warm", "of the whole"]
    head += [f"1,000 {name}, {caches}" for name in names for caches in ("cold", "warm")]
    table = Table(title, head, name="speed-profile")
    for k, stage in enumerate(STAGES):
        row = [stage]
        for found in (cold, warm):
            row += [found[k, 0] / 1e6, found[k, 0] / found[WHOLE, 0]]
        counts = zip(cold[k, 1:] / 1e3, warm[k, 1:] / 1e3, strict=True)
        table.rows.append([*row, *(count for pair in counts for count in pair)])
    return [table]


class Profile:
    """Measures the stages of the extraction with its default algorithm."""

    def __init__(self) -> None:
        self.counters = Counters()
        self._limits = Extractor().limits
        self._algorithm = Learned()
        self._other_memory = np.ones(CACHE_BYTES // 8)
        forest = load_forest(None)
        first = (forest.table, forest.quick, forest.slope, forest.offset)
        self._features: Scoring = lambda document: compute(document, forest.table)
        self._first: Scoring = lambda document: evaluate(document, *first, None)

    def measure(self, pages: Sequence[bytes], runs: int, *, is_cold: bool) -> Counts:
        """Nanoseconds and counts a page (columns) of each stage (rows)."""
        shape = (len(pages), len(STAGES), 1 + len(self.counters.names))
        least = np.full(shape, np.inf)
        for _ in range(runs):
            gc.collect()
            for k, page in enumerate(pages):
                least[k] = np.minimum(least[k], self._measure_page(page, is_cold))
        mean: Counts = least.mean(axis=0)
        # A forest's time is what it adds to the pass without it.
        mean[FORESTS + 1 : FORESTS + 3] -= mean[FORESTS : FORESTS + 2].copy()
        return mean

    def _measure_page(self, page: bytes, is_cold: bool) -> Counts:
        """One row per stage; those of the forests include the stages before."""
        whole = np.diff(self._read_whole(page, is_cold), axis=0)
        features, first, laps = (
            np.diff(self._read_stages(page, scoring, is_cold), axis=0)
            for scoring in (self._features, self._first, self._algorithm.score)
        )
        forests = features[FORESTS], first[FORESTS]
        return np.array([*laps[:FORESTS], *forests, *laps[FORESTS:], *whole])

    def _read_whole(self, page: bytes, is_cold: bool) -> Counts:
        self._prepare(page, is_cold)
        before = self._now()
        _ = extract(page).text
        return np.array([before, self._now()], np.float64)

    def _read_stages(self, page: bytes, scoring: Scoring, is_cold: bool) -> Counts:
        self._prepare(page, is_cold)
        laps = [self._now()]
        html = to_utf8(page)
        laps.append(self._now())
        html = self._limits.bound(html).html
        laps.append(self._now())
        root = parse_html(html)
        laps.append(self._now())
        document = read_tree(root)
        laps.append(self._now())
        scores = scoring(document)
        laps.append(self._now())
        if scoring != self._algorithm.score:
            return np.array(laps, np.float64)
        main = self._algorithm.select(document, scores)
        laps.append(self._now())
        titles = TitleFinder(document)
        main = titles.apply(main)
        title = titles.find_block(main)
        laps.append(self._now())
        write_text(document, main)
        laps.append(self._now())
        label_blocks(LabelEvidence(document, main, title))
        laps.append(self._now())
        return np.array(laps, np.float64)

    def _prepare(self, page: bytes, is_cold: bool) -> None:
        if is_cold:
            self._other_memory.sum()
        else:
            extract(page)

    def _now(self) -> list[int]:
        return [thread_time_ns(), *self.counters.read()]
