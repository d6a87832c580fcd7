"""Labelled pages as the training sees them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from lab.tests.training.kinds import article, page_of
from lab.training.training_pages import (
    SNIPPETS_WEIGHT,
    TrainingPage,
    read_page,
)
from scrapy_mainpage.evaluation.datasets import load_sets
from scrapy_mainpage.extraction.learned.features import (
    FEATURE_NAMES,
)
from tests.evaluation.sets import write_set
from tests.extraction.helpers import document_of
from tests.extraction.learned.features.helpers import compute_features


class TestReading:
    def test_blocks_have_features_labels_and_weights(
        self, pages: list[TrainingPage]
    ) -> None:
        assert len(pages) == 40
        page = pages[0]
        assert (page.set_name, page.type, page.site) == (
            "kinds",
            "article",
            "site0.example",
        )
        document = document_of(article("topic0")[0])
        columns = compute_features(document)
        assert tuple(columns) == FEATURE_NAMES
        for k, name in enumerate(columns):
            assert np.array_equal(page.rows[:, k], columns[name])
        # Home, News; title, two paragraphs; the aside; the footer
        assert page.main.tolist() == [False] * 2 + [True] * 3 + [False] * 2
        assert page.tokens[2] == Counter(["on", "topic0"])
        assert page.gold["topic0"] == 9
        assert page.probability.tolist() == [0] * 7

    @pytest.mark.parametrize("factor", [0.6, 1.0])
    def test_a_block_weighs_as_its_share_of_the_main_words_up_to_a_quarter(
        self, factor: float
    ) -> None:
        sizes = [50, 10, 20, 200, 20]
        page = page_of(
            np.zeros((5, 1), np.float32),
            np.array([True, True, False, False, True]),
            set_weight=factor,
            tokens=[Counter({"word": size}) for size in sizes],
        )
        assert page.weight == pytest.approx(
            np.array([0.25, 0.125, 0.25, 0.25, 0.25]) * factor
        )


def read_one(folder: Path, html: str, **labels: object) -> TrainingPage:
    line = {"id": "a", "url": "https://a.example/", **labels}
    (data_set,) = load_sets(write_set(folder / "set", [line], a=html))
    page = read_page("set", data_set.pages[0])
    assert page is not None
    return page


# Blocks 0 to 5: two hold "Sentence one", one "two"; the menu holds neither.
SNIPPETS = (
    "<p>Sentence one is here.<p>Here, too: Sentence  <b>one</b>.<p>Only two<p>Menu"
    "<p>Menu of the day and of the night<p>Something that no one knows"
)


class TestSnippets:
    def test_blocks_that_hold_them_are_known_and_no_others(
        self, tmp_path: Path
    ) -> None:
        labels = {"with": ["Sentence one", "two"], "without": [" Menu\n of"]}
        page = read_one(tmp_path, SNIPPETS, **labels)
        assert page.known is not None
        assert page.known.tolist() == [True, True, True, False, True, False]
        assert page.main.tolist() == [True, True, True, False, False, False]
        # A third for each snippet, shared equally by the blocks that hold it.
        assert page.weight == pytest.approx(
            np.array([1 / 6, 1 / 6, 0.25, 0, 0.25, 0]) * SNIPPETS_WEIGHT
        )
        found = [(main, at.tolist()) for main, at in page.snippets]
        assert found == [(True, [0, 1]), (True, [2]), (False, [4])]

    def test_a_snippet_over_several_blocks_is_its_longer_parts(
        self, tmp_path: Path
    ) -> None:
        long = "Something that no one knows"
        snippet = f"Menu {long} Menu of the day and of the night"
        page = read_one(tmp_path, SNIPPETS, **{"with": [snippet]})
        # "Menu" alone is too short to match a block.
        assert np.flatnonzero(page.main).tolist() == [4, 5]


class TestLabelsByElement:
    HTML = (
        "<nav><p>Owls sleep in barns by day</nav><main><h1>Owls</h1>"
        "<p>Owls sleep in barns by day<table><tr><td>1<td>2</table>"
        "<aside>Owls sleep in barns by day</aside></main>"
    )

    def test_a_block_is_main_content_if_its_element_is(self, tmp_path: Path) -> None:
        text = "Owls sleep in barns by day"
        labels = {"text": text, "content": "//main", "drop": "//aside"}
        page = read_one(tmp_path, self.HTML, **labels)
        assert page.exact
        assert page.main.tolist() == [False, True, True, True, True, False]
