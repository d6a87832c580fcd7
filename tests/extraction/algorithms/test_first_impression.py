"""The first impression area on pages with boxes written by hand.

GCE, Jung et al. 2022; the sections are those of the paper. Most windows here are 800
wide and 700 high, so that a cell of the 7 x 8 grid is 100 x 100.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms import LayoutRequired
from scrapy_mainpage.extraction.algorithms.first_impression import (
    FirstImpression,
    Impression,
    _positive_attributes,
)
from scrapy_mainpage.extraction.algorithms.segmentation.link_areas import (
    link_area_density,
    text_area_density,
)
from tests.extraction.boxes import number_of, rendered
from tests.extraction.helpers import document_of, texts_of

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout

WINDOW = (800, 700)


def page(html: str, *boxes: object, **options: object) -> tuple[Document, Layout]:
    return rendered(html, *boxes, **{"window": WINDOW, **options})


def analyse(html: str, *boxes: object, **options: object) -> Impression:
    return FirstImpression().analyse(*page(html, *boxes, **options))


def names(document: Document, elements: object) -> list[str]:
    return [
        document.attribute(int(e), "id") or document.tag_name(int(e)) for e in elements
    ]


def candidates(html: str, *boxes: object, **options: object) -> list[str]:
    """The candidates of C1, by id or tag."""
    document, layout = page(html, *boxes, **options)
    impression = FirstImpression().analyse(document, layout)
    return names(document, impression.candidates[0])


def chosen(html: str, *boxes: object, **options: object) -> str | None:
    """The main content's element, by id or tag."""
    document, layout = page(html, *boxes, **options)
    element = FirstImpression().analyse(document, layout).element
    return None if element is None else names(document, [element])[0]


def density(html: str, *boxes: object, **options: object) -> dict[str, float]:
    """D_l of the elements with an id."""
    document, layout = page(html, *boxes, **options)
    visible = layout.visible & (layout.area > 0)
    values = link_area_density(document, layout, visible)
    return {
        name: round(float(values[e]), 4)
        for e in range(document.n_elements)
        if (name := document.attribute(e, "id"))
    }


class TestGrid:
    """Section III-A."""

    @pytest.mark.parametrize(
        ("height", "rows"),
        [(700, 7), (701, 8), (800, 8), (801, 9), (1400, 14), (9000, 14)],
    )
    def test_rows_reach_the_end_of_the_page_or_two_windows(
        self, height: int, rows: int
    ):
        grid = analyse("<p>x</p>", page=(800, height)).grid
        assert len(grid.cells) == rows * 8
        assert grid.cells[0].tolist() == [0, 0, 100, 100]
        assert grid.cells[-1].tolist() == [700, rows * 100 - 100, 800, rows * 100]

    def test_rounding_adds_no_row(self):
        # 2 * 300 / (300 / 7) is 14.000000000000002 in floating point.
        grid = analyse("<p>x</p>", window=(800, 300), page=(800, 3000)).grid
        assert len(grid.cells) == 14 * 8

    def test_the_top_row_and_the_side_columns_are_excluded(self):
        grid = analyse("<p>x</p>").grid
        kept = grid.cells[~grid.edge]
        # Rows 2 to 7 (the bottom row stays) and columns 2 to 7.
        assert len(kept) == 6 * 6
        assert kept[0].tolist() == [100, 100, 200, 200]
        assert kept[-1].tolist() == [600, 600, 700, 700]

    def test_cells_under_dense_links_are_excluded(self):
        html = "<ul id=u><li id=a><a href=1>x</a><li id=b><a href=2>y</a></ul><p>z</p>"
        boxes = {
            "u": (100, 100, 200, 100),
            "a": (100, 100, 100, 100),
            "b": (200, 100, 100, 100),
            "p": (100, 400, 600, 50),
        }
        grid = analyse(html, boxes).grid
        # Touching an edge is not overlapping.
        assert np.flatnonzero(grid.linked).tolist() == [9, 10]

    def test_an_element_that_is_half_covered_with_links_is_not_dense(self):
        html = "<div id=d><a href=1 id=a>x</a> text</div>"
        for width, linked in ((50, 0), (51, 1)):
            boxes = {"d": (100, 100, 100, 100), "a": (100, 100, width, 100)}
            document, layout = page(html, boxes)
            impression = FirstImpression().analyse(document, layout)
            d = number_of(document, "d")
            assert impression.link_density[d] == pytest.approx(width / 100)
            assert impression.grid.linked.sum() == linked
            assert names(document, impression.text) == ([] if linked else ["d"])


