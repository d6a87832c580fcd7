from ._view cimport View

cdef int N_SYSTEMS
cdef int fill_systems(View view, float* out) except -1
