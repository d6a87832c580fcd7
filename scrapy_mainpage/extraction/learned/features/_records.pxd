from ._view cimport View

cdef int fill_records(View view, float* out) except -1


cdef int fill_systems(View view, float* out) except -1
