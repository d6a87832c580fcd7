from ._escaping cimport Surroundings
from ._events cimport Buffer
from ._lines cimport LineWriter
from ._marks cimport N_MARKS, Line, Segment, Segments


cdef class ParagraphWriter(LineWriter):
    """Gathers segments, and writes a line of them to a buffer."""

    cdef Buffer code
    cdef Buffer target          # where the paragraph is written
    cdef Py_ssize_t begin       # and where it begins there
    cdef Surroundings around    # of code
    cdef Segments raw, split
    cdef Line line
    cdef int marks_on, link, pre
    cdef int[N_MARKS + 1] mark_count
    cdef int context
    cdef bint line_start
    cdef bint begins_word       # the open link
    cdef Py_ssize_t link_start
    cdef bint raw_formulas      # stand in the text, for a script to read
    cdef bint code_in_cell      # preformatted text in a table, whose lines are code spans

    cdef int open_mark(self, int kind, int element) except -1
    cdef int close_mark(self, int kind) except -1
    cdef int split_text(self, Segment* s) except -1
    cdef bint splits(self, int k, int end, bint edges) except -1
    cdef int split_edge(self, Segment* s, int k, int end, bint edges) except -1
    cdef int write_segments(self) except -1
    cdef int open_link(self) except -1
    cdef int close_link(self, int element) except -1
    cdef int write_segment(self, Segment* s, Segment* after) except -1
    cdef int write_note(self, Segment* s, Segment* after) except -1
    cdef int write_media(self, Segment* s) except -1
    cdef int put_value(self, int element, int name) except -1
    cdef int write_code(self, int k, int end) except -1
    cdef int put_indent(self, Buffer code, int start) except -1
    cdef int gather_code(self, Buffer code, Segment* s) except -1
    cdef int write_text(
        self, const unsigned char* s, int start, int end, int in_link, bint is_last,
    ) except -1
