"""Steps over the name and the attributes of one tag, which ends at *close*."""

from ._scanning cimport end_of_value, ends_name, is_blank


cdef inline const unsigned char* end_of_name(
    const unsigned char* s, const unsigned char* end
) noexcept nogil:
    while s < end and not ends_name(s[0]):
        s += 1
    return s


cdef inline const unsigned char* next_attribute(
    const unsigned char* s, const unsigned char* close
) noexcept nogil:
    while s < close and (is_blank(s[0]) or s[0] == b"/"):
        s += 1
    return s


cdef inline const unsigned char* end_of_attribute(
    const unsigned char* s, const unsigned char* close
) noexcept nogil:
    """Behind the name at *s* and its value."""
    cdef const unsigned char* behind
    s += 1
    while s < close and s[0] != b"=" and s[0] != b"/" and not is_blank(s[0]):
        s += 1
    behind = s
    while s < close and is_blank(s[0]):
        s += 1
    if s >= close or s[0] != b"=":
        return behind
    s += 1
    while s < close and is_blank(s[0]):
        s += 1
    if s < close and (s[0] == b'"' or s[0] == b"'"):
        return end_of_value(s, close)
    while s < close and not is_blank(s[0]):
        s += 1
    return s
