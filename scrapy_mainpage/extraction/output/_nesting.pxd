from libc.stdint cimport int32_t, int64_t

from ._events cimport K_H1, K_CAPTION, N_KINDS, Events
from ._main_tree cimport MainTree
from ._signs cimport Signs

cdef enum:
    MAX_DEPTH = 48        # of containers; line prefixes would grow, parsers give up


cdef struct Open:
    int kind
    int element
    bint filled
    bint implied  # not in the source: a list around a stray item, a cell in a row
    int rest      # of a row: where cells may come that were not opened yet


cdef inline bint holds_text(int kind) noexcept:
    return K_H1 <= kind <= K_CAPTION


cdef class Nesting:
    """The open containers and marks of a stream of events, which nest as HTML demands."""

    cdef MainTree t
    cdef Signs d
    cdef Events events
    cdef bytearray layout_memory
    cdef int32_t* layout
    cdef Open[MAX_DEPTH + 16] stack
    cdef int depth
    cdef int[N_KINDS] mark          # the element that a mark was opened for, or -1
    cdef int[N_KINDS] marks         # the marks that are on, outermost first
    cdef int n_marks
    cdef int64_t marks_left         # that may still be opened again in other blocks
    cdef int interrupted            # the table that goes on below a heading, or -1
    cdef bint text_open, after_image
    cdef int text_kind, text_owner, text_block

    cdef int top(self) noexcept
    cdef int push(self, int kind, int element, bint implied) except -1
    cdef int pop(self) except -1
    cdef int fill_row(self, int last) except -1
    cdef int pop_implied(self, int kind) except -1
    cdef int open_container(self, int i, int kind) except -1
    cdef int interrupt_table(self) except -1
    cdef int resume_table(self, int row) except -1
    cdef bint is_filled(self) noexcept
    cdef int push_if(self, bint fits, int kind, int i) except -1
    cdef int open_item(self, int i) except -1
    cdef int reopen_item(self) except -1
    cdef int make_room_for_blocks(self) except -1
    cdef int open_text(self, int owner, bint is_image) except -1
    cdef int drop_marks(self) noexcept
    cdef bint is_tight(self, int owner, bint is_image) noexcept
    cdef int close_text(self) except -1
