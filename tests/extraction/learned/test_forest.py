"""The sums of a forest on documents: exactly those of plain walks down its trees."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.learned.features import SLOTS, compute, settle_odds
from scrapy_mainpage.extraction.learned.learned import (
    MARKUP,
    Forest,
    load_forest,
)
from tests.extraction.helpers import document_of
from tests.extraction.learned.features.helpers import compute_features, rows_of
from tests.extraction.learned.features.pages import pages

NAMES = ("words", "link_density", "chars")
# Few thresholds, so that some are the same and some are values.
GRID = [0.0, 0.5, 1.0, 2.0, 4.0, 9.0, 40.0]

# A leaf is its value; an inner node is its feature, its threshold and its children.
Tree = float | tuple[int, float, "Tree", "Tree"]


def grow(draw: st.DrawFn, leaves: int) -> Tree:
    """Draw a tree of any shape with *leaves* leaves."""
    if leaves == 1:
        # Unless they are rounded, the sum depends on their order.
        return draw(st.floats(-9, 9, width=32))
    left = draw(st.integers(1, leaves - 1))
    return (
        draw(st.integers(0, len(NAMES) - 1)),
        draw(st.sampled_from(GRID)),
        grow(draw, left),
        grow(draw, leaves - left),
    )


@st.composite
def tree_lists(draw: st.DrawFn) -> list[Tree]:
    sizes = draw(st.lists(st.integers(1, 8), max_size=6))
    return [grow(draw, leaves) for leaves in sizes]


def forest_of(trees: list[Tree]) -> Forest:
    rows: list[list[float]] = []
    roots = []
    for tree in trees:
        roots.append(len(rows))
        rows.append([])
        waiting = [(len(rows) - 1, tree)]
        while waiting:
            at, node = waiting.pop()
            if not isinstance(node, tuple):
                rows[at] = [0, 0, -1, node]
                continue
            rows[at] = [node[0], node[1], len(rows), 0]
            waiting += [(len(rows), node[2]), (len(rows) + 1, node[3])]
            rows += [[], []]
    feature, threshold, left, value = np.array(rows, np.float64).reshape(-1, 4).T
    return Forest(
        NAMES,
        feature.astype(np.int16),
        threshold.astype(np.float32),
        left.astype(np.int32),
        value.astype(np.float32),
        np.array(roots, np.int32),
        slope=0.25,
        offset=-0.5,
    )


def walk(forest: Forest, row: list[float]) -> float:
    total = 0.0
    for root in forest.roots.tolist():
        node = root
        while forest.left[node] >= 0:
            is_above = row[forest.feature[node]] > forest.threshold[node]
            node = int(forest.left[node]) + is_above
        total += float(forest.value[node])
    return total


def chain(leaves: int, *, to_the_left: bool = False) -> Tree:
    """A tree of one feature, a threshold after the other, each leaf with its number."""
    tree: Tree = float(leaves)
    for k in range(leaves - 1, 0, -1):
        tree = (0, k, tree, float(k)) if to_the_left else (0, k, float(k), tree)
    return tree


def stumps(count: int) -> list[Tree]:
    """A tree of two leaves for each threshold, from 1 on."""
    return [(0, k + 1.0, 0.0, 1.0) for k in range(count)]


def page(blocks: int) -> str:
    """Blocks of all sizes; 32 are evaluated together."""
    return "".join(
        f"<p class=text>{'word ' * (k % 41)}w<a href=x>{'x ' * (k % 3)}</a></p>"
        for k in range(blocks)
    )


def assert_exact(forest: Forest, html: str) -> None:
    document = document_of(html)
    rows = rows_of(forest, document)
    odds = np.array([0.25 * walk(forest, row) - 0.5 for row in rows.tolist()])
    assert forest.log_odds(rows).tolist() == odds.tolist()
    settled = settle_odds(document, odds).tolist()
    assert forest.evaluate(document).tolist() == settled
    forest.quick.use_avx2 = False
    assert forest.evaluate(document).tolist() == settled


@given(tree_lists(), st.sampled_from([0, 1, 31, 32, 33, 64, 65]))
def test_sums_are_exactly_those_of_walks(trees: list[Tree], blocks: int) -> None:
    assert_exact(forest_of(trees), page(blocks))


@pytest.mark.parametrize(
    "trees",
    [stumps(255) * 3, [chain(8), chain(8, to_the_left=True)]],
    ids=["255 thresholds", "8 leaves"],
)
def test_forests_as_large_as_can_be(trees: list[Tree]) -> None:
    assert_exact(forest_of(trees), page(300))


@pytest.mark.parametrize(
    ("trees", "message"),
    [
        ([0.5, chain(9)], "a tree has more than 8 leaves"),
        ([chain(30, to_the_left=True)], "a tree has more than 8 leaves"),
        (stumps(256), "a feature has more than 255 thresholds"),
        ([0.5] * (2**15 + 1), "there are more than 32768 trees"),
        ([(0, 0.5, 0.25, 3e38)], "the values of leaves are beyond all reason"),
    ],
    ids=["9 leaves", "30 leaves", "256 thresholds", "32,769 trees", "values"],
)
def test_a_file_of_larger_ones_is_refused(
    trees: list[Tree], message: str, tmp_path: Path
) -> None:
    forest_of(trees).save(tmp_path / "forest.npz")
    file = io.BytesIO((tmp_path / "forest.npz").read_bytes())
    with pytest.raises(ValueError, match=message):
        Forest.load(file)


@given(st.lists(st.floats(-(2**99), 2**99, width=32), min_size=1))
def test_values_are_rounded_to_exact_steps(values: list[float]) -> None:
    found = forest_of(list(values)).value
    largest = float(np.abs(found).max())
    assert found.dtype == np.float32
    # 14 bits beside the largest: sums of 32,768 trees are exact.
    assert np.abs(found - np.array(values, np.float32)).max() <= largest / 2**13
    assert forest_of(found.tolist()).value.tolist() == found.tolist()


def test_the_markup_is_the_last_feature() -> None:
    document = document_of("<article class=body>" + page(40))
    slots, weights = np.arange(SLOTS, dtype=np.int32), np.ones(SLOTS, np.float32)
    sums: npt.NDArray[np.float32] = compute(document, weights)[-1]
    middle = float(sums.min() + sums.max()) / 2
    forest = replace(
        forest_of([(2, middle, 0.0, 1.0), (0, 4.0, 0.0, 2.0)]),
        names=("words", "heading", MARKUP),
        slots=slots,
        slot_weights=weights,
    )
    words = compute_features(document)["words"]
    expected = 0.25 * ((sums > middle) * 1.0 + (words > 4) * 2.0) - 0.5
    assert forest.evaluate(document).tolist() == expected.tolist()


@given(pages)
def test_the_shipped_forest_is_exact(html: str) -> None:
    # Slopes of one: products are not rounded, on any processor.
    forest, document = replace(load_forest(), slope=1.0, offset=0.0), document_of(html)
    matrix = compute(document, forest.table)
    sums = forest.log_odds(rows_of(forest, document))
    assert forest.quick.predict(matrix).tolist() == sums.tolist()
    settled = settle_odds(document, sums).tolist()
    assert forest.evaluate(document).tolist() == pytest.approx(settled)
    # The markup's sum aside, features do not depend on the model.
    assert np.array_equal(matrix[:-1], compute(document))
