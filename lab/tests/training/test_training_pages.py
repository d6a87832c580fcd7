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
    page_f1,
    read_page,
)
from scrapy_mainpage.evaluation.datasets import load_sets
from scrapy_mainpage.extraction.learned.features import (
    FEATURE_NAMES,
    block_slots,
)
from scrapy_mainpage.extraction.learned.learned import Learned
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

    def test_pages_without_any_label_or_without_any_block_are_left_out(
        self, tmp_path: Path
    ) -> None:
        labels = [
            {"id": "a", "url": "https://a.example/", "with": []},
            {"id": "b", "url": "https://b.example/", "text": "x"},
            {"id": "c", "url": "https://c.example/", "text": ""},
        ]
        html = {"a": "<p>x", "b": "<img>", "c": "<p>x"}
        (data_set,) = load_sets(write_set(tmp_path / "set", labels, **html))
        found = [read_page("set", page) for page in data_set.pages]
        assert [page is None for page in found] == [True, True, False]

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

    def test_what_is_required_is_not_forbidden(self, tmp_path: Path) -> None:
        labels = {"with": ["Menu of the day"], "without": ["Menu"]}
        page = read_one(tmp_path, SNIPPETS, **labels)
        assert page.known is not None
        assert np.flatnonzero(page.main).tolist() == [4]
        assert np.flatnonzero(page.known).tolist() == [3, 4]

    def test_a_snippet_over_several_blocks_is_its_longer_parts(
        self, tmp_path: Path
    ) -> None:
        long = "Something that no one knows"
        snippet = f"Menu {long} Menu of the day and of the night"
        page = read_one(tmp_path, SNIPPETS, **{"with": [snippet]})
        # "Menu" alone is too short to match a block.
        assert np.flatnonzero(page.main).tolist() == [4, 5]


def test_slots_and_copies_are_read(tmp_path: Path) -> None:
    text = "a b c d e f g h i j"
    html = f"<div class='main-post'><p id=x>{text}<p>{text}</div>"
    page, document = read_one(tmp_path, html, text=text), document_of(html)
    assert page.copies.tolist() == [0, 1]
    assert page.slots is not None
    for found, expected in zip(page.slots, block_slots(document), strict=True):
        assert found.tolist() == expected.tolist()


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

    def test_without_one_its_words_decide(self, tmp_path: Path) -> None:
        page = read_one(tmp_path, self.HTML, text="Owls sleep in barns by day")
        assert not page.exact
        assert page.main.sum() == 1

    def test_short_blocks_weigh_half_as_much_as_an_even_share(self) -> None:
        # 100 words in 20 main blocks: a twentieth for each, doubled.
        tokens = [Counter(word=1)] * 19 + [Counter(word=81), Counter(word=4)]
        main = np.arange(21) < 20
        page = page_of(np.zeros((21, 1), np.float32), main, tokens=tokens, exact=True)
        shares = [(0.01 + 0.1) / 2] * 19 + [(0.25 + 0.1) / 2, (0.04 + 0.1) / 2]
        assert page.weight == pytest.approx(np.array(shares) * 1.5)

    def test_an_element_that_the_page_does_not_have_is_an_error(
        self, tmp_path: Path
    ) -> None:
        with pytest.raises(ValueError, match="no element of the page is //article"):
            read_one(tmp_path, self.HTML, text="Owls", content="//article")


class TestScore:
    def test_the_words_of_the_best_set_against_the_gold(self) -> None:
        page = page_of(
            np.zeros((3, 1), np.float32),
            np.array([True, True, False]),
            tokens=[Counter("ab"), Counter("ac"), Counter("xy")],
            gold=Counter("abad"),
            probability=np.array([0.9, 0.8, 0.1]),
        )
        f1, expected = page_f1(page)
        assert f1 == pytest.approx(2 * 3 / (4 + 4))  # a, b, a of a, b, a, c
        scores = page.probability.astype(np.float32)
        best = Learned().judge_scores(page.document, scores)
        assert best.main.tolist() == [True, True, False]
        assert expected == best.confidence
