"""Each measure of the papers on examples that were worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lab.papers.measure import (
    common_length,
    f_measure,
    main_elements,
    score_blocks,
    score_nodes,
    score_subsequence,
    score_text_nodes,
)
from scrapy_mainpage.evaluation.scores import Score
from tests.extraction.helpers import document_of


def mask(*values: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array(values, bool)


def test_f_of_a_half_punishes_what_is_too_much() -> None:
    # (1 + 1/4) * 0.5 * 1 / (1/4 * 0.5 + 1) = 0.625 / 1.125
    assert f_measure(Score(0.5, 1.0), 0.5) == pytest.approx(5 / 9)
    # (1 + 1/4) * 1 * 0.5 / (1/4 * 1 + 0.5) = 0.625 / 0.75
    assert f_measure(Score(1.0, 0.5), 0.5) == pytest.approx(5 / 6)


class TestSubsequence:
    def test_order_counts(self) -> None:
        # a b c d e against e a b x d: the longest is a b d.
        assert score_subsequence("a b c d e".split(), "e a b x d".split()) == (0.6, 0.6)

    def test_nothing_where_nothing_is_to_be_found_is_perfect(self) -> None:
        assert score_subsequence([], []) == (1.0, 1.0)

    def test_one_empty_is_zero(self) -> None:
        assert score_subsequence([], ["a"]) == (0.0, 0.0)
        assert score_subsequence(["a"], []) == (0.0, 0.0)


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


def test_beyond_the_most_steps_the_length_is_that_of_an_alignment() -> None:
    a, b = "a b c d e".split(), "e a b x d".split()
    assert common_length(a, b) == 3
