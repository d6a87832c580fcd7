"""The group of blocks with the most prose, worked out by hand."""

from __future__ import annotations

import pytest

from tests.extraction.features.helpers import features_of, values

LONG = "w " * 10
# Paragraphs of 10, 10, 3 and 4 words under an article, of 9 elsewhere.
PAGE = (
    "<div><p>one two</p><p>three</p></div>"  # 0, 1
    "<div><article>"
    f"<p>{LONG}</p>"  # 2
    "<h2>A heading of five words</h2>"  # 3
    "<p>a b c</p>"  # 4: of the group, but too short to mark it
    f"<p>{LONG}</p>"  # 5
    "<p>a b c d</p>"  # 6
    "</article></div>"
    f"<div><p>{'v ' * 9}</p></div>"  # 7
)
WORDS = [2, 1, 10, 5, 3, 10, 4, 9]


def test_the_longer_blocks_of_the_group_with_the_most_prose() -> None:
    columns = features_of(PAGE)
    assert values(columns, "body_is") == [0, 0, 1, 0, 0, 1, 1, 0]
    assert values(columns, "body_count") == [3] * 8
    # Prose is what has more than 8 words: 20 of 44.
    assert values(columns, "body_share") == [round(20 / 44, 5)] * 8


def test_distances_within_and_beyond() -> None:
    columns = features_of(PAGE)
    assert values(columns, "body_since") == [300, 300, 0, 1, 2, 0, 0, 1]
    assert values(columns, "body_until") == [2, 1, 0, 2, 1, 0, 0, 300]
    assert values(columns, "body_beyond") == [-2, -1, 0, 0, 0, 0, 0, 1]


def test_how_much_of_it_came_before() -> None:
    columns = features_of(PAGE)
    before = [0, 0, 0, 10, 10, 10, 20, 24]
    assert values(columns, "body_before") == [round(x / 24, 5) for x in before]


def test_which_container_holds_it() -> None:
    columns = features_of(PAGE)
    # Its own element holds it (0); the article, or the page, one level up; from the
    # menu the page is the second level.
    assert values(columns, "body_up") == [2, 2, 0, 1, 1, 0, 0, 1]
    assert values(columns, "body_in1") == [0, 0, 1, 1, 1, 1, 1, 1]
    assert values(columns, "body_in2") == [1] * 8


def test_shares_of_it_in_containers() -> None:
    html = f"<div><div><p>{LONG}<p>{LONG}</div><div><p>{LONG}</div></div>"
    columns = features_of(html + f"<div><div><p>{LONG}</div></div><h1>a")
    assert values(columns, "body_in1") == [0.5, 0.5, 0.75, 1, 1]
    assert values(columns, "body_in2") == [0.75, 0.75, 1, 1, 1]
    assert values(columns, "body_in4") == [1] * 5


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<p>",
        "<p>a",
        "<p>a b c d e f g h",  # 8 words
        "<p><a href=x>a b c d e f g h i</a>",
    ],
)
def test_a_page_without_prose(text: str) -> None:
    columns = features_of(f"{text}<h1>b c</h1>")
    n = len(columns["words"])
    expected = {
        "is": 0,
        "since": 300,
        "until": 300,
        "beyond": 0,
        "share": 0,
        "count": 0,
        "before": 0,
        "up": 7,
    } | {f"in{level}": 0 for level in (1, 2, 3, 4)}
    found = {name: values(columns, f"body_{name}") for name in expected}
    assert found == {name: [number] * n for name, number in expected.items()}


def test_nine_words_are_prose() -> None:
    assert values(features_of("<p>a b c d e f g h i<h1>b"), "body_is") == [1, 0]


def test_words_in_links_are_no_prose() -> None:
    linked = f"<p><a href=x>{LONG}</a>{LONG}"
    columns = features_of(f"<div>{linked}{linked}</div><h1>{LONG} a b c d e f</h1>")
    # 10 unlinked words in each paragraph are more than the 16 of the heading.
    assert values(columns, "body_is") == [1, 1, 0]
    assert values(columns, "body_share") == [round(20 / 56, 5)] * 3


def test_of_equal_groups_the_first() -> None:
    columns = features_of(f"<h2>{LONG}</h2><p>{LONG}")
    assert values(columns, "body_is") == [1, 0]


def test_far_is_300_blocks() -> None:
    page = f"<h1>{LONG}</h1>{'<p>a' * 400}<h1>{LONG}</h1>"
    columns = features_of(page)
    since, until = values(columns, "body_since"), values(columns, "body_until")
    assert since[298:304] == [298, 299, 300, 300, 300, 300]
    assert until[98:104] == [300, 300, 300, 300, 299, 298]
