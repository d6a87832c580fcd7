from libc.stdint cimport int32_t, uint8_t

from ..document._schema cimport AttributeColumns, BlockColumns, ElementColumns, RunColumns, TokenColumns

# How the text of a run is written.
cdef enum:
    AS_IS, SILENT, RAISED, AFTER_CARET, AS_NOTE

# How an element is read against its tag.
cdef enum:
    NO_MARK = 1     # neither a link nor a superscript
    CODE_TABLE = 2
    BOX = 3         # a quote
    BOX_TITLE = 4   # a strong line, no heading
    BOX_TABLE = 5   # no table, row or cell

cdef enum:
    MAX_SIGN_BYTES = 64      # of the text of a permalink
    MAX_SIGN_RUNS = 40
    MAX_LEVELS_UP = 6
    MAX_NOTE_BYTES = 8       # of the mark of a footnote


cdef struct Wording:
    int size, letters, digits   # size without blanks and invisible characters
    bint signs                  # nothing but signs of permalinks and back links
    bint pictures
    int runs                    # of text
    int run                     # the first of them


cdef class Columns:
    """Columns of a document; `role` per run and `markup` per element hold what is found of its signs."""

    # No document: what it keeps for all outputs must not keep it.
    cdef object tables, tags
    cdef Py_ssize_t output_budget
    cdef ElementColumns elements
    cdef BlockColumns blocks
    cdef RunColumns runs
    cdef AttributeColumns attributes
    cdef TokenColumns tokens
    cdef int n_elements, n_blocks, n_runs, n_attributes, n_tokens
    cdef bytes text_object, values_object
    cdef const unsigned char* text
    cdef const unsigned char* values
    cdef bytearray roles, markups
    cdef list box_titles            # the blocks of the titles of boxes, ascending
    cdef uint8_t* role
    cdef uint8_t* markup

    cdef int find(self, int element, int name) noexcept
    cdef int number(self, int element, int name, int default) noexcept
    cdef bytes value(self, int element, int name)
    cdef int up(self, int i, int levels) noexcept
    cdef int attributes_end(self, int i) noexcept
    cdef bint is_same(self, int k, int end, int id, int id_end) noexcept
    cdef bint has_name(self, int i, list parts, list tokens) except -1
    cdef bint is_named(self, int i, int last, list parts, list tokens) except -1
    cdef int silence(self, int i) noexcept
    cdef int silence_block(self, int block) noexcept
    cdef bint parts(self, int k) noexcept
    cdef Wording wording(self, int i) noexcept


cdef bytes raised(bytes text)


cdef inline int32_t* integers(bytearray memory) noexcept:
    """The memory of a column that is kept in a bytearray."""
    return <int32_t*><char*>memory
