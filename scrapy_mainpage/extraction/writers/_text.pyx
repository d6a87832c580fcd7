"""The plain text of the main content, assembled in one go from the document's bytes."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy


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
            if k and separator[k] == 2:
                out[length] = b"\t"
                length += 1
            elif k:
                out[length] = b"\n"
                length += 1
                if separator[k] == 0:
                    out[length] = b"\n"
                    length += 1
            memcpy(out + length, &text[start[block]], end[block] - start[block])
            length += end[block] - start[block]
        return out[:length].decode("utf-8", "replace")
    finally:
        PyMem_Free(out)
