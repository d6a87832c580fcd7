"""Each measure on examples that were worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.evaluation.metrics import (
    Score,
    Snippets,
    count_snippets,
    main_elements,
    score_blocks,
    score_nodes,
    score_subsequence,
    score_text_nodes,
    score_words,
    tokenize,
)
from tests.extraction.helpers import document_of


def mask(*values: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array(values, bool)


class TestScore:
    def test_f1_is_the_harmonic_mean(self) -> None:
        assert Score(0.5, 1.0).f1 == pytest.approx(2 / 3)

    def test_f_of_a_half_punishes_what_is_too_much(self) -> None:
        # (1 + 1/4) * 0.5 * 1 / (1/4 * 0.5 + 1) = 0.625 / 1.125
        assert Score(0.5, 1.0).f(0.5) == pytest.approx(5 / 9)
        # (1 + 1/4) * 1 * 0.5 / (1/4 * 1 + 0.5) = 0.625 / 0.75
        assert Score(1.0, 0.5).f(0.5) == pytest.approx(5 / 6)


class TestSubsequence:
    def test_order_counts(self) -> None:
        # a b c d e against e a b x d: the longest is a b d.
        assert score_subsequence("a b c d e".split(), "e a b x d".split()) == (0.6, 0.6)


@pytest.mark.parametrize("measure", [score_words, score_subsequence])
class TestEmpty:
    def test_nothing_where_nothing_is_to_be_found_is_perfect(self, measure) -> None:  # type: ignore[no-untyped-def]
        assert measure([], []) == (1.0, 1.0)

    def test_one_empty_is_zero(self, measure) -> None:  # type: ignore[no-untyped-def]
        assert measure([], ["a"]) == (0.0, 0.0)
        assert measure(["a"], []) == (0.0, 0.0)


class TestBlocks:
    def test_of_three_found_two_are_right_of_four(self) -> None:
        predicted, gold = mask(1, 1, 1, 0, 0, 0), mask(1, 1, 0, 1, 1, 0)
        score = score_blocks(predicted, gold)
        assert score == (2 / 3, 1 / 2)
        assert score.f1 == pytest.approx(4 / 7)

    def test_with_words_as_weights_a_long_block_counts_for_more(self) -> None:
        predicted, gold = mask(1, 1, 0), mask(1, 0, 1)
        score = score_blocks(predicted, gold, np.array([90, 10, 30]))
        assert score == (90 / 100, 90 / 120)


class TestTextNodes:
    # Text nodes: "One ", "two", " three" in the first block; "Four"; "Five".
    document = document_of("<p>One <b>two</b> three</p><p>Four</p><p>Five</p>")

    def test_each_node_counts_as_one(self) -> None:
        score = score_text_nodes(self.document, mask(1, 1, 0), mask(1, 0, 1))
        assert score == (3 / 4, 3 / 4)

    def test_blanks_between_blocks_are_no_nodes(self) -> None:
        spaced = document_of("<p>One</p>\n  \n<p>Two</p>")
        assert score_text_nodes(spaced, mask(1, 1), mask(1, 0)) == (0.5, 1.0)


class TestNodes:
    # 0 html 1 body 2 div 3 h1 4 p 5 b 6 img 7 div 8 p 9 img
    document = document_of(
        "<body><div><h1>T</h1><p>x <b>y</b></p><img></div>"
        "<div><p>z</p><img></div></body>"
    )

    def test_an_element_is_main_if_all_its_blocks_are(self) -> None:
        inside = main_elements(self.document, mask(1, 1, 0))
        assert np.flatnonzero(inside).tolist() == [2, 3, 4, 5, 6]

    def test_an_image_beside_main_and_other_blocks_is_not(self) -> None:
        inside = main_elements(self.document, mask(0, 1, 0))
        assert np.flatnonzero(inside).tolist() == [4, 5]

    def test_elements_are_compared(self) -> None:
        # Found: p and b. Right: the first div with h1, p, b and img.
        score = score_nodes(self.document, mask(0, 1, 0), mask(1, 1, 0))
        assert score == (1.0, 2 / 5)


class TestSnippets:
    def test_found_and_absent_are_counted(self) -> None:
        text = "The owl sleeps.\n\nIt wakes at night. Home"
        counts = count_snippets(
            text, ["owl sleeps", "It wakes", "mice"], ["Home", "Menu"]
        )
        assert counts == Snippets(found=2, required=3, absent=1, forbidden=2)

    def test_blanks_and_line_ends_say_nothing(self) -> None:
        assert count_snippets("a\n\n b", ["a  b"], ["b\na"]) == (1, 1, 1, 1)

    def test_a_forbidden_snippet_that_is_found_is_a_false_positive(self) -> None:
        # Positives: 6 right and 2 wrong, of 8 required.
        score = Snippets(found=6, required=8, absent=3, forbidden=5).score
        assert score == (6 / 8, 6 / 8)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("… — !", []),
        ("it's 3.5 under_score", ["it", "s", "3", "5", "under_score"]),
        ("Ünïcode ΣΊΣΥΦΟΣ Ёлка", ["ünïcode", "σίσυφος", "ёлка"]),
        ("2012年1月GDP增长", ["2012", "年", "1", "月", "gdp", "增", "长"]),
        ("ひらカタ 한국 𠀀a𠀁", ["ひ", "ら", "カ", "タ", "한", "국", "𠀀", "a", "𠀁"]),
        ("「你好」，世界。", ["你", "好", "世", "界"]),
    ],
)
def test_words_of_texts_in_any_script(text: str, words: list[str]) -> None:
    assert tokenize(text) == words
