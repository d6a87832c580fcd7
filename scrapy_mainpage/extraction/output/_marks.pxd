cdef enum:
    M_DEL = 1 << 0
    M_STRONG = 1 << 1
    M_EM = 1 << 2
    M_SUP = 1 << 3
    M_SUB = 1 << 4
    M_STAR = 1 << 5  # emphasis beside or inside of a word, which "_" cannot give
    N_MARKS = 6
    M_CODE = 1 << 6
    M_DELIMITED = M_DEL | M_STRONG | M_EM

cdef enum:
    S_TEXT, S_EDGE, S_BLANK, S_BREAK, S_IMAGE, S_MEDIA, S_NOTE, S_RAISED, S_FORMULA


cdef struct Segment:
    int kind
    int start        # of text: its bytes; of an image or media: the element
    int end
    int marks
    int link         # the element of the link around it, or -1
    int link_first   # the first and the last segment of that link
    int link_last
    int[N_MARKS] last


cdef inline bint is_space_kind(int kind) noexcept:
    return kind == S_BLANK or kind == S_BREAK


cdef class Segments:
    cdef Segment* items
    cdef int size, room

    cdef int add(self, int kind, int start, int end, int marks, int link) except -1


cdef class Line(Segments):
    """The segments of one paragraph, after blanks were joined."""

    cdef const unsigned char* text

    cdef int count_breaks(self) noexcept
    cdef int settle(self) except -1


cdef bint is_edge(const unsigned char* s, Py_ssize_t k, Py_ssize_t end) except -1
cdef int still_open(Segment* s, int* stack, int depth, int link) noexcept
cdef int next_mark(Segment* s, int* stack, int depth, int link) noexcept
