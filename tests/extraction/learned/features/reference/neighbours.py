"""The features of the blocks before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Column = npt.NDArray[np.float32]
    Columns = dict[str, Column]

_BESIDE = (
    "words",
    "link_density",
    "sentences",
    "ends_sentence",
    "heading",
    "tag_p",
    "tag_li",
    "digit_share",
    "capital_share",
    "word_length",
)
_AROUND = ("words", "link_density", "sentences", "ends_sentence", "tag_p", "heading")
DISTANCE = 2
RADII = (1, 3, 6)


def neighbour_features(columns: Columns) -> Columns:
    """Two blocks to each side, and means over windows; 0 outside of the page."""
    return _beside(columns) | _around(columns)


def _beside(columns: Columns) -> Columns:
    table = np.stack([columns[name] for name in _BESIDE])
    n = table.shape[1]
    padded = np.zeros((len(_BESIDE), n + 2 * DISTANCE), np.float32)
    padded[:, DISTANCE : DISTANCE + n] = table
    return {
        f"{name}_{sign}{offset}": row[start : start + n]
        for name, row in zip(_BESIDE, padded, strict=True)
        for offset in range(1, DISTANCE + 1)
        for sign, start in (("-", DISTANCE - offset), ("+", DISTANCE + offset))
    }


def _around(columns: Columns) -> Columns:
    table = np.stack([columns[name] for name in _AROUND])
    n = table.shape[1]
    total = np.zeros((len(_AROUND), n + 1))
    np.cumsum(table, axis=1, dtype=np.float64, out=total[:, 1:])
    index = np.arange(n)
    means = {}
    for radius in RADII:
        low, high = np.maximum(index - radius, 0), np.minimum(index + radius + 1, n)
        mean = (total.take(high, axis=1) - total.take(low, axis=1)) / (high - low)
        means[radius] = mean.astype(np.float32)
    return {
        f"{name}_mean{radius}": means[radius][k]
        for k, name in enumerate(_AROUND)
        for radius in RADII
    }
