"""The page that trimming writes, text by text."""

from ..document._buffers cimport Buffer

cdef enum:
    # What was done, as flags.
    DEPTH = 1 << 0
    ATTRIBUTES = 1 << 1
    ELEMENTS = 1 << 2
    TEXT = 1 << 3

    # Beyond the last element, a paragraph with so many bytes ends at the next break.
    PARAGRAPH = 1024


cdef class TrimmedText:
    """Bytes that were written, and how their texts go on."""

    cdef Buffer out
    cdef int done           # what was done
    cdef int opaque         # open elements without text of the page
    cdef bint hidden        # beyond the last element: whether one of these is not over
    cdef bint spare         # whether the last element was reached
    cdef bint broken        # whether the text is to go on in a new paragraph
    cdef Py_ssize_t text    # bytes of the text node, or of the paragraph
    cdef Py_ssize_t max_text
    cdef Py_ssize_t room    # bytes that are left for elements and text blocks
    cdef int owed           # of these, by the next text
    cdef int add_text(self, const unsigned char* s, const unsigned char* end) except -1
    cdef void pay(self, const unsigned char* s, const unsigned char* end) noexcept
    cdef const unsigned char* add_mark(self, const unsigned char* mark) except NULL
    cdef int add_reference(self, const unsigned char* s, Py_ssize_t size) except -1
    cdef int add_raw_text(self, const unsigned char* s, const unsigned char* end) except -1
    cdef int add_spare_text(self, const unsigned char* s, const unsigned char* end) except -1
    cdef int write_literal(self, const char* s, size_t size) except -1
    cdef int write(self, const unsigned char* s, const unsigned char* end) except -1
