"""Training of the learned default: boosted trees on labelled text blocks.

The linear model of the markup is fitted first, then the trees on its predictions for
sites it has not seen, then the trees over the surroundings on theirs, in the same way.
Everything is drawn from one seed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..evaluation.datasets import site_folds
from ..extraction.learned.features import (
    CONTEXT_NAMES,
    compute_context,
    settle_odds,
    weight_table,
)
from ..extraction.learned.forest import MARKUP, Forest
from .train_markup import fit_markup, has_markup, slot_sums, unseen_markup
from .training_pages import TrainingPage, sample

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Mask = npt.NDArray[np.bool_]
    Rows = npt.NDArray[np.float32]
    Calibration = tuple[float, float]

ROUNDS: Final = 250
CONTEXT_ROUNDS: Final = 60
CONTEXT_SET_WEIGHTS: Final = {"documentation": 3.0, "zoo-train": 0.6}
"""Of the second forest. Documentations show best what belongs together; generated pages
are short, their surroundings unlike those of real ones.
"""

BAGS: Final = 2
"""Boosters, each of its own seed, whose mean the forest is."""

PARAMETERS: Final[dict[str, Any]] = {
    "objective": "binary",
    "num_leaves": 7,
    "min_data_in_leaf": 300,
    "learning_rate": 0.15,
    "feature_fraction": 0.15,
    "bagging_fraction": 0.5,
    "bagging_freq": 1,
    "lambda_l2": 20,
    "max_bin": 63,
    "deterministic": True,
    "force_col_wise": True,
    "verbose": -1,
    "seed": 1,
}
PRIOR: Final = 1e-4
"""Of the calibration, against the weight of all blocks, which is 1."""

TOLERANCE: Final = 1e-8


def fit_forest(
    pages: Sequence[TrainingPage],
    names: Sequence[str],
    markup: Sequence[Rows] | None,
    start: Forest | None = None,
) -> Forest:
    """Boosted trees on all blocks of *pages*, not calibrated yet.

    *markup* are the pages' sums of the markup, by models that saw no page of the site.
    *start* is a forest to go on from: its trees and its model of the markup stay, the
    new trees correct its errors.
    """
    if start:
        rows = [page_rows(start, page) for page in pages]
        before = [start.log_odds(seen) for seen in rows]
        return start.followed_by(boost(pages, rows, start.names, before=before))
    if markup is None:
        return boost(pages, [page.rows for page in pages], names)
    rows = [
        np.column_stack((page.rows, own))
        for page, own in zip(pages, markup, strict=True)
    ]
    forest = boost(pages, rows, [*names, MARKUP])
    slots, weights = fit_markup(pages)
    return replace(forest, slots=slots, slot_weights=weights)


def fit_context(pages: Sequence[TrainingPage]) -> Forest:
    """Boosted trees on the surroundings of all blocks, by their pages' ``odds``."""
    rows = [context_rows(page) for page in pages]
    weights = [CONTEXT_SET_WEIGHTS.get(page.set_name, 1.0) for page in pages]
    return boost(pages, rows, CONTEXT_NAMES, CONTEXT_ROUNDS, weights=weights)


def context_rows(page: TrainingPage) -> Rows:
    """A row per block: what its page's ``odds`` say of its surroundings."""
    return compute_context(page.document, page.odds, page.copies).T


def boost(
    pages: Sequence[TrainingPage],
    rows: Sequence[Rows],
    names: Sequence[str],
    rounds: int | None = None,
    *,
    before: Sequence[Floats] | None = None,
    weights: Sequence[float] | None = None,
    factor: float = 1.0,
) -> Forest:
    """Boosted trees on a sample of the blocks, whose *rows* are given.

    *rounds* is :data:`ROUNDS` by default. *before* are the log odds to correct.
    *weights* are the pages' own, beside those of their blocks; by *factor* the pages
    count as so many times their number.
    """
    import lightgbm

    draw = np.random.RandomState(PARAMETERS["seed"])
    drawn, weight = zip(*(sample(page, draw) for page in pages), strict=True)
    if weights:
        weight = tuple(k * own for k, own in zip(weights, weight, strict=True))
    total = _drawn(weight, drawn)
    data = lightgbm.Dataset(
        _drawn(rows, drawn),
        _drawn([page.main for page in pages], drawn).astype(np.int8),
        weight=total * factor / max(float(total.mean()), 1e-12),
        feature_name=list(names),
        init_score=_drawn(before, drawn) if before else None,
        free_raw_data=False,
    )
    leaf = {"min_data_in_leaf": max(round(PARAMETERS["min_data_in_leaf"] / factor), 2)}
    trees: list[dict[str, Any]] = []
    for bag in range(BAGS):
        seed = {"seed": PARAMETERS["seed"] + bag}
        model = lightgbm.train(PARAMETERS | leaf | seed, data, rounds or ROUNDS)
        dump = model.dump_model()
        trees += [tree["tree_structure"] for tree in dump["tree_info"]]
    return _flatten(trees, tuple(names))


def _drawn(values: Sequence[Any], drawn: Sequence[Mask]) -> npt.NDArray[Any]:
    return np.concatenate([own[mask] for own, mask in zip(values, drawn, strict=True)])


def page_rows(forest: Forest, page: TrainingPage) -> Rows:
    """The input of the *forest* for the blocks of *page*."""
    if MARKUP not in forest.names or page.slots is None:
        return page.rows
    table = weight_table(forest.slots, forest.slot_weights)
    return np.column_stack((page.rows, slot_sums(page, table)))


