"""J48's pruning of a grown tree: collapse, estimated errors, subtree raising.

J48 is Weka's C4.5 (J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993, chapter
4; I. H. Witten, E. Frank, "Data Mining", section 6.1). The splits come from
scikit-learn: two branches by the gain of information, where J48 takes the gain ratio
and gives each value of a nominal feature a branch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.intp]
    Mask = npt.NDArray[np.bool_]
    Rows = npt.NDArray[np.float32]

SLACK: Final = 0.1
"""Estimated errors that a simpler tree may have more: Weka's, measured by nobody."""


@dataclass(eq=False)
class Node:
    """A node of a tree: how many of its records are main content, and not.

    The records whose feature is at most the threshold go to the first of the *sons*,
    the others to the second; a leaf has none.
    """

    main: int
    other: int
    feature: int = 0
    threshold: float = 0.0
    sons: tuple[Node, Node] | None = None

    @property
    def errors(self) -> int:
        """Its records of the smaller class."""
        return min(self.main, self.other)


def read_tree(tree: Any, number: int = 0) -> Node:
    """The tree of scikit-learn, fitted to two classes, from the node *number* down."""
    share, records = tree.value[number, 0], int(tree.n_node_samples[number])
    main = round(float(share[1] / share.sum()) * records)
    node = Node(main, records - main)
    below, above = int(tree.children_left[number]), int(tree.children_right[number])
    if below >= 0:
        node.feature = int(tree.feature[number])
        node.threshold = float(tree.threshold[number])
        node.sons = read_tree(tree, below), read_tree(tree, above)
    return node


def collapse(node: Node) -> int:
    """Make leaves of the nodes whose sons have no fewer errors; returns the errors.

    J48 does so whatever the confidence is.
    """
    if node.sons is None:
        return node.errors
    errors = sum(collapse(son) for son in node.sons)
    if errors >= node.errors:
        node.sons = None
    return errors


@dataclass(frozen=True, eq=False)
class Pruner:
    """Prunes trees of the records *rows*, with the class *main* of each."""

    rows: Rows
    main: Mask
    confidence: float

    def prune(self, node: Node, records: Ints) -> float:
        """Prune a tree, bottom up; returns the estimate of its errors.

        A node becomes a leaf, or its larger son, if that has hardly more errors.
        """
        leaf = estimated_errors(node.main + node.other, node.errors, self.confidence)
        if node.sons is None:
            return leaf
        parts = self._split(node, records)
        tree = sum(map(self.prune, node.sons, parts))
        # Of equal branches Weka takes the last.
        largest = node.sons[len(parts[1]) >= len(parts[0])]
        branch = self._errors_of(largest, records)
        if leaf <= min(tree, branch) + SLACK:
            node.sons = None
            return leaf
        if branch <= tree + SLACK:
            node.feature, node.threshold = largest.feature, largest.threshold
            node.sons = largest.sons
            self._count(node, records)
            return self.prune(node, records)
        return tree

    def _split(self, node: Node, records: Ints) -> tuple[Ints, Ints]:
        first = self.rows[records, node.feature] <= node.threshold
        return records[first], records[~first]

    def _errors_of(self, node: Node, records: Ints) -> float:
        """The estimated errors of a subtree on other records than its own."""
        if node.sons is None:
            main = int(self.main[records].sum())
            errors = min(main, len(records) - main)
            return estimated_errors(len(records), errors, self.confidence)
        return sum(map(self._errors_of, node.sons, self._split(node, records)))

    def _count(self, node: Node, records: Ints) -> None:
        """Count the classes of the records in all nodes of a raised subtree."""
        node.main = int(self.main[records].sum())
        node.other = len(records) - node.main
        if node.sons is not None:
            for son, part in zip(node.sons, self._split(node, records), strict=True):
                self._count(son, part)


def prune(root: Node, rows: Rows, main: Mask, confidence: float) -> None:
    """Collapse and prune the tree that was grown on the records *rows*."""
    collapse(root)
    Pruner(np.asfortranarray(rows), main, confidence).prune(root, np.arange(len(main)))


@cache
def estimated_errors(records: int, errors: int, confidence: float) -> float:
    """The upper limit of the errors of a leaf, at this confidence.

    >>> round(estimated_errors(6, 0, 0.25), 3), round(estimated_errors(9, 0, 0.25), 3)
    (1.238, 1.285)
    >>> estimated_errors(6, 2, 0.7)
    2.0
    """
    if confidence > 0.5 or not records:
        return float(errors)
    if errors == 0:
        return float(records * (1 - confidence ** (1 / records)))
    if errors + 0.5 >= records:
        return float(records)
    z = NormalDist().inv_cdf(1 - confidence)
    share = (errors + 0.5) / records
    deviation = math.sqrt(
        share / records - share * share / records + z * z / (4 * records * records)
    )
    limit = share + z * z / (2 * records) + z * deviation
    return limit / (1 + z * z / records) * records
