from ._view cimport View

cdef int N_NEIGHBOURS
cdef int fill_neighbours(View view, float* out) except -1
