"""Training of the learned default: boosted trees on labelled text blocks.

Pages count alike: a block weighs as its share of the page's main words, up to a
quarter. Short blocks outnumber all others and weigh little; a sample of them, weighted
up, stands for all. Everything is drawn from one seed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..extraction.algorithms.learned import Forest, best_set
from ..extraction.features import compute_features
from ..extraction.features.blocks import weights
from .datasets import read_document
from .folds import site_folds
from .gold import gold_mask
from .rounding import rounded_down
from .tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from .datasets import LabelledPage

    Floats = npt.NDArray[np.float64]
    Mask = npt.NDArray[np.bool_]
    Rows = npt.NDArray[np.float32]

ROUNDS: Final = 250
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
SET_WEIGHTS: Final = {"multilingual-news": 0.6, "wcxb-dev": 1.0}
OTHER_SET_WEIGHT: Final = 1.5
"""Small sets count more, lest the large ones' conventions become everybody's."""

LARGEST_SHARE: Final = 0.25
EMPTY_WEIGHT: Final = 0.2
"""Of a page without any main content, against one with some."""

PRIOR: Final = 1e-4
"""Of the calibration, against the weight of all blocks, which is 1."""

TOLERANCE: Final = 1e-8

SURE_QUANTILE: Final = 0.8
LEAST_CHANCE: Final = 0.12
"""Blocks lighter than the quantile of their page are drawn, at least by this."""


@dataclass(eq=False)
class TrainingPage:
    """A labelled page as the trees see it; ``words`` are the blocks' weights."""

    set_name: str
    type: str
    site: str
    rows: Rows
    main: Mask
    words: Floats
    tokens: list[Counter[str]]
    gold: Counter[str]
    probability: Floats

    @property
    def weight(self) -> Floats:
        """How much each block counts in training."""
        size = np.array([sum(count.values()) for count in self.tokens], np.float64)
        total, factor = float(size[self.main].sum()), 1.0
        if total < 1:
            total, factor = float(size.sum()) + 1, EMPTY_WEIGHT
        factor *= SET_WEIGHTS.get(self.set_name, OTHER_SET_WEIGHT)
        return np.minimum(size / total, LARGEST_SHARE) * factor


def read_page(set_name: str, page: LabelledPage) -> TrainingPage | None:
    """Features and labels of *page*; ``None`` without a gold text or any block."""
    if page.text is None:
        return None
    document = read_document(page.html())
    if not document.n_blocks:
        return None
    columns = compute_features(document)
    tokens = [tokenize(document.block_text(i)) for i in range(document.n_blocks)]
    gold = tokenize(page.text)
    return TrainingPage(
        set_name=set_name,
        type=page.type,
        site=page.site,
        rows=np.stack(list(columns.values()), axis=1),
        main=gold_mask(tokens, gold),
        words=weights(document),
        tokens=[Counter(words) for words in tokens],
        gold=Counter(gold),
        probability=np.zeros(document.n_blocks),
    )


def fit_forest(pages: Sequence[TrainingPage], names: Sequence[str]) -> Forest:
    """Boosted trees on all blocks of *pages*, not calibrated yet."""
    import lightgbm

    rows, main, weight = _sample(pages)
    data = lightgbm.Dataset(rows, main, weight=weight, feature_name=list(names))
    booster = lightgbm.train(PARAMETERS, data, ROUNDS)
    return _flatten(booster.dump_model(), tuple(names))


def _sample(
    pages: Sequence[TrainingPage],
) -> tuple[Rows, npt.NDArray[np.int8], Floats]:
    draw = np.random.RandomState(PARAMETERS["seed"])
    rows, main, weight = [], [], []
    for page in pages:
        own = page.weight
        sure = max(float(np.quantile(own, SURE_QUANTILE)), 1e-12)
        chance = np.clip(own / sure, LEAST_CHANCE, 1)
        drawn = draw.rand(len(own)) < chance
        rows.append(page.rows[drawn])
        main.append(page.main[drawn])
        weight.append((own / chance)[drawn])
    total = np.concatenate(weight)
    return (
        np.vstack(rows),
        np.concatenate(main).astype(np.int8),
        total / max(float(total.mean()), 1e-12),
    )


def _flatten(model: dict[str, Any], names: tuple[str, ...]) -> Forest:
    """LightGBM's trees as arrays in which the second child follows the first."""
    nodes: list[tuple[int, float, int, float]] = []
    roots = []
    for tree in model["tree_info"]:
        start = len(nodes)
        roots.append(start)
        queue = [tree["tree_structure"]]
        for node in queue:  # grows while it is read: breadth first
            if "left_child" in node:
                first = start + len(queue)
                nodes.append((node["split_feature"], node["threshold"], first, 0.0))
                queue += [node["left_child"], node["right_child"]]
            else:
                nodes.append((0, 0.0, -1, node["leaf_value"]))
    feature, threshold, left, value = zip(*nodes, strict=True)
    return Forest(
        names,
        np.array(feature, np.int16),
        rounded_down(np.array(threshold)),
        np.array(left, np.int32),
        np.array(value, np.float32),
        np.array(roots, np.int32),
        slope=1.0,
        offset=0.0,
    )


def cross_validate(
    pages: Sequence[TrainingPage],
    names: Sequence[str],
    folds: int,
    progress: Callable[[int], object] = lambda fold: None,
) -> tuple[float, float]:
    """Predict every page by trees that saw no page of its site.

    Sets each page's ``probability`` (calibrated) and returns the calibration.
    """
    fold_of = site_folds([page.site for page in pages], folds)
    for fold in range(folds):
        progress(fold)
        train = [p for p, f in zip(pages, fold_of, strict=True) if f != fold]
        forest = fit_forest(train, names)
        for page, own in zip(pages, fold_of, strict=True):
            if own == fold:
                page.probability = forest.predict(page.rows)
    slope, offset = calibrate(pages)
    for page in pages:
        odds = _log_odds(page.probability)
        page.probability = 1 / (1 + np.exp(-(slope * odds + offset)))
    return slope, offset


def calibrate(pages: Sequence[TrainingPage]) -> tuple[float, float]:
    """Slope and offset of the log odds that make the probabilities most likely.

    By Newton's method on the weighted log loss (Platt scaling), in steps that lower it.
    A weak prior for what they are keeps them finite where all cases are sure.
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


def page_f1(page: TrainingPage, least_words: float) -> tuple[float, float]:
    """The word F1 of the page by its ``probability``, and the F1 expected."""
    chosen, expected = best_set(page.probability, page.words)
    if float((page.probability * page.words).sum()) < least_words:
        chosen[:] = False
    found: Counter[str] = Counter()
    for i in np.flatnonzero(chosen):
        found.update(page.tokens[i])
    both = sum((found & page.gold).values())
    total = sum(found.values()) + sum(page.gold.values())
    return (2 * both / total if total else 1.0), expected
