"""Code, tables and lists: text blocks that are main content together or not at all."""

from libc.stdint cimport int8_t, int32_t, uint8_t

from ._view cimport View

from ...document.tags import CODES

cdef enum:
    # Of a table; one with more serves the layout of the page.
    MAX_BLOCKS_PER_CELL = 3
    # Words; in a larger table no cell may hold the most of them.
    MIN_LAYOUT_WORDS = 60

# Blocks per item; the items of other lists are texts of their own.
cdef double MAX_BLOCKS_PER_ITEM = 1.6
# Of a table's words, in one cell.
cdef double MAX_CELL_SHARE = 0.6

# Of a page's likely main words, in a second copy of them: as many as in the first.
cdef double MIN_COPY_SHARE = 0.4, MAX_COPY_SHARE = 0.55

# Log odds of the second copy.
cdef double COPIED_ODDS = -5

cdef int TAG_PRE = CODES["pre"], TAG_TABLE = CODES["table"], TAG_TR = CODES["tr"]
cdef int TAG_UL = CODES["ul"], TAG_OL = CODES["ol"], TAG_DL = CODES["dl"]


cdef struct Around:
    # Per element the outermost pre and list, the innermost table and its row; or -1.
    int32_t* code
    int32_t* list
    int32_t* table
    int32_t* row


cdef const int32_t* find_units(View view) except NULL:
    """The element of each block's unit, or -1.

    It is a ``pre``, else a table of data, else a list of items.
    """
    cdef int n = view.n, i, element
    cdef Around around = _around(view)
    cdef int32_t* units = view.ints(n)
    cdef int8_t* is_grid = <int8_t*>view.zeros(view.n_elements)
    cdef int8_t* is_plain = <int8_t*>view.zeros(view.n_elements)
    for i in range(view.n_elements):
        if view.tag[i] == TAG_TABLE:
            is_grid[i] = _is_grid(view, &around, i)
        elif around.list[i] == i:
            is_plain[i] = _is_plain_list(view, i)
    for i in range(n):
        element = view.element[i]
        units[i] = around.code[element]
        if units[i] >= 0:
            continue
        if around.table[element] >= 0 and is_grid[around.table[element]]:
            units[i] = around.table[element]
        elif around.list[element] >= 0 and is_plain[around.list[element]]:
            units[i] = around.list[element]
    return units


cdef Around _around(View view) except *:
    cdef int size = view.n_elements, i, parent, tag
    cdef Around around = Around(
        view.ints(size), view.ints(size), view.ints(size), view.ints(size)
    )
    for i in range(size):
        parent, tag = view.parent[i], view.tag[i]
        if i == 0:
            around.code[i] = around.list[i] = around.table[i] = around.row[i] = -1
        else:
            around.code[i], around.list[i] = around.code[parent], around.list[parent]
            around.table[i], around.row[i] = around.table[parent], around.row[parent]
        if tag == TAG_PRE and around.code[i] < 0:
            around.code[i] = i
        elif tag == TAG_TABLE:
            around.table[i], around.row[i] = i, -1
        elif tag == TAG_TR:
            around.row[i] = i
        elif (tag == TAG_UL or tag == TAG_OL or tag == TAG_DL) and around.list[i] < 0:
            around.list[i] = i
    return around


cdef bint _is_grid(View view, const Around* around, int table) noexcept:
    """Whether a table holds data: cells of a few short blocks, no tables.

    A heading has a row of its own.
    """
    cdef int first = view.first_block[table], end = view.end_block[table], i
    cdef int cells = 0, rows = 0, cell = -1, row = -1
    cdef bint headed = False
    cdef double words = 0, own = 0, most = 0
    for i in range(first, end):
        if around.table[view.element[i]] != table:
            return False
        if view.cell[i] != cell:
            cell, own = view.cell[i], 0
            cells += 1
        if around.row[view.element[i]] != row:
            row = around.row[view.element[i]]
            rows += 1
            headed = view.heading[i] > 0
        elif headed or view.heading[i]:
            return False
        own += view.weight[i]
        words += view.weight[i]
        most = max(most, own)
    if end - first < 2 or end - first > MAX_BLOCKS_PER_CELL * cells or rows < 2 > cells:
        return False
    return words <= MIN_LAYOUT_WORDS or most <= MAX_CELL_SHARE * words


cdef bint _is_plain_list(View view, int element) noexcept:
    """Whether the items of a list, and of those in it, are of a block each, or nearly."""
    cdef int first = view.first_block[element], end = view.end_block[element], i
    cdef int items = 0, item = -1
    for i in range(first, end):
        if view.heading[i]:
            return False
        if view.item[i] != item:
            item = view.item[i]
            items += 1
    return end - first <= MAX_BLOCKS_PER_ITEM * items


cdef int level_units(View view, const int32_t* units, double* odds) except -1:
    """Give all blocks of a unit the mean of their log odds, weighted by words."""
    cdef double* words = view.zero_doubles(view.n_elements)
    cdef double* total = view.zero_doubles(view.n_elements)
    cdef int i, unit
    for i in range(view.n):
        unit = units[i]
        if unit >= 0:
            words[unit] += block_weight(view, i)
            total[unit] += block_weight(view, i) * odds[i]
    for i in range(view.n):
        unit = units[i]
        if unit >= 0:
            odds[i] = total[unit] / words[unit]


cdef int lower_copies(View view, const uint8_t* copies, double* odds) noexcept:
    """Lower the log *odds* of a second copy of the content, such as one for small screens.

    It is a row of texts that the page had before, the longer ones (*copies*) as often as
    each other, with half of the likely words. Entries of a reference that say the same
    are fewer words, and new ones stand between them.
    """
    cdef int i = 0, k, first, times
    cdef double words, total = 0
    for i in range(view.n):
        total += view.weight[i] if odds[i] > 0 else 0
    i = 0
    while i < view.n:
        first, times, words = i, 0, 0
        while i < view.n and view.texts.rank[i] and (
            not copies[i] or not times or view.texts.rank[i] == times
        ):
            if copies[i]:
                times = view.texts.rank[i]
                words += view.weight[i] if odds[i] > 0 else 0
            i += 1
        if times and MIN_COPY_SHARE * total <= words <= MAX_COPY_SHARE * total:
            for k in range(first, i):
                odds[k] = min(odds[k], COPIED_ODDS)
        i += i == first
