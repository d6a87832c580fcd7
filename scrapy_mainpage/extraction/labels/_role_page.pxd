from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

from ..document._schema cimport Tables

cdef enum:
    MAX_NAMED = 24
    MAX_TOPICS = 16


cdef struct Naming:
    # Per region: the blocks of the innermost element around that names it, and its depth.
    int32_t[MAX_NAMED] blocks
    int32_t[MAX_NAMED] depth


cdef struct Sums:
    # Over the blocks before each.
    int32_t words, linked, headings, buttons, main_words, main


cdef struct Nearest:
    # The heading before a block, the main block up to it and from it on; -1 for none.
    int32_t heading, main_before, main_after


cdef class RolePage:
    cdef object document
    cdef Tables t
    cdef int n, title, first_main, last_main
    cdef float main_words
    cdef bint forum
    cdef const unsigned char* text
    cdef int32_t[::1] up, naming_of
    cdef int32_t[:, ::1] namings, sums, nearest
    cdef float[:, ::1] share, shares_before
    cdef const uint32_t[::1] opening
    cdef const int16_t[:, ::1] word_sums
    cdef const int32_t[::1] slots, read, numbers, separators

    cdef int _read_names(self, const uint64_t[::1] bits, int count) except -1
    cdef int _read_topics(self, const int32_t[:, ::1] counts) except -1
    cdef int _sum_blocks(self, const uint8_t[::1] main) except -1
    cdef int _find_nearest(self, const uint8_t[::1] main) except -1


cdef inline Sums* sums_before(RolePage page, int i) noexcept:
    return <Sums*>&page.sums[0, 0] + i


cdef inline Nearest* nearest_to(RolePage page, int i) noexcept:
    return <Nearest*>&page.nearest[0, 0] + i


cdef inline int larger(RolePage page, int element) noexcept:
    return max(page.up[element], 0)
