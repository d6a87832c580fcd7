"""Which elements of a page are repeated, of which records each element is a part, and
what their texts and addresses are like."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp, strlen

from ...text._hashing cimport bytes_hash

cdef enum:
    # Bytes of a text that tell it from others.
    MAX_HASHED = 2000
    # Bytes of the ending of a file, with its dot.
    MAX_ENDING = 5
    CURRENCIES = 9

cdef const char** SIGNS = [
    b"$", b"\xe2\x82\xac", b"\xc2\xa3", b"\xc2\xa5", b"\xe2\x82\xb9",
    b"kr", b"z\xc5\x82", b"USD", b"EUR",
]


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


cdef int check_ranges(
    bytes text, const int32_t[::1] start, const int32_t[::1] end
) except -1:
    """Raise ``IndexError`` for a range that is not in *text*: it is read without checks."""
    cdef Py_ssize_t n = len(text), k
    if start.shape[0] != end.shape[0]:
        raise IndexError("as many starts as ends")
    for k in range(start.shape[0]):
        if end[k] > start[k] and (start[k] < 0 or end[k] > n):
            raise IndexError("a range outside of the text")


def hash_ranges(bytes text not None, const int32_t[::1] start not None, const int32_t[::1] end not None):
    """A hash of each range of *text*, 0 for empty ones."""
    cdef int n = <int>start.shape[0], i
    cdef const unsigned char* data = text
    found = np.zeros(n, np.uint64)
    cdef uint64_t[::1] out = found
    check_ranges(text, start, end)
    for i in range(n):
        if end[i] > start[i]:
            out[i] = bytes_hash(data + start[i], min(end[i] - start[i], MAX_HASHED), 0)
    return found


cdef inline bint is_digit(unsigned char letter) noexcept nogil:
    return b"0" <= letter <= b"9"


cdef inline bint is_blank(unsigned char letter) noexcept nogil:
    return letter == b" " or b"\t" <= letter <= b"\r"


cdef bint is_year(const unsigned char* text, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Whether a number of four digits that may be a year is at *i*."""
    if i + 4 > n or (i and is_digit(text[i - 1])) or (i + 4 < n and is_digit(text[i + 4])):
        return False
    if memcmp(text + i, b"19", 2) and memcmp(text + i, b"20", 2):
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
        if i and is_digit(text[i - 1]):
            return True
        if i > 1 and is_blank(text[i - 1]) and is_digit(text[i - 2]):
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
    check_ranges(text, start, end)
    for k in range(start.shape[0]):
        for i in range(start[k], end[k]):
            if is_digit(letters[i]):
                out[0, k] |= is_year(letters, i, n)
            elif not out[1, k]:
                out[1, k] = is_price(letters, i, n)
    return found


def measure_addresses(
    bytes text not None, const int32_t[::1] start not None, const int32_t[::1] end not None
):
    """Of each range of *text*: whether it has a query, its length, the dots of its ending,
    its slashes and digits; in five rows."""
    cdef Py_ssize_t i, k
    cdef const unsigned char* letters = text
    cdef unsigned char letter
    found = np.zeros((5, start.shape[0]), np.int64)
    cdef int64_t[:, ::1] out = found
    check_ranges(text, start, end)
    for k in range(start.shape[0]):
        out[1, k] = end[k] - start[k]
        for i in range(start[k], end[k]):
            letter = letters[i]
            if letter == b"?":
                out[0, k] = 1
            elif letter == b"." and i >= end[k] - MAX_ENDING:
                out[2, k] += 1
            elif letter == b"/":
                out[3, k] += 1
            elif is_digit(letter):
                out[4, k] += 1
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
    check_ranges(text, start, end)
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
