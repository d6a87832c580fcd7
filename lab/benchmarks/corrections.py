"""Word F1 of sites before and after rules that were learned from some of their pages.

A site is the pages of one software and theme (ids that differ in their numbers) with
one kind of content (one XPath of the true element: ``python -m lab.zoo``), or else the
pages of one host whose text is known. Corrected are the first pages, as a user does who
begins at the top, and its other pages are judged.

The texts of hosts are noisy: they have the standfirst of one page, and not of the next.
A user keeps what is built alike on all pages. So there blocks with the same tags and
classes around them are main content if most of their words are by the texts; ``labels``
is the word F1 of this truth by the texts.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import mean
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from lab.evaluation.gold import element_blocks, gold_blocks
from scrapy_mainpage.evaluation.datasets import LabelledPage, decode_page, read_document
from scrapy_mainpage.evaluation.scores import score_words, tokenize
from scrapy_mainpage.extraction.document.document import Document
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.output.text import write_text
from scrapy_mainpage.extraction.page_rules import RULE_MISSED
from scrapy_mainpage.extraction.records.view import View
from scrapy_mainpage.page import Page
from scrapy_mainpage.rules import CorrectedPage, SiteRules, learn_rules
from scrapy_mainpage.rules.rule_book import OneSite

from .pages import sampled_sets
from .tables import Table

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.schema import Doubles, Mask

MIN_PAGES = 10
MAX_PAGES = 16
CORRECTED = (2, 4, 8)
LOSS = 0.005
"""Word F1 that a page may lose without being worse."""

SILENT_LOSS = 0.05
"""Words that a page may lose without the warning that its rules have missed."""

MOST = 0.5
PLACES = 4
"""Blocks are alike by the elements up to so many levels around them."""


@dataclass
class Sample:
    """A page with its true blocks and text, and word F1 by the number of corrections.

    0 is the page without rules; ``label`` is the word F1 of the truth by its text.
    ``exact`` says whether the rules give the truth, ``missed`` that they have missed.
    """

    page: LabelledPage
    html: bytes
    main: Mask
    text: str
    label: float
    f1: dict[int, float] = field(default_factory=dict)
    exact: dict[int, bool] = field(default_factory=dict)
    missed: set[int] = field(default_factory=set)

    @property
    def url(self) -> str:
        return self.page.url or f"https://{self.page.id}.example/"

    def measure(self, extractor: Extractor, corrections: int) -> None:
        found = self.extract(extractor)
        truth = tokenize(self.text)
        self.f1[corrections] = score_words(tokenize(found.text), truth).f1
        self.exact[corrections] = found.text == self.text
        if RULE_MISSED in found.warnings:
            self.missed.add(corrections)

    def extract(self, extractor: Extractor, html: str = "") -> Page:
        return extractor.extract(html or decode_page(self.html), url=self.url)

    def loss(self, after: int, before: int = 0) -> float:
        return self.f1[before] - self.f1[after]


@dataclass
class Site:
    """A site and what rules from its first pages do to all of them."""

    name: str
    samples: list[Sample]
    seconds: float = 0.0
    selectors: int = 0
    changed: Counter[str] = field(default_factory=Counter)

    def measure(self) -> Site:
        for sample in self.samples:
            sample.measure(Extractor(), 0)
        for count in CORRECTED:
            if count <= len(self.samples) - 2:
                started = perf_counter()
                rules = self.learn(count)
                if count == CORRECTED[0]:
                    self.seconds = perf_counter() - started
                    self.change(rules)
                extractor = Extractor(rules=OneSite(rules) if rules else None)
                for sample in self.samples:
                    sample.measure(extractor, count)
        return self

    def learn(self, count: int) -> SiteRules | None:
        """The rules from the first pages; ``None`` where none fit."""
        done = [CorrectedPage(s.url, s.html, s.main.tolist()) for s in self.samples]
        others = [(sample.url, sample.html) for sample in self.samples[count:]]
        try:
            return learn_rules(done[:count], others)
        except ValueError:
            return None

    def change(self, rules: SiteRules | None) -> None:
        """Rename what selectors of content name, one by one, and count what is lost."""
        if rules is None:
            return
        self.selectors = len([*rules.selectors])
        extractor = Extractor(rules=OneSite(rules))
        names = dict.fromkeys(n for css in rules.content for n in names_in(css))
        for name in names:
            for sample in self.samples:
                html = decode_page(sample.html)
                whole, renamed = sample.extract(extractor), rename(html, name)
                if renamed == html or RULE_MISSED in whole.warnings:
                    continue
                found = sample.extract(extractor, renamed)
                is_missed = RULE_MISSED in found.warnings
                is_less = found.words < (1 - SILENT_LOSS) * whole.words
                self.changed["pages"] += 1
                self.changed["missed"] += is_missed
                self.changed["silent"] += is_less and not is_missed
        self.changed["names"] = len(names)

    @property
    def row(self) -> list[object]:
        """With two corrected pages: the others, and whether these are as corrected."""
        first = CORRECTED[0]
        done, rest = self.samples[:first], self.samples[first:]
        return [
            self.name,
            len(rest),
            mean(s.label for s in self.samples),
            mean(s.f1[0] for s in rest),
            mean(s.f1[first] for s in rest),
            min(s.f1[0] for s in rest),
            min(s.f1[first] for s in rest),
            sum(s.loss(first) > LOSS for s in rest),
            max(0.0, *(s.loss(first) for s in rest)),
            sum(not s.exact[first] for s in done),
            sum(first in s.missed for s in self.samples),
            self.selectors,
            self.seconds,
        ]

    @property
    def row_of_more(self) -> list[object]:
        """Pages that are never corrected, with 2, 4 and 8 corrected ones."""
        rest = self.samples[CORRECTED[-1] :]
        wrong = [
            sample
            for sample in self.samples
            if any(
                sample.exact[a] and sample.loss(b, a) > LOSS
                for a, b in pairwise(CORRECTED)
            )
        ]
        differ = [
            sum(not sample.exact[count] for sample in self.samples[:count])
            for count in CORRECTED
        ]
        values = [mean(s.f1[count] for s in rest) for count in (0, *CORRECTED)]
        return [self.name, len(rest), *values, len(wrong), *differ]


def run(options: argparse.Namespace) -> list[Table]:
    sites = []
    for (name, _), pages in group(options).items():
        samples = [*read(pages[:MAX_PAGES])]
        if len(samples) >= MIN_PAGES:
            sites.append(Site(name, samples).measure())
            print(*sites[-1].row, dict(sites[-1].changed), flush=True)
    large = [site for site in sites if len(site.samples) >= CORRECTED[-1] + 2]
    names = [f"{count} corrected" for count in CORRECTED]
    kinds = ("names", "pages", "missed", "silent")
    renamed = [site for site in sites if site.changed["names"]]
    return [
        Table(
            "Word F1 with rules from two corrected pages",
            ["site", "pages", "labels", "before", "after", "lowest before",
             "lowest after", "worse", "largest loss", "not as corrected",
             "missed", "selectors", "seconds to learn"],
            [site.row for site in sites],
            name="evaluation-corrections",
        ),
        Table(
            "Word F1 of the same pages with more corrected pages",
            ["site", "pages", "before", *names, "made wrong",
             *(f"not as corrected of {count}" for count in CORRECTED)],
            [site.row_of_more for site in large],
            name="evaluation-corrections-more",
        ),
        Table(
            "Names of the rules renamed on pages, one by one",
            ["site", "names", "pages", "missed", "lost in silence"],
            [[s.name, *(s.changed[k] for k in kinds)] for s in renamed],
            name="evaluation-corrections-renamed",
        ),
    ]  # fmt: skip


def group(
    options: argparse.Namespace,
) -> dict[tuple[str, str], list[LabelledPage]]:
    """The pages of each site, by its name and the XPath of its content."""
    groups: dict[tuple[str, str], list[LabelledPage]] = defaultdict(list)
    for data_set in sampled_sets(options.data, None):
        for page in data_set.pages[: options.pages]:
            name = page.id.rpartition("-")[0] if page.content else page.site
            if page.text and name:
                groups[f"{name} ({data_set.name})", page.content].append(page)
    return {key: pages for key, pages in groups.items() if len(pages) >= MIN_PAGES}


def read(pages: Sequence[LabelledPage]) -> Iterator[Sample]:
    """The pages with a main content."""
    documents = [read_document(page.html()) for page in pages]
    pairs = zip(pages, documents, strict=True)
    masks = [find_truth(page, document) for page, document in pairs]
    if not pages[0].content:
        masks = [share >= MOST for share in share_alike(documents, masks)]
    for page, document, mask in zip(pages, documents, masks, strict=True):
        if mask.any():
            text = write_text(document, mask)
            label = score_words(tokenize(text), tokenize(page.text or "")).f1
            yield Sample(page, page.html(), mask, text, label)


def find_truth(page: LabelledPage, document: Document) -> Mask:
    if page.content:
        return element_blocks(page.html(), page.content, page.drop)
    return gold_blocks(document, page.text or "")


def share_alike(
    documents: Sequence[Document], masks: Sequence[Mask]
) -> Iterator[Doubles]:
    """Of each block the share of main content in the words with its names around."""
    keys = [[*keys_of(document)] for document in documents]
    main: Counter[object] = Counter()
    size: Counter[object] = Counter()
    for own, document, mask in zip(keys, documents, masks, strict=True):
        words = (document.blocks.words + 1).tolist()
        for key, number, is_main in zip(own, words, mask.tolist(), strict=True):
            size[key] += number
            main[key] += number * is_main
    for own in keys:
        yield np.array([main[key] / size[key] for key in own])


def keys_of(document: Document) -> Iterator[object]:
    view = View(document)
    for number in document.blocks.element.tolist():
        key: list[object] = []
        while number >= 0 and len(key) < PLACES:
            name = re.sub(r"\d+", "", document.attribute(number, "id") or "")
            key.append((view.key(number), name))
            number = view.parent[number]
        yield tuple(key)


def names_in(css: str) -> list[str]:
    """The ids and classes in a selector."""
    return re.findall(r"[.#]([\w-]+)", css)


def rename(html: str, name: str) -> str:
    """Another name in all attributes ``id`` and ``class``."""
    values = re.compile(r"""(?is)\b(?:id|class)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)""")
    whole = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    return values.sub(lambda match: whole.sub("x-renamed", match[0]), html)
