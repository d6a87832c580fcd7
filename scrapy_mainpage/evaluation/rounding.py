"""Numbers of trained models in single precision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


def rounded_down(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """In single precision, and still at least the same numbers of that precision.

    The thresholds of trees lie between two of them; rounded up, one could become the
    number above.

    >>> rounded_down(np.array([0.5, 1 + 2**-24, -1 - 2**-24])).tolist()
    [0.5, 1.0, -1.0000001192092896]
    """
    rounded = values.astype(np.float32)
    below = np.nextafter(rounded, np.float32(-np.inf))
    return np.where(rounded > values, below, rounded)
