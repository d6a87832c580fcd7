"""Decision trees as flat arrays: the prediction for many rows."""

import numpy as np

from libc.stdint cimport int16_t, int32_t, uint8_t


def predict_tree(
    const float[:, ::1] rows,
    const int16_t[::1] feature,
    const float[::1] threshold,
    const uint8_t[::1] equals,
    const int32_t[::1] left,
    const float[::1] value,
):
    """The *value* of the leaf that each of the *rows* ends in.

    A node sends a row to ``left`` if its feature is at most the threshold (or, where
    ``equals`` is set, equal to it), else to the node after ``left``; a leaf's ``left``
    is -1.
    """
    cdef int n = rows.shape[0], i, node
    cdef float x
    result = np.empty(n, np.float32)
    cdef float[::1] out = result
    for i in range(n):
        node = 0
        while left[node] >= 0:
            x = rows[i, feature[node]]
            if (x == threshold[node]) if equals[node] else (x <= threshold[node]):
                node = left[node]
            else:
                node = left[node] + 1
        out[i] = value[node]
    return result
