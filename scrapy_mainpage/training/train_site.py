"""Training on corrected pages of a few sites, on top of a model of many.

The model's trees, its trees over the surroundings and its calibration stay: a handful
of pages tells nothing about them. New trees correct its errors on the pages.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..evaluation.datasets import site_folds
from .train_forest import boost, page_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..extraction.learned.forest import Forest
    from .training_pages import TrainingPage


def fit_site(pages: Sequence[TrainingPage], start: Forest, weight: float) -> Forest:
    """The forest *start* with trees that correct it on *pages*.

    Each page counts as *weight* pages, so that it outweighs the trees' caution.
    """
    rows = [page_rows(start, page) for page in pages]
    before = [start.log_odds(seen) for seen in rows]
    trees = boost(pages, rows, start.names, before=before, factor=weight)
    return replace(start.followed_by(trees), context=start.context)


def cross_validate_site(
    pages: Sequence[TrainingPage],
    folds: int,
    start: Forest,
    weight: float,
    progress: Callable[[int], object] = lambda fold: None,
) -> None:
    """Set each page's ``probability`` by trees that saw other pages, also of its site.

    Raises ``ValueError`` if there are fewer pages than folds.
    """
    fold_of = site_folds([str(k) for k in range(len(pages))], folds)
    for fold in range(folds):
        progress(fold)
        inside = [page for page, own in zip(pages, fold_of, strict=True) if own != fold]
        forest = fit_site(inside, start, weight)
        for page, own in zip(pages, fold_of, strict=True):
            if own == fold:
                odds = forest.evaluate(page.document)
                page.probability = 1 / (1 + np.exp(-odds))
