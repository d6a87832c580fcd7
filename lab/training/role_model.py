"""The model of boilerplate roles: weights of hashed words, trees over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lab.training.boosting import flatten
from scrapy_mainpage.extraction.labels import MAX_ROLES
from scrapy_mainpage.extraction.labels._features import NAMES
from scrapy_mainpage.extraction.labels._words import WORD_SLOTS
from scrapy_mainpage.extraction.labels.labelling import ROLES, RoleModel
from scrapy_mainpage.extraction.labels.phrases import match_phrases

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt
    from scipy.sparse import csr_matrix

    from scrapy_mainpage.extraction.document.document import Document

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.intp]
    Rows = npt.NDArray[np.float32]
    Slots = npt.NDArray[np.int32]
    Table = npt.NDArray[np.int8]


COLUMNS: Final = slice(len(NAMES) - len(ROLES), len(NAMES))
"""The features of words: the last ones, one for each role."""

MIN_BLOCKS: Final = 3
"""Blocks that a slot with a weight is in."""

SCALE: Final = 3.0
"""A block's vector is so long, whatever the number of its words."""

PENALTY: Final = 1.0
ITERATIONS: Final = 40
TOLERANCE: Final = 2e-3

LARGEST: Final = 127
"""Largest of the weights, which are stored in 8 bits."""


def read_slots(document: Document) -> Slots:
    """The slots of the words of each block."""
    return match_phrases(document).slots


def fit_words(slots: Slots, roles: Ints, weights: Floats) -> Table:
    """The weights of all slots, from blocks with their *slots* (rows; -1 for none)."""
    from sklearn.linear_model import LogisticRegression

    matrix = _spread(slots)
    blocks = np.bincount(matrix.indices, minlength=WORD_SLOTS)
    kept = np.flatnonzero(blocks >= MIN_BLOCKS)
    table = np.zeros((WORD_SLOTS, MAX_ROLES), np.int8)
    present = np.unique(roles)
    if not len(kept) or len(present) < 2:
        return table
    model = LogisticRegression(C=PENALTY, max_iter=ITERATIONS, tol=TOLERANCE)
    model.fit(matrix[:, kept], roles, weights / weights.mean())
    # Of two roles, scikit-learn gives the log odds of the second alone.
    own = (
        model.coef_ if len(present) > 2 else np.concatenate((-model.coef_, model.coef_))
    )
    largest = np.abs(own).max()
    table[np.ix_(kept, present)] = np.rint(own.T * (LARGEST / max(largest, 1e-9)))
    return table


def sum_words(table: Table, slots: Slots) -> Rows:
    """The features of words of blocks with the *slots*: as the labels compute them."""
    used = slots >= 0
    sums = np.where(used[:, :, None], table[slots], 0).astype(np.float32).sum(axis=1)
    count = np.maximum(used.sum(axis=1), 1)
    found: Rows = (sums / np.sqrt(count)[:, None]).astype(np.float32)
    return found[:, : len(ROLES)]


def cross_fit(
    slots: Sequence[Slots],
    roles: Sequence[Ints],
    weights: Sequence[Floats],
    folds: Sequence[int],
    is_taught: Sequence[bool],
) -> tuple[list[Rows], Table]:
    """The features of words of each sample, and the weights from all that are taught.

    Those of a sample are by weights from other folds, as pages that a model meets are
    others than those that it has learned from.
    """

    def fit(left_out: int | None) -> Table:
        others = enumerate(fold != left_out for fold in folds)
        chosen = [k for k, is_other in others if is_other and is_taught[k]]
        return fit_words(
            np.concatenate([slots[k] for k in chosen]),
            np.concatenate([roles[k] for k in chosen]),
            np.concatenate([weights[k] for k in chosen]),
        )

    tables = {fold: fit(fold) for fold in set(folds)}
    found = [sum_words(tables[f], own) for own, f in zip(slots, folds, strict=True)]
    return found, fit(None)


@dataclass(frozen=True)
class RoleWeights:
    """What is learned: the weights of words, and the trees that use them."""

    words: Table
    trees: RoleModel

    def predict(self, rows: Rows, slots: Slots) -> Rows:
        """The probabilities of all roles (rows) for each block (columns)."""
        rows[:, COLUMNS] = sum_words(self.words, slots)
        return self.trees.predict(np.ascontiguousarray(rows.T))


def save_words(table: Table, path: Path) -> None:
    """Write the weights as a NumPy archive: which are not 0, as bits, and these."""
    known = np.packbits(table != 0, axis=1)
    np.savez_compressed(path, known=known, weights=table[table != 0])


def _spread(slots: Slots) -> csr_matrix:
    """A row for each block: 1 in the columns of its slots, scaled to one length."""
    from scipy.sparse import csr_matrix

    used = slots >= 0
    count = used.sum(axis=1)
    values = np.repeat(SCALE / np.sqrt(np.maximum(count, 1)), count)
    bounds = np.concatenate(([0], np.cumsum(count)))
    return csr_matrix(
        (values.astype(np.float32), slots[used], bounds), (len(slots), WORD_SLOTS)
    )


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
