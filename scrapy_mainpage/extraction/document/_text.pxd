"""Texts and breaks, in document order, become runs, text blocks and lines."""

from ._schema cimport Block, Element, Line, Run
from ._buffers cimport Buffer, Table


cdef struct Counts:
    int words, cjk, sentences, commas, digits, capitals
    bint in_word
    int mark


cdef class TextFlow:
    cdef Table elements, blocks, runs, lines
    cdef Buffer text             # the text blocks, one after another, UTF-8
    cdef int block               # the open block, or -1
    cdef int indent              # blanks kept for a preformatted block not open yet
    cdef int place               # tags and texts so far
    cdef int text_place          # the place of the last text
    cdef int mark                # where a series of sentence marks stands
    cdef bint in_word
    cdef bint line_ended         # the next block begins a line

    cdef int add_text(self, const unsigned char* s, int element) except -1
    cdef int add_break(self, int element) except -1
    cdef Run* add_run(self, int kind, int element, int start) except NULL
    cdef int new_line(self) except -1
    cdef void close_block(self) noexcept

    cdef const unsigned char* _lead_in(self, const unsigned char* s, bint pre) noexcept
    cdef bint _goes_on(self, int element) noexcept
    cdef bint _after_blank(self) noexcept
    cdef void _keep_indent(self, unsigned char blank) noexcept
    cdef int _begin_text(self, int element) except -1
    cdef void _write(self, const unsigned char* s, Element* e) noexcept
    cdef void _credit(self, Counts* n, int chars, Element* e, bint inked) noexcept
    cdef bint _after_two_lines(self) noexcept
    cdef void _end_word(self) noexcept
    cdef int _open_block(self, int element) except -1
    cdef void _take_back(self, int* last) noexcept
    cdef void _clamp_runs(self, int first) noexcept


cdef inline Element* element_at(TextFlow flow, int i) noexcept:
    return <Element*>flow.elements.data + i


cdef inline Block* open_block_of(TextFlow flow) noexcept:
    return <Block*>flow.blocks.data + flow.block


cdef inline Run* run_at(TextFlow flow, int i) noexcept:
    return <Run*>flow.runs.data + i


cdef inline Line* last_line(TextFlow flow) noexcept:
    return <Line*>flow.lines.data + flow.lines.rows - 1
