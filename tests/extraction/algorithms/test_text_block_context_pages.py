"""Blocks whose features were derived by hand from the paper alone.

Kim et al. 2013; the sections are those of the paper.
"""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import (
    PARENT_TAGS,
    Segments,
    cut,
)
from scrapy_mainpage.extraction.algorithms.text_block_context import (
    FEATURES,
    TextBlockContext,
    features,
)
from tests.extraction.helpers import document_of


def segments_of(html: str) -> Segments:
    """The segments by the algorithm's default, the paper's segmentation."""
    segmentation = TextBlockContext().segmentation
    return cut(document_of(html), segmentation)


def feature(html: str, name: str) -> list[float]:
    rows = features(segments_of(html))
    return [round(float(value), 4) for value in rows[:, FEATURES.index(name)]]


def tag_code(name: str) -> int:
    return PARENT_TAGS.index(name) + 1


class TestSegmentation:
    """Sections 2.2 and 4.1: all tags separate but a."""

    def test_figure_1(self):
        """Two blocks around a br, and p is the parent tag of both."""
        html = "<p>NASA astronaut Sunita ...<br>Russian cosmonaut Yuri ...</p>"
        segments = segments_of(html)
        assert len(segments) == 2
        assert segments.tag.tolist() == [tag_code("p")] * 2

    @pytest.mark.parametrize("tag", ["b", "i", "span", "font", "em", "small"])
    def test_inline_tags_separate(self, tag: str):
        assert len(segments_of(f"<p>one <{tag}>two</{tag}> three</p>")) == 3

    def test_links_do_not(self):
        html = '<p>one <a href="/">two</a> three</p><p><a href="/">x</a></p>'
        assert len(segments_of(html)) == 2

    def test_a_link_s_own_tag_is_no_parent_of_the_text_around(self):
        html = '<li>one <a href="/">two</a></li>'
        assert segments_of(html).tag.tolist() == [tag_code("li")]


class TestDensities:
    """Section 2.2, with words per line in place of equation (1)."""

    def test_word_density_is_that_of_boilerpipe(self):
        # Lines of 16 words of four letters: 79 characters.
        for words, density in ((10, 10), (40, 16), (200, 16)):
            assert segments_of(f"<p>{'word ' * words}</p>").word_density[0] == density

    @pytest.mark.parametrize(
        ("html", "density"),
        [
            ('<p>one <a href="/">two</a></p>', 0.5),
            ('<p>one two <a href="/">three</a></p>', 1 / 3),
            ('<p><a href="/">one two</a></p>', 1),
            ("<p>one two</p>", 0),
        ],
    )
    def test_link_density(self, html: str, density: float):
        assert segments_of(html).link_density.tolist() == pytest.approx([density])


class TestContext:
    """Sections 3.1 to 3.3."""

    def test_the_distance_counts_one_line_a_tag(self):
        # </p>, <div>, <ul> and <li> lie between.
        html = "<p>one</p><div><ul><li>two</li></ul></div>"
        assert feature(html, "after") == [4, 0]
        assert feature(html, "before") == [0, 4]

    def test_an_image_between_counts(self):
        html = "<p>one</p><p>two</p><p>three<img src=a></p><p>four</p>"
        assert feature(html, "after") == [2, 2, 3, 0]

    def test_tags_outside_of_table_1_are_one_value(self):
        html = "<div>one</div><span>two</span><section>three</section><p>four</p>"
        tags = segments_of(html).tag.tolist()
        assert len(set(tags[:3])) == 1
        assert tags[3] == tag_code("p") != tags[0]

    def test_two_neighbours_on_each_side(self):
        html = "<p>a</p><p>b b</p><p>c c c</p><p>d d d d</p>"
        assert feature(html, "word_density") == [1, 2, 3, 4]
        assert feature(html, "word_density_-2") == [0, 0, 1, 2]
        assert feature(html, "word_density_-1") == [0, 1, 2, 3]
        assert feature(html, "word_density_+1") == [2, 3, 4, 0]
        assert feature(html, "word_density_+2") == [3, 4, 0, 0]

    def test_25_attributes(self):
        rows = features(segments_of("<p>one</p>"))
        assert rows.shape == (1, 25)
        assert np.count_nonzero(rows) == 2  # the word and the tag
