"""The first impression area on pages with boxes written by hand: grid and centers.

GCE, Jung et al. 2022; the sections are those of the paper.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms.first_impression import FirstImpression
from scrapy_mainpage.extraction.algorithms.segmentation.link_areas import (
    link_area_density,
)
from tests.extraction.algorithms.impressions import analyse, density, names, page
from tests.extraction.boxes import number_of


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

    @pytest.mark.parametrize(
        ("inside", "areas", "expected"),
        [
            # A parent with a single child is the container.
            ("<b id=i><a id=a href=1>x</a></b><p>y</p>", {"i": 4000}, 0.4),
            ("<i id=i> <a id=a href=1>x</a> </i> <b>y</b>", {"i": 2000}, 0.2),
            # Text next to the link makes a second child.
            ("<b id=i><a id=a href=1>x</a> new</b><p>y", {"i": 4000, "a": 2000}, 0.2),
            # The image stands for a link without text.
            ("<a id=a href=1><img id=i></a> text", {"a": 600, "i": 3000}, 0.3),
            ("<a id=a href=1><img id=i>x</a> text", {"a": 600, "i": 3000}, 0.06),
            ("<a id=a name=x>y</a>", {"a": 5000}, 0),
            ("<a id=a href=1>x</a><p>y</p>", {"a": 5000}, 0.5),
            ("<a id=hidden href=1>x</a><p>y</p>", {"hidden": 5000}, 0),
            ("<a id=a href=1>x</a><p>y</p>", {"a": 5000, "d": 0}, 0),
            # Containers in each other count once.
            (
                "<button id=b>x<a id=a href=1>y</a></button>"
                "<a id=c href=2>z<button id=e>w</button></a> text",
                {"b": 1000, "a": 400, "c": 2000, "e": 100},
                0.3,
            ),
        ],
    )
    def test_the_share_of_the_containers(
        self, inside: str, areas: dict[str, int], expected: float
    ):
        areas = {"d": 10_000, **areas}
        boxes = {name: (0, 0, 100, area / 100) for name, area in areas.items()}
        hidden = {"invisible": "hidden"} if "hidden" in areas else {}
        assert density(f"<div id=d>{inside}</div>", boxes, **hidden)["d"] == expected

    def test_the_body_is_no_container(self):
        html = "<div id=d><a id=a href=1>x</a></div>"
        boxes = {"body": (0, 0, 800, 700), "d": (0, 0, 80, 70)}
        document, layout = page(html, boxes)
        values = link_area_density(document, layout, layout.visible)
        body = number_of(document, "body")
        assert values[body] == pytest.approx(0.01)
        assert values[0] == pytest.approx(0.01)


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

    def test_the_box_of_a_stray_word_is_not_that_of_its_element(self):
        html = "<div id=d>Share<p id=p>x</p></div>"
        document, layout = page(html, {"p": (0, 0, 100, 100)})
        stray = int(document.elements.first_run[number_of(document, "d")])
        layout = replace(
            layout,
            free_run=np.array([stray]),
            free_box=np.array([[0, 680, 50, 20]], np.float32),
        )
        seeds = FirstImpression().analyse(document, layout).seeds
        assert names(document, seeds) == ["p", "p", "p"]

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
