"""The figure of the default algorithm, and the strips of all."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction.learned.learned import Learned
from scrapy_mainpage.report.charts import draw_probabilities, draw_strips, find_cut
from scrapy_mainpage.report.drawing import MAIN
from tests.extraction.helpers import document_of
from tests.mockserver import article
from tests.report.helpers import shapes, texts


class TestProbabilities:
    def test_the_cut_is_the_lowest_probability_taken_for_itself(self) -> None:
        scores = np.array([0.9, 0.3, 0.5, 0.4], np.float32)
        # The second block is a heading that joins the first.
        assert find_cut(scores, np.array([True, True, True, False])) == 0.5
        assert find_cut(scores, np.zeros(4, bool)) is None
        assert find_cut(scores, np.ones(4, bool)) == pytest.approx(0.3)

    def test_each_block_has_a_bar_in_the_colour_of_its_fate(self) -> None:
        document = document_of(article("trains"))
        selection = Learned().judge(document)
        drawing = draw_probabilities(document, Learned())
        paths = shapes(drawing.figures[0], "path")
        bars = {path.get("fill"): path.get("d", "").count("M") for path in paths}
        assert bars[MAIN] == selection.main.sum()
        assert sum(bars.values()) == document.n_blocks
        said = [text for text in texts(drawing.figures[0]) if text.startswith("cut at")]
        cut = find_cut(selection.scores, selection.main)
        assert said == [f"cut at {cut:.2f}"]
        assert (
            f"{selection.main.sum()} of {document.n_blocks} blocks" in drawing.notes[0]
        )


class TestStrips:
    def test_each_algorithm_has_its_words_beside_its_strip(self) -> None:
        words = np.array([30, 70], np.int32)
        verdicts = [("a", np.array([True, False])), ("b", np.array([True, True]))]
        said = texts(draw_strips(verdicts, words, "b"))
        assert {"30 words, 30%", "100 words, 100%"} <= set(said)
