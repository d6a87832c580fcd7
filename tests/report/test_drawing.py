"""Shapes of SVG, axes and pooled series."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.report.figures.charts import (
    MAX_BINS,
    Axes,
    pool,
    pool_edges,
    pool_mean,
    reach,
    ticks,
)
from scrapy_mainpage.report.figures.drawing import Svg, number, plain


@given(st.text())
def test_any_text_gives_well_formed_xml_that_says_the_same(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    svg = Svg(10, 10, text)
    svg.text(0, 0, text)
    svg.rect(0, 0, 1, 1, title=text, fill=text)
    root = ElementTree.fromstring(str(svg))
    assert [child.tag.partition("}")[2] for child in root] == ["text", "rect"]
    assert set(root[1].attrib) == {"x", "y", "width", "height", "fill"}


def test_a_long_text_is_cut_before_it_is_escaped() -> None:
    assert plain("&&&&", 3) == "&amp;&amp;…"
    assert plain("&&&", 3) == "&amp;&amp;&amp;"


def test_names_of_attributes_are_written_with_hyphens_and_none_is_left_out() -> None:
    svg = Svg(10, 10, "")
    svg.line(0, 0.126, 1, 2, stroke_width=3, stroke_dasharray=None)
    assert '<line x1="0" y1="0.13" x2="1" y2="2" stroke-width="3"/>' in str(svg)


@pytest.mark.parametrize(
    ("value", "text"), [(1e6, "1000000"), (0.005, "0.01"), (-0.004, "0"), (10, "10")]
)
def test_numbers_have_at_most_two_decimals(value: float, text: str) -> None:
    assert number(value) == text


@given(st.floats(-1e6, 1e6), st.floats(0.001, 1e6), st.integers(1, 12))
def test_ticks_lie_within_and_are_few(low: float, size: float, most: int) -> None:
    found = ticks(low, low + size, most)
    slack = size * 1e-6
    assert all(low - slack <= tick <= low + size + slack for tick in found)
    assert len(found) <= most + 1
    assert len(set(found)) == len(found)


def test_peaks_are_kept_in_pools() -> None:
    values = np.zeros(100_000)
    values[12_345], values[77_777] = 900.0, -400.0
    pooled = pool(values, pool_edges(len(values)))
    assert len(pooled) == MAX_BINS
    assert sorted(pooled[pooled != 0].tolist()) == [-400.0, 900.0]


def test_a_mean_is_that_of_its_bin() -> None:
    values = np.array([1.0, 3.0, 5.0, 5.0])
    assert pool_mean(values, pool_edges(4, 2)).tolist() == [2.0, 5.0]


def test_an_axis_is_cut_where_few_values_are_higher() -> None:
    values = np.array([10.0] * 99 + [100_000.0])
    assert reach(values) < 30
    assert reach(np.array([10.0, -20.0])) == 20
    assert reach(np.zeros(5)) == 1.0


def test_scales_go_from_the_bottom_left_to_the_top_right() -> None:
    axes = Axes(Svg(100, 100, ""), 10, 20, 50, 40, (0, 5), (-1, 1))
    assert (axes.x(0), axes.x(5)) == (10, 60)
    assert (axes.y(-1), axes.y(0), axes.y(1)) == (60, 40, 20)


@pytest.mark.parametrize(("counted", "expected"), [(False, True), (True, False)])
def test_counted_ticks_are_whole_numbers(counted: bool, expected: bool) -> None:
    svg = Svg(100, 100, "")
    Axes(svg, 10, 20, 50, 40, (0, 3), (0, 1)).draw("x", "y", counted=counted)
    assert (">1.5<" in str(svg)) is expected
