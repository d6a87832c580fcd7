"""J48's pruning, against a second one that was written from its description."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from lab.training.j48 import Node, prune, read_tree

Record = tuple[tuple[float, ...], bool]
Shape = tuple[object, ...]


def add_errors(n: float, e: float, confidence: float) -> float:
    """``weka.core.Stats.addErrs``: what a leaf of *n* records may err more than *e*."""
    if confidence > 0.5:
        return 0
    if e < 1:
        base = n * (1 - confidence ** (1 / n))
        return base if e == 0 else base + e * (add_errors(n, 1, confidence) - base)
    if e + 0.5 >= n:
        return max(n - e, 0)
    z = NormalDist().inv_cdf(1 - confidence)
    f = (e + 0.5) / n
    root = math.sqrt(f / n - f * f / n + z * z / (4 * n * n))
    return (f + z * z / (2 * n) + z * root) / (1 + z * z / n) * n - e


@dataclass
class Described:
    """A node with its records (Quinlan 1993, chapter 4; Witten and Frank, 6.1)."""

    records: list[Record]
    feature: int = -1
    threshold: float = 0
    branches: tuple[Described, ...] = ()

    def split(self, records: list[Record]) -> list[list[Record]]:
        first = [r for r in records if r[0][self.feature] <= self.threshold]
        return [first, [r for r in records if r[0][self.feature] > self.threshold]]

    def take(self, records: list[Record]) -> None:
        self.records = records
        for branch, part in zip(self.branches, self.split(records), strict=False):
            branch.take(part)

    def training_errors(self) -> int:
        if self.branches:
            return sum(branch.training_errors() for branch in self.branches)
        return wrong(self.records)

    def collapse(self) -> None:
        if self.branches and self.training_errors() >= wrong(self.records) - 1e-3:
            self.branches = ()
        for branch in self.branches:
            branch.collapse()

    def estimate(self, records: list[Record], confidence: float) -> float:
        if not self.branches:
            return estimate_leaf(records, confidence)
        parts = zip(self.branches, self.split(records), strict=True)
        return sum(branch.estimate(part, confidence) for branch, part in parts)

    def prune(self, confidence: float) -> None:
        if not self.branches:
            return
        for branch in self.branches:
            branch.prune(confidence)
        sizes = [len(branch.records) for branch in self.branches]
        largest = self.branches[0 if sizes[0] > sizes[1] else 1]
        as_branch = largest.estimate(self.records, confidence)
        as_leaf = estimate_leaf(self.records, confidence)
        as_tree = self.estimate(self.records, confidence)
        if as_leaf <= as_tree + 0.1 and as_leaf <= as_branch + 0.1:
            self.branches = ()
        elif as_branch <= as_tree + 0.1:
            self.feature, self.threshold = largest.feature, largest.threshold
            self.branches = largest.branches
            self.take(self.records)
            self.prune(confidence)

    def shape(self) -> Shape:
        main = sum(is_main for _, is_main in self.records)
        counts = (main, len(self.records) - main)
        if not self.branches:
            return counts
        return (self.feature, self.threshold, *(b.shape() for b in self.branches))


def wrong(records: list[Record]) -> int:
    main = sum(is_main for _, is_main in records)
    return min(main, len(records) - main)


def estimate_leaf(records: list[Record], confidence: float) -> float:
    if not records:
        return 0
    return wrong(records) + add_errors(len(records), wrong(records), confidence)


def describe(node: Node) -> Described:
    if node.sons is None:
        return Described([])
    first, second = map(describe, node.sons)
    return Described([], node.feature, node.threshold, (first, second))


def shape(node: Node) -> Shape:
    if node.sons is None:
        return (node.main, node.other)
    return (node.feature, node.threshold, *map(shape, node.sons))


def size(shape: Shape) -> int:
    return 1 + sum(size(part) for part in shape if isinstance(part, tuple))


@pytest.mark.parametrize("confidence", [0.25, 0.5, 0.7])
def test_fifty_trees_are_pruned_as_described(confidence: float) -> None:
    """Of 60 to 200 records, with ties, noise and leaves of two records."""
    before = after = 0
    for seed in range(50):
        random = np.random.default_rng(seed)
        rows = random.integers(0, 12, (random.integers(60, 200), 4)).astype(np.float32)
        main = (rows[:, 0] > 5) ^ (rows[:, 1] == 3) ^ (random.random(len(rows)) < 0.15)
        grown = DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=2, random_state=seed
        ).fit(rows, main)
        root = read_tree(grown.tree_)
        described = describe(root)
        described.take(
            [(tuple(r), m) for r, m in zip(rows.tolist(), main, strict=True)]
        )
        assert shape(root) == described.shape()
        before += size(shape(root))
        described.collapse()
        described.prune(confidence)
        prune(root, rows, main, confidence)
        assert shape(root) == described.shape()
        after += size(shape(root))
    assert after < before
