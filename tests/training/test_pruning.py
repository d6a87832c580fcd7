"""C4.5's pruning of a tree, with errors counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from scrapy_mainpage.training.train_text_block_context import prune, upper_errors


@pytest.mark.parametrize(
    ("records", "errors", "expected"),
    [
        # Quinlan's example of section 4.2: U(0, 6), U(0, 9), U(0, 1), U(1, 16).
        (6, 0, 6 * 0.206),
        (9, 0, 9 * 0.143),
        (1, 0, 1 * 0.75),
        (16, 1, 16 * 0.157),
    ],
)
def test_errors_at_a_confidence_of_a_quarter(
    records: int, errors: int, expected: float
) -> None:
    # The normal approximation differs from the exact bound in the second digit.
    tolerance = 0.02 * records if errors else 1e-2
    assert upper_errors(records, errors, 0.25) == pytest.approx(expected, abs=tolerance)


def noisy_tree() -> tuple[DecisionTreeClassifier, np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    rows = random.random((400, 3))
    main = (rows[:, 0] > 0.5) ^ (random.random(400) < 0.1)
    return DecisionTreeClassifier(random_state=0).fit(rows, main), rows, main


def test_above_one_half_nothing_is_pruned() -> None:
    tree = noisy_tree()[0].tree_
    assert prune(tree, 0.7).sum() == tree.n_leaves


def test_the_lower_the_factor_the_smaller_the_tree() -> None:
    tree = noisy_tree()[0].tree_

    def count_leaves(factor: float) -> int:
        is_leaf, open_, leaves = prune(tree, factor), [0], 0
        while open_:
            node = open_.pop()
            leaves += is_leaf[node]
            if not is_leaf[node]:
                open_ += [tree.children_left[node], tree.children_right[node]]
        return int(leaves)

    assert tree.n_leaves > count_leaves(0.5) >= count_leaves(0.25)
    assert count_leaves(0.01) == 2  # the one split that is no noise
