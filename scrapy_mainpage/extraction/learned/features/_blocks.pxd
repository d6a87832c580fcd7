from ._view cimport View

cdef int fill_blocks(View view, float* out) except -1
cdef int fill_neighbours(View view, float* out) except -1
cdef int fill_positions(View view, float* out) except -1
cdef int fill_page(View view, float* out) except -1
