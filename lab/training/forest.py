"""Training of the shipped model of ``learned`` from nothing.

The linear model of the markup is fitted first, then the trees on its predictions for
sites it has not seen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from lab.training.boosting import slot_matrix, slots_of_sites
from lab.training.training_pages import sample
from scrapy_mainpage.extraction.learned.features import weight_table
from scrapy_mainpage.extraction.learned.learned import MARKUP

from . import boosting
from .boosting import boost, site_folds

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Ints = npt.NDArray[np.int32]
    Rows = npt.NDArray[np.float32]
    from collections.abc import Iterable

    from scrapy_mainpage.extraction.document.schema import Floats
    from scrapy_mainpage.extraction.learned.learned import Forest

    from .boosting import Calibration
    from .training_pages import TrainingPage


MIN_SITES: Final = 5
"""Sites that a slot needs to count, and a model: names of one do not generalise."""

MAX_WEIGHT: Final = 20.0
"""Weight of a block, against the mean."""

PENALTY: Final = 3e-6
EPOCHS: Final = 4
SEED: Final = 1


def has_markup(pages: Sequence[TrainingPage]) -> bool:
    """Whether the pages' slots are known, and their sites are enough to learn from."""
    sites = {page.site for page in pages}
    return len(sites) >= MIN_SITES and all(page.slots is not None for page in pages)


def fit_markup(pages: Sequence[TrainingPage]) -> tuple[Ints, Rows]:
    """The slots that matter and their weights, rounded as they are stored."""
    from scipy.sparse import vstack
    from sklearn.linear_model import SGDClassifier

    draw = np.random.RandomState(SEED)
    rows, main, weight = [], [], []
    for page in pages:
        drawn, own = sample(page, draw)
        rows.append(slot_matrix(slots_of(page))[drawn])
        main.append(page.main[drawn])
        weight.append(own[drawn])
    table = vstack(rows, format="csr")
    table.data[~_usual(pages)[table.indices]] = 0
    table.eliminate_zeros()
    labels = np.concatenate(main)
    if labels.all() or not labels.any():
        return np.zeros(0, np.int32), np.zeros(0, np.float32)
    total = np.concatenate(weight)
    model = SGDClassifier(
        loss="log_loss",
        alpha=PENALTY,
        max_iter=EPOCHS,
        tol=None,
        learning_rate="adaptive",
        eta0=0.5,
        random_state=SEED,
    )
    scaled = np.minimum(total / max(float(total.mean()), 1e-12), MAX_WEIGHT)
    model.fit(table, labels, sample_weight=scaled)
    learned = model.coef_[0].astype(np.float16).astype(np.float32)
    slots = np.flatnonzero(learned).astype(np.int32)
    return slots, learned[slots]


def unseen_markup(pages: Sequence[TrainingPage], fold_of: Sequence[int]) -> list[Rows]:
    """Per page the sums of its blocks, by models that saw no page of its fold."""
    sums: list[Rows] = [np.zeros(0, np.float32)] * len(pages)
    for fold in sorted(set(fold_of)):
        train = [p for p, f in zip(pages, fold_of, strict=True) if f != fold]
        table = weight_table(*fit_markup(train))
        for k, own in enumerate(fold_of):
            if own == fold:
                sums[k] = slot_sums(slots_of(pages[k]), table)
    return sums


def slot_sums(slots: tuple[Ints, Ints], table: Rows) -> Rows:
    """The scaled sum of the weights in *table* for each block with these *slots*."""
    return np.asarray(slot_matrix(slots) @ table, np.float32)


def slots_of(page: TrainingPage) -> tuple[Ints, Ints]:
    """The slots of the blocks of *page*; ``ValueError`` without any."""
    if page.slots is None:
        raise ValueError("the page was read without its slots")
    return page.slots


def _usual(pages: Sequence[TrainingPage]) -> npt.NDArray[np.bool_]:
    """Which slots the pages of enough sites have."""
    own = (page.slots[0] if page.slots else () for page in pages)
    found = [np.unique(slots).tolist() for slots in own]
    sites = [page.site for page in pages]
    count = slots_of_sites(zip(sites, found, strict=True))
    return count >= min(MIN_SITES, len(set(sites)))


SET_WEIGHTS: Final = {"multilingual-news": 0.6, "wcxb-dev": 1.0, "zoo-train": 0.6}
"""Small sets weigh more, so that the conventions of the large ones do not dominate."""


def weigh_sets(pages: Iterable[TrainingPage]) -> None:
    """Give *pages* the weights of the shipped sets."""
    for page in pages:
        page.set_weight = SET_WEIGHTS.get(page.set_name, page.set_weight)


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
) -> tuple[list[Floats] | None, Calibration]:
    """Predict every page by trees that saw no page of its site.

    Sets each page's ``probability``. Returns the sums of the markup, and slope and
    offset of the trees' sum.
    """
    fold_of = site_folds([page.site for page in pages], folds)
    markup = unseen_markup(pages, fold_of) if has_markup(pages) else None
    number = {id(page): k for k, page in enumerate(pages)}

    def fit(seen: list[TrainingPage]) -> Forest:
        sums = [markup[number[id(page)]] for page in seen] if markup else None
        return fit_forest(seen, names, sums)

    return markup, boosting.cross_validate(pages, folds, fit)


def fit_calibrated(
    pages: list[TrainingPage],
    names: Sequence[str],
    markup: Sequence[Floats] | None,
    calibration: Calibration,
) -> Forest:
    """The forest on all *pages*, given the results of its cross-validation."""
    slope, offset = calibration
    return replace(fit_forest(pages, names, markup), slope=slope, offset=offset)
