"""Zones and columns of tiny pages with boxes written by hand.

Rae et al. 2018, sections 3.1 (zones), 3.2 (columns) and 3.3 (the search).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms.segmentation.zones import (
    Columns,
    ColumnSearch,
    Zones,
    columns_of,
    hidden_elements,
    segment,
)
from scrapy_mainpage.extraction.document.schema import RunKind
from tests.extraction.boxes import number_of, rendered

if TYPE_CHECKING:
    from collections.abc import Sequence


def zone_texts(html: str, *arguments: object, **options: object) -> list[str]:
    """The texts of the leaf zones, in document order."""
    document, layout = rendered(html, *arguments, **options)
    zones = segment(document, layout)
    runs, texts = document.runs, {}
    for run in np.flatnonzero(zones.run >= 0).tolist():
        text = document.text[runs.start[run] : runs.end[run]].decode()
        zone = int(zones.run[run])
        assert zones.leaf[zone]
        texts[zone] = texts.get(zone, "") + text
    return [" ".join(texts[zone].split()) for zone in sorted(texts)]


def zones_of(boxes: Sequence[tuple[int, float, float]]) -> Zones:
    """A zone tree from (parent, left, right) per zone."""
    parent = np.array([zone[0] for zone in boxes], np.int32)
    box = np.array([(left, 0, right, 10) for _, left, right in boxes], np.float64)
    nothing = np.zeros(0, np.int32)
    return Zones(parent, np.arange(len(boxes), dtype=np.int32), box, nothing)


class TestHiddenElements:
    def hidden(self, *arguments: object, **options: object) -> set[str]:
        document, layout = rendered(*arguments, **options)
        mask = hidden_elements(document, layout)
        return {
            name for i in np.flatnonzero(mask) if (name := document.attribute(i, "id"))
        }

    def test_what_is_not_displayed_takes_its_descendants_along(self):
        html = "<div id=a><p id=b>x<b id=c>y</b></p></div><p id=d>z</p>"
        assert self.hidden(html, display={"a": "none"}) == {"a", "b", "c"}

    def test_what_is_fully_transparent_takes_its_descendants_along(self):
        html = "<div id=a><p id=b>x</p></div><p id=d>z</p>"
        assert self.hidden(html, opacity={"a": 0}) == {"a", "b"}
        assert self.hidden(html, opacity={"a": 0.01}) == set()

    def test_the_child_of_what_is_invisible_has_a_visibility_of_its_own(self):
        html = "<div id=a><p id=b>x</p><p id=c>y</p></div>"
        assert self.hidden(html, invisible="a b") == {"a", "b"}

    @pytest.mark.parametrize(
        ("box", "hidden"),
        [
            ((-200, 0, 200, 10), True),
            ((-200, 0, 201, 10), False),
            ((0, -10, 200, 10), True),
            ((0, -10, 200, 11), False),
            ((1000, 0, 200, 10), True),
            ((999, 0, 200, 10), False),
            ((0, 5000, 200, 10), False),  # below the window: one scrolls there
        ],
    )
    def test_what_lies_outside_to_the_left_the_top_or_the_right(
        self, box: tuple[float, float, float, float], hidden: bool
    ):
        html = "<div id=a><p id=b>x</p></div>"
        inside = (0, 0, 100, 10)
        assert self.hidden(html, {"a": box, "b": inside}) == (
            {"a", "b"} if hidden else set()
        )

    def test_an_element_without_a_box_is_not_outside(self):
        assert self.hidden("<div id=a>x</div>", {"a": (0, 0, 0, 0)}) == set()


class TestZones:
    @pytest.mark.parametrize(
        ("html", "texts"),
        [
            # Inline neighbours merge.
            (
                "<p>one</p><b>two</b><i>, three</i> four<p>five</p><b>six</b>",
                "one/two, three four/five/six",
            ),
            ("<div>a <span>b<br>c</span> d</div>", "a/b/c/d"),
            ("<div>one<br>two</div>", "one/two"),
            ("<div><b>one</b><hr><b>two</b></div>", "one/two"),
            ("<div><br>one <b>two</b><br></div>", "one two"),
            # What is hidden, as #x is, divides nothing and has no zone.
            ("<div>one<br id=x>two</div>", "onetwo"),
            ("<div>one<br id=x>two<br>three</div>", "onetwo/three"),
            ("<div>one <b>two</b><br><b>three</b></div>", "one two/three"),
            ("<div>one <b>two</b><br><b id=x>three</b></div>", "one two"),
            ("<p>one <b id=x>two</b> three</p><p>four</p>", "one three/four"),
        ],
    )
    def test_zones_end_where_lines_break(self, html: str, texts: str):
        display = {"x": "none"} if "id=x" in html else {}
        assert zone_texts(html, display=display) == texts.split("/")

    def test_a_page_that_breaks_no_line_is_one_zone(self):
        document, layout = rendered("<p>one <b>two</b></p>")
        zones = segment(document, layout)
        assert zones.parent.tolist() == [-1]
        assert zones.run.tolist() == [0, 0]
        assert zones.element.tolist() == [number_of(document, "body")]

    @pytest.mark.parametrize(
        ("tag", "displays", "texts"),
        [
            (
                "p",
                "inline inline-block inline-flex inline-grid inline-table run-in "
                "table-cell",
                ["onetwo"],
            ),
            (
                "b",
                "block flex grid flow-root list-item table table-row table-caption",
                ["one", "two"],
            ),
        ],
    )
    def test_displays(self, tag: str, displays: str, texts: list[str]):
        html = f"<{tag} id=a>one</{tag}><{tag} id=b>two</{tag}>"
        for value in displays.split():
            assert zone_texts(html, display={"a": value, "b": value}) == texts, value

    def test_hidden_and_empty_elements_do_not_count(self):
        html = "<div><p>one</p><p id=x>two</p><p> </p></div>"
        document, layout = rendered(html, opacity={"x": 0})
        assert len(segment(document, layout).parent) == 1

    def test_contents_are_transparent(self):
        html = "<div><div id=a><p>one</p></div><div id=b><p>two</p></div></div>"
        boxes = {"a": (0, 0, 0, 0), "b": (0, 0, 0, 0)}
        document, layout = rendered(
            html.replace("<p>", "<p id=p>", 1).replace("<p>", "<p id=q>", 1),
            {**boxes, "p": (100, 0, 300, 20), "q": (100, 20, 300, 20)},
            display={"a": "contents", "b": "contents"},
        )
        zones = segment(document, layout)
        # body | div | p | q: the p are the div's own children
        assert zones.parent.tolist() == [-1, 0, 1, 1]
        assert zones.box[2:].tolist() == [[100, 0, 400, 20], [100, 20, 400, 40]]

    def test_text_without_a_box_of_its_own(self):
        boxes = {"a": (0, 0, 900, 0), "p": (0, 0, 400, 50)}
        html = "<div id=a>one<p id=p>two</p></div><p>three</p>"
        assert zone_texts(html, boxes) == ["two", "three"]
        shown = zone_texts(html, boxes, display={"a": "contents"})
        assert shown == ["one", "two", "three"]
        boxes = {"body": (0, 0, 1000, 0), "a": (0, 0, 400, 9), "b": (0, 9, 400, 9)}
        assert zone_texts("<p id=a>one</p><p id=b>two</p>", boxes) == ["one", "two"]

    def test_floats_inside_of_a_block_without_height_count(self):
        html = "<div id=a><p id=p>one</p><p id=q>two</p></div><p>three</p>"
        document, layout = rendered(
            html, {"a": (0, 0, 900, 0), "p": (0, 0, 400, 50), "q": (500, 0, 400, 50)}
        )
        zones = segment(document, layout)
        # body | p | q | the last p
        assert zones.parent.tolist() == [-1, 0, 0, 0]
        assert zones.box[1:3].tolist() == [[0, 0, 400, 50], [500, 0, 900, 50]]

    @pytest.mark.parametrize(
        ("inline", "box"),
        [
            # A blank has no box, a text of its own that of the element around.
            ("<b id=a>one</b> \n <b id=b>two</b>", [10, 20, 80, 40]),
            ("one <b id=b>two</b>", [0, 0, 900, 90]),
        ],
    )
    def test_a_zone_is_as_large_as_its_parts_together(
        self, inline: str, box: list[float]
    ):
        boxes = {"d": (0, 0, 900, 90), "b": (50, 25, 30, 15)}
        boxes |= {"a": (10, 20, 30, 10)} if "id=a" in inline else {}
        document, layout = rendered(f"<div id=d><p>x</p>{inline}</div>", boxes)
        assert segment(document, layout).box[-1].tolist() == box

    def test_parents_come_before_their_children(self):
        html = "<div><p>a</p><div><p>b</p><p>c<br>d</p></div></div>e<p>f</p>"
        document, layout = rendered(html)
        zones = segment(document, layout)
        # body | div | a | div | b | c-d | c | d | e | f
        assert zones.parent.tolist() == [-1, 0, 1, 1, 3, 3, 5, 5, 0, 0]

    def test_every_visible_text_has_a_zone(self):
        html = (
            "<div>a<p>b</p><table><tr><td>c</td><td>d</td></tr></table></div><i>e</i>"
        )
        document, layout = rendered(html)
        zones = segment(document, layout)
        text = document.runs.kind == RunKind.TEXT
        assert (zones.run[text] >= 0).all()

    @pytest.mark.parametrize("html", ["", "<html></html>", "<body></body>", "<br>"])
    def test_a_page_without_text_is_one_zone(self, html: str):
        document, layout = rendered(html)
        assert segment(document, layout).parent.tolist() == [-1]


class TestColumns:
    @pytest.mark.parametrize(
        ("edges", "column", "tolerance"),
        [
            ([(0, 400), (0, 400)], [1, 1], 0.1),
            # The column is 400 wide: its edges may move by 40.
            ([(100, 500), (140, 500)], [1, 1], 0.1),
            ([(100, 500), (140.1, 500)], [1, 2], 0.1),
            ([(100, 500), (100, 460)], [1, 1], 0.1),
            ([(100, 500), (100, 459.9)], [1, 2], 0.1),
            # Means after two zones: 20 to 400, 380 wide, so 38 is allowed: up to 58.
            ([(0, 400), (40, 400), (58, 400)], [1, 1, 1], 0.1),
            ([(0, 400), (40, 400), (59, 400)], [1, 1, 2], 0.1),
            ([(0, 400), (500, 900), (0, 400)], [1, 2, 3], 0.1),
            ([(0, 400), (1, 400)], [1, 2], 0.0),
        ],
    )
    def test_consecutive_zones_with_equal_edges_are_one_column(
        self,
        edges: list[tuple[float, float]],
        column: list[int],
        tolerance: float,
    ):
        zones = zones_of([(-1, 0, 1000), *((0, *edge) for edge in edges)])
        columns = columns_of(zones, tolerance)
        assert columns.zone.tolist() == [0, *column]
        assert columns.parent.tolist() == [-1] + [0] * max(column)

    def test_zones_of_two_parents_do_not_merge(self):
        zones = [(-1, 0, 1000), (0, 0, 400), (0, 0, 400), (1, 0, 90), (2, 0, 90)]
        columns = columns_of(zones_of(zones), 0.1)
        assert columns.zone.tolist() == [0, 1, 1, 2, 3]
        assert columns.parent.tolist() == [-1, 0, 1, 1]

    def test_a_column_is_as_large_as_its_zones_together(self):
        zones = [(-1, 0, 1000), (0, 0, 400), (0, 20, 410)]
        columns = columns_of(zones_of(zones), 0.1)
        assert columns.box[1].tolist() == [0, 0, 410, 10]

    def test_a_column_equal_to_its_parent_is_replaced_by_its_children(self):
        # Of 1000, 100 may be lost on each side: 100 to 900 is equal, 101 is not.
        zones = [(-1, 0, 1000), (0, 100, 900), (1, 300, 500), (1, 600, 800)]
        columns = columns_of(zones_of(zones), 0.1)
        assert columns.stays.tolist() == [True, False, True, True]
        assert columns.outer.tolist() == [-1, 0, 0, 0]
        zones[1] = (0, 101, 900)
        columns = columns_of(zones_of(zones), 0.1)
        assert columns.stays.tolist() == [True, True, True, True]
        assert columns.outer.tolist() == [-1, 0, 1, 1]

    def test_a_chain_of_equal_columns_collapses_into_its_head(self):
        zones = [(-1, 0, 1000), (0, 0, 1000), (1, 0, 990), (2, 0, 300), (3, 0, 290)]
        columns = columns_of(zones_of(zones), 0.1)
        assert columns.stays.tolist() == [True, False, False, True, False]
        assert columns.outer.tolist() == [-1, 0, 0, 0, 3]

    def test_a_chain_of_small_steps_collapses_step_by_step(self):
        # Each is equal to the one around it, the last no longer to the first.
        zones = [(-1, 0, 1000), (0, 0, 910), (1, 0, 830), (2, 0, 760)]
        columns = columns_of(zones_of(zones), 0.1)
        assert columns.stays.tolist() == [True, False, False, False]


def test_the_search_goes_through_the_columns_that_stay() -> None:
    parent = np.array([-1, 0, 1, 1, 2], np.int32)
    every, stays = np.arange(5, dtype=np.int32), np.ones(5, bool)
    stays[1] = False
    outer = np.array([-1, 0, 0, 0, 2], np.int32)
    search = ColumnSearch(
        Columns(parent, np.zeros((5, 4)), every, stays, outer), 0.3, 0.5
    )
    assert search.path(np.array([9.0, 9, 2, 7, 2])) == (0, 3)
    assert search.path(np.array([9.0, 9, 7, 2, 3])) == (0, 2, 4)
