from libc.stdint cimport int32_t

from ._columns cimport Columns
from ._events cimport Buffer, EventWriter

cdef enum:
    MAX_COLUMNS = 64  # with cells that reach down
    MAX_COLSPAN = 24  # also the columns of tables whose short rows are filled up
    NO_NUMBER = -1


cdef class ItemNumbers:
    """The numbers of the items of ordered lists; `NO_NUMBER` of other elements."""

    cdef bytearray memory
    cdef int32_t* number
    cdef int n_lists

    cdef int count(self, Columns d, int ol) except -1


cdef class Grid:
    """Gives the cells of a table their columns, beside those that reach down."""

    cdef int[MAX_COLUMNS] busy  # rows that a cell above still takes
    cdef int column, columns

    cdef int begin_row(self) noexcept
    cdef int place(self, int columns, int rows) noexcept


cdef class Table:
    """The cells of a Markdown table, which is written by row when it ends."""

    cdef Buffer text
    cdef Grid grid
    cdef list cells
    cdef bint row_begins, has_head
    cdef bint joins  # the next paragraph is in a row of an inner table

    cdef int open_cell(self, int columns, int rows) except -1
    cdef int close_cell(self) except -1
    cdef int break_line(self) except -1
    cdef list rows(self)


cdef enum:
    MAX_NESTING = 80  # more than a stream of events has


cdef struct Container:
    int kind
    Py_ssize_t first_size   # the prefixes' sizes before it was opened
    Py_ssize_t rest_size
    bint filled
    bint loose
    int items
    int number
    unsigned char marker
    int last_list           # the kind of the list that was closed last in it
    unsigned char last_marker


cdef class LineWriter(EventWriter):
    """Writes lines with the prefixes of the quotations and lists around them."""

    cdef Buffer first, rest     # the prefixes of the next line, and of those after it
    cdef Container[MAX_NESTING] stack
    cdef int depth
    cdef int gap                # line breaks that are due before the next block
    cdef bint last_tight
    cdef bint after_term        # the last block is the term of a definition
    cdef bint begins_definition
    cdef bint is_flat           # the prefixes have outgrown the page, there are no more
    cdef ItemNumbers items

    cdef Container* top(self) noexcept
    cdef int push(self, int kind) except -1
    cdef int pop(self) except -1
    cdef int add_prefix(self, const char* first, const char* rest) except -1
    cdef int pay_prefixes(self, Py_ssize_t lines) noexcept
    cdef int begin_block(self, bint is_list, Py_ssize_t lines=*) except -1
    cdef int break_lines(self) except -1
    cdef int put_bare_prefix(self) except -1
    cdef int put_blank_line(self) except -1
    cdef int put_prefix(self) except -1
    cdef int open_list(self, int kind, int element) except -1
    cdef int number_of(self, int item) noexcept
    cdef int open_item(self, int element) except -1
    cdef bint is_in_definition(self) noexcept