class TestLinkDensity:
    """Section III-A: D_l is the area of the link containers inside over the area."""

    def test_a_parent_with_a_single_child_is_the_container(self):
        html = "<ul id=u><li id=a><b><a href=1>x</a></b><li id=b>y</ul>"
        boxes = {
            "u": (0, 0, 100, 100),
            "a": (0, 0, 100, 40),
            "b": (0, 40, 100, 60),
        }
        assert density(html, boxes) == {"u": 0.4, "a": 0, "b": 0}

    def test_text_next_to_the_link_makes_a_second_child(self):
        html = "<ul id=u><li id=a><a id=l href=1>x</a> new<li>y</ul>"
        boxes = {"u": (0, 0, 100, 100), "a": (0, 0, 100, 40), "l": (0, 0, 50, 40)}
        assert density(html, boxes) == {"u": 0.2, "a": 0.5, "l": 0}

    def test_blanks_next_to_the_link_make_none(self):
        html = "<div id=d><i id=i> <a id=l href=1>x</a> </i> <b>y</b></div>"
        boxes = {"d": (0, 0, 100, 100), "i": (0, 0, 40, 50), "l": (0, 0, 10, 10)}
        assert density(html, boxes)["d"] == 0.2

    def test_the_body_is_no_container(self):
        html = "<div id=d><a id=a href=1>x</a></div>"
        boxes = {"body": (0, 0, 800, 700), "d": (0, 0, 80, 70)}
        document, layout = page(html, boxes)
        values = link_area_density(document, layout, layout.visible)
        body = number_of(document, "body")
        assert values[body] == pytest.approx(0.01)
        assert values[0] == pytest.approx(0.01)

    def test_nested_containers_count_once(self):
        html = (
            "<div id=d><button id=b>x<a id=a href=1>y</a></button>"
            "<a id=c href=2>z<button id=e>w</button></a> text</div>"
        )
        boxes = {
            "d": (0, 0, 100, 100),
            "b": (0, 0, 50, 20),
            "a": (0, 0, 20, 20),
            "c": (0, 50, 50, 40),
            "e": (0, 50, 10, 10),
        }
        # 1,000 and 2,000 of 10,000 square pixels
        assert density(html, boxes)["d"] == 0.3

    def test_the_image_stands_for_a_link_without_text(self):
        html = "<div id=d><a id=a href=1><img id=i></a> text</div>"
        boxes = {
            "d": (0, 0, 100, 100),
            "a": (0, 0, 60, 10),
            "i": (0, 0, 60, 50),
        }
        assert density(html, boxes) == {"d": 0.3, "a": 5, "i": 0}

    def test_a_link_with_an_image_and_text_stands_for_itself(self):
        html = "<div id=d><a id=a href=1><img id=i>x</a> text</div>"
        boxes = {"d": (0, 0, 100, 100), "a": (0, 0, 60, 10), "i": (0, 0, 60, 50)}
        assert density(html, boxes)["d"] == 0.06

    def test_an_anchor_without_an_address_is_no_link(self):
        assert density("<div id=d><a name=x>y</a></div>", {"d": (0, 0, 9, 9)}) == {
            "d": 0
        }

    def test_invisible_links_do_not_count(self):
        html = "<div id=d><a id=a href=1>x</a><p>y</p></div>"
        boxes = {"d": (0, 0, 100, 100), "a": (0, 0, 100, 50)}
        assert density(html, boxes)["d"] == 0.5
        assert density(html, boxes, invisible="a")["d"] == 0

    def test_an_element_without_an_area_has_no_density(self):
        html = "<div id=d><a id=a href=1>x</a><p>y</p></div>"
        boxes = {"d": (0, 0, 100, 0), "a": (0, 0, 100, 50)}
        assert density(html, boxes)["d"] == 0


