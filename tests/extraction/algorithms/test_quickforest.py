"""Forests of small trees without branches say exactly what walks down the trees say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrapy_mainpage.extraction.learned._forest import QuickForest, rounded, step_of
from scrapy_mainpage.extraction.learned._markup import SLOTS
from scrapy_mainpage.extraction.learned._trees import predict_forest
from scrapy_mainpage.extraction.learned.features import compute_features, feature_names
from scrapy_mainpage.extraction.learned.features._features import compute, markup_sums
from scrapy_mainpage.extraction.learned.forest import MARKUP, SAME_TEXT, Forest
from scrapy_mainpage.extraction.learned.learned import load_forest
from tests.extraction.features.pages import pages
from tests.extraction.helpers import document_of

Nodes = tuple[npt.NDArray[np.generic], ...]

N_FEATURES = 3
# A whole vector has 32.
COUNTS = [0, 1, 31, 32, 33, 63, 64, 65, 100]
# Few thresholds and values, so that some are the same and some values are thresholds.
GRID = [-2.5, -1.0, -0.0, 0.0, 0.5, 1.0, 2.5]

# A leaf is its value; an inner node is its feature, its threshold and its children.
Tree = float | tuple[int, float, "Tree", "Tree"]


def grown(draw: st.DrawFn, leaves: int) -> Tree:
    """A tree of so many *leaves*, of any shape."""
    if leaves == 1:
        # Sums of such depend on their order, unless they are rounded.
        return draw(st.floats(-9, 9, width=32))
    left = draw(st.integers(1, leaves - 1))
    return (
        draw(st.integers(0, N_FEATURES - 1)),
        draw(st.sampled_from(GRID)),
        grown(draw, left),
        grown(draw, leaves - left),
    )


@st.composite
def tree_lists(draw: st.DrawFn) -> list[Tree]:
    sizes = draw(st.lists(st.integers(1, 8), max_size=6))
    return [grown(draw, leaves) for leaves in sizes]


def flat(trees: list[Tree]) -> Nodes:
    """The trees' feature, threshold, left and value, and where each of them begins."""
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
    return (
        feature.astype(np.int16),
        threshold.astype(np.float32),
        left.astype(np.int32),
        rounded(value.astype(np.float32)),
        np.array(roots, np.int32),
    )


def chain(leaves: int, *, to_the_left: bool = False) -> Tree:
    """A tree of one feature, a threshold after the other, each leaf with its number."""
    tree: Tree = float(leaves)
    for k in range(leaves - 1, 0, -1):
        tree = (0, -float(k), tree, float(k)) if to_the_left else (0, k, float(k), tree)
    return tree


PLACE = np.array([4, 0, 2], np.int32)
"""The matrix' row of each feature; there are others that no tree looks at."""


def matrix_of(seed: int, count: int) -> npt.NDArray[np.float32]:
    """Thresholds, and values just above and below them."""
    random = np.random.default_rng(seed)
    matrix = random.choice(np.array(GRID, np.float32), (5, count))
    step = random.integers(-1, 2, matrix.shape)
    towards = np.where(step < 0, -np.inf, np.inf).astype(np.float32)
    return np.where(step == 0, matrix, np.nextafter(matrix, towards))


def assert_exact(nodes: Nodes, matrix: npt.NDArray[np.float32]) -> None:
    forest = QuickForest(*nodes, PLACE)
    found = forest.predict(matrix)
    expected = predict_forest(np.ascontiguousarray(matrix[PLACE].T), *nodes)
    assert found.dtype == np.float64
    assert found.tolist() == expected.tolist()
    forest.wide = False
    assert forest.predict(matrix).tolist() == expected.tolist()


@settings(max_examples=400, deadline=None)
@given(tree_lists(), st.integers(0, 999), st.sampled_from(COUNTS))
def test_sums_are_exactly_those_of_walks(
    trees: list[Tree], seed: int, count: int
) -> None:
    assert_exact(flat(trees), matrix_of(seed, count))


VALUES = st.lists(st.floats(-(2**99), 2**99, width=32))


@given(VALUES)
@example([1.5e-45, 0.0])
@example([np.nextafter(np.float32(2), np.float32(0)).item(), 1e-3])
def test_values_are_rounded_to_whole_steps(values: list[float]) -> None:
    value = np.array(values, np.float32)
    step, found = step_of(value), rounded(value)
    assert np.frexp(step)[0] == 0.5
    assert found.dtype == np.float32
    many = found.astype(np.float64) / step
    assert (many == np.rint(many)).all()
    assert (abs(many) <= 1 << 14).all()
    assert (abs(found - value.astype(np.float64)) <= step / 2).all()
    assert step_of(found) == (step if value.any() else 1)
    assert rounded(found).tolist() == found.tolist()


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 3e38])
def test_values_beyond_reason_are_refused(value: float) -> None:
    nodes = flat([(0, 0.5, 0.25, 0.5)])
    nodes[3][1] = value
    assert np.array_equal(rounded(nodes[3]), nodes[3], equal_nan=True)
    with pytest.raises(ValueError, match=r"^the values of leaves are beyond"):
        QuickForest(*nodes, PLACE)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("row", range(5))
def test_no_column_sees_another_row(row: int, count: int) -> None:
    # What lies behind a row, also behind the last one, says nothing.
    matrix = np.full((5, count), 9, np.float32)
    matrix[row] = np.arange(count)
    place = np.full(3, row, np.int32)
    found = QuickForest(*flat([(0, 5.0, -1.0, 1.0)]), place).predict(matrix)
    assert found.tolist() == [-1.0] * min(count, 6) + [1.0] * (count - 6)


