from libc.stdint cimport int32_t, int64_t, uint8_t

from ._columns cimport Columns


cdef class Signs(Columns):
    """Signs of a document, and how its blocks are written.

    ``block`` is 1 for blocks that are not written as they are, 2 for those not written at
    all. ``code`` gives an element the outermost one of the code that it stands in, or -1;
    NULL on a page without code. ``panels`` are the elements of panels of tabs, ascending;
    ``labels`` the bytes of their labels in the text.
    """

    cdef bytearray block_memory, code_memory
    cdef uint8_t* block
    cdef const int32_t* code
    cdef list panels, labels
    cdef readonly object silent_blocks

    cdef int mark_blocks(self) noexcept
    cdef tuple label_of(self, int panel)
