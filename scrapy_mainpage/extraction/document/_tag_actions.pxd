"""What a page's tags, roles and inline styles mean for the walk."""

# What a tag does; bits.
cdef enum:
    IS_BLOCK = 1 << 0       # owns text blocks, breaks before and after it
    IS_OPAQUE = 1 << 1      # its descendants are not read
    IS_VOID = 1 << 2        # has no end tag
    IS_ITEM = 1 << 3
    IS_CELL = 1 << 4
    IS_SILENT = 1 << 5      # is left out of the lines
    IS_HEADING = 1 << 6
    # What it adds to the text.
    ADDS_BREAK = 1 << 7
    ADDS_RULE = 1 << 8
    ADDS_IMAGE = 1 << 9
    ADDS_MEDIA = 1 << 10
    ADDS_TITLE = 1 << 11
    ADDS_SCRIPT = 1 << 12
    ADDS = ADDS_BREAK | ADDS_RULE | ADDS_IMAGE | ADDS_MEDIA | ADDS_TITLE | ADDS_SCRIPT

cdef int[256] ACTIONS_OF    # per tag of the vocabulary
cdef int[256] FLAGS_OF

cdef int flags_of_roles(bytes roles) except -1
cdef bint hides(const unsigned char* style) noexcept
