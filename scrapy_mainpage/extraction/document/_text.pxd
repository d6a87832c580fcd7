from ...text._chars cimport (
    C_CAPITAL, C_CJK, C_CJK_SENTENCE, C_CLOSING, C_COMMA, C_DIGIT, C_LETTER, C_SENTENCE,
    C_SPACE, C_UNSPACED, UNSPACED_LETTERS,
)
from ._buffers cimport Buffer, Table
from ._schema cimport Block, Element, Line, Run

# A series of sentence marks (and closing quotation marks, brackets) counts once: at
# its first Chinese or Japanese mark, else if a blank or the end of the block follows.
cdef enum:
    NO_MARK, WAITING, COUNTED


cdef struct Counts:
    int words, cjk, sentences, commas, digits, capitals
    bint in_word
    int unspaced    # letters of a script without blanks in the open word
    int mark


cdef inline void count(Counts* n, int kind) noexcept:
    """Count a character of the class *kind*."""
    if kind == C_LETTER or kind == C_CAPITAL or kind == C_DIGIT:
        if not n.in_word:
            n.words += 1
            n.unspaced = 0
        n.capitals += kind == C_CAPITAL
        n.digits += kind == C_DIGIT
        n.in_word = True
        n.mark = NO_MARK
    elif kind == C_SPACE:
        n.sentences += n.mark == WAITING
        n.in_word = False
        n.mark = NO_MARK
    elif kind == C_CJK:
        n.words += 1
        n.cjk += 1
        n.in_word = False
        n.mark = NO_MARK
    elif kind == C_UNSPACED:
        if not n.in_word or n.unspaced == UNSPACED_LETTERS:
            n.words += 1
            n.unspaced = 0
        n.unspaced += 1
        n.in_word = True
        n.mark = NO_MARK
    elif kind == C_SENTENCE:
        if n.mark == NO_MARK:
            n.mark = WAITING
    elif kind == C_CJK_SENTENCE:
        n.sentences += n.mark != COUNTED
        n.in_word = False
        n.mark = COUNTED
    elif kind != C_CLOSING:
        n.commas += kind == C_COMMA
        n.mark = NO_MARK


cdef class TextFlow:
    cdef Table elements, blocks, runs, lines
    cdef Buffer text             # the text blocks, one after another, UTF-8
    cdef int block               # the open block, or -1
    cdef int indent              # blanks kept for a preformatted block not open yet
    cdef int place               # tags and texts so far
    cdef int text_place          # the place of the last text
    cdef int mark                # state of a series of sentence marks
    cdef bint in_word
    cdef int unspaced
    cdef bint line_ended         # the next block begins a line

    cdef int add_text(self, const unsigned char* s, int element) except -1
    cdef const unsigned char* _lead_in(self, const unsigned char* s, bint pre) noexcept
    cdef bint _goes_on(self, int element) noexcept
    cdef bint _after_blank(self) noexcept
    cdef bint _stands_apart(self, const unsigned char* s, int element) noexcept
    cdef void _keep_indent(self, unsigned char blank) noexcept
    cdef int _begin_text(self, int element) except -1
    cdef void _write(self, const unsigned char* s, Element* e) noexcept
    cdef void _credit(self, Counts* n, int chars, Element* e, bint inked) noexcept
    cdef int add_break(self, int element) except -1
    cdef bint _after_two_lines(self) noexcept
    cdef void _end_word(self) noexcept
    cdef Run* add_run(self, int kind, int element, int start) except NULL
    cdef int new_line(self) except -1
    cdef int _open_block(self, int element) except -1
    cdef void close_block(self) noexcept
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
