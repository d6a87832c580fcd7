"""Bugs found by fuzzing, each with its smallest input, and colliding hashes."""

from __future__ import annotations

import numpy as np
import pytest

import scrapy_mainpage
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.document.schema import Context
from scrapy_mainpage.extraction.learned.features import FEATURE_NAMES, compute
from scrapy_mainpage.extraction.parsing.tree import parse_html
from tests.extraction.output.helpers import content_of
from tests.extraction.soundness import check_document


@pytest.mark.parametrize("page", ["<p role>a", "<p role=''>a", "<p role class id>a"])
def test_a_role_without_a_value_is_none(page: str) -> None:
    # A slice of the value was made from a null pointer.
    document = check_document(parse_html(page))
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


def test_a_link_that_begins_with_a_title_is_not_in_brackets() -> None:
    # The place of the title, which is not in the text, was looked up there.
    found = content_of(f"<h2>b <a href=/c><title>{'a ' * 500}</title>[source]</a></h2>")
    assert found.markdown().startswith("## b")


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


TEXTS = [f"{a}{b}river" for a in "abcdefghijklmnop" for b in "abcdefghijklmnop"]


@pytest.mark.parametrize("times", [1, 2, 5])
def test_equal_texts_are_told_apart_from_others_whatever_the_salt(times: int) -> None:
    html = "".join(f"<p>{text}</p>" for text in TEXTS * times)
    document = read_tree(parse_html(html))
    same = compute(document)[FEATURE_NAMES.index("same_text")]
    assert np.array_equal(same, np.full(len(TEXTS) * times, times))


def test_classes_that_begin_alike_are_told_apart() -> None:
    classes = [f"{'a' * 64}{text}" for text in TEXTS]
    html = "".join(f"<p class='{name}'>river</p>" for name in classes * 3)
    tokens = read_tree(parse_html(html)).tokens
    places = list(zip(tokens.start.tolist(), tokens.end.tolist(), strict=True))
    assert len(set(places)) == len(classes)
    assert places == places[: len(classes)] * 3
