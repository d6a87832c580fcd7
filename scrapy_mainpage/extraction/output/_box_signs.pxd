from ._columns cimport Columns


cdef int find_boxes(Columns d) except -1
