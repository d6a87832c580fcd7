"""Boosted trees on labelled text blocks, cross-validated by site and calibrated.

Everything is drawn from one seed.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from tqdm import tqdm

from scrapy_mainpage.extraction.learned.features import SLOTS, settle_odds
from scrapy_mainpage.extraction.learned.learned import Forest

from .training_pages import TrainingPage, sample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy.typing as npt
    from scipy.sparse import csr_matrix

    from scrapy_mainpage.extraction.document.schema import Doubles, Floats, Ints, Mask

    Calibration = tuple[float, float]
    Fit = Callable[[list[TrainingPage]], Forest]

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
"""Weight in the calibration; that of all blocks is 1."""

TOLERANCE: Final = 1e-8


def boost(
    pages: Sequence[TrainingPage],
    rows: Sequence[Floats],
    names: Sequence[str],
) -> Forest:
    """Boosted trees on a sample of the blocks, whose *rows* are given."""
    import lightgbm

    draw = np.random.RandomState(PARAMETERS["seed"])
    drawn, weight = zip(*(sample(page, draw) for page in pages), strict=True)
    total = _drawn(weight, drawn)
    data = lightgbm.Dataset(
        _drawn(rows, drawn),
        _drawn([page.main for page in pages], drawn).astype(np.int8),
        weight=total / max(float(total.mean()), 1e-12),
        feature_name=list(names),
        free_raw_data=False,
    )
    trees: list[dict[str, Any]] = []
    for bag in range(BAGS):
        seed = {"seed": PARAMETERS["seed"] + bag}
        model = lightgbm.train(PARAMETERS | seed, data, ROUNDS)
        dump = model.dump_model()
        trees += [tree["tree_structure"] for tree in dump["tree_info"]]
    nodes, roots = flatten(trees)
    # The mean of the bags is the sum of their trees.
    nodes["value"] /= np.float32(BAGS)
    return Forest(tuple(names), roots=roots, slope=1.0, offset=0.0, **nodes)


def _drawn(values: Sequence[Any], drawn: Sequence[Mask]) -> npt.NDArray[Any]:
    return np.concatenate([own[mask] for own, mask in zip(values, drawn, strict=True)])


def page_rows(forest: Forest, page: TrainingPage) -> Floats:
    """The input of the *forest* for the blocks of *page*."""
    if forest.table is None or page.slots is None:
        return page.rows
    return np.column_stack((page.rows, slot_matrix(page.slots) @ forest.table))


def slot_matrix(slots: tuple[Ints, Ints]) -> csr_matrix:
    """A row per block: its slots, over the root of their number."""
    from scipy.sparse import csr_matrix

    found, first = slots
    number = np.diff(first)
    values = np.repeat((1 / np.sqrt(np.maximum(number, 1))).astype(np.float32), number)
    return csr_matrix((values, found, first), shape=(len(number), SLOTS))


def slots_of_sites(slots_of: Iterable[tuple[str, Iterable[int]]]) -> Ints:
    """The number of sites that have each slot, of pages with their sites."""
    by_site: dict[str, set[int]] = {}
    for site, slots in slots_of:
        by_site.setdefault(site, set()).update(slots)
    count = np.zeros(SLOTS, np.int32)
    for found in by_site.values():
        count[list(found)] += 1
    return count


def flatten(
    trees: list[dict[str, Any]],
) -> tuple[dict[str, Any], Ints]:
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


def round_down(values: Doubles) -> Floats:
    """In single precision, and still at least the same numbers of that precision.

    The thresholds of trees lie between two of them; rounded up, one could become the
    number above.

    >>> round_down(np.array([0.5, 1 + 2**-24, -1 - 2**-24])).tolist()
    [0.5, 1.0, -1.0000001192092896]
    """
    rounded = values.astype(np.float32)
    below = np.nextafter(rounded, np.float32(-np.inf))
    return np.where(rounded > values, below, rounded)


def site_folds(sites: Sequence[str], folds: int, seed: int = 0) -> list[int]:
    """The fold (0 to *folds* - 1) of each page, given the pages' sites.

    All pages of a site are in one fold; sites are dealt out in an order that depends on
    *seed* alone. Raises ``ValueError`` if there are fewer sites than folds.
    """
    distinct = sorted(set(sites))
    if len(distinct) < folds:
        raise ValueError(f"{len(distinct)} sites are too few for {folds} folds")
    random.Random(seed).shuffle(distinct)
    fold_of = {site: k % folds for k, site in enumerate(distinct)}
    return [fold_of[site] for site in sites]


def cross_validate(pages: Sequence[TrainingPage], folds: int, fit: Fit) -> Calibration:
    """Predict every page by trees of *fit* that saw no page of its site.

    Sets each page's ``probability``, calibrated and settled. Returns slope and offset
    of the trees' sum. Raises ``ValueError`` for too few sites.
    """
    fold_of = site_folds([page.site for page in pages], folds)
    sums = {}
    for forest, page in unseen(pages, fold_of, fit):
        sums[id(page)] = forest.log_odds(page_rows(forest, page))
        page.probability = logistic(sums[id(page)])
    slope, offset = calibrate([page for page in pages if not page.is_part])
    for page in pages:
        odds = slope * sums[id(page)] + offset
        page.probability = logistic(settle_odds(page.document, odds))
    return slope, offset


def unseen(
    pages: Sequence[TrainingPage], fold_of: Sequence[int], fit: Fit
) -> Iterator[tuple[Forest, TrainingPage]]:
    """Each page, with the forest of *fit* on the pages of the other folds."""
    for fold in tqdm(sorted(set(fold_of)), desc="training", disable=None):
        pairs = list(zip(pages, fold_of, strict=True))
        forest = fit([page for page, own in pairs if own != fold])
        yield from ((forest, page) for page, own in pairs if own == fold)


def logistic(odds: Doubles) -> Doubles:
    """Probabilities of log odds."""
    return np.asarray(1 / (1 + np.exp(-odds)))


def calibrate(pages: Sequence[TrainingPage]) -> tuple[float, float]:
    """Slope and offset of the log odds that make the probabilities most likely.

    They minimise the weighted log loss (Platt scaling). A weak prior keeps them finite
    where all cases are certain.
    """
    from scipy.optimize import minimize

    odds = _log_odds(np.concatenate([page.probability for page in pages]))
    main = np.concatenate([page.main for page in pages]).astype(np.float64)
    weight = np.concatenate([page.weight for page in pages])
    weight /= max(float(weight.sum()), 1e-12)
    start = np.array([1.0, 0.0])

    def loss(at: Doubles) -> float:
        surprise = np.logaddexp(0, (1 - 2 * main) * (at[0] * odds + at[1]))
        return float(weight @ surprise + PRIOR / 2 * ((at - start) ** 2).sum())

    slope, offset = minimize(loss, start, tol=TOLERANCE).x
    return float(slope), float(offset)


def _log_odds(probability: Doubles) -> Doubles:
    p = np.clip(probability, 1e-7, 1 - 1e-7)
    return np.asarray(np.log(p / (1 - p)))
