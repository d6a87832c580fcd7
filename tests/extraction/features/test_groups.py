"""Blocks at like places, worked out by hand."""

from __future__ import annotations

import pytest

from tests.extraction.features.helpers import features_of, values


def posts(count: int) -> str:
    """Posts whose own class no other has, and which hold a name and two texts."""
    return "".join(
        f"<div class='post my-{'abcdef'[k]}'><p><a href=x>Name</a><div class=body>"
        f"<p>{'word ' * (k + 1)}</div></div>"
        for k in range(count)
    )


def test_what_blocks_at_like_places_hold_together() -> None:
    columns = features_of(f"<main>{posts(3)}</main><p>Footer of three words here")
    # The names; the texts of 1, 2 and 3 words; the last of 5. Words of the page: 14.
    names, texts, last = [0, 2, 4], [1, 3, 5], [6]
    expected = {
        "group2_count": {"names": 3, "texts": 3, "last": 1},
        "group2_word_share": {"names": 3 / 14, "texts": 6 / 14, "last": 5 / 14},
        "group2_mean_words": {"names": 1, "texts": 2, "last": 5},
        "group2_link_density": {"names": 1, "texts": 0, "last": 0},
    }
    for name, numbers in expected.items():
        for other in (name, name.replace("2", "4")):
            found = values(columns, other)
            assert [found[k] for k in names] == [round(numbers["names"], 5)] * 3
            assert [found[k] for k in texts] == [round(numbers["texts"], 5)] * 3
            assert [found[k] for k in last] == [round(numbers["last"], 5)]


@pytest.mark.parametrize(
    ("first", "second", "two", "four"),
    [
        # A class that comes twice is no usual one.
        ("<p class=x>a", "<p class=y>b", 2, 2),
        ("<p class=x>a<p class=x>a<p class=x>a", "<p>b", 3, 3),
        ("<div class=x><p>a</div>" * 3, "<div class=y><p>b</div>", 3, 3),
        # Three levels up
        ("<div class=x><div><i><p>a</i></div></div>" * 3, "<div><div><i><p>b", 4, 3),
        # Four levels up
        ("<div class=x><div><div><i><p>a</i></div></div></div>" * 3,) * 2 + (6, 6),
        ("<div id=x><p>a</div>", "<div id=y><p>b</div>", 2, 2),
        ("<p>a", "<li>b", 1, 1),
        ("<div><p>a</div>", "<section><p>b</section>", 1, 1),
    ],
)
def test_which_places_are_like(first: str, second: str, two: int, four: int) -> None:
    columns = features_of(f"<body>{first}{second}")
    assert values(columns, "group2_count")[0] == two
    assert values(columns, "group4_count")[0] == four


def test_classes_of_numbered_names_are_one() -> None:
    page = "".join(f"<div class='c n{k}'><p>a</div>" for k in range(3)) + "<div><p>b"
    assert values(features_of(page), "group2_count") == [3, 3, 3, 1]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("post", "post", True),
        ("post", "POST", True),
        ("post-12", "post-7", True),
        ("1a2", "a", True),
        ("12", "3", True),
        ("post", "posts", False),
        ("a-b", "b-a", False),
        ("é", "É", False),
        ("12", "", False),
        ("a b", "b a", True),
        ("a b", "a", False),
        # A name that is there twice
        ("a a", "a", False),
    ],
)
def test_letter_case_and_digits_tell_no_classes_apart(
    first: str, second: str, same: bool
) -> None:
    columns = features_of(f"<div class='{first}'>a</div><div class='{second}'>b</div>")
    assert values(columns, "class_path_count") == [1 + same] * 2
    # The same in an id says nothing.
    columns = features_of(f"<div id='{first}'>a</div><div id='{second}'>b</div>")
    assert values(columns, "class_path_count") == [2, 2]


def test_a_page_without_words() -> None:
    columns = features_of("<p>*<p>-")
    assert values(columns, "group2_count") == [2, 2]
    assert values(columns, "group2_word_share") == [0, 0]
    assert values(columns, "group4_link_density") == [0, 0]
