from ._view cimport View

cdef int N_NEIGHBOURS
cdef int fill_neighbours(View view, const float* blocks, float* out) except -1
