from libc.stdint cimport uint8_t

from ..document._schema cimport Tables

cdef int keep_headings(const Tables* t, const float* scores, uint8_t* chosen) except -1
cdef int keep_units(document, const Tables* t, const float* scores, uint8_t* chosen) except -1
cdef int keep_prices(document, const Tables* t, const float* scores, uint8_t* chosen) except -1
