"""Pages whose main content was derived by hand from the paper alone.

DANAg, Mohammadzadeh et al. 2011; the sections are those of the paper. A line begins at
each block-level tag; ``code`` pads a line's start tag to a number of characters.
"""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms.danag import Danag, main_lines, smooth
from tests.extraction.helpers import document_of, texts_of


def main_texts(html: str, **options: object) -> list[str]:
    document = document_of(f"<html><body>{html}</body></html>")
    algorithm = Danag(**options)  # type: ignore[arg-type]
    return texts_of(document, algorithm.select(document, algorithm.score(document)))


def text(letter: str, characters: int) -> str:
    """One line of *characters*, a block of its own."""
    return f"<p>{letter * characters}</p>"


def junk(lines: int) -> str:
    """Lines with more code than content, by far."""
    return "<p class=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa>j</p>" * lines


def kinds(html: str, **options: object) -> str:
    """The first letter of each block of the main content."""
    return "".join(found[0] for found in main_texts(html, **options))


class TestSmoothing:
    """Section 3.2, formula 1: a line with its two neighbours, zeros outside."""

    def test_by_hand(self):
        diff = np.array([5, -20, 30, -1, -40, 2])
        assert smooth(diff).tolist() == [-15, 15, 9, -11, -39, -38]

    def test_a_menu_line_next_to_the_paragraph_is_taken_and_no_other(self):
        # The one beside the text is lifted by it: 400 - 2 x 50 is positive.
        html = junk(30) + text("a", 400) + junk(30)
        assert kinds(html) == "jaj"

    def test_a_line_alone_with_little_text_is_outweighed(self):
        # 60 - 7 characters of p, less two neighbours of about 50 each.
        assert kinds(junk(3) + text("a", 60) + junk(3)) == ""


class TestFirstParagraph:
    """Section 3.2: the region with the most characters of content."""

    FAR = 40  # lines, more than the gap of 20

    def test_two_lines_of_500_beat_one_of_900(self):
        two = text("b", 500) * 2
        assert "b" in kinds(text("a", 900) + junk(self.FAR) + two)
        assert "a" not in kinds(text("a", 900) + junk(self.FAR) + two)

    def test_one_of_1100_beats_two_of_500(self):
        html = text("a", 1100) + junk(self.FAR) + text("b", 500) * 2
        assert "b" not in kinds(html)

    def test_code_does_not_count_for_the_first_paragraph(self):
        # The left run has the larger difference, the right one the more content.
        t1 = np.array([100, 0, 0, 0, 120])
        assert main_lines(t1, np.array([90, -1, -1, -1, 5]), gap=0).tolist() == [
            False, False, False, False, True,
        ]  # fmt: skip

    def test_of_equal_regions_the_first(self):
        html = text("a", 500) + junk(self.FAR) + text("b", 500)
        assert "a" in kinds(html)
        assert "b" not in kinds(html)


class TestGap:
    """Section 3.3: paragraphs at most 20 lines apart join, up and down."""

    @pytest.mark.parametrize(("lines", "joined"), [(22, True), (23, False)])
    def test_the_smoothing_takes_a_line_on_each_side(self, lines: int, joined: bool):
        html = text("a", 900) + junk(lines) + text("b", 400)
        assert ("b" in kinds(html)) is joined

    def test_the_joined_paragraph_reaches_on(self):
        """Up and down, from paragraph to paragraph, not from the first alone."""
        steps = junk(15).join(text(letter, 400) for letter in "abc")
        html = steps + junk(15) + text("d", 900) + junk(15) + text("e", 400)
        found = kinds(html)
        assert [letter for letter in found if letter != "j"] == list("abcde")

    def test_the_whole_area_is_passed_on(self):
        """Section 3.4: also the lines between."""
        html = text("a", 900) + junk(10) + text("b", 400)
        assert kinds(html).count("j") == 10
        assert kinds(html, whole_area=False).count("j") == 2


class TestRemoved:
    """Section 3: scripts, styles and comments are removed before the count."""

    @pytest.mark.parametrize(
        "removed",
        [
            f"<script>{'var x = 1; ' * 99}</script>",
            f"<style>{'p { color: red } ' * 99}</style>",
            f"<!-- {'comment ' * 99} -->",
        ],
    )
    def test_they_are_neither_content_nor_code(self, removed: str):
        page = junk(30) + text("a", 400) + "{}" + junk(30)
        assert kinds(page.format(removed)) == kinds(page.format(""))


def test_paragraphs_of_links_are_lost():
    """The paper's own weakness: its Wikipedia row. AdDANAg takes them for content."""
    link = '<a href="https://example.com/a/long/address/of/an/article">word</a> '
    # Two lines of 23 - 7 keep the code of the links away from the text.
    html = f"<p>{link * 12}</p>{text('c', 23) * 2}{text('b', 120)}"
    assert kinds(html) == "cb"
    assert kinds(html, link_code=True) == "wccb"
