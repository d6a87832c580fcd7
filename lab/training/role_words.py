"""Weights of hashed words for boilerplate roles: multinomial logistic regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scrapy_mainpage.extraction.labels import MAX_ROLES
from scrapy_mainpage.extraction.labels._features import NAMES
from scrapy_mainpage.extraction.labels._phrases import WORD_SLOTS, word_slots
from scrapy_mainpage.extraction.labels.labelling import ROLES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt
    from scipy.sparse import csr_matrix

    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.labels.labelling import RoleModel

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
    """The slots of the words of each block (see :func:`word_slots`)."""
    return word_slots(document.text, document.blocks.start, document.blocks.end)


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
        chosen = [
            k
            for k, (fold, taught) in enumerate(zip(folds, is_taught, strict=True))
            if taught and fold != left_out
        ]
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
    """Write the weights as a NumPy archive."""
    np.savez_compressed(path, weights=table[:, : len(ROLES)])


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
