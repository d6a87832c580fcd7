"""Bugs found by fuzzing, each with its smallest input."""

from __future__ import annotations

import pytest

import scrapy_mainpage
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.document.schema import Context
from scrapy_mainpage.extraction.parsing.tree import parse_html
from tests.extraction.output.helpers import content_of
from tests.extraction.twin import plain, twin_of


@pytest.mark.parametrize("page", ["<p role>a", "<p role=''>a", "<p role class id>a"])
def test_a_role_without_a_value_is_none(page: str) -> None:
    # A slice of the value was made from a null pointer.
    root = parse_html(page)
    document = read_tree(root)
    assert plain(document) == twin_of(root)
    assert not document.elements.flags[-1] & (Context.MAIN | Context.NAVIGATION)


def test_text_outside_of_all_containers_is_a_paragraph() -> None:
    # A pointer to the container was made before the check that it exists.
    assert content_of("a &#0; > b").html() == "<p>a \ufffd &gt; b</p>"


@pytest.mark.parametrize("page", ["<footer itemtype=''>a", "<p itemtype id class>a"])
def test_names_of_a_page_may_all_be_empty(page: str) -> None:
    # An empty slice was made from missing values.
    assert [block.text for block in scrapy_mainpage.extract(page).blocks] == ["a"]


def test_a_list_in_nothing_has_no_prefix() -> None:
    # Zero bytes were copied from and to memory that was not allocated yet.
    assert content_of("<p>a<hr><p>b").markdown() == "a\n\n---\n\nb"


@pytest.mark.parametrize("text", ["", "<p>Modified yesterday."])
def test_the_time_of_an_image_outside_of_all_texts(text: str) -> None:
    # An element outside of all blocks was assigned to the last one, if any.
    page = scrapy_mainpage.extract(f"<time datetime='2020-01-02'><img></time>{text}")
    assert page.metadata.date_published == "2020-01-02"
    assert page.metadata.date_modified is None


def test_code_that_is_an_image_alone() -> None:
    # A pointer was moved to the end of code that has no text.
    assert content_of("a<pre><img src=b>").markdown() == (
        "a\n\n![](https://example.com/blog/b)"
    )


@pytest.mark.parametrize("page", ["<d><p><button>e</p><pre>a", "e<g><pre/><button>i"])
def test_what_the_text_leaves_out_is_no_main_content(page: str) -> None:
    # A button beside code, or the numbers of its lines, were main blocks all the same.
    found = scrapy_mainpage.extract(page)
    assert found.text.split() == [b.text for b in found.blocks if b.is_main]
    assert len(found.blocks) == len(found.text.split()) + 1
    assert found.words == len(found.text.split())
