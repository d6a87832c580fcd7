"""One paragraph's segments, and which of their marks can be written."""

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
    S_TEXT, S_EDGE, S_BLANK, S_BREAK, S_IMAGE, S_MEDIA


cdef struct Segment:
    int kind
    int start        # of text: its bytes; of an image: the element
    int end
    int marks
    int link         # the element of the link around it, or -1
    int link_first   # the first and the last segment of that link
    int link_last
    int[N_MARKS] last


cdef struct Segments:
    Segment* items
    int size
    int room


cdef inline bint is_space_kind(int kind) noexcept:
    return kind == S_BLANK or kind == S_BREAK


cdef int add_segment(Segments* segments, int kind, int start, int end, int marks, int link) except -1
cdef bint is_edge(const unsigned char* s, Py_ssize_t k, Py_ssize_t end) except -1


cdef class Line:
    cdef Segments segments
    cdef Segment* items
    cdef int size
    cdef const unsigned char* text
    cdef int add(self, int kind, int start, int end, int marks, int link) except -1
    cdef void number_links(self) noexcept
    cdef void number_marks(self) noexcept
    cdef void merge(self) noexcept
    cdef int settle_marks(self) except -1
    cdef int choose_emphasis(self) except -1
    cdef bint touches_word(self, int i, int j) except -1
    cdef bint untangle(self) noexcept
    cdef void clear_mark(self, int mark, int start, int end) noexcept
    cdef int still_open(self, Segment* s, int* stack, int depth, int link) noexcept
    cdef int next_mark(self, Segment* s, int* stack, int depth, int link) noexcept
    cdef int trim_marks(self, int mark) except -1
    cdef int trim_stretch(self, int i, int j, int mark) except -1
    cdef bint wraps(self, Segment* s, Segment* beside, bint link_inside, int mark) noexcept
    cdef bint fails_before(self, int i, int j, int mark) except -1
    cdef bint fails_after(self, int i, int j, int mark) except -1
    cdef bint word_before(self, int i, int j) except -1
    cdef bint word_after(self, int i, int j) except -1
    cdef bint ends_word(self, Segment* outer, Segment* s) noexcept
