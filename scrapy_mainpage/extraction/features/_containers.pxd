from ._view cimport View

cdef enum:
    LEVELS = 7

cdef int N_CONTAINERS
cdef int find_ancestors(View view) except -1
cdef int fill_containers(View view, float* out) except -1
