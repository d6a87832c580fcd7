from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms import text_block_context
from scrapy_mainpage.extraction.algorithms.text_block_context import (
    FEATURES,
    TextBlockContext,
    Tree,
)
from scrapy_mainpage.report.pictures import draw_picture
from tests.extraction.helpers import document_of
from tests.report.helpers import texts

#: Main content is what has more than five words per line.
TREE = Tree(
    feature=np.array([FEATURES.index("word_density"), -1, -1], np.int16),
    threshold=np.array([5, 0, 0], np.float32),
    equals=np.zeros(3, np.uint8),
    left=np.array([1, -1, -1], np.int32),
    value=np.array([0, 0, 1], np.float32),
)


@pytest.fixture(autouse=True)
def tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_block_context, "load_tree", lambda segmentation: TREE)


def test_the_blocks_stand_in_a_row_with_their_features() -> None:
    html = (
        "<ul><li><a href=x>one</a></ul><p>two three four five six seven</p><p>end</p>"
    )
    picture = draw_picture(document_of(html), TextBlockContext())
    (figure,) = picture.figures
    rows = {"word density", "link density", "distance", "parent tag", "main content"}
    assert rows <= set(texts(figure))
    assert picture.notes == ("3 blocks, of which 1 taken for main content.",)


def test_a_long_page_says_how_many_blocks_a_column_is() -> None:
    document = document_of("<p>word</p>" * 50_000)
    picture = draw_picture(document, TextBlockContext())
    assert "about 50 blocks" in picture.notes[1]
    assert len(str(picture.figures[0].svg)) < 300_000


def test_a_page_without_text_has_a_note_alone() -> None:
    picture = draw_picture(document_of("<html></html>"), TextBlockContext())
    assert picture.figures == ()
    assert picture.notes == ("The page has no text blocks.",)
