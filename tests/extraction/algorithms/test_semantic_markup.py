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


LATER = "<article><p>real</p><p>text</p></article>"


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        (f"<nav>Menu</nav>{LATER}<footer>End", ["real", "text"]),
        # Breadth first
        (
            f"<div><div><article>a<p>b</article></div>x</div>{LATER}",
            ["real", "text"],
        ),
        ("<article><p>a</p>b</article>" + LATER, ["a", "b"]),
        (
            "<div><b>By me </b><span><article>Text</article></span></div><p>x</p>",
            ["By me", "Text"],
        ),
        ("<p>Text</p>", []),
        ("", []),
        ("<article><p>a</p><p style='display: none'>b</p></article><p>x</p>", ["a"]),
        # Only visible elements with text are in zones: section 3.1.
        *(
            (f"<div>menu</div>{first}{LATER}", ["real", "text"])
            for first in (
                "<article></article>",
                "<article hidden><p>x</p><p>y</p></article>",
                '<article style="display:none"><p>x</p><p>y</p></article>',
                "<article><img src=a.png></article>",
                "<article><p hidden>x</p></article>",
                "<div hidden><article><p>x</p></article></div>",
            )
        ),
    ],
)
def test_the_first_article_with_text_is_the_main_content(html: str, texts: list[str]):
    assert main_texts(html) == texts


def test_main_is_an_option():
    html = "<main><p>In main</p><article><p>Inside</p><p>it</p></article></main>"
    assert main_texts(html, tag="main") == ["In main", "Inside", "it"]
    assert main_texts(html) == ["Inside", "it"]


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
