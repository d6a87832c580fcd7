"""Pessimistic pruning of a decision tree, as in C4.5.

J. R. Quinlan: "C4.5: Programs for Machine Learning", 1993, section 4.2. Only subtrees
are replaced by leaves; no subtree is raised.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Mask = npt.NDArray[np.bool_]


def prune(tree: Any, confidence_factor: float) -> Mask:
    """Which nodes of scikit-learn's *tree* are leaves after pruning.

    A subtree becomes a leaf if that is expected to make no more errors. A factor above
    one half turns pruning off.
    """
    is_leaf = np.asarray(tree.children_left < 0)
    if confidence_factor > 0.5:
        return is_leaf
    records = tree.n_node_samples.astype(float)
    share = tree.value[:, 0, :] / tree.value[:, 0, :].sum(axis=1, keepdims=True)
    errors = records * share.min(axis=1)
    expected = np.array(
        [
            upper_errors(n, e, confidence_factor)
            for n, e in zip(records, errors, strict=True)
        ]
    )
    # Children come after their parent.
    for node in np.flatnonzero(~is_leaf)[::-1]:
        below = tree.children_left[node], tree.children_right[node]
        kept = expected[below[0]] + expected[below[1]]
        is_leaf[node] = expected[node] <= kept
        expected[node] = min(expected[node], kept)
    return is_leaf


def upper_errors(records: float, errors: float, confidence_factor: float) -> float:
    """The errors to expect of a leaf: the upper bound of its error rate, in records.

    The rate is binomial; from one error on it is taken as normal, with the correction
    for continuity.
    """
    free: float = confidence_factor ** (1 / records)
    none = records * (1 - free)
    if errors < 1:
        one = upper_errors(records, 1, confidence_factor) if errors > 0 else none
        return none + errors * (one - none)
    if errors + 0.5 >= records:
        return records
    z = NormalDist().inv_cdf(1 - confidence_factor)
    rate = (errors + 0.5) / records
    spread = sqrt(rate * (1 - rate) / records + (z / (2 * records)) ** 2)
    bound = (rate + z * z / (2 * records) + z * spread) / (1 + z * z / records)
    return bound * records
