from ._view cimport View

cdef int N_BLOCKS, N_POSITIONS, N_PAGE
cdef int fill_blocks(View view, float* out) except -1
cdef int fill_positions(View view, float* out) except -1
cdef int fill_page(View view, float* out) except -1
