"""The inside of one paragraph: its text, marks, links, images and code spans."""

from libc.stdint cimport int32_t

from ._buffer cimport Buffer
from ._marks cimport Line, N_MARKS, Segment, Segments


cdef class Paragraph:
    cdef const int32_t[::1] attribute_names, attribute_starts, attribute_ends, first_attribute
    cdef bytes text_object, values_object
    cdef const unsigned char* text
    cdef const unsigned char* values
    cdef dict links, sources, languages
    cdef Buffer code
    cdef Buffer* to             # where it is written
    cdef Py_ssize_t begin       # and from where on there
    cdef Segments raw, split
    cdef Line line
    cdef int marks_on, link, pre
    cdef int[N_MARKS + 1] mark_count
    cdef int context
    cdef bint line_start
    cdef int put_prefix(self) except -1
    cdef int put_repeated(self, Buffer* buffer, unsigned char c, Py_ssize_t count) except -1
    cdef Py_ssize_t longest_run(self, Buffer* buffer, unsigned char c) noexcept
    cdef int mark_of(self, int kind) noexcept
    cdef int open_mark(self, int kind, int element) except -1
    cdef int close_mark(self, int kind) except -1
    cdef int add_text(self, int start, int end) except -1
    cdef int split_text(self, Segment* s) except -1
    cdef bint _splits(self, Py_ssize_t k, Py_ssize_t end, bint edges) except -1
    cdef int split_edge(self, Segment* s, int k, int end, bint edges) except -1
    cdef int write_segments(self) except -1
    cdef int write_opener(self, int mark) except -1
    cdef int open_link(self) except -1
    cdef int close_link(self, int element) except -1
    cdef int put_address(self, bytes address) except -1
    cdef int write_segment(self, Segment* s, bint is_last) except -1
    cdef int write_media(self, Segment* s) except -1
    cdef int put_value(self, int element, int name) except -1
    cdef int write_code(self, int k, int end) except -1
    cdef int gather_code(self, Buffer* code, Segment* s) except -1
    cdef bint looks_like_definition(self, Buffer* code) noexcept
    cdef int put_code_span(self, Buffer* code) except -1
    cdef int write_text(self, const unsigned char* s, int start, int end, bint in_link, bint is_last) except -1
    cdef int find(self, int element, int name) noexcept
    cdef int number(self, int element, int name, int otherwise, int least, int most) noexcept
