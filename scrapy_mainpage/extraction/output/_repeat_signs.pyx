"""What markup says, said again in words: the column's head in a cell, an item's number.

Pages do so for small screens, where style sheets hide the one or the other.
"""

from libc.string cimport memcmp

from ...text._chars cimport is_ascii_blank
from ..document._schema cimport RUN_TEXT
from ._columns cimport SILENT, Columns

from ..document.tags import ATTRIBUTE_CODES, CODES

cdef int TAG_TABLE = CODES["table"], TAG_TD = CODES["td"], TAG_TH = CODES["th"]
cdef int THEAD = CODES["thead"], TAG_OL = CODES["ol"], TAG_LI = CODES["li"]
cdef int COLSPAN = ATTRIBUTE_CODES["colspan"]

cdef enum:
    MAX_HEADS = 64


cdef int find_repeats(Columns d) noexcept:
    cdef int i
    for i in range(d.n_elements):
        if d.elements.tag[i] == TAG_TABLE:
            read_heads(d, i)
        elif d.elements.tag[i] == TAG_OL:
            read_numbers(d, i)


cdef int read_heads(Columns d, int table) noexcept:
    """Silence the first text of a cell that is that of the header cell above it."""
    cdef int[MAX_HEADS] heads
    cdef int i = table + 1, k, row = -1, first = -1, column = 0, n = 0
    while i < d.elements.end[table]:
        if d.elements.tag[i] == TAG_TABLE:
            i = d.elements.end[i]
            continue
        if d.elements.tag[i] == TAG_TD or d.elements.tag[i] == TAG_TH:
            if d.find(i, COLSPAN) >= 0:
                return 0
            column = column + 1 if d.elements.parent[i] == row else 0
            row = d.elements.parent[i]
            first = row if first < 0 else first
            k = text_of(d, i)
            if row == first:
                if column < MAX_HEADS:
                    heads[column] = k if d.elements.tag[i] == TAG_TH or is_in_head(d, row) else -1
                    n = column + 1
            elif column < n and k >= 0 and heads[column] >= 0 and text_of(d, i, k + 1) > k:
                if is_same_text(d, k, heads[column]):
                    d.role[k] = SILENT
        i += 1


cdef bint is_in_head(Columns d, int row) noexcept:
    cdef int around = d.elements.parent[row]
    return d.elements.tag[row] == THEAD or (around >= 0 and d.elements.tag[around] == THEAD)


cdef int text_of(Columns d, int i, int k = 0) noexcept:
    """The first run of text of an element, from *k* on; or -1."""
    for k in range(max(k, d.elements.first_run[i]), d.elements.end_run[i]):
        if d.runs.kind[k] == RUN_TEXT and not d.role[k]:
            return k
    return -1


cdef bint is_same_text(Columns d, int k, int head) noexcept:
    """Whether two runs have one text, apart from blanks and colons at its ends."""
    cdef int start = d.runs.start[k], end = d.runs.end[k]
    cdef int first = d.runs.start[head], last = d.runs.end[head]
    while end > start and (is_ascii_blank(d.text[end - 1]) or d.text[end - 1] == b":"):
        end -= 1
    while last > first and (is_ascii_blank(d.text[last - 1]) or d.text[last - 1] == b":"):
        last -= 1
    return end > start and end - start == last - first and (
        memcmp(d.text + start, d.text + first, end - start) == 0
    )


cdef int read_numbers(Columns d, int ol) noexcept:
    """Silence the numbers that stand as blocks of their own before the items of a list."""
    cdef int i = ol + 1, k, place, number, count = 0
    while i < d.elements.end[ol]:
        if d.elements.tag[i] == TAG_LI:
            count += 1
            k = d.elements.first_block[i]
            if k + 1 < d.elements.end_block[i]:
                number = 0
                for place in range(d.blocks.start[k], d.blocks.end[k]):
                    if not 48 <= d.text[place] <= 57 or number > 9999:
                        number = -1
                        break
                    number = 10 * number + d.text[place] - 48
                if number == count:
                    d.silence_block(k)
        i = d.elements.end[i]
