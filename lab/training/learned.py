"""The shipped model of ``learned``: also page types, and what its card measures."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean
from typing import TYPE_CHECKING, Final

import numpy as np

from scrapy_mainpage.extraction.learned.features import FEATURE_NAMES
from scrapy_mainpage.extraction.learned.page_types import PAGE_TYPES

from .forest import cross_validate, fit_calibrated, weigh_sets
from .learned_card import learned_card, measured_card
from .page_types import cross_validate_types, fit_types
from .training_pages import page_f1, read_pages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from scrapy_mainpage.evaluation.datasets import DataSet
    from scrapy_mainpage.extraction.document.schema import Floats

    from .boosting import Calibration
    from .training_pages import TrainingPage

    Group = tuple[str, str]
    Groups = dict[Group, list[TrainingPage]]

MIN_LANGUAGE_PAGES: Final = 50
"""A language with fewer pages is not left out."""


def train(
    sets: list[DataSet],
    known: list[TrainingPage],
    output: Path,
    folds: int,
    licence: str,
) -> str:
    """Write ``learned.npz`` and its card into the folder *output*; returns the card.

    *known* are pages of which some main blocks are known, and nothing else. The same
    data give the same model.
    """
    pages, names = [*read_pages(sets), *known], FEATURE_NAMES
    weigh_sets(pages)
    seen = cross_validate(pages, names, folds)
    types = fit_types(pages, names)
    forest = replace(fit_calibrated(pages, names, *seen), types=types)
    types_right = cross_validate_types(pages, names, folds) if types else None
    card = learned_card(pages, forest, folds, licence)
    card += measured_card(pages, types_right, leave_out(pages, *seen))
    output.mkdir(parents=True, exist_ok=True)
    forest.save(output / "learned.npz")
    (output / "learned.rst").write_text(card, encoding="utf-8")
    return card


def groups_to_leave_out(pages: Sequence[TrainingPage]) -> Groups:
    """The pages with a gold text by set; and by language, where that is their type."""
    whole = [page for page in pages if page.known is None]
    groups: Groups = {}
    for page in whole:
        groups.setdefault((page.set_name, "all"), []).append(page)
    languages: Groups = {}
    for page in whole:
        if page.type and page.type not in PAGE_TYPES:
            languages.setdefault((page.set_name, page.type), []).append(page)
    return groups | {k: v for k, v in languages.items() if len(v) >= MIN_LANGUAGE_PAGES}


def leave_out(
    pages: Sequence[TrainingPage],
    markup: Sequence[Floats] | None,
    calibration: Calibration,
) -> list[tuple[Group, int, float]]:
    """The mean F1 of each group by trees that saw neither its pages nor their sites.

    *markup* and *calibration* are results of the cross-validation. Articles of a set
    with page types have a line of their own.
    """
    rows: list[tuple[Group, int, float]] = []
    for group, own in groups_to_leave_out(pages).items():
        sites, ids = {page.site for page in own}, {id(page) for page in own}
        kept = [
            k
            for k, page in enumerate(pages)
            if id(page) not in ids and page.site not in sites
        ]
        if not kept:
            continue
        sums = [markup[k] for k in kept] if markup else None
        forest = fit_calibrated(
            [pages[k] for k in kept], FEATURE_NAMES, sums, calibration
        )
        reached = []
        for page in own:
            odds = forest.evaluate(page.document)
            seen = replace(page, probability=1 / (1 + np.exp(-odds)))
            reached.append(page_f1(seen)[0])
        rows.append((group, len(own), mean(reached)))
        kinds = [
            f1 for page, f1 in zip(own, reached, strict=True) if page.type == "article"
        ]
        if kinds and len(kinds) < len(own):
            rows.append(((group[0], "article"), len(kinds), mean(kinds)))
    return rows
