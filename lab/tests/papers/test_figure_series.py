"""Pooled series of the figures."""

from __future__ import annotations

import numpy as np

from lab.papers.figures.charts import MAX_BINS, pool_edges
from lab.papers.figures.series import pool


def test_peaks_are_kept_in_pools() -> None:
    values = np.zeros(100_000)
    values[12_345], values[77_777] = 900.0, -400.0
    pooled = pool(values, pool_edges(len(values)))
    assert len(pooled) == MAX_BINS
    assert sorted(pooled[pooled != 0].tolist()) == [-400.0, 900.0]
