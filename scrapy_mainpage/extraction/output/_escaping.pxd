from ._events cimport Buffer

cdef enum Context:
    IN_PARAGRAPH, IN_HEADING, IN_CELL


cdef int put_text(
    Buffer out, const unsigned char* s, int start, int end,
    int context, bint in_link, bint line_start, bint is_last,
) except -1
cdef bint looks_like_entity(const unsigned char* s, int k, int end) noexcept
cdef int put_destination(Buffer out, bytes address) except -1
cdef int put_code_span(Buffer out, Buffer code, bint in_cell) except -1
cdef bint looks_like_definition(Buffer code) noexcept
cdef bint is_active_code(const unsigned char* s, Py_ssize_t size) except -1
