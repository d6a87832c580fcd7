"""XPaths of elements: the way from the root, each step by its number among its siblings."""

import numpy as np

from libc.stdint cimport int32_t, int64_t

from ._buffers cimport Buffer, reserve_bytes

cdef enum:
    MAX_DIGITS = 10


def write_paths(
    const int32_t[::1] parent not None,
    const int32_t[::1] tag not None,
    const int32_t[:, ::1] numbers not None,
    list names not None,
    const int32_t[::1] wanted not None,
    int64_t budget,
):
    """An XPath from the root for each element *wanted*.

    *names* has the bytes of each *tag*, or ``None`` if XPath has none for it: then the
    step is the number among all siblings, the second row of *numbers*; the first is that
    among those of the tag. Paths behind *budget* characters are short: the element's
    number in the document.
    """
    cdef Buffer path = Buffer(256)
    cdef list found = []
    cdef int32_t[::1] way = np.empty(parent.shape[0], np.int32)
    cdef int element, steps
    for k in range(wanted.shape[0]):
        path.used, steps, element = 0, 0, wanted[k]
        if budget <= 0:
            found.append(f"(//*)[{element + 1}]")
            continue
        while element >= 0:
            way[steps] = element
            steps, element = steps + 1, parent[element]
        while steps:
            steps -= 1
            _put_step(path, names[tag[way[steps]]], numbers[0, way[steps]], numbers[1, way[steps]])
        found.append(path.contents().decode("ascii"))
        budget -= path.used
    return found


cdef int _put_step(Buffer path, bytes name, int twin, int child) except -1:
    cdef Py_ssize_t size = len(name) if name is not None else 1
    cdef char* text = name if name is not None else b"*"
    cdef int number = child if name is None else twin, k = MAX_DIGITS
    cdef unsigned char[MAX_DIGITS] digits
    while number or k == MAX_DIGITS:
        k -= 1
        digits[k] = <unsigned char>(48 + number % 10)
        number //= 10
    reserve_bytes(path, size + MAX_DIGITS + 3)
    path.append(b"/", 1)
    path.append(<const unsigned char*>text, size)
    path.append(b"[", 1)
    path.append(&digits[k], MAX_DIGITS - k)
    path.append(b"]", 1)
