"""Word-level F1 of each algorithm on each set that has the text of its pages.

The bags of words of the predicted and of the true main content are compared; a
Chinese, Japanese or Korean character is a word. Means over pages.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable

from scrapy_mainpage.evaluation.tokens import tokenize
from scrapy_mainpage.extraction.extractor import Extractor

from .pages import LabelledPage, sample, sets
from .stages import static_algorithms
from .tables import Table


def run(options: argparse.Namespace) -> list[Table]:
    extractors = [Extractor(name) for name in static_algorithms()]
    names = [extractor.algorithm.name for extractor in extractors]
    table = Table("word F1, mean over pages", ["set", "type", "pages", *names])
    for name in sets(options.data):
        pages = [p for p in sample(options.data / name, options.pages) if p.gold]
        table.rows += rows(name, pages, extractors)
    if not table.rows:
        table.title += f": NOTHING MEASURED, no set in {options.data}"
    return [table]


def rows(
    name: str, pages: Iterable[LabelledPage], extractors: list[Extractor]
) -> Iterable[list[object]]:
    """A line for the set, and one for each of its page types."""
    scores: dict[str, list[list[float]]] = defaultdict(list)
    for page in pages:
        gold = Counter(tokenize(page.gold))
        found = [f1(e.extract(page.html).text, gold) for e in extractors]
        scores["all"].append(found)
        if page.type:
            scores[page.type].append(found)
    for kind in sorted(scores, key=lambda kind: (kind != "all", kind)):
        columns = zip(*scores[kind], strict=True)
        count = len(scores[kind])
        yield [name, kind, count, *(sum(column) / count for column in columns)]


def f1(text: str, gold: Counter[str]) -> float:
    predicted = Counter(tokenize(text))
    overlap = (predicted & gold).total()
    return 2 * overlap / (predicted.total() + gold.total()) if overlap else 0.0
