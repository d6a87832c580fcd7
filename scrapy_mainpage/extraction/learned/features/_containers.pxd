from ._view cimport View

cdef enum:
    # Kinds of elements that are counted.
    LINKS, IMAGES, TIMES, BUTTONS, N_KINDS

cdef int find_ancestors(View view) except -1
cdef int count_kinds(View view) except -1
cdef int fill_containers(View view, float* out) except -1
