from ._events cimport Buffer

cdef enum Context:
    IN_PARAGRAPH, IN_HEADING, IN_CELL, IN_HEAD

cdef enum:
    IN_LINK = 1
    IN_VALUE = 2    # of an attribute, within the brackets of a link or an image


cdef class Surroundings:
    """What stands before code in its paragraph or row: read once, whatever the number of codes."""

    cdef set seen               # of "$~^["; a backslash or backtick before a backtick
    cdef Py_ssize_t place       # up to which it was read
    cdef Py_ssize_t word        # where the last link ended, or the cell began
    cdef bint is_address        # the last word could be one, without links

    cdef int begin(self, Py_ssize_t place) except -1
    cdef int begin_row(self, Buffer out) except -1
    cdef int read(self, Buffer out) except -1


cdef int put_text(
    Buffer out, const unsigned char* s, int start, int end,
    int context, int in_link, bint line_start, bint is_last,
) except -1
cdef bint looks_like_entity(const unsigned char* s, int k, int end) noexcept
cdef int put_destination(Buffer out, bytes address) except -1
cdef int put_code(Buffer out, Buffer code, bint in_cell, Surroundings around) except -1
cdef bint is_active_code(const unsigned char* s, Py_ssize_t size) except -1
