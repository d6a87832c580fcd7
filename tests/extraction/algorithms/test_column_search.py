"""The search for the main content column (Rae et al. 2018, section 3.3)."""

from __future__ import annotations

import numpy as np

from scrapy_mainpage.extraction.algorithms.segmentation.zones import (
    Columns,
    ColumnSearch,
)


def tree_of_columns(parents: list[int]) -> Columns:
    parent = np.array([-1, *parents], np.int32)
    n = len(parent)
    every = np.arange(n, dtype=np.int32)
    return Columns(parent, np.zeros((n, 4)), every, np.ones(n, bool), parent.copy())


def test_the_path_goes_through_the_columns_that_stay() -> None:
    columns = tree_of_columns([0, 1, 1, 2])
    columns.stays[1] = False
    columns.outer[[2, 3]] = 0
    search = ColumnSearch(columns, 0.3, 0.5)
    assert search.path(np.array([9.0, 9, 2, 7, 2])) == (0, 3)
    assert search.path(np.array([9.0, 9, 7, 2, 3])) == (0, 2, 4)
