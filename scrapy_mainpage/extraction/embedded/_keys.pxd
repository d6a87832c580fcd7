"""What the name of a key says: rich text has keys of few names, and so have titles."""

from libc.string cimport memcmp

cdef enum:
    TYPE = 1
    INNER = 2
    LIST = 4
    TITLE = 8
    ITEM = 16
    ANY = 31


cdef inline bint named(const unsigned char* s, const char* name, Py_ssize_t size) noexcept:
    return memcmp(s, name, size) == 0


cdef inline bint titled(const unsigned char* s, const char* name, Py_ssize_t size) noexcept:
    """Whether *s* is *name*, in any case."""
    cdef Py_ssize_t k
    for k in range(size):
        if s[k] | 0x20 != <unsigned char>name[k]:
            return False
    return True


cdef inline int role_of(const unsigned char* s, Py_ssize_t size) noexcept:
    """What a key of *size* bytes may be: see ``richtext`` and ``prose`` for the names."""
    if size == 4:
        return role_of_four(s)
    if size == 5:
        return role_of_five(s)
    if size == 6:
        return INNER | LIST if named(s, "blocks", 6) else 0
    if size == 7:
        if named(s, "content", 7):
            return INNER | LIST
        return TITLE if titled(s, "heading", 7) or titled(s, "subject", 7) else 0
    if size == 8:
        return role_of_eight(s)
    if size == 10:
        return INNER if named(s, "attributes", 10) else 0
    if size == 11:
        return INNER if named(s, "innerBlocks", 11) else 0
    return 0


cdef inline int role_of_four(const unsigned char* s) noexcept:
    if named(s, "type", 4) or named(s, "kind", 4):
        return TYPE
    if titled(s, "name", 4):
        return TITLE | TYPE if named(s, "name", 4) else TITLE
    return INNER if named(s, "text", 4) or named(s, "html", 4) or named(s, "data", 4) else 0


cdef inline int role_of_five(const unsigned char* s) noexcept:
    if named(s, "_type", 5) or named(s, "style", 5):
        return TYPE
    if titled(s, "title", 5) or titled(s, "label", 5):
        return TITLE
    return INNER if named(s, "value", 5) or named(s, "items", 5) else 0


cdef inline int role_of_eight(const unsigned char* s) noexcept:
    if named(s, "children", 8):
        return INNER | LIST
    if named(s, "nodeType", 8):
        return TYPE
    if named(s, "listItem", 8):
        return ITEM
    return TITLE if titled(s, "headline", 8) or titled(s, "question", 8) else 0
