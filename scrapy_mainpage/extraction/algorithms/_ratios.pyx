"""Sums over ancestors, weighted by distance: the word ratio of the centroid algorithm."""

import numpy as np

from libc.stdint cimport int32_t


def spread_words(
    const int32_t[::1] parent,
    const int32_t[::1] element,
    const int32_t[::1] words,
    int farthest,
):
    """Give every ancestor the words of each text, divided by the distance to it.

    *element* and *words* belong to texts (a text's distance to its own element is 1);
    ancestors more than *farthest* edges away get nothing, which keeps hostile depths
    from costing more than their share. Returns a value per element.
    """
    result = np.zeros(parent.shape[0])
    cdef double[::1] total = result
    cdef int k, node, distance
    for k in range(element.shape[0]):
        node = element[k]
        distance = 1
        while node >= 0 and distance <= farthest:
            total[node] += words[k] / <double>distance
            node = parent[node]
            distance += 1
    return result
