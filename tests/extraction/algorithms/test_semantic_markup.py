"""The semantic markup baseline and the line break segmentation under it."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms.semantic_markup import (
    SemanticMarkup,
    find_line_breaks,
)
from tests.extraction.boxes import rendered
from tests.extraction.helpers import document_of, texts_of


def main_texts(html: str, **options: str) -> list[str]:
    document = document_of(html)
    algorithm = SemanticMarkup(**options)
    return texts_of(document, algorithm.select(document, algorithm.score(document)))


def breaking(html: str) -> set[str]:
    document = document_of(html)
    mask, _ = find_line_breaks(document, None)
    return {
        document.attribute(i, "id") or document.tag_name(i)
        for i in np.flatnonzero(mask).tolist()
    } - {"html", "body"}


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div id=d><p>one</p></div>", set()),
        ("<div id=d><p>one</p><p>two</p></div>", {"d"}),
        ("<div id=d><p>one</p><b>two</b></div>", {"d"}),
        ("<div id=d><p>one</p>two</div>", {"d"}),
        ("<div id=d><b>one</b><i>two</i></div>", set()),
        ("<div id=d>one<br>two</div>", {"d"}),
        ("<div id=d><br>two<br></div>", set()),
        ("<div id=d><i>one</i><hr>two</div>", {"d"}),
        ("<div id=d><hr>two</div>", set()),
        ("<div id=d><p>one</p><p>  </p></div>", set()),
        ("<div id=d><p>one</p><p hidden>two</p></div>", set()),
        ("<div id=o><div id=d><p>one</p><p>two</p></div></div>", {"o", "d"}),
        ("<table id=t><tr id=r><td>one</td><td>two</td></tr></table>", set()),
        ("<table id=t><tr><td>one</td></tr><tr><td>two</td></tr></table>", {"t"}),
    ],
)
def test_an_element_breaks_lines(html: str, expected: set[str]):
    assert breaking(html) == expected


def test_the_article_is_the_main_content():
    html = "<nav>Menu</nav><article><h1>Title</h1><p>Text</p></article><footer>End"
    assert main_texts(html) == ["Title", "Text"]


def test_main_is_an_option():
    html = "<main><p>In main</p><article><p>Inside</p><p>it</p></article></main>"
    assert main_texts(html, tag="main") == ["In main", "Inside", "it"]
    assert main_texts(html) == ["Inside", "it"]


def test_the_search_is_breadth_first():
    html = (
        "<div><div><article><p>Deep</p><p>one</p></article></div>x</div>"
        "<article><p>Shallow</p><p>one</p></article>"
    )
    assert main_texts(html) == ["Shallow", "one"]


def test_the_first_of_equally_deep_articles_is_chosen():
    html = "<article><p>a</p><p>b</p></article><article><p>c</p><p>d</p></article>"
    assert main_texts(html) == ["a", "b"]


def test_an_article_inside_a_zone_without_breaks_takes_the_whole_zone():
    html = "<div><span>By me </span><span><article>Text</article></span></div><p>x</p>"
    assert main_texts(html) == ["By me", "Text"]


def test_empty_articles_do_not_count():
    html = "<article></article><div><article><p>a</p><p>b</p></article></div><p>x</p>"
    assert main_texts(html) == ["a", "b"]


def test_without_the_tag_nothing_is_main_content():
    assert main_texts("<p>Text</p>") == []
    assert main_texts("") == []


def test_hidden_parts_are_left_out():
    html = "<article><p>a</p><p style='display: none'>b</p></article><p>x</p>"
    assert main_texts(html) == ["a"]


LATER = "<article><p>real</p><p>text</p></article>"


@pytest.mark.parametrize(
    "first",
    [
        "<article hidden><p>x</p><p>y</p></article>",
        '<article style="display:none"><p>x</p><p>y</p></article>',
        "<article><img src=a.png></article>",
        "<article><p hidden>x</p></article>",
        "<div hidden><article><p>x</p></article></div>",
    ],
)
def test_only_visible_elements_with_text_are_in_zones(first: str):
    """Section 3.1."""
    html = f"<div>menu</div>{first}{LATER}"
    assert main_texts(html) == ["real", "text"]


class TestRendered:
    """Section 4: line break segmentation of the rendered page."""

    def texts(self, html: str, **layout: object) -> list[str]:
        document, boxes = rendered(html, **layout)
        algorithm = SemanticMarkup()
        scores = algorithm.score(document, boxes)
        return texts_of(document, algorithm.select(document, scores))

    def test_elements_hidden_by_a_style_sheet_are_in_no_zone(self):
        html = f"<div>menu</div><article id=a><p>x</p><p>y</p></article>{LATER}"
        assert self.texts(html, display={"a": "none"}) == ["real", "text"]
        assert self.texts(html, invisible="a") == ["x", "y"]
        assert self.texts(html, opacity={"a": 0}) == ["real", "text"]

    def test_a_zone_ends_where_lines_break_on_the_screen(self):
        html = "<p>menu</p><div id=d><span id=s>by</span><article>text</article></div>"
        assert self.texts(html) == ["text"]
        # Both are side by side: one leaf zone.
        display = {"article": "inline-block"}
        assert self.texts(html, display=display) == ["by", "text"]

    def test_hidden_text_inside_of_the_zone_is_left_out(self):
        html = "<p>menu</p><article><p>one</p><p id=h>two</p><p>three</p></article>"
        assert self.texts(html, display={"h": "none"}) == ["one", "three"]