class TestCentering:
    """Section III-B."""

    def test_the_three_centers(self):
        centers = analyse("<p>x</p>", page=(800, 1400)).grid.centers
        # Rows 2 to 14: 13 rows of 6 cells, 78 in all, around x 400 and y 750.
        # The window's center is (400, 350), the page's (400, 700).
        c2 = (78 * 750 + 350) / 79
        c3 = (78 * 750 + 350 + 700) / 80
        assert centers == pytest.approx(np.array([[400, 750], [400, c2], [400, c3]]))

    def test_excluded_cells_move_the_centers(self):
        html = "<div id=d><p><a href=1>x</a></p><p><a href=2>y</a></p></div>"
        centers = analyse(html, {"d": (100, 100, 600, 100)}).grid.centers
        # The second row is gone: rows 3 to 7, around y 450.
        assert centers[0].tolist() == [400, 450]

    def test_without_a_cell_the_window_s_center_stands_in(self):
        html = "<div id=d><p><a href=1>x</a></p><p><a href=2>y</a></p></div>"
        grid = analyse(html, {"d": (0, 0, 800, 1400)}, page=(800, 1400)).grid
        assert (grid.edge | grid.linked).all()
        assert grid.centers.tolist() == [[400, 350], [400, 350], [400, 525]]

    def test_one_column_is_all_edge(self):
        document, layout = page("<p>x</p>")
        grid = FirstImpression(columns=2).analyse(document, layout).grid
        assert grid.edge.all()
        assert grid.centers[0].tolist() == [400, 350]

    def test_the_nearest_text_is_the_seed(self):
        # C1 is (400, 400); 0 inside of a box, else the distance to it.
        html = "<p id=a>x</p><p id=b>y</p><p id=c>z</p>"
        boxes = {
            "a": (0, 0, 100, 100),
            "b": (100, 100, 200, 200),
            "c": (100, 600, 600, 50),
        }
        document, layout = page(html, boxes)
        seeds = FirstImpression().analyse(document, layout).seeds
        # b is 100 to the left and 100 above: 141; c 200 below.
        assert names(document, seeds) == ["b", "b", "b"]

    def test_of_equally_near_texts_the_smallest_is_the_seed(self):
        html = "<div id=a>x<p id=b>y</p></div><div id=c>z</div>"
        boxes = {
            "a": (0, 0, 800, 700),
            "b": (300, 300, 200, 200),
            "c": (0, 0, 800, 700),
        }
        document, layout = page(html, boxes)
        seeds = FirstImpression().analyse(document, layout).seeds
        assert names(document, seeds) == ["b", "b", "b"]

    def test_of_equal_texts_the_first_is_the_seed(self):
        document, layout = page("<p id=a>x</p><p id=b>y</p>")
        seeds = FirstImpression().analyse(document, layout).seeds
        assert names(document, seeds) == ["a", "a", "a"]

    def test_text_in_links_hidden_text_and_blanks_are_no_seeds(self):
        html = (
            "<div id=d><a href=1><b>x</b></a> <i id=i>y</i> <button>z</button>"
            "<p id=h>hidden</p></div><p id=s>seed</p>"
        )
        boxes = {"i": (0, 0, 0, 0), "s": (0, 0, 10, 10), "d": (0, 100, 800, 600)}
        boxes |= {"a": (0, 100, 50, 20), "button": (50, 100, 50, 20)}
        document, layout = page(html, boxes, display={"h": "none"})
        impression = FirstImpression().analyse(document, layout)
        assert names(document, impression.text) == ["s"]


