"""Word-level F1 of each algorithm on each set that has the text of its pages.

A quick look: the measure of ``scrapy mainpage-evaluate``, on a sample of pages.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable

from scrapy_mainpage.evaluation.datasets import LabelledPage
from scrapy_mainpage.evaluation.metrics import score_words, tokenize
from scrapy_mainpage.extraction.extractor import Extractor

from .pages import sampled_sets
from .stages import static_algorithms
from .tables import Table


def run(options: argparse.Namespace) -> list[Table]:
    extractors = [Extractor(name) for name in static_algorithms()]
    names = [extractor.algorithm.name for extractor in extractors]
    table = Table("word F1, mean over pages", ["set", "type", "pages", *names])
    for data_set in sampled_sets(options.data, options.pages):
        table.rows += rows(data_set.name, data_set.pages, extractors)
    if not table.rows:
        table.title += f": NOTHING MEASURED, no set in {options.data}"
    return [table]


def rows(
    name: str, pages: Iterable[LabelledPage], extractors: list[Extractor]
) -> Iterable[list[object]]:
    """A line for the set, and one for each of its page types."""
    scores: dict[str, list[list[float]]] = defaultdict(list)
    for page in pages:
        if page.text is None:
            continue
        gold, html = tokenize(page.text), page.html()
        texts = [extractor.extract(html).text for extractor in extractors]
        found = [score_words(tokenize(text), gold).f1 for text in texts]
        scores["all"].append(found)
        if page.type:
            scores[page.type].append(found)
    for kind in sorted(scores, key=lambda kind: (kind != "all", kind)):
        columns = zip(*scores[kind], strict=True)
        count = len(scores[kind])
        yield [name, kind, count, *(sum(column) / count for column in columns)]
