"""What trimming has to know of tags: what they are, and which of them end others."""

from libc.stdint cimport uint64_t

cdef enum:
    BLOCK = 1 << 0      # ends a text block
    VOID = 1 << 1       # has no end tag
    OPAQUE = 1 << 2     # holds no text of the page
    ROOM = 1 << 3       # what paragraphs can stand in
    SINGLE = 1 << 4     # html, head and body: the parser knows where they begin and end
    RAW = 1 << 5        # holds text of the page that is no markup
    LINE = 1 << 6       # ends a line, which is no text block of its own
    BODY = 1 << 7
    LASTING = 1 << 8    # the parser leaves it open where the standard has its end

cdef enum:
    # Elements that need no end tag: the next one of the group is theirs.
    PARAGRAPHS = 1
    CELLS = 8
    ROWS = 9


cdef struct Known:
    uint64_t name           # its number
    int kind
    int rank                # an end tag does not reach beyond an element of a higher rank
    int group


cdef Known known(const unsigned char* s, Py_ssize_t size) noexcept


cdef inline bint ends(Known tag, Known top) noexcept:
    """Whether the start tag *tag* ends the open element *top*."""
    if not top.group:
        return False
    if top.group == PARAGRAPHS:
        return tag.kind & BLOCK and tag.kind & VOID == 0
    return tag.group == top.group or tag.group > top.group >= CELLS