def _flatten(trees: list[dict[str, Any]], names: tuple[str, ...]) -> Forest:
    """The bags' mean: the sum of their trees, with values divided by their number."""
    nodes, roots = flatten(trees)
    nodes["value"] = nodes["value"] / np.float32(BAGS)
    return Forest(names=names, roots=roots, slope=1.0, offset=0.0, **nodes)  # type: ignore[arg-type]


def flatten(
    trees: list[dict[str, Any]],
) -> tuple[dict[str, npt.NDArray[Any]], npt.NDArray[np.int32]]:
    """Nodes by the name of their array, and the roots, of LightGBM's dumped *trees*.

    The second child of a node follows the first.
    """
    nodes: list[tuple[int, float, int, float]] = []
    roots = []
    for tree in trees:
        start = len(nodes)
        roots.append(start)
        queue = [tree]
        for node in queue:  # grows while it is read: breadth first
            if "left_child" in node:
                first = start + len(queue)
                nodes.append((node["split_feature"], node["threshold"], first, 0.0))
                queue += [node["left_child"], node["right_child"]]
            else:
                nodes.append((0, 0.0, -1, node["leaf_value"]))
    feature, threshold, left, value = zip(*nodes, strict=True)
    return {
        "feature": np.array(feature, np.int16),
        "threshold": round_down(np.array(threshold)),
        "left": np.array(left, np.int32),
        "value": np.array(value, np.float32),
    }, np.array(roots, np.int32)


def round_down(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """In single precision, and still at least the same numbers of that precision.

    The thresholds of trees lie between two of them; rounded up, one could become the
    number above.

    >>> round_down(np.array([0.5, 1 + 2**-24, -1 - 2**-24])).tolist()
    [0.5, 1.0, -1.0000001192092896]
    """
    rounded = values.astype(np.float32)
    below = np.nextafter(rounded, np.float32(-np.inf))
    return np.where(rounded > values, below, rounded)


def cross_validate(
    pages: Sequence[TrainingPage],
    names: Sequence[str],
    folds: int,
    progress: Callable[[int], object] = lambda fold: None,
    start: Forest | None = None,
) -> tuple[list[Rows] | None, Calibration, Calibration]:
    """Predict every page by trees that saw no page of its site.

    Sets each page's calibrated ``odds`` and, from the surroundings, ``probability``.
    Returns the sums of the markup, and slope and offset of both models.
    """
    fold_of = site_folds([page.site for page in pages], folds)
    markup = None if start or not has_markup(pages) else unseen_markup(pages, fold_of)
    for fold in range(folds):
        progress(fold)
        inside = [k for k, own in enumerate(fold_of) if own != fold]
        forest = fit_forest(
            [pages[k] for k in inside],
            names,
            [markup[k] for k in inside] if markup else None,
            start,
        )
        for k, page in enumerate(pages):
            if fold_of[k] == fold:
                page.odds = forest.log_odds(page_rows(forest, page))
    first = _calibrate(pages)
    for fold in range(folds):
        progress(fold)
        inside = [k for k, own in enumerate(fold_of) if own != fold]
        context = fit_context([pages[k] for k in inside])
        for k, page in enumerate(pages):
            if fold_of[k] == fold:
                odds = context.log_odds(np.ascontiguousarray(context_rows(page)))
                odds = settle_odds(page.document, odds, page.copies)
                page.probability = _logistic(odds)
    second = calibrate(pages)
    for page in pages:
        page.probability = _logistic(_scaled(_log_odds(page.probability), second))
    return markup, first, second


def _calibrate(pages: Sequence[TrainingPage]) -> Calibration:
    for page in pages:
        page.probability = _logistic(page.odds)
    calibration = calibrate(pages)
    for page in pages:
        page.odds = _scaled(page.odds, calibration)
    return calibration


def _scaled(odds: Floats, calibration: Calibration) -> Floats:
    return calibration[0] * odds + calibration[1]


def _logistic(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-odds)))


def calibrate(pages: Sequence[TrainingPage]) -> tuple[float, float]:
    """Slope and offset of the log odds that make the probabilities most likely.

    By Newton's method on the weighted log loss (Platt scaling), in steps that lower it.
    A weak prior keeps them finite where all cases are certain.
    """
    odds = _log_odds(np.concatenate([page.probability for page in pages]))
    main = np.concatenate([page.main for page in pages]).astype(np.float64)
    weight = np.concatenate([page.weight for page in pages])
    weight /= max(float(weight.sum()), 1e-12)
    design = np.stack([odds, np.ones_like(odds)], axis=1)
    start = best = np.array([1.0, 0.0])

    def loss(at: Floats) -> float:
        surprise = np.logaddexp(0, (1 - 2 * main) * (design @ at))
        return float(weight @ surprise + PRIOR / 2 * ((at - start) ** 2).sum())

    for _ in range(50):
        p = np.exp(-np.logaddexp(0, -design @ best))
        gradient = design.T @ (weight * (main - p)) - PRIOR * (best - start)
        curvature = (design * (weight * p * (1 - p))[:, None]).T @ design
        step = np.linalg.solve(curvature + PRIOR * np.eye(2), gradient)
        while loss(best + step) > loss(best) and np.abs(step).max() > TOLERANCE:
            step /= 2
        best = best + step
        if np.abs(step).max() <= TOLERANCE:
            break
    return float(best[0]), float(best[1])


def _log_odds(probability: Floats) -> Floats:
    p = np.clip(probability, 1e-7, 1 - 1e-7)
    return np.asarray(np.log(p / (1 - p)))
