"""Boosted trees of several outputs, for the roles of text blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lab.training.boosting import flatten
from scrapy_mainpage.extraction.labels import MAX_ROLES
from scrapy_mainpage.extraction.labels._features import NAMES
from scrapy_mainpage.extraction.labels.labelling import ROLES, RoleModel

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.intp]
    Rows = npt.NDArray[np.float32]

ROUNDS: Final = 380
RATE: Final = 0.15
PRIOR: Final = 5.0
"""Weight of no change in a leaf's numbers, against that of its blocks."""

PARAMETERS: Final[dict[str, Any]] = {
    "objective": "none",
    "num_leaves": 8,
    "feature_fraction": 0.15,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "min_data_in_leaf": 10,
    "min_sum_hessian_in_leaf": 0.2,
    "lambda_l2": PRIOR,
    "max_bin": 31,
    "deterministic": True,
    "force_col_wise": True,
    "num_threads": 1,
    "verbose": -1,
    "seed": 1,
}

RARE_POWER: Final = 0.25
"""Power of a role's share of all weights, which its blocks are divided by."""

MIN_SHARE: Final = 1e-4
"""Share of all weights, for a role without any block."""


def fit_trees(rows: Rows, roles: Ints, weights: Floats) -> RoleModel:
    """Boosted trees on blocks; their leaves have a number for every role.

    A tree splits by a random mix of the roles' gradients; the numbers of its leaves are
    one Newton step of the multinomial loss. After L. Iosipoi and A. Vakhrushev,
    "SketchBoost: fast gradient boosted decision tree for multioutput problems", 2022.
    """
    import lightgbm

    share = np.bincount(roles, weights, len(ROLES)) / weights.sum()
    weights = weights / np.maximum(share, 1e-9)[roles] ** RARE_POWER
    weights = (weights / weights.mean())[:, None]
    truth = np.eye(len(ROLES))[roles]
    start = np.log(np.maximum((truth * weights).mean(axis=0), MIN_SHARE))
    totals = np.tile(start, (len(rows), 1))
    booster = lightgbm.Booster(
        PARAMETERS, lightgbm.Dataset(rows, np.zeros(len(rows)), params=PARAMETERS)
    )
    draw = np.random.RandomState(PARAMETERS["seed"])
    leaves: list[Floats] = []
    for _ in range(ROUNDS):
        powers = np.exp(totals - totals.max(axis=1, keepdims=True))
        given = powers / powers.sum(axis=1, keepdims=True)
        slope, curve = (given - truth) * weights, given * (1 - given) * weights
        mix = draw.standard_normal(len(ROLES))
        mix /= np.linalg.norm(mix)
        gradients = slope @ mix, curve @ mix**2
        booster.update(fobj=lambda *_, given=gradients: given)
        if booster.num_trees() == len(leaves):
            continue  # nothing to split
        leaf = booster.predict(
            rows, start_iteration=len(leaves), num_iteration=1, pred_leaf=True
        )
        is_in = np.eye(PARAMETERS["num_leaves"])[np.ravel(leaf).astype(np.intp)].T
        leaves.append(-RATE * (is_in @ slope) / (is_in @ curve + PRIOR))
        totals += is_in.T @ leaves[-1]
    dump = booster.dump_model()["tree_info"]
    return _pack([tree["tree_structure"] for tree in dump], leaves, start)


def _pack(
    trees: list[dict[str, Any]], leaves: list[Floats], start: Floats
) -> RoleModel:
    """The *trees* as flat arrays, the numbers of their *leaves* as whole steps."""
    nodes, roots = flatten(trees)
    del nodes["value"]
    used, feature = np.unique(nodes.pop("feature"), return_inverse=True)
    # No sum over the trees is more than the largest number of 16 bits.
    largest = sum(np.abs(values).max(axis=0) for values in leaves).max()
    step = np.float32(largest / (np.iinfo(np.int16).max - len(trees)))
    vectors = np.zeros((len(trees), PARAMETERS["num_leaves"], MAX_ROLES), np.int16)
    for own, tree, values in zip(vectors, trees, leaves, strict=True):
        order = _leaf_numbers(tree)
        own[: len(order), : len(ROLES)] = np.rint(values[order] / step)
    return RoleModel(
        tuple(NAMES[k] for k in used.tolist()),
        feature.astype(np.int16),
        roots=roots,
        vectors=vectors,
        step=np.asarray(step),
        start=start.astype(np.float32),
        **nodes,
    )


def _leaf_numbers(node: dict[str, Any]) -> list[int]:
    """LightGBM's numbers of the leaves below *node*, from left to right."""
    if "left_child" not in node:
        return [node.get("leaf_index", 0)]
    return _leaf_numbers(node["left_child"]) + _leaf_numbers(node["right_child"])