class TestExpanding:
    """Section III-C: rules on the way up, each with its first match."""

    LINE = (300, 350, 200, 100)

    def test_the_tag_article(self):
        html = "<div><article id=a><div><p>x</p></div></article></div>"
        assert candidates(html) == ["a"]

    def test_of_articles_in_each_other_the_inner_one(self):
        html = "<article id=o><article id=i><p>x</p></article></article>"
        assert candidates(html) == ["i"]

    def test_the_parent_of_the_leaf_is_a_candidate(self):
        assert candidates("<article id=a>x</article>") == ["a"]
        assert candidates("<b id=b>x</b>") == ["body"]

    @pytest.mark.parametrize(
        "attribute",
        [
            "class='main-content x'",
            "id='ContentBody'",
            "class='x ARTICLES'",
            "role=article",
            "itemprop=articleBody",
            "name=content",
            "href=/content/",
            "data-kind=article",
            "style='content-visibility: auto'",
        ],
    )
    def test_attributes_with_article_or_content(self, attribute: str):
        html = f"<div><div title=d {attribute}><p>x</p></div></div>"
        document, layout = page(html)
        (candidate,) = FirstImpression().analyse(document, layout).candidates[0]
        assert document.attribute(candidate, "title") == "d"

    @pytest.mark.parametrize(
        "attributes",
        [
            "class=main",
            "class='con tent'",
            "class=con id=tent",
            "id=arti name=cle",
            "data-content=1",
            "hidden=until-found",
        ],
    )
    def test_other_attributes(self, attributes: str):
        assert candidates(f"<div {attributes}><p>x</p></div>") == ["body"]

    def test_a_match_next_to_a_broken_one(self):
        html = "<div class=con id=tent-content><p>x</p></div>"
        assert candidates(html) == ["tent-content"]

    def test_the_node_below_a_jump_in_width(self):
        # 340 is 1.7 times 200, and no jump.
        html = "<div id=o><div id=d><p id=p>x</p></div></div>"
        narrow = {"p": self.LINE, "d": (0, 0, 340, 700), "o": (0, 0, 578, 700)}
        assert candidates(html, narrow) == ["body"]
        wide = {**narrow, "o": (0, 0, 579, 700)}
        assert candidates(html, wide) == ["d"]
        assert candidates(html, {**wide, "d": (0, 0, 341, 700)}) == ["p"]

    def test_each_rule_finds_its_own_first_match(self):
        html = (
            "<article id=a><div id=content><section id=s><p id=p>x</p></section></div>"
            "</article>"
        )
        boxes = {
            "a": (0, 0, 800, 700),
            "content": (0, 0, 800, 700),
            "s": (200, 200, 400, 300),
            "p": (200, 200, 390, 300),
        }
        assert candidates(html, boxes) == ["content", "s", "a"]

    def test_what_stands_in_a_line_has_no_width_to_jump_from(self):
        html = "<div id=d><p id=p>long <b id=b>x</b></p></div>"
        boxes = {
            "b": (390, 390, 20, 20),
            "p": (200, 300, 400, 200),
            "d": (0, 0, 800, 700),
        }
        document, layout = page(html, boxes)
        impression = FirstImpression().analyse(document, layout)
        assert names(document, impression.seeds) == ["b", "b", "b"]
        assert names(document, impression.candidates[0]) == ["p"]

    def test_contents_have_no_width(self):
        html = "<div id=c><p id=p>x</p></div>"
        boxes = {"c": (0, 0, 0, 0), "p": (200, 300, 480, 200)}
        assert candidates(html, boxes, display={"c": "contents"}) == ["body"]
        boxes["p"] = (200, 300, 400, 200)
        assert candidates(html, boxes, display={"c": "contents"}) == ["p"]

    def test_without_a_match_there_is_the_body(self):
        assert candidates("<div><p>x</p></div>") == ["body"]


