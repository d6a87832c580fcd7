from ._view cimport View

cdef int join_members(View view, double* odds) except -1
