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


def predict_forest(
    const float[:, ::1] rows,
    const int16_t[::1] feature,
    const float[::1] threshold,
    const int32_t[::1] left,
    const float[::1] value,
    const int32_t[::1] roots,
):
    """The sum over all trees of the *value* of the leaf that each row ends in.

    *roots* are the trees' first nodes; the other arrays are as for a single tree, with
    nodes of all trees one after another and without tests for equality.
    """
    cdef int n = rows.shape[0], n_trees = roots.shape[0], i, tree, node
    cdef double total
    result = np.empty(n, np.float64)
    cdef double[::1] out = result
    for i in range(n):
        total = 0
        for tree in range(n_trees):
            node = roots[tree]
            while left[node] >= 0:
                node = left[node] + (rows[i, feature[node]] > threshold[node])
            total += value[node]
        out[i] = total
    return result
