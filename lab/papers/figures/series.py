"""Series of values along a page: means of bins, and the end of an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.schema import Doubles as Floats
    from scrapy_mainpage.extraction.document.schema import Longs as Ints


def pool(values: Floats, edges: Ints) -> Floats:
    """The value farthest from zero of each bin, so that short peaks stay."""
    if len(edges) < 2:
        return np.zeros(0)
    highest = np.maximum.reduceat(values, edges[:-1])
    lowest = np.minimum.reduceat(values, edges[:-1])
    return np.where(highest >= -lowest, highest, lowest).astype(np.float64)


def pool_mean(values: Floats, edges: Ints) -> Floats:
    """The mean of the values of each bin."""
    total = np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))
    means: Floats = (total[edges[1:]] - total[edges[:-1]]) / np.diff(edges)
    return means


def reach(values: Floats) -> float:
    """The end of an axis: the highest value, or less where few values are higher."""
    sizes = np.abs(values[values != 0])
    if not len(sizes):
        return 1.0
    return float(min(sizes.max(), 2.5 * np.quantile(sizes, 0.98)))
