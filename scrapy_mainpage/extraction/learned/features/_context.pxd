from libc.stdint cimport uint8_t

from ._units cimport Units
from ._view cimport View

cdef int fill_context(
    View view, Units units, const double* odds, const uint8_t* copies, float* out
) except -1
