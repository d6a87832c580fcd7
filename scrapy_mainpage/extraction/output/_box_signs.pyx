"""Boxes in the text (notes, tips, warnings), their titles, and the tables that lay them out.

In Markdown and HTML a box is a quote, and its title a strong line: a heading there heads
the box, and not what follows it.
"""

from libc.string cimport strcmp, strncmp

from ..document._schema cimport HEADING_SHIFT, HIDDEN, RUN_IMAGE
from ._columns cimport BOX, BOX_TABLE, BOX_TITLE, MAX_LEVELS_UP, SILENT, Columns

from ..document.tags import CODES

cdef enum:
    MAX_BOX_BLOCKS = 40
    MAX_TITLE_WORDS = 12
    MAX_NAME_BYTES = 24

cdef int TAG_DIV = CODES["div"], TAG_SECTION = CODES["section"], TAG_ASIDE = CODES["aside"]
cdef int TAG_TABLE = CODES["table"], TAG_TR = CODES["tr"], TAG_TD = CODES["td"], TAG_TH = CODES["th"]

cdef enum:
    N_NAMES = 15

ctypedef const char* Name

# Letter case, hyphens and underscores apart.
cdef Name[N_NAMES] NAMES = [
    "note", "tip", "warning", "caution", "important", "danger", "hint", "attention", "alert",
    "seealso", "customblock", "markdownalert", "starlightaside", "themeadmonition", "callout",
]
cdef list TITLE_PARTS = [b"title", b"heading"]
cdef list TITLE_TOKENS = [b"label"]


cdef int find_boxes(Columns d) except -1:
    """Mark the boxes of a page: none in another, and none with more headings than a title."""
    cdef int k, i, end = 0
    for k in range(d.n_tokens):
        i = d.tokens.element[k]
        if i >= end and (
            d.elements.tag[i] in (TAG_DIV, TAG_SECTION, TAG_ASIDE)
        ) and names_box(d, k) and read_box(d, i):
            end = d.elements.end[i]


cdef bint names_box(Columns d, int k) noexcept:
    """Whether a token is the name of a box, or begins with ``admonition``."""
    cdef char[MAX_NAME_BYTES + 1] plain
    cdef int place, n = 0
    for place in range(d.tokens.start[k], d.tokens.end[k]):
        if d.values[place] != b"-" and d.values[place] != b"_":
            if n == MAX_NAME_BYTES:
                break
            plain[n] = d.values[place] | 32
            n += 1
    plain[n] = 0
    for place in range(N_NAMES):
        if strcmp(plain, NAMES[place]) == 0:
            return True
    return strncmp(plain, "admonition", 10) == 0


cdef bint read_box(Columns d, int box) except -1:
    cdef int first = d.elements.first_block[box], end = d.elements.end_block[box], k, title, table
    if not 0 < end - first <= MAX_BOX_BLOCKS:
        return False
    for k in range(first, end):
        if d.blocks.flags[k] & HIDDEN:
            return False
        if d.blocks.flags[k] >> HEADING_SHIFT and (k > first or d.blocks.flags[k] >> HEADING_SHIFT == 1):
            return False
    d.markup[box] = BOX
    title = title_of(d, box, first) if end - first > 1 else -1
    if title >= 0:
        d.markup[title] = BOX_TITLE
        d.box_titles.append(first)
    table = table_of(d, box, first, end)
    if table >= 0:
        open_table(d, table)
    return True


cdef int title_of(Columns d, int box, int block) except -2:
    """The element of a box's title, its first block; or -1."""
    cdef int i = d.blocks.element[block], found = -1
    if d.blocks.words[block] > MAX_TITLE_WORDS:
        return -1
    for _ in range(MAX_LEVELS_UP):
        if i <= box or d.elements.end_block[i] > block + 1:
            break
        if (
            d.elements.flags[i] >> HEADING_SHIFT or d.elements.tag[i] == TAG_TH
            or d.has_name(i, TITLE_PARTS, TITLE_TOKENS)
        ):
            found = i
        i = d.elements.parent[i]
    return found


cdef int table_of(Columns d, int box, int first, int end) noexcept:
    """The table that holds all of a box: it only lays out an icon and the text; or -1."""
    cdef int i = d.blocks.element[first]
    while i > box:
        if d.elements.tag[i] == TAG_TABLE and d.elements.end_block[i] == end:
            return i
        i = d.elements.parent[i]
    return -1


cdef int open_table(Columns d, int table) noexcept:
    """Read a table, its rows and its cells as if they were not there; silence the icon."""
    cdef int i = table + 1, k
    d.markup[table] = BOX_TABLE
    while i < d.elements.end[table]:
        if d.elements.tag[i] == TAG_TABLE:
            i = d.elements.end[i]
            continue
        if d.elements.tag[i] in (TAG_TR, TAG_TD, TAG_TH):
            if d.elements.tag[i] != TAG_TR and d.elements.first_block[i] == d.elements.end_block[i]:
                for k in range(d.elements.first_run[i], d.elements.end_run[i]):
                    if d.runs.kind[k] == RUN_IMAGE:
                        d.role[k] = SILENT
            if not d.markup[i]:
                d.markup[i] = BOX_TABLE
        i += 1
