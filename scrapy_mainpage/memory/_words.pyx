"""Hashes of the words of a text, in one pass over its characters."""

from cpython.unicode cimport Py_UNICODE_ISALNUM, Py_UNICODE_ISDECIMAL
from libc.stdint cimport uint8_t, uint64_t

from ..text._hashing cimport fnv_start, fnv_step, mixed

import numpy as np


def hash_words(str text not None, bint between_blanks):
    """The hash of each word, and whether it begins with a digit.

    A word is a run of letters and digits, or all *between_blanks*.
    """
    most = len(text) // 2 + 1
    hashes, digits = np.empty(most, np.uint64), np.empty(most, np.uint8)
    cdef uint64_t[::1] hash_of = hashes
    cdef uint8_t[::1] is_number = digits
    cdef uint64_t value = 0
    cdef Py_ssize_t count = 0
    cdef bint inside = False
    cdef Py_UCS4 c
    for c in text:
        if c != u" " if between_blanks else Py_UNICODE_ISALNUM(c):
            if not inside:
                inside = True
                value = fnv_start()
                is_number[count] = Py_UNICODE_ISDECIMAL(c)
            value = fnv_step(value, c)
        elif inside:
            inside = False
            hash_of[count] = mixed(value)
            count += 1
    if inside:
        hash_of[count] = mixed(value)
        count += 1
    return hashes[:count], digits[:count].view(bool)
