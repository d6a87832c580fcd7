"""Word F1 of sites before and after rules that were learned from two of their pages.

Sets of pages with exact truth (``content``), such as those of ``python -m benchmarks
zoo``. A site is one software with one theme: pages whose ids differ in their numbers.
Corrected are the two pages of which the default algorithm is least confident; word F1
is that of the site's other pages, with the rules and without.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import dataclass, replace
from time import perf_counter

from scrapy_mainpage.evaluation.datasets import LabelledPage
from scrapy_mainpage.evaluation.gold import element_blocks
from scrapy_mainpage.evaluation.metrics import score_words, tokenize
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.page_rules import RULE_MISSED
from scrapy_mainpage.page import Page
from scrapy_mainpage.rules import CorrectedPage, SiteRules, learn_rules
from scrapy_mainpage.rules.rule_book import OneSite

from .pages import sampled_sets
from .tables import Table

MIN_PAGES = 12
CORRECTED = 2
MAX_LOSS = 0.01


@dataclass
class Site:
    """A site with two corrected pages, its rules, and its other pages' word F1."""

    name: str
    pages: list[LabelledPage]
    rules: SiteRules
    seconds: float
    scores: list[tuple[float, float, bool]]
    """Of each page: before, after, and whether the rules miss."""

    @property
    def row(self) -> list[object]:
        before, after, missed = zip(*self.scores, strict=True)
        worst = min(b - a for a, b in zip(before, after, strict=True))
        return [
            self.name,
            len(self.pages),
            sum(before) / len(before),
            sum(after) / len(after),
            min(before),
            min(after),
            min(worst, 0.0),
            sum(missed),
            len([*self.rules.selectors]),
            self.seconds,
        ]


def run(options: argparse.Namespace) -> list[Table]:
    sites = [
        measure(name, pages[: options.pages])
        for name, pages in group(options).items()
        if len(pages) >= MIN_PAGES
    ]
    table = Table(
        "Word F1 with rules from two corrected pages",
        ["site", "pages", "before", "after", "lowest before", "lowest after",
         "largest loss", "missed", "selectors", "seconds to learn"],
        [site.row for site in sites],
        name="evaluation-corrections",
    )  # fmt: skip
    if sites:
        columns = list(zip(*table.rows, strict=True))[1:]
        means = [sum(column) / len(column) for column in columns]
        table.rows.append(["mean", *means])
    return [table]


def group(options: argparse.Namespace) -> dict[str, list[LabelledPage]]:
    """The pages with a true element, by site."""
    sites = defaultdict(list)
    for data_set in sampled_sets(options.data, None):
        for page in data_set.pages:
            if page.content and page.text:
                sites[page.id.rpartition("-")[0]].append(page)
    return sites


def measure(name: str, pages: list[LabelledPage]) -> Site:
    """Correct the two least confident pages, and score the others."""
    extractor = Extractor()
    found = {page.id: extract(page, extractor) for page in pages}
    pages = sorted(pages, key=lambda page: found[page.id].confidence or 0.0)
    corrected, rest = pages[:CORRECTED], pages[CORRECTED:]
    started = perf_counter()
    rules = learn_rules(
        [correct(page) for page in corrected],
        [(page.url, page.html()) for page in rest],
    )
    seconds = perf_counter() - started
    ruled = Extractor(rules=OneSite(replace(rules, name=name)))
    scores = []
    for page in rest:
        after = extract(page, ruled)
        missed = RULE_MISSED in after.warnings
        scores.append((score(page, found[page.id]), score(page, after), missed))
    return Site(name, rest, rules, seconds, scores)


def extract(page: LabelledPage, extractor: Extractor) -> Page:
    return extractor.extract(page.html(), url=page.url)


def correct(page: LabelledPage) -> CorrectedPage:
    """The page as its user corrects it: block by block, by the true element."""
    html = page.html()
    main = element_blocks(html, page.content, page.drop)
    return CorrectedPage(page.url, html, main.tolist())


def score(page: LabelledPage, found: Page) -> float:
    return score_words(tokenize(found.text), tokenize(page.text or "")).f1
