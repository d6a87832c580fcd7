"""Templates: elements that the same piece of markup wrote have one number."""

from __future__ import annotations

import pytest

from tests.extraction.helpers import document_of


def numbers(html: str, tag: str) -> list[int]:
    """The templates of the elements with a tag, numbered as they come."""
    document = document_of(html)
    found = document.templates[document.elements_with_tag(tag)].tolist()
    return [sorted(set(found), key=found.index).index(number) for number in found]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<p>b", [0, 0]),
        ("<p class=a>a<p class=b>b<p class='a'>c", [0, 1, 0]),
        ("<p class='a b'>a<p class='b a'>b<p class=B>c<p class=b>d", [0, 0, 1, 1]),
        # Numbers of records, their place and state
        ("<p class=post-1>a<p class=post-22>b", [0, 0]),
        ("<p class='post odd first'>a<p class='even post'>b<p class=post>c", [0, 0, 0]),
        # The whole way counts, ids and the place do not
        ("<div class=a><p>a</p></div><div class=b><p>b</p></div>", [0, 1]),
        ("<div id=a><p>a</p></div><div id=b><p>b</p></div><p>c</p>", [0, 0, 1]),
        ("<ul><li><p>a</p><b>x</b></ul><ul><li><i>y</i><p>b</p></ul>", [0, 0]),
    ],
)
def test_equal_ways_are_one_template(html: str, expected: list[int]) -> None:
    assert numbers(html, "p") == expected


def test_every_element_has_a_number_from_0() -> None:
    document = document_of("<main><p>a</p><p>b</p><ul><li>c<li>d</ul></main>")
    found = document.templates.tolist()
    assert len(found) == document.n_elements
    assert sorted(set(found)) == list(range(max(found) + 1))


def test_a_page_without_elements_but_the_root_has_one() -> None:
    assert set(document_of("").templates.tolist()) <= {0}


CARDS = "".join(
    f"<article class='post post-{k} {name}'><h2 class=title>{k}</h2></article>"
    for k, name in enumerate("a b c d a-b sale".split())
)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        # Classes of single records do not count among four and more
        (f"<main>{CARDS}</main>", [0] * 6),
        ("<div><p><h2 class=a></h2></p><h2 class='b'></h2></div>", [0, 1]),
        # Cells are of the kind of their column
        ("<table>" + "<tr><td><h2></h2><td><h2></h2></tr>" * 3, [0, 1] * 3),
    ],
)
def test_kinds_are_templates_of_all_records(html: str, expected: list[int]) -> None:
    document = document_of(html)
    found = document.kinds[document.elements_with_tag("h2")].tolist()
    numbers = [sorted(set(found), key=found.index).index(number) for number in found]
    assert numbers == expected


def test_kinds_of_links_have_all_their_classes() -> None:
    html = "<ul>" + "<li><a class='x pic' href=/></a><a class='x name' href=/></a>" * 4
    document = document_of(html)
    kinds = document.kinds[document.elements_with_tag("a")].tolist()
    assert len(set(kinds)) == 2
