"""The figures of text-block-context and semantic-markup."""

from __future__ import annotations

import numpy as np
import pytest

from lab.papers.figures import draw_figures
from lab.papers.figures.text_blocks import describe_path
from lab.tests.papers.drawings import shapes, texts, titles
from scrapy_mainpage.extraction.algorithms import text_block_context
from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import PARENT_TAGS
from scrapy_mainpage.extraction.algorithms.semantic_markup import SemanticMarkup
from scrapy_mainpage.extraction.algorithms.text_block_context import (
    FEATURES,
    TextBlockContext,
    Tree,
)
from tests.extraction.boxes import rendered
from tests.extraction.helpers import document_of

TREE = Tree(
    feature=np.array([FEATURES.index("word_density"), -1, -1], np.int16),
    threshold=np.array([5, 0, 0], np.float32),
    equals=np.zeros(3, np.uint8),
    left=np.array([1, -1, -1], np.int32),
    value=np.array([0, 0, 1], np.float32),
)


class TestTextBlockContext:
    @pytest.fixture(autouse=True)
    def tree(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(text_block_context, "load_tree", lambda segmentation: TREE)

    def test_the_blocks_stand_in_a_row_with_their_features(self) -> None:
        words = "two three four five six seven"
        html = f"<ul><li><a href=x>one</a></ul><p>{words}</p><p>end</p>"
        drawing = draw_figures(document_of(html), TextBlockContext())
        figure, tags = drawing.figures
        rows = {
            "word density",
            "link density",
            "distance",
            "parent tag",
            "main content",
        }
        assert rows <= set(texts(figure))
        assert drawing.notes == (
            "3 blocks, of which 1 taken for main content.",
            "“two three four five six seven”: main content, as words per line > 5.",
            "“one”: left out, as words per line ≤ 5.",
        )
        # Figure 2: html and body are no tags of table 1; ul, li and a are.
        assert {"ul", "li", "a", "p", "table", "other tags"} <= set(texts(tags))
        assert len(shapes(tags, "path")) == 5
        assert len(shapes(tags, "rect")) == 1

    def test_a_long_page_says_how_many_blocks_a_column_is(self) -> None:
        document = document_of("<p>word</p>" * 50_000)
        drawing = draw_figures(document, TextBlockContext())
        assert "about 50 blocks" in drawing.notes[1]
        assert len(str(drawing.figures[0].svg)) < 300_000


def test_the_way_down_a_tree_names_features_blocks_and_tags() -> None:
    """Is the tag of the next block p? Else: at most 0.5 links two blocks before?"""
    names = ["tag_+1", "link_density_-2"]
    tree = Tree(
        feature=np.array([*map(FEATURES.index, names), -1, -1, -1], np.int16),
        threshold=np.array([PARENT_TAGS.index("p") + 1, 0.5, 0, 0, 0], np.float32),
        equals=np.array([1, 0, 0, 0, 0], np.uint8),
        left=np.array([2, 3, -1, -1, -1], np.int32),
        value=np.zeros(5, np.float32),
    )
    row = np.zeros(len(FEATURES), np.float32)
    row[FEATURES.index("tag_+1")] = PARENT_TAGS.index("p") + 1
    assert describe_path(tree, row) == ["parent tag p (next block)"]
    # The node behind the left one, 3, is the other leaf.
    leaf = Tree(*(array[2:3] for array in vars(tree).values()))
    assert describe_path(leaf, row) == ["the tree has no question"]


class TestSemanticMarkup:
    PAGE = (
        "<nav>Menu</nav><div><p>By</p><article id=a>One two</article></div>"
        "<article>x</article>"
    )

    def test_the_elements_are_listed_in_their_order(self) -> None:
        (figure,) = draw_figures(document_of(self.PAGE), SemanticMarkup()).figures
        assert texts(figure)[:2] == ["1. article, 1 word", "2. article#a, 2 words"]

    def test_with_a_layout_they_are_outlined(self) -> None:
        document, layout = rendered(self.PAGE)
        drawing = draw_figures(document, SemanticMarkup(), layout)
        assert {"article", "article#a"} <= set(titles(drawing.figures[1]))
        assert "zone: article" in texts(drawing.figures[1])

    def test_a_page_without_the_tag_says_so(self) -> None:
        drawing = draw_figures(document_of(self.PAGE), SemanticMarkup(tag="main"))
        assert drawing.figures == ()
        assert drawing.notes == (
            "No visible element has the tag main: no main content.",
        )
