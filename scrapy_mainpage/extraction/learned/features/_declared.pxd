from ._view cimport View

cdef int fill_declared(View view, float* out) except -1
cdef int fill_sections(View view, float* out) except -1
