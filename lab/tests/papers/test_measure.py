"""Each measure of the papers on examples that were worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lab.papers.measure import (
    common_length,
    score_blocks,
    score_nodes,
)
from tests.extraction.helpers import document_of


def mask(*values: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array(values, bool)


class TestBlocks:
    def test_of_three_found_two_are_right_of_four(self) -> None:
        predicted, gold = mask(1, 1, 1, 0, 0, 0), mask(1, 1, 0, 1, 1, 0)
        score = score_blocks(predicted, gold)
        assert score == (2 / 3, 1 / 2)
        assert score.f1 == pytest.approx(4 / 7)


class TestNodes:
    # 0 html 1 body 2 div 3 h1 4 p 5 b 6 img 7 div 8 p 9 img
    document = document_of(
        "<body><div><h1>T</h1><p>x <b>y</b></p><img></div>"
        "<div><p>z</p><img></div></body>"
    )

    def test_elements_are_compared(self) -> None:
        # Found: p and b. Right: the first div with h1, p, b and img.
        score = score_nodes(self.document, mask(0, 1, 0), mask(1, 1, 0))
        assert score == (1.0, 2 / 5)


def test_beyond_the_most_steps_the_length_is_that_of_an_alignment() -> None:
    a, b = "a b c d e".split(), "e a b x d".split()
    assert common_length(a, b) == 3
