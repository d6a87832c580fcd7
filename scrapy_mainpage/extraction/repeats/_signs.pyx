"""Signs in the texts and addresses of a page: years, prices, what paths are like."""

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcmp, strlen

cdef enum:
    # Bytes of the ending of a file, with its dot.
    MAX_ENDING = 5
    CURRENCIES = 9

cdef const char** SIGNS = [
    b"$", b"\xe2\x82\xac", b"\xc2\xa3", b"\xc2\xa5", b"\xe2\x82\xb9",
    b"kr", b"z\xc5\x82", b"USD", b"EUR",
]


cdef inline bint is_digit(unsigned char letter) noexcept nogil:
    return 48 <= letter <= 57


cdef inline bint is_blank(unsigned char letter) noexcept nogil:
    return letter == 32 or 9 <= letter <= 13


cdef bint is_year(const unsigned char* text, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Whether a number of four digits that may be a year is at *i*."""
    if i + 4 > n or (i and is_digit(text[i - 1])) or (i + 4 < n and is_digit(text[i + 4])):
        return False
    if not (text[i] == 49 and text[i + 1] == 57 or text[i] == 50 and text[i + 1] == 48):
        return False
    return is_digit(text[i + 2]) and is_digit(text[i + 3])


cdef bint is_price(const unsigned char* text, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Whether a sign of a currency is at *i*, with a digit on a side, or behind a blank."""
    cdef int k
    cdef Py_ssize_t end
    for k in range(CURRENCIES):
        end = i + <Py_ssize_t>strlen(SIGNS[k])
        if text[i] != <unsigned char>SIGNS[k][0] or end > n or memcmp(text + i, SIGNS[k], end - i):
            continue
        if i and is_digit(text[i - 1]) or i > 1 and is_blank(text[i - 1]) and is_digit(text[i - 2]):
            return True
        if end < n and is_digit(text[end]):
            return True
        if end + 1 < n and is_blank(text[end]) and is_digit(text[end + 1]):
            return True
    return False


def find_signs(bytes text not None, const int32_t[::1] start not None, const int32_t[::1] end not None):
    """Whether a year, and whether a price begins in each range of *text*, in two rows."""
    cdef Py_ssize_t i, k, n = len(text)
    cdef const unsigned char* letters = text
    found = np.zeros((2, start.shape[0]), bool)
    cdef unsigned char[:, ::1] out = found.view(np.uint8)
    for k in range(start.shape[0]):
        for i in range(start[k], end[k]):
            if is_digit(letters[i]):
                out[0, k] |= is_year(letters, i, n)
            elif not out[1, k]:
                out[1, k] = is_price(letters, i, n)
    return found


def measure_addresses(bytes text not None, const int32_t[::1] start not None, const int32_t[::1] end not None):
    """Of each range of *text*: whether it has a query and a host, its length, the dots of
    its ending, its slashes and digits; in six rows."""
    cdef Py_ssize_t i, k, n = len(text)
    cdef const unsigned char* letters = text
    cdef unsigned char letter
    found = np.zeros((6, start.shape[0]), np.int64)
    cdef int64_t[:, ::1] out = found
    for k in range(start.shape[0]):
        out[2, k] = end[k] - start[k]
        for i in range(start[k], end[k]):
            letter = letters[i]
            if letter == 63:  # ?
                out[0, k] = 1
            elif letter == 58 and i + 1 < n and letters[i + 1] == 47:  # :/
                out[1, k] = 1
            elif letter == 46 and i >= end[k] - MAX_ENDING:  # .
                out[3, k] += 1
            elif letter == 47:  # /
                out[4, k] += 1
            elif is_digit(letter):
                out[5, k] += 1
    return found


def shared_starts(
    bytes text not None,
    const int32_t[::1] start not None,
    const int32_t[::1] end not None,
    const int64_t[::1] bounds not None,
):
    """The bytes with which all ranges of each group begin; *bounds* are the groups'."""
    cdef Py_ssize_t group, k, i, size, first
    cdef const unsigned char* letters = text
    found = np.zeros(bounds.shape[0] - 1, np.int64)
    cdef int64_t[::1] out = found
    for group in range(bounds.shape[0] - 1):
        first = start[bounds[group]]
        size = end[bounds[group]] - first
        for k in range(bounds[group] + 1, bounds[group + 1]):
            size = min(size, <Py_ssize_t>(end[k] - start[k]))
            i = 0
            while i < size and letters[first + i] == letters[start[k] + i]:
                i += 1
            size = i
        out[group] = size
    return found
