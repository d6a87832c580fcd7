"""TemEx on sites whose templates were derived by hand from its description."""

from __future__ import annotations

import pytest

from lab.papers.site_level.temex import (
    TemEx,
    find_subdigraph,
    link_graph,
)
from lab.tests.papers.site_level.sites import site_of, texts_taken

MENU = "<ul><li><a href=/1>One</a></li><li><a href=/2>Two</a></li></ul>"


def test_what_two_linked_pages_share_is_their_template() -> None:
    bodies = (f"{MENU}<p>Story {topic}</p><i>Foot</i>" for topic in ("owls", "cats"))
    assert texts_taken(TemEx(), *bodies) == [["Story owls"], ["Story cats"]]


def test_a_node_is_mapped_only_below_mapped_parents() -> None:
    first = f"{MENU}<div class=a><p>Foot</p></div>"
    second = f"{MENU}<div class=b><p>Foot</p></div>"
    assert texts_taken(TemEx(), first, second) == [["Foot"], ["Foot"]]


def test_each_node_is_mapped_once() -> None:
    assert texts_taken(TemEx(), f"{MENU}<p>Ad</p><p>Ad</p>", f"{MENU}<p>Ad</p>") == [
        ["Ad"],
        [],
    ]


def test_the_order_of_classes_does_not_count_and_other_attributes_do_not() -> None:
    first = f"{MENU}<p class='a b' title=x>Ad</p>"
    second = f"{MENU}<p class='b  a' title=y>Ad</p>"
    assert texts_taken(TemEx(), first, second) == [[], []]


def test_the_template_is_what_all_pages_of_the_subdigraph_share() -> None:
    menu = "".join(f"<a href=/{n}>{n}</a>" for n in (1, 2, 3))
    bodies = [f"{menu}<b>Beta</b>", f"{menu}<b>Beta</b>", f"{menu}<b>Gamma</b>"]
    assert texts_taken(TemEx(), *bodies) == [["Beta"], ["Beta"], ["Gamma"]]
    # A subdigraph of two pages: of the third page the first one, too.
    assert texts_taken(TemEx(pages=2), *bodies) == [[], [], ["Gamma"]]


def test_without_links_the_pages_with_similar_addresses_are_compared() -> None:
    assert texts_taken(TemEx(), "<i>Foot</i><p>x</p>", "<i>Foot</i><p>y</p>") == [
        ["x"],
        ["y"],
    ]


def test_links_are_those_to_other_pages_of_the_site_in_their_order() -> None:
    links = "<a href=3>c</a><a href=/2#top>b</a><a href=/3>c</a><a href=/1>a</a>"
    more = "<a href=http://b.example/2>x</a><a href='http://['>y</a><a>z</a>"
    assert link_graph(site_of(links + more, "", "")) == [[2, 1], [], []]


@pytest.mark.parametrize(
    ("size", "found"),
    # 0, 1 and 2 link to each other, so do 0, 3; 4 does not link back.
    [(2, [4 - 1]), (3, [1, 2]), (4, [1, 2])],
)
def test_a_subdigraph_has_links_between_all_of_its_pages(
    size: int, found: list[int]
) -> None:
    links = [[4, 3, 1, 2], [0, 2], [1, 0], [0], [1, 2, 3]]
    assert find_subdigraph(links, 0, size) == found


def test_a_page_without_links_back_has_no_subdigraph() -> None:
    assert find_subdigraph([[1, 2], [2], [1]], 0, 3) == []
