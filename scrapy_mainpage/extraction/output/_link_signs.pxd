from ._columns cimport Columns


cdef int find_link_signs(Columns d) except -1
