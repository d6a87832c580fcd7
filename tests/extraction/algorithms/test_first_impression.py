"""The first impression area on pages with boxes written by hand: candidates and choice.

GCE, Jung et al. 2022; the sections are those of the paper.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms import LayoutRequired
from scrapy_mainpage.extraction.algorithms.first_impression import FirstImpression
from scrapy_mainpage.extraction.algorithms.segmentation.link_areas import (
    text_area_density,
)
from tests.extraction.algorithms.impressions import candidates, chosen, names, page
from tests.extraction.boxes import number_of
from tests.extraction.helpers import document_of, texts_of


class TestExpanding:
    """Section III-C: rules on the way up, each with its first match."""

    LINE = (300, 350, 200, 100)

    @pytest.mark.parametrize(
        ("html", "candidate"),
        [
            ("<div><article id=a><div><p>x</p></div></article></div>", "a"),
            ("<article id=o><article id=i><p>x</p></article></article>", "i"),
            ("<article id=a>x</article>", "a"),
            ("<b id=b>x</b>", "body"),
            ("<div><p>x</p></div>", "body"),
            # A match next to a broken one
            ("<div class=con id=tent-content><p>x</p></div>", "tent-content"),
        ],
    )
    def test_the_nearest_article_is_the_candidate(self, html: str, candidate: str):
        assert candidates(html) == [candidate]

    @pytest.mark.parametrize(
        "attribute",
        [
            "class='main-content x'",
            "id='ContentBody'",
            "class='x ARTICLES'",
            "role=article",
            "itemprop=articleBody",
            "name=content",
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
            "id=arti name=cle",
            "data-content=1",
            "hidden=until-found",
        ],
    )
    def test_other_attributes(self, attributes: str):
        assert candidates(f"<div {attributes}><p>x</p></div>") == ["body"]

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

    @pytest.mark.parametrize(
        ("up", "low", "element"),
        [(400, 400, "up"), (300, 400, "low"), (300, 300, "up")],
    )
    def test_c3_comes_before_c1_and_high_before_low(
        self, up: float, low: float, element: str
    ):
        """The upper one ends at 744.7, the lower one begins there."""
        # C1 is (400, 750), C2 (400, 745), C3 (400, 744.4): see TestCentering.
        html = "<article id=up><p>x</p></article><article id=low><p>y</p></article>"
        boxes = {"up": (0, 744.7 - up, 800, up), "low": (0, 744.7, 800, low)}
        assert chosen(html, boxes, page=(800, 1400)) == element

    def test_the_body_alone_is_no_main_content(self):
        document, layout = page("<div><p>x</p></div>")
        verdict = FirstImpression().judge(document, layout)
        assert not verdict.main.any()
        assert verdict.warnings == ("no_wrapper",)

    def test_a_body_with_a_positive_attribute_is_no_main_content(self):
        assert chosen("<body class=content><p>x</p>") is None

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
