"""Which pieces of a text have one of some words, in one pass over their bytes."""

import numpy as np

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcmp, memset

cdef enum:
    MAX_WORDS = 16


def find_pieces(
    const unsigned char[::1] text not None, const int32_t[::1] start not None,
    const int32_t[::1] end not None, tuple words not None,
):
    """Whether each piece, from its *start* to before its *end*, has one of the *words*.

    The words are not empty; there are 16 at most. ``ValueError`` otherwise, or for ends of
    another number.
    """
    cdef (const char*)[MAX_WORDS] word
    cdef int[MAX_WORDS] size
    cdef uint8_t[256] begins
    cdef int i, k, n = <int>start.shape[0], count = <int>len(words)
    cdef int32_t at
    result = np.zeros(n, np.uint8)
    cdef uint8_t[::1] found = result
    if count > MAX_WORDS or not all(words) or end.shape[0] != n:
        raise ValueError("16 words at most, and an end for each start")
    memset(begins, 0, sizeof(begins))
    for k in range(count):
        word[k], size[k] = words[k], <int>len(words[k])
        begins[<uint8_t>word[k][0]] = 1
    for i in range(n):
        at = start[i]
        while at < end[i] and not found[i]:
            if begins[text[at]]:
                for k in range(count):
                    if size[k] <= end[i] - at and not memcmp(&text[at], word[k], size[k]):
                        found[i] = 1
            at += 1
    return result.view(bool)
