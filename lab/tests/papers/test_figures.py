"""The figures show the results of the algorithms, and their size has a bound."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from lab.papers.figures import FIGURES, write_svg
from scrapy_mainpage.extraction.algorithms import LayoutRequired, get_algorithm
from scrapy_mainpage.extraction.document.layout import Layout
from tests.extraction.helpers import document_of
from tests.layouts import load

LARGE = (
    "<body><nav>"
    + '<a href="x">link</a><br>' * 5000
    + "</nav><main>"
    + "<p>A sentence with some words in it. And one more of them.</p>" * 20_000
    + "</main></body>"
)
#: Lines: html and body, three of navigation, two paragraphs, a footer.
LINES = (
    "<html><body>"
    + "<div class='navigation-item'>ab</div>" * 3
    + f"<p>{'word ' * 40}</p>" * 2
    + "<div class='footer of the page'>ab</div></body></html>"
)
WITH_LAYOUT = [name for name in FIGURES if get_algorithm(name).needs_layout]


def drawn(name: str, html: str, layout: str = "") -> dict[str, str]:
    """Caption and SVG of each figure."""
    document = document_of(html)
    read = Layout.from_json(layout, document) if layout else None
    figures = FIGURES[name](document, get_algorithm(name), read)
    return {caption: write_svg(figure) for caption, figure in figures}


@pytest.mark.parametrize("name", WITH_LAYOUT)
def test_without_a_layout_those_that_need_one_raise(name: str) -> None:
    with pytest.raises(LayoutRequired):
        drawn(name, "<p>words</p>")


@pytest.mark.parametrize("name", sorted(FIGURES.keys() - set(WITH_LAYOUT)))
@pytest.mark.parametrize("html", ["<html></html>", "<p>one</p>", "<img>", LARGE])
def test_pages_of_any_size_have_small_figures(name: str, html: str) -> None:
    for svg in drawn(name, html).values():
        assert ElementTree.fromstring(svg).tag.endswith("svg")
        assert len(svg) < 300_000


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("layout-analysis", "paragraph zone column main content"),
        ("first-impression", "C1 C2 C3 kept"),
        ("danag", "content code main"),
        ("text-block-context", "ul li div main"),
    ],
)
def test_figures_show_the_parts_of_the_algorithm(name: str, shown: str) -> None:
    page = load("furo")[0]
    figures = drawn(name, page.html, page.layout_json)
    assert all(word in "".join(figures.values()) for word in shown.split())


def test_danag_names_the_chosen_lines() -> None:
    # Around the two long lines the neighbours count as content as well.
    assert all("4 lines of 8 are taken" in caption for caption in drawn("danag", LINES))
