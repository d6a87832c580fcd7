"""Which elements of a page are repeated, and of which records each element is a part."""

import numpy as np

from libc.stdint cimport int32_t, uint64_t

from ...text._hashing cimport bytes_hash

cdef enum:
    # Bytes of a text that tell it from others.
    MAX_HASHED = 2000


def find_records(
    const int32_t[::1] kind not None,
    const int32_t[::1] parent not None,
    const int32_t[::1] first_run not None,
    const int32_t[::1] end_run not None,
):
    """The nearest record around each element, or -1.

    Elements are repeated if there are more of their *kind* than of a parent's, or several
    in one. Where
    siblings of several kinds take turns, those of the kind that is first begin a record,
    and the others up to the next one are parts of it: a heading and the texts below it,
    a ``dt`` and its ``dd``, rows of two lines.
    """
    cdef int n = <int>kind.shape[0], i, p, k, before, step
    cdef int n_kinds = (max(kind) if n else -1) + 1
    repeated, around = np.zeros(n_kinds, bool), np.full(n, -1, np.int32)
    cdef unsigned char[::1] is_repeated = repeated.view(np.uint8)
    cdef int32_t[::1] above = around
    # Of each kind: elements, the last one, and pairs of neighbours, next to each other or
    # with others between them. Of each element: its place, and its children until now.
    cdef int32_t[::1] count = np.zeros(n_kinds, np.int32)
    cdef int32_t[::1] last = np.full(n_kinds, -1, np.int32)
    cdef int32_t[::1] near = np.zeros(n_kinds, np.int32)
    cdef int32_t[::1] apart = np.zeros(n_kinds, np.int32)
    cdef int32_t[::1] longest = np.zeros(n_kinds, np.int32)
    cdef int32_t[::1] place = np.zeros(n, np.int32)
    cdef int32_t[::1] children = np.zeros(n, np.int32)
    cdef int32_t[::1] following = np.full(n, -1, np.int32)
    cdef int32_t[::1] lead = np.full(n, -1, np.int32)
    for i in range(n):
        k, p = kind[i], parent[i]
        count[k] += 1
        if p < 0 or end_run[i] == first_run[i]:
            continue
        children[p] += 1
        place[i] = children[p]
        before = last[k]
        if before >= 0 and parent[before] == p:
            following[before] = i
            step = place[i] - place[before]
            if step > 1:
                apart[k] += 1
                longest[k] = max(longest[k], step)
            else:
                near[k] += 1
        last[k] = i
    for i in range(n):
        k, p = kind[i], parent[i]
        if p >= 0 and (count[k] > count[kind[p]] or near[k] + apart[k] > 0):
            is_repeated[k] = True
    for i in range(n):
        k, p = kind[i], parent[i]
        if p < 0:
            continue
        before = lead[p]
        if place[i] and apart[k] > near[k] and (
            following[i] >= 0 and (before < 0 or kind[before] == k) or before >= 0 and kind[before] == k
        ):
            lead[p] = i
        elif before >= 0 and kind[before] != k and (
            following[before] >= 0 or place[i] < place[before] + longest[kind[before]]
        ):
            # A part of the record that its sibling began.
            above[i] = before
            continue
        above[i] = p if is_repeated[kind[p]] else above[p]
    return around


def hash_ranges(bytes text not None, const int32_t[::1] start not None, const int32_t[::1] end not None):
    """A hash of each range of *text*, 0 for empty ones."""
    cdef int n = <int>start.shape[0], i
    cdef const unsigned char* data = text
    found = np.zeros(n, np.uint64)
    cdef uint64_t[::1] out = found
    for i in range(n):
        if end[i] > start[i]:
            out[i] = bytes_hash(data + start[i], min(end[i] - start[i], MAX_HASHED), 0)
    return found
