"""Boxes of a browser are matched to their elements; other data is rejected."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.document.layout import DISPLAYS, Layout, LayoutError
from tests.extraction.helpers import document_of
from tests.layouts import load, themes

PAGE = (
    '<html data-mainpage="0"><head data-mainpage="1"></head>'
    '<body data-mainpage="2"><p data-mainpage="3">words</p></body></html>'
)
FIELDS = ("x", "y", "width", "height", "display", "visible", "opacity", "font")


def snapshot(**changes: Any) -> dict[str, Any]:
    """The snapshot of PAGE, with some fields changed."""
    return {
        "version": 1,
        "window": [1280, 900],
        "page": [1280, 2000.5],
        "tags": ["html", "head", "body", "p"],
        "tag": [0, 1, 2, 3],
        "x": [0, 0, 8, -20.5],
        "y": [0, 0, 8, 16],
        "width": [1280, 0, 1264, 600],
        "height": [2000, 0, 1984, 40],
        "display": [DISPLAYS.index(name) for name in "block none block flex".split()],
        "visible": [1, 0, 1, 0],
        "opacity": [1, 1, 0.5, 1],
        "font": [16, 16, 16, 13.3],
        **changes,
    }


def read(data: Any, html: str = PAGE) -> Layout:
    return Layout.from_json(json.dumps(data), document_of(html))


class TestValues:
    def test_each_element_gets_its_values(self) -> None:
        layout = read(snapshot())
        assert layout.x.tolist() == [0, 0, 8, -20.5]
        assert layout.y.tolist() == [0, 0, 8, 16]
        assert layout.width.tolist() == [1280, 0, 1264, 600]
        assert layout.height.tolist() == [2000, 0, 1984, 40]
        assert [DISPLAYS[code] for code in layout.display] == [
            "block",
            "none",
            "block",
            "flex",
        ]
        assert layout.visible.tolist() == [True, False, True, False]
        assert layout.opacity.tolist() == [1, 1, 0.5, 1]
        assert layout.font_size.tolist() == pytest.approx([16, 16, 16, 13.3])
        assert layout.area.tolist() == [2_560_000, 0, 1264 * 1984, 24_000]
        assert (layout.window, layout.page) == ((1280, 900), (1280, 2000.5))

    def test_bytes_are_read_too(self) -> None:
        layout = Layout.from_json(json.dumps(snapshot()).encode(), document_of(PAGE))
        assert layout.x[3] == -20.5

    def test_the_order_of_the_stamps_does_not_matter(self) -> None:
        moved = PAGE.replace('body data-mainpage="2"', 'body data-mainpage="9"')
        moved = moved.replace('"3"', '"2"').replace('"9"', '"3"')
        layout = read(snapshot(tag=[0, 1, 3, 2]), moved)
        assert layout.x.tolist() == [0, 0, -20.5, 8]

    def test_elements_that_the_parser_adds_have_no_box(self) -> None:
        html = '<p data-mainpage="3">words</p>'
        layout = read(snapshot(), html)
        assert [document_of(html).tag_name(i) for i in range(3)] == [
            "html",
            "body",
            "p",
        ]
        assert layout.width.tolist() == [0, 0, 600]
        assert layout.x.tolist() == [0, 0, -20.5]
        assert layout.visible[:2].tolist() == [False, False]

    def test_tags_that_html_does_not_know_are_not_compared(self) -> None:
        html = PAGE.replace("<p ", "<my-words ").replace("</p>", "</my-words>")
        layout = read(snapshot(tags=["html", "head", "body", "my-words"]), html)
        assert layout.x[3] == -20.5

    def test_stamps_in_a_noscript_are_the_pages_own(self) -> None:
        inside = '<noscript><p data-mainpage="2">no</p></noscript><p data-'
        layout = read(snapshot(), PAGE.replace("<p data-", inside))
        assert layout.width[:3].tolist() == [1280, 0, 1264]
        assert not layout.width[3:-1].any()
        assert layout.width[-1] == 600

    @pytest.mark.parametrize("stamp", ["", "-1", "1e0", "3.0", "٣", " 3", "000000003"])
    def test_what_is_no_stamp_gives_no_box(self, stamp: str) -> None:
        layout = read(snapshot(), PAGE.replace('"3"', f'"{stamp}"'))
        assert layout.width.tolist() == [1280, 0, 1264, 0]


class TestFreeTexts:
    """Texts beside elements have boxes of their own."""

    HTML = PAGE.replace("words", 'one<b data-mainpage="4">two</b>three')

    def snapshot(self, **changes: Any) -> dict[str, Any]:
        columns = {name: [*snapshot()[name], 1] for name in (*FIELDS, "tag")}
        columns["tag"][-1] = 4
        return snapshot(
            **columns,
            tags=["html", "head", "body", "p", "b"],
            **{
                "text_parent": [3, 3, 9],
                "text_after": [3, 4, 3],
                "text_x": [10, 60, 1],
                "text_y": [20, 20, 1],
                "text_width": [30, 50, 1],
                "text_height": [16, 32, 1],
                **changes,
            },
        )

    def test_each_run_has_the_box_of_its_text(self) -> None:
        layout, document = read(self.snapshot(), self.HTML), document_of(self.HTML)
        boxes = layout.run_boxes(document.runs.element)
        assert boxes.tolist() == [[10, 20, 30, 16], [1, 1, 1, 1], [60, 20, 50, 32]]

    def test_older_snapshots_have_the_elements_boxes(self) -> None:
        layout, document = read(snapshot()), document_of(PAGE)
        boxes = layout.run_boxes(document.runs.element)
        assert boxes.tolist() == [[-20.5, 16, 600, 40]]

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("text_after", [3]),
            ("text_x", None),
            ("text_width", [-1, 0, 0]),
            ("text_parent", ["3", 3, 3]),
            ("text_parent", [-1, 3, 3]),
        ],
    )
    def test_broken_ones_are_refused(self, name: str, value: object) -> None:
        with pytest.raises(LayoutError):
            read(self.snapshot(**{name: value}), self.HTML)


NO_NUMBERS = (None, "1", [1], [], {}, True)
INFINITE = float("inf")
NO_LENGTHS = (float("nan"), INFINITE, -INFINITE, 1e308, -1e308, 10**400, 2**25 + 1)
OUTSIDE = {
    "width": [-1],
    "height": [-0.1],
    "display": [len(DISPLAYS), -1],
    "visible": [2],
    "opacity": [1.5],
    "font": [-3],
    "tag": [4, -1],
}
BAD_NUMBERS = [
    (name, value, message)
    for name in (*FIELDS, "tag")
    for message, values in (
        ("something else than numbers", NO_NUMBERS),
        ("numbers out of range", (*NO_LENGTHS, *OUTSIDE.get(name, ()))),
    )
    for value in values
]


class TestBrokenSnapshots:
    @pytest.mark.parametrize(
        "broken",
        ["", "{", b"\xff\xfe", "layout", "[" * 100_000, "9" * 5000, '{"version": 1} x'],
    )
    def test_what_is_not_json(self, broken: str | bytes) -> None:
        with pytest.raises(LayoutError, match="not a layout snapshot: "):
            Layout.from_json(broken, document_of(PAGE))

    @pytest.mark.parametrize(
        "broken", [None, [], {}, 1, "x", {"version": 2}, {"version": "1"}]
    )
    def test_json_that_is_no_snapshot(self, broken: Any) -> None:
        with pytest.raises(LayoutError, match="not a layout snapshot of version 1"):
            read(broken)

    @pytest.mark.parametrize("name", [*FIELDS, "tag", "tags", "window", "page"])
    def test_a_list_that_is_missing_is_named(self, name: str) -> None:
        for value in (None, {}, "1234", 4):
            with pytest.raises(LayoutError, match=f"without the list '{name}'"):
                read(snapshot(**{name: value}))

    @pytest.mark.parametrize(
        ("name", "value", "message"), BAD_NUMBERS, ids=lambda value: repr(value)[:8]
    )
    def test_other_values_than_those_of_a_browser(
        self, name: str, value: Any, message: str
    ) -> None:
        with pytest.raises(LayoutError, match=f"{message}: {name}"):
            read(snapshot(**{name: [0, 0, 0, value]}))

    @pytest.mark.parametrize("name", [*FIELDS, "tag"])
    def test_columns_of_unlike_length(self, name: str) -> None:
        for values in ([], [0, 0, 0], [0, 0, 0, 0, 0]):
            with pytest.raises(LayoutError, match="columns of unlike length"):
                read(snapshot(**{name: values}))

    @pytest.mark.parametrize("name", ["window", "page"])
    def test_a_size_is_two_numbers(self, name: str) -> None:
        for value in ([], [1280], [1, 2, 3]):
            with pytest.raises(LayoutError, match=f"without the size of the {name}"):
                read(snapshot(**{name: value}))
        with pytest.raises(LayoutError, match=f"numbers out of range: {name}"):
            read(snapshot(**{name: [1280, float("nan")]}))

    def test_tag_names_are_texts(self) -> None:
        with pytest.raises(LayoutError, match="without the list 'tags'"):
            read(snapshot(tags=["html", "head", "body", ["p"]]))

    @given(
        name=st.sampled_from([*snapshot()]),
        value=st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda inner: (
                st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner)
            ),
        ),
    )
    def test_no_json_raises_anything_else(self, name: str, value: Any) -> None:
        try:
            layout = read(snapshot(**{name: value}))
        except LayoutError:
            return
        assert np.isfinite(layout.area).all()


class TestOtherPages:
    def test_a_page_without_stamps(self) -> None:
        for html in ("<p>words</p>", ""):
            with pytest.raises(LayoutError, match="a page without stamps"):
                read(snapshot(), html or "<html></html>")

    def test_a_page_with_more_elements(self) -> None:
        html = PAGE.replace('"3"', '"4"')
        with pytest.raises(LayoutError, match="another page: elements are missing"):
            read(snapshot(), html)

    def test_a_snapshot_without_elements(self) -> None:
        empty = {name: [] for name in (*FIELDS, "tag", "tags")}
        with pytest.raises(LayoutError, match="another page: elements are missing"):
            read(snapshot(**empty))

    def test_a_page_with_other_tags(self) -> None:
        html = PAGE.replace("<p ", "<h1 ").replace("</p>", "</h1>")
        with pytest.raises(LayoutError, match="another page: the tags are others"):
            read(snapshot(), html)

    @pytest.mark.parametrize("theme", themes())
    def test_neighbours_of_the_same_site_are_told_apart(self, theme: str) -> None:
        first, second, *_ = load(theme)
        for page, other in ((first, second), (second, first)):
            with pytest.raises(LayoutError, match="another page"):
                Layout.from_json(other.layout_json, document_of(page.html))
