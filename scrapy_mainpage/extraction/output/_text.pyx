"""The plain text of the main content, assembled in one go from the document's bytes."""

import numpy as np

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from ..document.tags import CODES

cdef enum:
    BLANK_LINE = 0
    LINE = 1
    TAB = 2

cdef int32_t TBODY = CODES["tbody"], THEAD = CODES["thead"], TFOOT = CODES["tfoot"]


def separators_of(
    const int64_t[::1] chosen,
    const int32_t[::1] item,
    const int32_t[::1] cell,
    const int32_t[::1] parent,
    const int32_t[::1] tag,
    const int32_t[::1] element_item,
):
    """What stands before each *chosen* block, as :func:`join_blocks` takes it.

    *item* and *cell* are columns of the blocks, the rest of the elements.
    """
    cdef Py_ssize_t k, count = chosen.shape[0]
    separators = np.zeros(count, np.uint8)
    cdef unsigned char[::1] out = separators
    cdef int32_t above, beside, row, last_above = -1, last_beside = -1, last_row = -1
    cdef int32_t* items = NULL
    cdef int32_t* cells = NULL
    try:
        items = _alone(item, parent.shape[0])
        cells = _alone(cell, parent.shape[0])
        for k in range(count):
            above = beside = row = -1
            if items and item[chosen[k]] >= 0 and items[item[chosen[k]]] == 1:
                above = _outermost_list(item[chosen[k]], parent, element_item)
            if cells and cell[chosen[k]] >= 0 and cells[cell[chosen[k]]] == 1:
                row = parent[cell[chosen[k]]]
                beside = _table_of(row, parent, tag)
            if row >= 0 and row == last_row:
                out[k] = TAB
            elif (above >= 0 and above == last_above) or (
                beside >= 0 and beside == last_beside
            ):
                out[k] = LINE
            last_above, last_beside, last_row = above, beside, row
    finally:
        PyMem_Free(items)
        PyMem_Free(cells)
    return separators


cdef int32_t* _alone(const int32_t[::1] container, Py_ssize_t elements) except? NULL:
    """How many blocks each element is the container of; ``NULL`` if none is of any."""
    cdef Py_ssize_t i
    cdef int32_t* count = NULL
    for i in range(container.shape[0]):
        if container[i] < 0:
            continue
        if not count:
            count = <int32_t*>PyMem_Calloc(elements, sizeof(int32_t))
            if not count:
                raise MemoryError
        count[container[i]] += 1
    return count


cdef inline int32_t _outermost_list(
    int32_t item, const int32_t[::1] parent, const int32_t[::1] element_item
) noexcept:
    """The list around *item*; if that is in an item, the list of that one; or -1."""
    cdef int32_t around = item
    while around >= 0 and element_item[around] >= 0:
        around = parent[element_item[around]]
    return around


cdef inline int32_t _table_of(
    int32_t row, const int32_t[::1] parent, const int32_t[::1] tag
) noexcept:
    """The table of a row, with or without a section in between; -1 for none."""
    cdef int32_t outer = parent[row] if row >= 0 else -1
    if outer >= 0 and tag[outer] in (TBODY, THEAD, TFOOT):
        return parent[outer]
    return outer


def join_blocks(
    const unsigned char[::1] text,
    const int32_t[::1] start,
    const int32_t[::1] end,
    const int64_t[::1] chosen,
    const unsigned char[::1] separator,
):
    """Join the *chosen* blocks of *text* (UTF-8) into one string.

    ``separator[k]`` is what stands before the k-th chosen block: 0 for a blank line,
    1 for a line break, 2 for a tab.
    """
    cdef Py_ssize_t k, length = 0, size = 2
    cdef int64_t block
    for k in range(chosen.shape[0]):
        size += end[chosen[k]] - start[chosen[k]] + 2
    cdef unsigned char* out = <unsigned char*>PyMem_Malloc(size)
    if not out:
        raise MemoryError
    try:
        for k in range(chosen.shape[0]):
            block = chosen[k]
            if k and separator[k] == TAB:
                out[length] = b"\t"
                length += 1
            elif k:
                out[length] = b"\n"
                length += 1
                if separator[k] == BLANK_LINE:
                    out[length] = b"\n"
                    length += 1
            memcpy(out + length, &text[start[block]], end[block] - start[block])
            length += end[block] - start[block]
        return out[:length].decode("utf-8", "replace")
    finally:
        PyMem_Free(out)
