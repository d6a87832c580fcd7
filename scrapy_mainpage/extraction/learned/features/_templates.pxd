from libc.stdint cimport uint8_t

from ._view cimport View


cdef struct Likely:
    # Per block the probability and log odds; sums before each block, and one more.
    double* p
    const double* odds
    const uint8_t* copies
    double* words
    double* main
    # Words of texts that the page had before.
    double* copied


cdef Likely sum_likely(View view, const double* odds, const uint8_t* copies) except *
cdef int fill_templates(View view, Likely likely, float* out) except -1
cdef int join_members(View view, double* odds) except -1


cdef inline double sum_in(View view, const double* sums, int element) noexcept:
    return sums[view.end_block[element]] - sums[view.first_block[element]]
