"""The attributes of elements, which stand one after another in the document."""

from libc.stdint cimport int32_t


cdef inline int find_attribute(
    const int32_t[::1] first, const int32_t[::1] names, int element, int name
) noexcept:
    """The place of the attribute `name` of `element`, or -1."""
    cdef int k, end = <int>names.shape[0]
    if element < 0:
        return -1
    k = first[element]
    if element + 1 < first.shape[0]:
        end = first[element + 1]
    while k < end:
        if names[k] == name:
            return k
        k += 1
    return -1
