from ._view cimport View

cdef enum:
    LEVELS = 7
    # Kinds of elements that are counted.
    LINKS = 0
    IMAGES = 1
    TIMES = 2
    BUTTONS = 3
    N_KINDS = 4

cdef int N_CONTAINERS
cdef int count_kinds(View view) except -1
cdef int find_ancestors(View view) except -1
cdef int fill_containers(View view, float* out) except -1
