"""Training of the shipped model of ``learned`` from nothing.

The linear model of the markup is fitted first, then the trees on its predictions for
sites it has not seen, then the trees over the surroundings on theirs, in the same way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from scrapy_mainpage.extraction.learned.learned import MARKUP

from . import boosting
from .boosting import boost, fit_context, site_folds
from .markup import fit_markup, has_markup, unseen_markup

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrapy_mainpage.extraction.document.schema import Floats
    from scrapy_mainpage.extraction.learned.learned import Forest

    from .boosting import Calibration
    from .training_pages import TrainingPage

SET_WEIGHTS: Final = {"multilingual-news": 0.6, "wcxb-dev": 1.0, "zoo-train": 0.6}
"""Small sets weigh more, so that the conventions of the large ones do not dominate."""

CONTEXT_SET_WEIGHTS: Final = {"documentation": 3.0, "zoo-train": 0.6}
"""Weights for the second forest. Documentations show best what belongs together;
generated pages are short, their surroundings unlike those of real ones.
"""


def weigh_sets(pages: Iterable[TrainingPage]) -> None:
    """Give *pages* the weights of the shipped sets."""
    for page in pages:
        page.set_weight = SET_WEIGHTS.get(page.set_name, page.set_weight)
        page.context_weight = CONTEXT_SET_WEIGHTS.get(page.set_name, 1.0)


def fit_forest(
    pages: Sequence[TrainingPage],
    names: Sequence[str],
    markup: Sequence[Floats] | None,
) -> Forest:
    """Boosted trees on all blocks of *pages*, not calibrated yet.

    *markup* are the pages' sums of the markup, by models that saw no page of the site.
    """
    if markup is None:
        return boost(pages, [page.rows for page in pages], names)
    rows = [
        np.column_stack((page.rows, own))
        for page, own in zip(pages, markup, strict=True)
    ]
    forest = boost(pages, rows, [*names, MARKUP])
    slots, weights = fit_markup(pages)
    return replace(forest, slots=slots, slot_weights=weights)


def cross_validate(
    pages: Sequence[TrainingPage], names: Sequence[str], folds: int
) -> tuple[list[Floats] | None, Calibration, Calibration]:
    """Predict every page by trees that saw no page of its site.

    Sets each page's calibrated ``odds`` and, from the surroundings, ``probability``.
    Returns the sums of the markup, and slope and offset of both models.
    """
    fold_of = site_folds([page.site for page in pages], folds)
    markup = unseen_markup(pages, fold_of) if has_markup(pages) else None
    number = {id(page): k for k, page in enumerate(pages)}

    def fit(seen: list[TrainingPage]) -> Forest:
        sums = [markup[number[id(page)]] for page in seen] if markup else None
        return fit_forest(seen, names, sums)

    return markup, *boosting.cross_validate(pages, folds, fit)


def fit_calibrated(
    pages: list[TrainingPage],
    names: Sequence[str],
    markup: Sequence[Floats] | None,
    first: Calibration,
    second: Calibration,
) -> Forest:
    """Both forests on all *pages*, given the results of their cross-validation."""
    context = replace(fit_context(pages), slope=second[0], offset=second[1])
    forest = fit_forest(pages, names, markup)
    return replace(forest, slope=first[0], offset=first[1], context=context)
