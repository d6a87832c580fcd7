"""The document's columns that the writers walk, with counts of its main content."""

from libc.stdint cimport int32_t, uint8_t


# What a run is, in the order of RunKind.
cdef enum:
    RUN_TEXT, RUN_BREAK, RUN_IMAGE, RUN_MEDIA, RUN_RULE, RUN_HEAD


cdef class MainTree:
    cdef const int32_t[::1] tag, kind, parent, end, flags, owner, link, first_block, end_block
    cdef const int32_t[::1] run_kind, elements, blocks, starts, ends, words
    cdef int32_t[::1] main_before, main_words_before, words_before
    cdef int n_elements, n_runs, n_blocks

    cdef int _count(self, const uint8_t[::1] main) except -1
    cdef bint is_main(self, int block) noexcept
    cdef int main_blocks(self, int element) noexcept
    cdef bint mostly_main(self, int element) noexcept


cdef int32_t[::1] layout_tables(MainTree t)
