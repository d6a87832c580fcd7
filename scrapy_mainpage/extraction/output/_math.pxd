from ._events cimport Buffer


cdef int put_formula(
    Buffer out, const unsigned char* s, int start, int end, int context, bint in_link,
) except -1
cdef int put_text_with_formulas(
    Buffer out, bytes text, int start, int end, int context, bint line_start, bint is_last,
) except -1
