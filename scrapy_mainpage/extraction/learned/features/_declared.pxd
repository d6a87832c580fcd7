from ._view cimport View

cdef int N_DECLARED, N_SECTIONS
cdef int fill_declared(View view, float* out) except -1
cdef int fill_sections(View view, float* out) except -1
