"""Segments and their features, counted by hand (Kim et al. 2013, sections 2.2, 3)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms.segmentation._sentences import wrap_words
from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import (
    NO_TAG,
    OTHER_TAG,
    PARENT_TAGS,
    Segments,
    cut,
)
from tests.extraction.helpers import document_of

FORTY = "a" * 39  # with the blank behind it: 40 characters


def segments_of(html: str, segmentation: str = "paper") -> Segments:
    return cut(document_of(html), segmentation)


def texts(html: str, segmentation: str = "paper") -> list[str]:
    """The texts of the segments, without blanks at their ends."""
    document = document_of(html)
    segments, runs = cut(document, segmentation), document.runs
    starts = [*segments.first_run.tolist(), len(runs.kind)]
    joined = []
    for first, end in pairwise(starts):
        parts = (document.text[runs.start[k] : runs.end[k]] for k in range(first, end))
        joined.append(" ".join(b"".join(parts).decode().split()))
    return joined


def tags(html: str, segmentation: str = "paper") -> list[str]:
    named = {NO_TAG: "none", OTHER_TAG: "other"}
    named |= dict(enumerate(PARENT_TAGS, 1))
    return [named[code] for code in segments_of(html, segmentation).tag.tolist()]


def wrapped(*pieces: str, width: int = 80) -> list[tuple[int, int, int]]:
    """Words, lines and words of the last line of each piece."""
    data = [piece.encode() for piece in pieces]
    end = np.cumsum([len(piece) for piece in data]).astype(np.int32)
    start = np.concatenate(([0], end[:-1])).astype(np.int32)
    counts = wrap_words(b"".join(data), start, end, width)
    return list(zip(*(count.tolist() for count in counts), strict=True))


class TestWrappedWords:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("", (0, 0, 0)),
            ("   ", (0, 0, 0)),
            ("one two", (2, 1, 2)),
            ("one - two", (2, 1, 2)),  # a dash is not a word
            ("aaaa bbbbb", (2, 1, 2)),  # exactly ten characters
            ("aaaaa bbbbb", (2, 2, 1)),  # eleven
            ("aaaa bbbb c", (3, 2, 1)),
            ("aaaaaaaaaaaaaaa b", (2, 2, 1)),  # longer than a line
            ("a bbbbbbbbbbbbbbb c", (3, 3, 1)),
            ("éééé ééééé", (2, 1, 2)),  # characters, not bytes
            ("日本語", (3, 1, 3)),
            ("日本語日本語日本語日本", (11, 2, 1)),  # ten in a line, without blanks
            ("ab日本 cd", (4, 1, 4)),
            ("日本語日本語日本 日本", (10, 2, 1)),  # 8, a blank, 1 | 1
        ],
    )
    def test_words_and_lines(self, text: str, expected: tuple[int, int, int]):
        assert wrapped(text, width=10) == [expected]

    def test_each_piece_begins_a_line(self):
        assert wrapped("one two", "three", width=7) == [(2, 1, 2), (1, 1, 1)]


class TestPaperSegmentation:
    """Section 2.2: all tags are separators but ``a``."""

    @pytest.mark.parametrize(
        ("html", "expected"),
        [
            ("<p>one</p><p>two</p>", ["one", "two"]),
            ("<p>one <b>two</b> three</p>", ["one", "two", "three"]),
            ("<p>one <a href=1>two</a> three</p>", ["one two three"]),
            ("<p><a href=1>one</a> <a href=2>two</a></p>", ["one two"]),
            ("<p><a href=1>one</a><a href=2>two</a></p>", ["onetwo"]),
            ("<p>one <a name=x></a>two</p>", ["one two"]),
            ("<p><a href=1>one <b>two</b></a> three</p>", ["one", "two", "three"]),
            ("<p>one <b><a href=1>two</a></b></p>", ["one", "two"]),
            ("<p>one<br>two</p>", ["one", "two"]),
            ("<p>one <img> two</p>", ["one", "two"]),
            ("<p>one <i></i> two</p>", ["one", "two"]),
            ("<p>one <!-- x --> two</p>", ["one two"]),
            ("<p><b>one</b> <i>two</i></p>", ["one", "two"]),  # blanks are not text
            ("<a href=1><p>one</p></a><p>two</p>", ["one", "two"]),
            ("", []),
            ("<p> </p><img>", []),
        ],
    )
    def test_segments(self, html: str, expected: list[str]):
        assert texts(html) == expected


class TestBoilerpipeSegmentation:
    @pytest.mark.parametrize(
        ("html", "expected"),
        [
            ("<p>one</p><p>two</p>", ["one", "two"]),
            ("<p>one <b>two</b><br>three</p>", ["one two three"]),
            ("<div>one<p>two</p>three</div>", ["one", "two", "three"]),
            ("", []),
        ],
    )
    def test_segments(self, html: str, expected: list[str]):
        assert texts(html, "boilerpipe") == expected

    def test_segments_are_the_text_blocks(self):
        html = "<div>one<p><b>two</b> <i>2</i></p> <ul><li>three<br>3</ul></div>"
        segments = segments_of(html, "boilerpipe")
        assert segments.block.tolist() == list(range(document_of(html).n_blocks))


class TestWordDensity:
    """Section 2.2 as its source has it: words per complete line of 80 characters."""

    def density(self, text: str) -> float:
        (density,) = segments_of(f"<p>{text}</p>").word_density.tolist()
        return density

    def test_a_single_line_has_its_words(self):
        assert self.density("one two three") == 3

    def test_of_several_lines_the_complete_ones_count(self):
        # 40 + 40 - 1 = 79 characters are a line of two words.
        assert self.density(f"{FORTY} {FORTY}") == 2
        assert self.density(f"{FORTY} {FORTY} last") == 2
        # Two words of 40 and three of 26 in the complete lines, one in the last.
        three = " ".join(["b" * 26] * 2 + ["b" * 25])
        assert self.density(f"{FORTY} {FORTY} {three} last") == (2 + 3) / 2

    def test_a_line_of_exactly_80_characters_is_one_line(self):
        assert self.density(f"{FORTY}a {FORTY}") == 2  # 80
        assert self.density(f"{FORTY}a {FORTY}a") == 1  # 81: one word a line

    def test_cjk_characters_are_words(self):
        assert self.density("字" * 80) == 80
        assert self.density("字" * 100) == 80
        assert self.density("字" * 230) == 80

    def test_text_over_several_tags_is_one_text(self):
        html = f"<p>{FORTY} <a href=1>{FORTY}</a> last</p>"
        assert segments_of(html).word_density.tolist() == [2]


class TestLinkDensity:
    @pytest.mark.parametrize(
        ("html", "expected"),
        [
            ("<p>one two</p>", 0),
            ("<p><a href=1>one two</a></p>", 1),
            ("<p>one <a href=1>two three</a> four</p>", 0.5),
            ("<p><a name=x>one</a></p>", 0),
            ("<p>—</p>", 0),  # no word at all
        ],
    )
    def test_the_share_of_words_in_links(self, html: str, expected: float):
        assert segments_of(html).link_density.tolist() == [expected]

    def test_words_in_tags_inside_of_a_link_are_linked(self):
        html = "<p>one <a href=1>two <b>three</b></a> four</p>"
        assert segments_of(html, "boilerpipe").link_density.tolist() == [0.5]
        assert segments_of(html).link_density.tolist() == [0.5, 1, 0]


class TestParentTags:
    """Table 1: 22 tags, all others are one."""

    def test_the_22_tags(self):
        expected = (
            "a b blockquote br dd dl dt font h1 h2 h3 h4 h5 h6 img li ol p pre q "
            "table ul"
        )
        assert list(PARENT_TAGS) == expected.split()
        assert (NO_TAG, OTHER_TAG) == (0, 23)

    @pytest.mark.parametrize(
        "tag", "b blockquote dd dl dt font h1 h2 h3 h4 h5 h6 li ol p pre q ul".split()
    )
    def test_a_tag_of_the_table(self, tag: str):
        assert tags(f"<div><{tag}>x</{tag}></div>") == [tag]

    @pytest.mark.parametrize("tag", "div span section td i strong my-tag".split())
    def test_other_tags(self, tag: str):
        assert tags(f"<table><tr><td><{tag}>x</{tag}></table>") == ["other"]

    @pytest.mark.parametrize(
        ("html", "paper", "boilerpipe"),
        [
            ("<li><a href=1>x</a>", ["a"], ["a"]),
            ("<li>x <a href=1>y</a>", ["li"], ["li"]),
            ("<li><a href=1>x</a> y", ["li"], ["li"]),
            ("<li><a href=1>x</a> <a href=2>y</a>", ["li"], ["li"]),
            ("<p><b>x</b> y", ["b", "p"], ["p"]),
            ("<p><b>x <q>y</q></b>", ["b", "q"], ["b"]),
            ("<p><b><q>x</q></b> <b>y</b>", ["q", "b"], ["p"]),
            ("<p><b>x</b>", ["b"], ["b"]),
        ],
    )
    def test_the_nearest_element_around_all_of_the_segment(
        self, html: str, paper: list[str], boilerpipe: list[str]
    ):
        assert tags(html) == paper
        assert tags(html, "boilerpipe") == boilerpipe


class TestPlaces:
    def test_a_line_for_each_tag_and_each_text(self):
        # 0 <html> 1 <body> 2 <p> 3 one 4 <a> 5 two 6 </a> 7 three 8 </p> 9 <p> 10 four
        html = "<html><body><p>one <a href=1>two</a> three</p><p>four</p>"
        segments = segments_of(html)
        place = segments.place - segments.place[0] + 3
        assert place.tolist() == [3, 10]
        assert (segments.end_place - segments.place).tolist() == [4, 0]


@pytest.mark.parametrize("segmentation", ["paper", "boilerpipe"])
def test_deep_markup_is_cut_like_any_other(segmentation: str):
    html = "<p>" + "<i>" * 500 + "x" + "</i>" * 500 + "y</p>"
    assert texts(html, segmentation) == (
        ["x", "y"] if segmentation == "paper" else ["xy"]
    )
    assert tags(html, segmentation)[-1] == "p"


@pytest.mark.parametrize(
    ("words", "density"), [(40, 40), (80, 80), (160, 80), (200, 200 / 3)]
)
def test_a_sentence_of_equation_1_has_80_words(words: int, density: float) -> None:
    segments = cut(document_of(f"<p>{'word ' * words}"), "paper-sentences")
    assert segments.word_density.tolist() == pytest.approx([density])
