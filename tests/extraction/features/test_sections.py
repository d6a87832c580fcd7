"""Headings above blocks and the page's title in its text, worked out by hand."""

from __future__ import annotations

import pytest

from tests.extraction.features.helpers import features_of, values

PAGE = (
    "<title>Owls of the north</title>"
    "<p>Home <a href=x>News</a>"  # 0
    "<h1>Owls of the north</h1>"  # 1
    "<p>Text"  # 2
    "<h2><a href=x>Read on</a> now</h2>"  # 3
    "<p>More <b>text</b>"  # 4
)


def test_the_heading_above_a_block_is_a_heading_s_own() -> None:
    columns = features_of(PAGE)
    assert values(columns, "section_number") == [0, 1, 1, 2, 2]
    assert values(columns, "heading_above_words") == [-1, 4, 4, 3, 3]
    assert values(columns, "heading_above_links") == [-1, 0, 0, 0.66667, 0.66667]
    assert values(columns, "heading_above_title") == [-1, 1, 1, 0, 0]


def test_the_match_with_the_title_is_the_product_of_both_shares() -> None:
    columns = features_of(
        "<title>One two three four</title>"
        "<h2>one two three four</h2><h2>one</h2><h2>one two five six</h2><h2>seven</h2>"
        "<h2>one one one one one one one one</h2>"
    )
    # All of the title and nothing else; all of a block and a quarter of the title;
    # half of both; nothing; a block can say no more than the title.
    assert values(columns, "heading_above_title") == [1, 0.25, 0.25, 0, 1]


def test_distances_to_the_title_in_the_text() -> None:
    assert values(features_of(PAGE), "from_title") == [-1, 0, 1, 2, 3]


def test_a_heading_is_the_title_before_another_block() -> None:
    page = "<title>Owls and mice</title><p>Owls and mice<h2>On owls and mice here</h2>"
    assert values(features_of(page), "from_title") == [-1, 0]


def test_without_a_heading_a_block_may_say_the_title() -> None:
    page = "<title>Owls and mice</title><p>a<p>Owls and mice<p>b"
    assert values(features_of(page), "from_title") == [-1, 0, 1]


@pytest.mark.parametrize(
    ("title", "named"),
    [
        ("", False),
        ("<title></title>", False),
        ("<title>nothing of it</title>", False),
        # A sixth of the title is too little, a quarter is enough.
        ("<title>one a b c d e</title>", False),
        ("<title>one a b c</title>", True),
    ],
)
def test_a_title_that_is_not_in_the_text(title: str, named: bool) -> None:
    found = values(features_of(f"{title}<p>one<p>two"), "from_title")
    assert found == ([0, 1] if named else [-999, -999])


def test_far_is_300_blocks() -> None:
    page = f"<title>x</title>{'<p>a' * 400}<h1>x</h1>{'<p>a' * 400}"
    found = values(features_of(page), "from_title")
    assert (found[0], found[100], found[101], found[-1]) == (-300, -300, -299, 300)


def test_blocks_inside_of_links() -> None:
    page = (
        "<a href=x><div>a</div></a><p><a href=x>b</a>"
        "<div><a href=x><p>c<p>d</a></div><a><p>e</a>"
    )
    # A link inside of a block is none around it; an anchor without address is no link.
    assert values(features_of(page), "in_link") == [1, 0, 1, 1, 0]


def test_a_page_without_blocks() -> None:
    columns = features_of("<title>x</title>")
    assert values(columns, "from_title") == values(columns, "in_link") == []
