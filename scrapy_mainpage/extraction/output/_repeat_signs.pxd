from ._columns cimport Columns


cdef int find_repeats(Columns d) noexcept
