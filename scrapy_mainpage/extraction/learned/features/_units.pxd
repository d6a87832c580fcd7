from libc.stdint cimport int32_t, uint8_t

from ._view cimport View


cdef const int32_t* find_units(View view) except NULL
cdef int level_units(View view, const int32_t* units, double* odds) except -1
cdef int lower_copies(View view, const uint8_t* copies, double* odds) noexcept


cdef inline double block_weight(View view, int i) noexcept:
    """The weight of a block in means over blocks: one without words has some, too."""
    return view.weight[i] + 0.1
