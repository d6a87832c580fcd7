from libc.stdint cimport int32_t

from ._signs cimport Signs

cdef enum:
    HEADING_ROW = 2


cdef class MainTree:
    """The kinds of a document's elements, and counts of its main blocks per element."""

    cdef Signs d
    cdef bytearray memory
    cdef int32_t* kind
    # Before each block, and in all: main blocks, their words, words.
    cdef int32_t* main_before
    cdef int32_t* main_words_before
    cdef int32_t* words_before

    cdef int open_lists(self) noexcept
    cdef bint is_main(self, int block) noexcept
    cdef int main_blocks(self, int element) noexcept
    cdef bint has_own_text(self, int element) noexcept
    cdef int row_of(self, int heading, int blocks) noexcept
    cdef bint is_mostly_main(self, int element) noexcept
    cdef bint is_between(self, int i, int holder) noexcept
    cdef bint is_captioned(self, int holder) except -1
    cdef bint is_child(self, int block, int holder) noexcept


cdef bytearray layout_tables(MainTree t, set posts)
cdef bint heads_table(MainTree t, int row) noexcept
