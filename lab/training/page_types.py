"""Training of the page types: a linear model of markup, then trees over all."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lab.training.boosting import flatten, site_folds, slots_of_sites
from scrapy_mainpage.extraction.learned.features import SLOTS, page_slots
from scrapy_mainpage.extraction.learned.page_types import (
    PAGE_TYPES,
    PageTypeModel,
    page_row,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    from lab.training.training_pages import TrainingPage

    Ints = npt.NDArray[np.int32]
    Rows = npt.NDArray[np.float32]

ROUNDS: Final = 250
PARAMETERS: Final[dict[str, Any]] = {
    "objective": "multiclass",
    "num_class": len(PAGE_TYPES),
    "num_leaves": 7,
    "learning_rate": 0.04,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "min_data_in_leaf": 15,
    "lambda_l2": 5,
    "deterministic": True,
    "force_col_wise": True,
    "verbose": -1,
    "seed": 1,
}
SET_TYPES: Final = {
    "multilingual-news": "article",
    "world-news": "article",
    "multilingual-article": "article",
    "multilingual-forum": "forum",
}
"""Weight of the pages of sets whose ``type`` is a language, a country or not there."""

SET_WEIGHT: Final = 0.2
"""Share of these pages: they keep other languages from being taken for anything."""

MIN_PAGES: Final = 10
"""Pages of each type; with fewer no types are learned."""

MIN_SITES: Final = 10
INNER_FOLDS: Final = 4
INVERSE_PENALTY: Final = 3.0
"""Regularisation of the markup's weights (C of the logistic regression)."""


def typed(pages: Sequence[TrainingPage]) -> list[TrainingPage]:
    """The pages whose type is known."""
    return [page for page in pages if page_type(page)]


def page_type(page: TrainingPage) -> str:
    """The type of a labelled page; empty if it is not known."""
    if page.type in PAGE_TYPES:
        return page.type
    return SET_TYPES.get(page.set_name, "")


def fit_types(
    pages: Sequence[TrainingPage], names: Sequence[str]
) -> PageTypeModel | None:
    """A model of the types of *pages*, whose probabilities are out of fold.

    *names* are those of the blocks' features. ``None`` if some type has too few pages.
    """
    import lightgbm

    pages = typed(pages)
    labels = np.array([PAGE_TYPES.index(page_type(page)) for page in pages], np.int32)
    if (np.bincount(labels, minlength=len(PAGE_TYPES)) < MIN_PAGES).any():
        return None
    slots = _usual(pages)
    table = _matrix(pages, slots)
    predicted = np.zeros((len(pages), len(PAGE_TYPES)), np.float32)
    fold_of = np.array(site_folds([page.site for page in pages], INNER_FOLDS, seed=2))
    for fold in range(INNER_FOLDS):
        inner = _markup(table[fold_of != fold], labels[fold_of != fold])
        predicted[fold_of == fold] = inner.predict_proba(table[fold_of == fold])
    rows = np.stack(
        [
            page_row(names, page.rows, page.probability, own)
            for page, own in zip(pages, predicted, strict=True)
        ]
    )
    weight = [1.0 if page.type in PAGE_TYPES else SET_WEIGHT for page in pages]
    booster = lightgbm.train(
        PARAMETERS, lightgbm.Dataset(rows, labels, weight=weight), ROUNDS
    )
    dump = booster.dump_model()["tree_info"]
    nodes, roots = flatten([tree["tree_structure"] for tree in dump])
    whole = _markup(table, labels)
    return PageTypeModel(
        **nodes,
        roots=np.ascontiguousarray(roots.reshape(-1, len(PAGE_TYPES)).T),
        slots=slots,
        slot_weights=whole.coef_.T.astype(np.float16).astype(np.float32),
        offsets=whole.intercept_.astype(np.float32),
    )


def predict_type(model: PageTypeModel, names: Sequence[str], page: TrainingPage) -> str:
    """The type that *model* predicts for *page*, given its probabilities."""
    row = page_row(names, page.rows, page.probability, model.markup(_slots(page)))
    return PAGE_TYPES[int(np.argmax(model.predict(row)))]


def cross_validate_types(
    pages: Sequence[TrainingPage], names: Sequence[str], folds: int
) -> Counter[tuple[str, str]] | None:
    """The number of pages by their true and their predicted type.

    Only those whose own label names the type count. ``None`` without a model.
    """
    pages = typed(pages)
    fold_of = site_folds([page.site for page in pages], folds) if pages else []
    found: Counter[tuple[str, str]] = Counter()
    for fold in range(folds):
        train = [p for p, f in zip(pages, fold_of, strict=True) if f != fold]
        model = fit_types(train, names)
        if model is None:
            return None
        found.update(
            (page.type, predict_type(model, names, page))
            for page, own in zip(pages, fold_of, strict=True)
            if own == fold and page.type in PAGE_TYPES
        )
    return found


def type_f1s(found: Counter[tuple[str, str]]) -> dict[str, float]:
    """The F1 of each type that some page has or gets."""
    true, given = Counter[str](), Counter[str]()
    for (own, other), number in found.items():
        true[own] += number
        given[other] += number
    kinds = [kind for kind in PAGE_TYPES if true[kind] + given[kind]]
    return {kind: 2 * found[kind, kind] / (true[kind] + given[kind]) for kind in kinds}


def _slots(page: TrainingPage) -> Ints:
    return np.sort(page_slots(page.document))


def _usual(pages: Sequence[TrainingPage]) -> Ints:
    """The slots that the pages of enough sites have."""
    count = slots_of_sites((page.site, _slots(page).tolist()) for page in pages)
    return np.flatnonzero(count >= MIN_SITES).astype(np.int32)


def _matrix(pages: Sequence[TrainingPage], slots: Ints) -> csr_matrix:
    """A row per page: the *slots* that it has, over the root of their number."""
    from scipy.sparse import csr_matrix

    row_of = np.full(SLOTS, -1, np.int32)
    row_of[slots] = np.arange(len(slots))
    found = [row_of[np.unique(_slots(page))] for page in pages]
    found = [own[own >= 0] for own in found]
    sizes = [len(own) for own in found]
    values = np.repeat([1 / max(size, 1) ** 0.5 for size in sizes], sizes)
    first = np.concatenate(([0], np.cumsum(sizes)))
    shape = (len(pages), len(slots))
    return csr_matrix((values, np.concatenate(found), first), shape=shape)


def _markup(table: csr_matrix, labels: Ints) -> LogisticRegression:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=INVERSE_PENALTY, max_iter=100).fit(table, labels)
