"""The figure of the default algorithm."""

from __future__ import annotations

import numpy as np
import pytest

from lab.papers.figures.charts import draw_probabilities, find_cut
from lab.papers.figures.drawing import MAIN
from lab.tests.papers.drawings import shapes, texts
from scrapy_mainpage.extraction.learned.learned import Learned
from tests.extraction.helpers import document_of
from tests.mockserver import article


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
