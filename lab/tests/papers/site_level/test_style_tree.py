"""SST: importances and noise that were computed by hand from the paper's formulas."""

from __future__ import annotations

import math

import pytest

from lab.papers.site_level.site import PageTree
from lab.papers.site_level.style_tree import (
    SiteStyleTree,
    StyleNode,
    merge_pages,
    rate_nodes,
)
from lab.tests.papers.site_level.sites import site_of, texts_taken


def body_of(*bodies: str) -> StyleNode:
    """The rated body of a site."""
    site = merge_pages([PageTree(page.document) for page in site_of(*bodies)])
    rate_nodes(site)
    ((html,),) = site.children.values()
    ((body,),) = html.children.values()
    return body


def text_of(body: StyleNode) -> StyleNode:
    """The one text of a body with one ``p``."""
    ((p,),) = body.children.values()
    ((text,),) = p.children.values()
    return text


@pytest.mark.parametrize(
    ("one", "two", "importance"),
    [
        ("Home", "Home", 0),  # entropy 1
        ("owls", "cats", 1),  # entropy 0
        ("On owls", "On cats", 2 / 3),  # 1 - (1 + 0 + 0) / 3
        # "a" three times and once: 1 - (-.75 log .75 - .25 log .25).
        ("a a a", "a", 1 - (0.75 * math.log2(4 / 3) + 0.25 * 2)),
    ],
)
def test_the_importance_of_a_text_is_one_less_the_entropy_of_its_words(
    one: str, two: str, importance: float
) -> None:
    text = text_of(body_of(f"<p>{one}</p>", f"<p>{two}</p>"))
    assert text.pages == 2
    assert text.importance == pytest.approx(importance)


def test_one_style_weighs_a_tenth_of_the_entropy_and_nine_of_the_children() -> None:
    # The p has one style on both pages: (1 - 0.9) * 0 + 0.9 * importance of the text.
    body = body_of("<p>owls</p>", "<p>cats</p>")
    ((p,),) = body.children.values()
    assert p.importance == pytest.approx(0.9)
    assert body.importance == pytest.approx(0.81)
    assert body.greatest == 1


def test_two_styles_of_four_pages_have_half_of_the_greatest_entropy() -> None:
    # Per style 2 of 4 pages: -2 * .5 log4 .5 = .5; the texts have no importance.
    body = body_of(*["<p>Foot</p>"] * 2, *["<p>Foot</p><p>Foot</p>"] * 2)
    assert len(body.styles) == 2
    assert body.importance == pytest.approx((1 - 0.81) * 0.5)


def test_a_node_of_one_page_has_all_importance() -> None:
    body = body_of("<p>Foot</p>", "<div>Foot</div>")
    for below in body.children.values():
        assert below[0].importance == pytest.approx(1)


def test_an_image_is_known_by_its_address_and_an_empty_element_is_nothing() -> None:
    same = body_of("<img src=a><hr>", "<img src=a><hr>")
    other = body_of("<img src=a><hr>", "<img src=b><hr>")
    ((image, line),) = same.children.values()
    assert (image.importance, line.importance) == (0, 0)
    ((image, line),) = other.children.values()
    assert (image.importance, line.importance) == (1, 0)


def test_parts_without_any_important_node_are_noise() -> None:
    bodies = [f"<ul><li>Home</ul><div><p>{t}</p></div>" for t in ("owls", "cats")]
    assert texts_taken(SiteStyleTree(), *bodies) == [["owls"], ["cats"]]


def test_the_threshold() -> None:
    bodies = ["<p>On owls</p>", "<p>On cats</p>"]  # 2 / 3
    assert texts_taken(SiteStyleTree(threshold=0.6), *bodies)[0] == ["On owls"]
    assert texts_taken(SiteStyleTree(threshold=0.7), *bodies)[0] == []
    with pytest.raises(ValueError, match="threshold must be a number"):
        SiteStyleTree(threshold=2)
