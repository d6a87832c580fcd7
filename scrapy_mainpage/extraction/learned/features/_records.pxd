from ._view cimport View

cdef int N_RECORDS
cdef int fill_records(View view, float* out) except -1
