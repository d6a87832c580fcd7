"""Text block context: features and trees by hand (Kim et al. 2013, section 3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms import get_algorithm
from scrapy_mainpage.extraction.algorithms import text_block_context as module
from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import (
    OTHER_TAG,
    PARENT_TAGS,
    SEGMENTATIONS,
    cut,
)
from scrapy_mainpage.extraction.algorithms.text_block_context import (
    FEATURES,
    TAG_FEATURES,
    TextBlockContext,
    Tree,
    features,
)
from tests.extraction.helpers import document_of, texts_of

P, LI, A = (PARENT_TAGS.index(tag) + 1 for tag in ("p", "li", "a"))
STORY = (
    "The owl sat on a branch in the old garden and watched how the night came down "
    "over the roofs of the village, where nobody was awake any more but the baker. "
) * 3


def rows_of(html: str, segmentation: str = "paper") -> np.ndarray:
    return features(cut(document_of(html), segmentation))


def tree_of(*nodes: tuple[int, float, bool, int, float]) -> Tree:
    """A tree of (feature, threshold, equals, left, value) per node."""
    feature, threshold, equals, left, value = zip(*nodes, strict=True)
    return Tree(
        np.array(feature, np.int16),
        np.array(threshold, np.float32),
        np.array(equals, np.uint8),
        np.array(left, np.int32),
        np.array(value, np.float32),
    )


class TestFeatures:
    """Section 3: five features of a block and of two on each side."""

    def test_there_are_25(self):
        assert len(FEATURES) == 25
        assert FEATURES[:5] == (
            "word_density_-2",
            "link_density_-2",
            "tag_-2",
            "before_-2",
            "after_-2",
        )
        assert FEATURES[10:15] == (
            "word_density",
            "link_density",
            "tag",
            "before",
            "after",
        )
        assert FEATURES[-1] == "after_+2"
        assert TAG_FEATURES == (2, 7, 12, 17, 22)

    def test_a_page_of_three_blocks(self):
        # one two three | </p> <ul> <li> <a> | four | </a> </li> <li> | five six
        html = (
            "<p>one two three</p><ul><li><a href=1>four</a></li><li>five six</li></ul>"
        )
        first = [3, 0, P, 0, 4]
        second = [1, 1, A, 4, 3]
        third = [2, 0, LI, 3, 0]
        none = [0, 0, 0, 0, 0]
        assert rows_of(html).tolist() == [
            [*none, *none, *first, *second, *third],
            [*none, *first, *second, *third, *none],
            [*first, *second, *third, *none, *none],
        ]

    def test_distances_are_counted_from_the_last_text_of_a_block(self):
        # one | <a> | two | </a> | three: one block; then </div> <div> | four
        html = "<div>one <a href=1>two</a> three</div><div>four</div>"
        rows = rows_of(html)
        assert rows[:, 12].tolist() == [OTHER_TAG, OTHER_TAG]
        assert rows[:, 13].tolist() == [0, 2]
        assert rows[:, 14].tolist() == [2, 0]

    def test_an_image_between_counts(self):
        html = "<p>one</p><p>two</p><p>three<img src=a></p><p>four</p>"
        assert rows_of(html)[:, 14].tolist() == [2, 2, 3, 0]

    def test_the_tag_outside_of_the_page_is_none_and_no_other_tag(self):
        (row,) = rows_of("<div>x</div>").tolist()
        assert [row[k] for k in TAG_FEATURES] == [0, 0, OTHER_TAG, 0, 0]

    def test_a_page_without_text_has_no_rows(self):
        for segmentation in ("paper", "boilerpipe"):
            assert rows_of("", segmentation).shape == (0, 25)


class TestTrees:
    NO, YES = (0, 0, False, -1, 0.25), (0, 0, False, -1, 0.75)

    @pytest.mark.parametrize(
        ("nodes", "rows", "expected"),
        [
            ([NO], [[1], [2]], [0.25, 0.25]),
            # At most the threshold goes left, or what is equal to it.
            ([(0, 5, False, 1, 0), NO, YES], [[4], [5], [5.5]], [0.25, 0.25, 0.75]),
            ([(1, 3, True, 1, 0), NO, YES], [[9, 2], [9, 3]], [0.75, 0.25]),
            (
                [(0, 10, False, 1, 0), NO, (1, 18, True, 3, 0), YES, NO],
                [[3, 18], [30, 18], [30, 2]],
                [0.25, 0.75, 0.25],
            ),
        ],
    )
    def test_a_row_goes_down_to_a_leaf(
        self, nodes: list[Any], rows: list[list[float]], expected: list[float]
    ):
        found = tree_of(*nodes).predict(np.array(rows, np.float32))
        assert found.tolist() == expected

    def test_no_rows_no_predictions(self):
        tree = tree_of((0, 0, False, -1, 0.25))
        assert tree.predict(np.zeros((0, 25), np.float32)).shape == (0,)


@pytest.fixture
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree in place of the one that is shipped: more than two words are content."""
    tree = tree_of((10, 2, False, 1, 0), (0, 0, False, -1, 0), (0, 0, False, -1, 1))
    monkeypatch.setattr(module, "load_model", lambda path: tree)


