"""Word F1 of sites before and after rules that were learned from two of their pages.

Sets of pages with exact truth (``content``), such as those of ``python -m lab.zoo``. A
site is the pages of one software and theme (ids that differ in their numbers) with one
kind of content (one XPath). Corrected are the first two pages, as a user does who
begins at the top. Word F1 is that of the site's other pages; pages of the software with
another kind of content are only watched for a loss.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import dataclass
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


@dataclass
class Change:
    """Word F1 of a page without rules and with them."""

    before: float
    after: float
    is_missed: bool


@dataclass
class Site:
    """A site, its rules, and the word F1 of its other pages and of other kinds."""

    name: str
    rules: SiteRules
    seconds: float
    pages: list[Change]
    watched: list[Change]

    @property
    def row(self) -> list[object]:
        before = [page.before for page in self.pages]
        after = [page.after for page in self.pages]
        losses = (page.before - page.after for page in self.pages + self.watched)
        return [
            self.name,
            len(self.pages) + CORRECTED,
            sum(before) / len(before),
            sum(after) / len(after),
            min(before),
            min(after),
            max(0.0, *losses),
            sum(page.is_missed for page in self.pages),
            len([*self.rules.selectors]),
            self.seconds,
        ]


def run(options: argparse.Namespace) -> list[Table]:
    sites = []
    for name, pages in group(options).items():
        kinds = defaultdict(list)
        for page in pages:
            kinds[page.content].append(page)
        sites += [
            measure(name, kind, [page for page in pages if page not in kind])
            for kind in kinds.values()
            if len(kind) >= MIN_PAGES
        ]
    table = Table(
        "Word F1 with rules from two corrected pages",
        ["site", "pages", "before", "after", "lowest before", "lowest after",
         "largest loss", "missed", "selectors", "seconds to learn"],
        [site.row for site in sites],
        name="evaluation-corrections",
    )  # fmt: skip
    return [table]


def group(options: argparse.Namespace) -> dict[str, list[LabelledPage]]:
    """The pages with a true element, by set and software."""
    groups = defaultdict(list)
    for data_set in sampled_sets(options.data, None):
        for page in data_set.pages[: options.pages]:
            if page.content and page.text:
                software = page.id.rpartition("-")[0]
                groups[f"{software} ({data_set.name})"].append(page)
    return groups


def measure(name: str, pages: list[LabelledPage], watched: list[LabelledPage]) -> Site:
    """Learn from the first pages of a site, and score the others."""
    corrected, rest = pages[:CORRECTED], pages[CORRECTED:]
    others = [(page.url, page.html()) for page in rest]
    started = perf_counter()
    rules = learn_rules([correct(page) for page in corrected], others)
    seconds = perf_counter() - started
    return Site(name, rules, seconds, compare(rest, rules), compare(watched, rules))


def correct(page: LabelledPage) -> CorrectedPage:
    """The page as its user corrects it: block by block, by the true element."""
    html = page.html()
    main = element_blocks(html, page.content, page.drop)
    return CorrectedPage(page.url, html, main.tolist())


def compare(pages: list[LabelledPage], rules: SiteRules) -> list[Change]:
    plain, ruled = Extractor(), Extractor(rules=OneSite(rules))
    changes = []
    for page in pages:
        before, after = (extract(page, extractor) for extractor in (plain, ruled))
        is_missed = RULE_MISSED in after.warnings
        changes.append(Change(score(page, before), score(page, after), is_missed))
    return changes


def extract(page: LabelledPage, extractor: Extractor) -> Page:
    return extractor.extract(page.html(), url=page.url)


def score(page: LabelledPage, found: Page) -> float:
    return score_words(tokenize(found.text), tokenize(page.text or "")).f1
