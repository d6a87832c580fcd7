from ._columns cimport Columns


cdef bytearray find_code(Columns d)
