"""Shapes of SVG, axes and pooled series."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.report.figures.charts import (
    MAX_BINS,
    pool,
    pool_edges,
    reach,
    ticks,
)
from scrapy_mainpage.report.figures.drawing import Svg


@given(st.text())
def test_any_text_gives_well_formed_xml_that_says_the_same(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    svg = Svg(10, 10, text)
    svg.text(0, 0, text)
    svg.rect(0, 0, 1, 1, title=text, fill=text)
    root = ElementTree.fromstring(str(svg))
    assert [child.tag.partition("}")[2] for child in root] == ["text", "rect"]
    assert set(root[1].attrib) == {"x", "y", "width", "height", "fill"}


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


def test_an_axis_is_cut_where_few_values_are_higher() -> None:
    values = np.array([10.0] * 99 + [100_000.0])
    assert reach(values) < 30
    assert reach(np.array([10.0, -20.0])) == 20
    assert reach(np.zeros(5)) == 1.0
