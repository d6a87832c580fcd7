"""Training of the learned default: boosted trees on labelled text blocks.

The linear model of the markup is fitted first; the trees are trained on its predictions
for sites it has not seen. Everything is drawn from one seed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..evaluation.datasets import site_folds
from ..extraction.learned.features import weight_table
from ..extraction.learned.forest import MARKUP, Forest
from .train_markup import fit_markup, has_markup, slot_sums, unseen_markup
from .training_pages import TrainingPage, sample

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Mask = npt.NDArray[np.bool_]
    Rows = npt.NDArray[np.float32]

ROUNDS: Final = 250
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
    pages: Sequence[TrainingPage], names: Sequence[str], start: Forest | None = None
) -> Forest:
    """Boosted trees on all blocks of *pages*, not calibrated yet.

    *start* is a forest to go on from: its trees and its model of the markup stay, the
    new trees correct its errors.
    """
    import lightgbm

    markup = bool(start) or has_markup(pages)
    names = start.names if start else [*names, MARKUP] if markup else names
    rows, main, weight, before = _training_rows(pages, start)
    data = lightgbm.Dataset(
        rows,
        main,
        weight=weight,
        feature_name=list(names),
        init_score=before,
        free_raw_data=False,
    )
    trees: list[dict[str, Any]] = []
    for bag in range(BAGS):
        seed = {"seed": PARAMETERS["seed"] + bag}
        dump = lightgbm.train(PARAMETERS | seed, data, ROUNDS).dump_model()
        trees += [tree["tree_structure"] for tree in dump["tree_info"]]
    forest = _flatten(trees, tuple(names))
    if start:
        return start.followed_by(forest)
    if markup:
        slots, weights = fit_markup(pages)
        forest = replace(forest, slots=slots, slot_weights=weights)
    return forest


def _training_rows(
    pages: Sequence[TrainingPage], start: Forest | None
) -> tuple[Rows, npt.NDArray[np.int8], Floats, Floats | None]:
    draw = np.random.RandomState(PARAMETERS["seed"])
    markup_sums = None if start or not has_markup(pages) else unseen_markup(pages)
    rows, main, weight, before = [], [], [], []
    for k, page in enumerate(pages):
        drawn, own = sample(page, draw)
        seen = page_rows(start, page) if start else page.rows
        seen = np.column_stack((seen, markup_sums[k])) if markup_sums else seen
        if start:
            before.append(start.log_odds(seen)[drawn])
        rows.append(seen[drawn])
        main.append(page.main[drawn])
        weight.append(own[drawn])
    total = np.concatenate(weight)
    return (
        np.vstack(rows),
        np.concatenate(main).astype(np.int8),
        total / max(float(total.mean()), 1e-12),
        np.concatenate(before) if start else None,
    )


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
) -> tuple[float, float]:
    """Predict every page by trees that saw no page of its site.

    Sets each page's ``probability`` (calibrated) and returns the calibration.
    """
    fold_of = site_folds([page.site for page in pages], folds)
    for fold in range(folds):
        progress(fold)
        train = [p for p, f in zip(pages, fold_of, strict=True) if f != fold]
        forest = fit_forest(train, names, start)
        for page, own in zip(pages, fold_of, strict=True):
            if own == fold:
                page.probability = forest.predict(page_rows(forest, page))
    slope, offset = calibrate(pages)
    for page in pages:
        odds = _log_odds(page.probability)
        page.probability = 1 / (1 + np.exp(-(slope * odds + offset)))
    return slope, offset


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
