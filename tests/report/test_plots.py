from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.report.pictures.plots import (
    MOST_BINS,
    Axes,
    pool,
    pool_edges,
    pool_mean,
    reach,
    ticks,
)
from scrapy_mainpage.report.pictures.svg import Svg


@given(st.floats(-1e6, 1e6), st.floats(0.001, 1e6), st.integers(1, 12))
def test_ticks_lie_within_and_are_few(low: float, size: float, most: int) -> None:
    found = ticks(low, low + size, most)
    slack = size * 1e-6
    assert all(low - slack <= tick <= low + size + slack for tick in found)
    assert len(found) <= most + 1
    assert len(set(found)) == len(found)


def test_a_range_of_nothing_has_one_tick() -> None:
    assert ticks(3, 3, 5) == [3]


def test_a_short_series_is_not_pooled() -> None:
    values = np.array([3.0, 0.0, -7.0])
    assert pool(values, pool_edges(3)).tolist() == [3.0, 0.0, -7.0]


def test_peaks_are_kept_in_pools() -> None:
    values = np.zeros(100_000)
    values[12_345], values[77_777] = 900.0, -400.0
    pooled = pool(values, pool_edges(len(values)))
    assert len(pooled) == MOST_BINS
    assert sorted(pooled[pooled != 0].tolist()) == [-400.0, 900.0]


def test_a_mean_is_that_of_its_bin() -> None:
    values = np.array([1.0, 3.0, 5.0, 5.0])
    assert pool_mean(values, pool_edges(4, 2)).tolist() == [2.0, 5.0]


def test_a_series_of_nothing_gives_nothing() -> None:
    assert pool(np.zeros(0), pool_edges(0)).tolist() == []


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
