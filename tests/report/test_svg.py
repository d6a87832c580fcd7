from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.report.pictures.svg import Svg, number, plain


@given(st.text())
def test_any_text_gives_well_formed_xml_that_says_the_same(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    svg = Svg(10, 10, text)
    svg.text(0, 0, text)
    svg.rect(0, 0, 1, 1, title=text, fill=text)
    root = ElementTree.fromstring(str(svg))
    assert [child.tag.partition("}")[2] for child in root] == ["text", "rect"]
    assert set(root[1].attrib) == {"x", "y", "width", "height", "fill"}


def test_markup_in_a_text_stays_text() -> None:
    svg = Svg(10, 10, '"><script>')
    svg.text(0, 0, "</text></svg><script>alert(1)</script>")
    assert "<script" not in str(svg)
    (text,) = ElementTree.fromstring(str(svg))
    assert text.text == "</text></svg><script>alert(1)</script>"


def test_a_long_text_is_cut_before_it_is_escaped() -> None:
    assert plain("&&&&", 3) == "&amp;&amp;…"
    assert plain("&&&", 3) == "&amp;&amp;&amp;"


def test_names_of_attributes_are_written_with_hyphens_and_none_is_left_out() -> None:
    svg = Svg(10, 10, "")
    svg.line(0, 0.126, 1, 2, stroke_width=3, stroke_dasharray=None)
    assert '<line x1="0" y1="0.13" x2="1" y2="2" stroke-width="3"/>' in str(svg)


def test_a_width_below_zero_is_drawn_as_none() -> None:
    svg = Svg(10, 10, "")
    svg.rect(5, 5, -2, -1)
    assert 'width="0" height="0"/>' in str(svg)


@pytest.mark.parametrize(
    ("value", "text"), [(1e6, "1000000"), (0.005, "0.01"), (-0.004, "0"), (10, "10")]
)
def test_numbers_have_at_most_two_decimals(value: float, text: str) -> None:
    assert number(value) == text
