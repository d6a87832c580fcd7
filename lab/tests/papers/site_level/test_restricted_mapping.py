"""RTDM-TD on sites whose least mappings were found by hand."""

from __future__ import annotations

import pytest

from lab.papers.site_level import restricted_mapping
from lab.papers.site_level.restricted_mapping import (
    Mapping,
    RestrictedTopDownMapping,
)
from lab.papers.site_level.site import PageTree
from lab.tests.papers.site_level.sites import texts_taken
from tests.extraction.helpers import document_of


def cost_of(one: str, two: str) -> int:
    kinds: dict[object, int] = {}
    first, second = (
        Mapping(PageTree(document_of(f"<body>{body}</body>")), kinds)  # type: ignore[arg-type]
        for body in (one, two)
    )
    return first.map_nodes(second, 0, 0)[0]


@pytest.mark.parametrize(
    ("one", "two", "cost"),
    [
        ("<p>a</p>", "<p>a</p>", 0),
        ("<p>a</p>", "<p>b</p>", 2),  # a text goes, a text comes
        ("<p>a</p>", "<div>a</div>", 4),  # whole subtrees
        ("<p>a</p><i>b</i>", "<i>b</i>", 2),
        ("<p>a</p><i>b</i>", "<i>b</i><p>a</p>", 4),  # no crossing
    ],
)
def test_the_cost_of_a_mapping(one: str, two: str, cost: int) -> None:
    assert cost_of(one, two) == cost
    assert cost_of(two, one) == cost


def test_what_the_sample_shares_is_the_template() -> None:
    menu, foot = "<p>Menu</p>", "<i>Foot</i>"
    bodies = [f"{menu}<p>A</p>{foot}", f"{menu}<p>B</p><p>C</p>{foot}"]
    assert texts_taken(RestrictedTopDownMapping(), *bodies) == [["A"], ["B", "C"]]


def test_the_mapping_of_least_cost_is_taken_not_the_first() -> None:
    # First div: 2 go, 1 + 4 come; second div: 2 + 1 come.
    one = "<div><b>x</b><i>y</i></div>"
    two = "<div><u>q</u></div><div><b>x</b><i>y</i><u>z</u></div>"
    assert texts_taken(RestrictedTopDownMapping(), one, two) == [[], ["q", "z"]]


def test_nodes_do_not_cross() -> None:
    # Either of them is mapped, not both.
    taken = texts_taken(
        RestrictedTopDownMapping(), "<b>x</b><i>y</i>", "<i>y</i><b>x</b>"
    )
    assert [len(texts) for texts in taken] == [1, 1]


def test_pages_behind_the_sample_lose_the_template_too() -> None:
    system = RestrictedTopDownMapping(pages=2)
    bodies = ["<p>M</p><i>1</i>", "<p>M</p><i>2</i>", "<p>M</p><i>3</i>", "<u>4</u>"]
    assert texts_taken(system, *bodies) == [["1"], ["2"], ["3"], ["4"]]


def test_one_page_of_another_kind_in_the_sample_leaves_no_template() -> None:
    bodies = ["<p>M</p>", "<p>M</p>", "<u>4</u>"]
    assert texts_taken(RestrictedTopDownMapping(), *bodies) == [["M"], ["M"], ["4"]]


@pytest.mark.parametrize("limit", ["MAX_PAIRS", "MAX_DEPTH"])
def test_beyond_a_limit_only_equal_ends_are_mapped(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restricted_mapping, limit, 1)
    bodies = ["<p>M</p><b>x</b><u>1</u><i>F</i>", "<p>M</p><u>2</u><b>x</b><i>F</i>"]
    assert texts_taken(RestrictedTopDownMapping(), *bodies) == [
        ["x", "1"],
        ["2", "x"],
    ]