@pytest.mark.usefixtures("short_blocks")
class TestScores:
    def scores(self, html: str, **options: str) -> list[float]:
        return TextBlockContext(**options).score(document_of(html)).tolist()

    def test_a_segment_is_a_block(self):
        html = "<p>one two three</p><p>four five</p>"
        assert self.scores(html) == [1, 0]

    def test_several_segments_in_a_block_give_the_mean_of_their_words(self):
        # Six words: one two three | four | five six
        html = "<p>one two three <b>four</b> five six</p>"
        assert self.scores(html, segmentation="paper") == pytest.approx(
            [3 / 6], abs=1e-3
        )
        assert self.scores(html, segmentation="boilerpipe") == [1]

    def test_hidden_blocks_have_none(self):
        assert self.scores("<p>one two three</p><p hidden>four five six</p>") == [1, 0]

    def test_a_page_without_text_has_no_scores(self):
        for segmentation in ("paper", "boilerpipe"):
            assert self.scores("", segmentation=segmentation) == []
            assert self.scores("<p> </p>", segmentation=segmentation) == []


@pytest.mark.parametrize("segmentation", SEGMENTATIONS)
class TestShippedTrees:
    def test_every_node_is_well_formed(self, segmentation: str):
        tree = TextBlockContext(segmentation=segmentation).tree()
        nodes = np.arange(len(tree.left))
        inner = tree.left >= 0
        # Children come after their parents: no prediction can run in a circle.
        assert (tree.left[inner] > nodes[inner]).all()
        assert (tree.left[inner] + 1 < len(nodes)).all()
        assert tree.feature[inner].min() >= 0
        assert tree.feature[inner].max() < len(FEATURES)
        assert ((tree.value[~inner] >= 0) & (tree.value[~inner] <= 1)).all()
        assert np.isin(tree.feature[inner & (tree.equals != 0)], TAG_FEATURES).all()

    def test_a_story_is_main_content_and_a_menu_is_not(self, segmentation: str):
        menu = "".join(f"<li><a href=/{k}>Menu</a></li>" for k in range(12))
        story = f"<p>{STORY}</p>" * 5
        document = document_of(
            f"<body><ul>{menu}</ul><div><h1>Owls</h1>{story}</div><ul>{menu}</ul></body>"
        )
        algorithm = TextBlockContext(segmentation)
        verdict = algorithm.judge(document)
        texts = texts_of(document, verdict.main)
        assert texts.count(STORY.strip()) >= 3  # of 5; no tree is perfect
        assert texts.count("Menu") <= 2  # of 24
        assert ((verdict.scores >= 0) & (verdict.scores <= 1)).all()


def test_the_segmentation_is_an_option():
    assert get_algorithm("text-block-context").segmentation == "paper"
    other = get_algorithm("text-block-context", {"segmentation": "boilerpipe"})
    assert other == replace(TextBlockContext(), segmentation="boilerpipe")
