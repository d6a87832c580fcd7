"""What the limits of the filter drop: good pages that are lost, bad ones caught.

A page is good if its gold text has substance and most of it was extracted, and bad if
there is no such text, or next to nothing of it was extracted.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from scrapy_mainpage.evaluation.metrics import score_words, tokenize

from .pages import sampled_sets
from .tables import Table

SUBSTANCE = 20
GOOD = 0.5
BAD = 0.3

THRESHOLDS: dict[str, Sequence[float]] = {
    "words": (5, 10, 20, 30, 40, 50, 75, 100, 150, 200),
    "share": (0.01, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5),
    "confidence": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8),
}
"""The figures of a page, and where they are looked at in tables."""


@dataclass(frozen=True)
class Judged:
    """A page as the filter sees it, and how well it was extracted."""

    type: str
    gold_words: int
    f1: float
    words: float
    share: float
    confidence: float

    @property
    def empty(self) -> bool:
        return self.gold_words < SUBSTANCE

    @property
    def good(self) -> bool:
        return not self.empty and self.f1 >= GOOD

    @property
    def bad(self) -> bool:
        return self.empty or self.f1 < BAD

    def under(self, figure: str, threshold: float) -> bool:
        return bool(getattr(self, figure) < threshold)


def run(options: argparse.Namespace) -> list[Table]:
    sets = sampled_sets(options.data, options.pages)
    if not sets:
        return [Table(f"filter: NOTHING MEASURED, no set in {options.data}", [""])]
    pages = judge(sets)
    if options.picture:
        from .filteringplot import plot

        options.picture.write_text(plot(pages), encoding="utf-8")
    return [table(figure, pages) for figure in THRESHOLDS]


def judge(sets: Sequence[object]) -> list[Judged]:
    """Every page with a gold text, as a model sees it that saw none of its site."""
    from scrapy_mainpage.training.train_types import SET_TYPES

    from .unseen import read_unseen

    pages = []
    for name, labelled, page in read_unseen(sets):
        gold = tokenize(labelled.text or "")
        pages.append(
            Judged(
                type=SET_TYPES.get(name, labelled.type),
                gold_words=len(gold),
                f1=score_words(tokenize(page.text), gold).f1,
                words=page.words,
                share=page.main_share,
                confidence=1.0 if page.confidence is None else page.confidence,
            )
        )
    return pages


def table(figure: str, pages: Sequence[Judged]) -> Table:
    """What each threshold of a figure drops."""
    good = [page for page in pages if page.good]
    bad = [page for page in pages if page.bad]
    empty = [page for page in pages if page.empty]
    title = f"{figure}: {len(good)} good pages, {len(bad)} bad, {len(empty)} empty"
    header = ["under", "good %", "worst type", "its good %", "bad %", "empty %"]
    rows = []
    for threshold in THRESHOLDS[figure]:
        lost = {
            kind: percent([p for p in good if p.type == kind], figure, threshold)
            for kind in sorted({page.type for page in good})
        }
        worst = max(lost, key=lost.__getitem__, default="")
        rows.append(
            [
                threshold,
                percent(good, figure, threshold),
                worst if lost.get(worst) else "-",
                lost.get(worst, 0.0),
                percent(bad, figure, threshold),
                percent(empty, figure, threshold),
            ]
        )
    return Table(title, header, rows, name=f"filter-{figure}")


def percent(pages: Sequence[Judged], figure: str, threshold: float) -> float:
    """How many of 100 pages a threshold drops."""
    under = sum(page.under(figure, threshold) for page in pages)
    return round(100 * under / max(len(pages), 1), 2)