class TestChoice:
    """Section III-C: the densest of the candidates, C3 before C2 and C1."""

    def test_the_densest_candidate_wins(self):
        # The text covers 0.6 of the article and 0.3 of the element around it.
        html = (
            "<div id=content><article id=a><section><p>x</p></section></article></div>"
        )
        boxes = {
            "content": (0, 0, 800, 700),
            "a": (0, 0, 800, 350),
            "p": (0, 0, 800, 210),
        }
        assert candidates(html, boxes) == ["a", "content"]
        assert chosen(html, boxes) == "a"
        denser = {**boxes, "a": (0, 0, 800, 900)}
        assert chosen(html, denser) == "content"

    def test_text_area_density(self):
        html = "<div id=d><p id=p>x</p><p id=q><a href=1>y</a></p></div>"
        boxes = {"d": (0, 0, 100, 100), "p": (0, 0, 100, 30), "q": (0, 30, 100, 50)}
        document, layout = page(html, boxes)
        text = np.array([number_of(document, "p")])
        values = text_area_density(document, layout, text)
        assert values[number_of(document, "d")] == pytest.approx(0.3)
        assert values[number_of(document, "q")] == 0

    def test_only_descendants_count_for_the_density(self):
        html = "<div id=d>x<p id=p>y</p></div>"
        boxes = {"d": (0, 0, 100, 100), "p": (0, 50, 100, 50)}
        document, layout = page(html, boxes)
        d, p = number_of(document, "d"), number_of(document, "p")
        text = np.array([d, p])
        assert text_area_density(document, layout, text)[[d, p]].tolist() == [0.5, 1]
        layout = replace(
            layout, free_run=np.array([0]), free_box=np.array([[0, 0, 100, 20]])
        )
        density = text_area_density(document, layout, text)[d]
        assert density == pytest.approx(0.7)

    def test_lower_than_half_a_window_comes_last(self):
        html = "<div id=content><article id=a><p>x</p></article></div>"
        boxes = {
            "content": (0, 0, 800, 700),
            "a": (0, 300, 800, 349),
            "p": (0, 300, 9, 9),
        }
        assert chosen(html, boxes) == "content"
        assert chosen(html, {**boxes, "a": (0, 300, 800, 350)}) == "a"

    def test_a_low_candidate_is_better_than_none(self):
        html = "<article id=a><p>x</p></article>"
        assert chosen(html, {"a": (0, 0, 800, 10)}) == "a"

    # C1 is (400, 750), C2 (400, 745), C3 (400, 744.4): see TestCentering.
    TWO = "<article id=up><p>x</p></article><article id=low><p>y</p></article>"

    def two(self, up: float, low: float) -> str | None:
        """The upper one ends at 744.7, the lower one begins there."""
        boxes = {"up": (0, 744.7 - up, 800, up), "low": (0, 744.7, 800, low)}
        return chosen(self.TWO, boxes, page=(800, 1400))

    def test_c3_comes_before_c1(self):
        assert self.two(400, 400) == "up"

    def test_a_high_candidate_of_c1_comes_before_a_low_one_of_c3(self):
        assert self.two(300, 400) == "low"

    def test_of_low_candidates_c3_s_comes_first(self):
        assert self.two(300, 300) == "up"

    def test_the_body_alone_is_no_main_content(self):
        document, layout = page("<div><p>x</p></div>")
        verdict = FirstImpression().judge(document, layout)
        assert not verdict.main.any()
        assert verdict.warnings == ("no_wrapper",)

    def test_a_body_with_a_positive_attribute_is_no_main_content(self):
        assert chosen("<body class=content><p>x</p>") is None

    def test_every_element_with_a_positive_attribute_is_found(self):
        html = (
            "<body><div class=content>a</div><div class=x>b</div><p id=>b</p>"
            "<div class=content>c</div><p id=article1 class=x>d</p><p title=content>e"
            "<p class=con>f<p id=tent>g</p>"
        )
        document, _ = page(html)
        found = np.flatnonzero(_positive_attributes(document)).tolist()
        assert [document.xpath(element) for element in found] == [
            "/html[1]/body[1]/div[1]",
            "/html[1]/body[1]/div[3]",
            "/html[1]/body[1]/p[2]",
            "/html[1]/body[1]/p[3]",
        ]

    def test_the_wrapper_is_main_content_and_nothing_hidden(self):
        html = "<p>x</p><article><p>a</p><p id=h>b</p><ul><li>c</ul></article><p>y</p>"
        boxes = {"article": (0, 100, 800, 500), "p": (0, 0, 800, 10)}
        document, layout = page(html, boxes, display={"h": "none"})
        verdict = FirstImpression().judge(document, layout)
        assert texts_of(document, verdict.main) == ["a", "c"]
        assert verdict.warnings == ()

    @pytest.mark.parametrize(
        "html", ["", "<html></html>", "<body></body>", "<p> </p>", "<a href=1>x</a>"]
    )
    def test_without_text_outside_of_links_there_is_no_main_content(self, html: str):
        document, layout = page(html)
        impression = FirstImpression().analyse(document, layout)
        assert (impression.seeds, impression.element) == ((), None)
        assert not FirstImpression().judge(document, layout).main.any()

    def test_a_window_without_a_size_is_no_error(self):
        document, layout = page("<p>x</p>", window=(0, 0))
        assert FirstImpression().judge(document, layout).warnings == ("no_wrapper",)

    @pytest.mark.parametrize("html", ["", "<p>x</p>"])
    def test_a_layout_is_needed(self, html: str):
        with pytest.raises(LayoutRequired, match="'first-impression' needs the layout"):
            FirstImpression().judge(document_of(html))


class TestOptions:
    """Every option changes the result."""

    @pytest.mark.parametrize(
        ("options", "cells"),
        [
            ({}, 14 * 8),
            ({"rows": 3}, 6 * 8),
            ({"columns": 5}, 14 * 5),
            ({"alpha": 1.5}, 11 * 8),  # 10.5 rows
            ({"alpha": 2.5}, 18 * 8),  # 17.5 rows
        ],
    )
    def test_rows_columns_and_alpha(self, options: dict[str, float], cells: int):
        document, layout = page("<p>x</p>", page=(800, 9000))
        grid = FirstImpression(**options).analyse(document, layout).grid
        assert len(grid.cells) == cells

    def test_beta(self):
        html = "<div id=d><a href=1 id=a>x</a> text</div>"
        document, layout = page(html, {"d": (0, 0, 100, 100), "a": (0, 0, 60, 100)})
        for beta, texts in ((0.5, 0), (0.6, 1)):
            impression = FirstImpression(beta=beta).analyse(document, layout)
            assert len(impression.text) == texts

    def test_delta_w(self):
        document, layout = page("<div id=d><p>x</p></div>", {"p": (300, 300, 500, 400)})
        assert FirstImpression().analyse(document, layout).element is None
        element = FirstImpression(delta_w=1.5).analyse(document, layout).element
        assert names(document, [element]) == ["p"]