@pytest.mark.parametrize("to_the_left", [False, True])
@pytest.mark.parametrize("leaves", range(1, 9))
def test_chains_of_any_length(leaves: int, to_the_left: bool) -> None:
    matrix = np.zeros((5, 40), np.float32)
    matrix[PLACE[0]] = np.arange(-20, 20) / 2
    assert_exact(flat([chain(leaves, to_the_left=to_the_left)]), matrix)


def stumps(count: int) -> list[Tree]:
    """A tree of two leaves for each threshold, from 1 on."""
    return [(0, k + 1.0, 0.0, 1.0) for k in range(count)]


@pytest.mark.parametrize("count", [1, 254, 255])
def test_a_feature_with_many_thresholds(count: int) -> None:
    matrix = np.zeros((5, 2 * count + 4), np.float32)
    matrix[PLACE[0]] = np.arange(2 * count + 4) / 2
    assert_exact(flat(stumps(count)), matrix)


def test_thresholds_that_repeat_are_one() -> None:
    matrix = np.zeros((5, 600), np.float32)
    matrix[PLACE[0]] = np.arange(600) / 2
    assert_exact(flat(stumps(255) * 3), matrix)


def test_each_feature_has_255_thresholds() -> None:
    trees: list[Tree] = [
        (k % 3, k // 3 + 1.0, 0.0, float(1 << k % 3)) for k in range(765)
    ]
    matrix = np.random.default_rng(1).integers(0, 512, (5, 70)) / np.float32(2)
    assert_exact(flat(trees), matrix.astype(np.float32))


@pytest.mark.parametrize("to_the_left", [False, True])
def test_nine_leaves_are_refused(to_the_left: bool) -> None:
    nodes = flat([0.5, chain(9, to_the_left=to_the_left)])
    with pytest.raises(ValueError, match=r"^a tree has more than 8 leaves$"):
        QuickForest(*nodes, PLACE)


def test_a_whole_tree_of_depth_four_is_refused() -> None:
    tree: Tree = 1.0
    for _ in range(4):
        tree = (0, 0.5, tree, tree)
    with pytest.raises(ValueError, match=r"^a tree has more than 8 leaves$"):
        QuickForest(*flat([tree]), PLACE)


def test_256_thresholds_of_a_feature_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^a feature has more than 255 thresholds$"):
        QuickForest(*flat(stumps(256)), PLACE)


PAGE = (
    "<title>Owls</title><h1 class=head>Owls</h1>"
    + "".join(f"<p class=text>{'word ' * k}</p>" for k in range(1, 40))
    + f"<article class=body><div id=y><p class=text>Owls</p><p>{'word ' * 9}</div>"
    "</article>"
    "<ul><li><a href=x>Home</a><li><a href=y>News</a></ul>"
)


def forest_of(trees: list[Tree]) -> Forest:
    names = ("words", "link_density", "heading")
    return Forest(names, *flat(trees), slope=0.25, offset=-0.5)


@pytest.mark.parametrize(
    "trees",
    [
        [chain(8)],  # small enough to be quick
        [0.5, chain(9)],
        [chain(30)],
        stumps(256),
    ],
    ids=["quick", "nine leaves", "thirty leaves", "256 thresholds"],
)
def test_a_forest_of_any_size_judges_what_its_trees_say(trees: list[Tree]) -> None:
    forest, document = forest_of(trees), document_of(PAGE)
    found = forest.slope * forest.judge(document)[0] + forest.offset
    assert found.tolist() == forest.log_odds(forest.rows(document)).tolist()
    assert len(set(found.tolist())) > 5


def test_the_markup_is_seen_in_its_place() -> None:
    document = document_of(PAGE)
    slots, weights = np.arange(SLOTS, dtype=np.int32), np.ones(SLOTS, np.float32)
    sums = markup_sums(document, weights)
    middle = float(sums.min() + sums.max()) / 2
    forest = replace(
        forest_of([(2, middle, 0.0, 1.0), (0, 4.0, 0.0, 2.0)]),
        names=("words", "heading", MARKUP),
        slots=slots,
        slot_weights=weights,
    )
    words = compute_features(document)["words"]
    total = (sums > middle) * 1.0 + (words > 4) * 2.0
    assert len(set(total.tolist())) == 4
    assert forest.judge(document)[0] == pytest.approx(total)
    found = forest.predict(forest.rows(document))
    assert found == pytest.approx(1 / (1 + np.exp(0.5 - 0.25 * total)))


def test_the_shipped_forest_is_a_quick_one_and_exact() -> None:
    forest, document = load_forest(), document_of(PAGE)
    names = (*feature_names(), MARKUP)
    place = np.array([names.index(name) for name in forest.names], np.int32)
    nodes = (forest.feature, forest.threshold, forest.left, forest.value, forest.roots)
    matrix = compute(document, forest.table)
    found = QuickForest(*nodes, place).predict(matrix)
    assert found.tolist() == predict_forest(forest.rows(document), *nodes).tolist()
    # All but the markup's sum is what every page has.
    assert np.array_equal(matrix[:-1], compute(document))


@settings(max_examples=150, deadline=None)
@given(pages)
def test_part_by_part_features_say_what_the_whole_matrix_does(page: str) -> None:
    forest, document = load_forest(), document_of(page)
    assert forest.quick is not None
    matrix = compute(document, forest.table)
    sums, copied = forest.judge(document)
    assert sums.tolist() == forest.quick.predict(matrix).tolist()
    assert copied.tolist() == (matrix[SAME_TEXT] > 1).astype(int).tolist()
