from ...text._chars cimport is_ascii_blank

cdef enum:
    START, END, DECLARATION, MARK


cdef struct Token:
    int kind                        # MARK is a "<" that is text
    const unsigned char* start      # its "<"
    const unsigned char* name       # of a tag
    const unsigned char* close      # the ">" of a tag, or the end of the page
    const unsigned char* behind     # the next markup: raw text is skipped
    Py_ssize_t quoted               # bytes of the quoted values
    bint is_empty                   # a start tag that ends with "/>"


cdef bint next_token(Token* t, const unsigned char* s, const unsigned char* end) noexcept
cdef int count_attributes(const Token* t, const unsigned char* end) noexcept


cdef inline bint ends_name(unsigned char c) noexcept:
    return c == b">" or c == b"/" or is_ascii_blank(c)


cdef inline const unsigned char* end_of_name(
    const unsigned char* s, const unsigned char* end
) noexcept:
    while s < end and not ends_name(s[0]):
        s += 1
    return s
