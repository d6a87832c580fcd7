"""The main content in the tree: which runs belong to it, which tables hold data."""

import numpy as np

from libc.stdint cimport int32_t, uint8_t

from ..document._schema cimport (
    HIDDEN, RUN_BREAK, RUN_HEAD, RUN_RULE, ElementColumns, Tables, read_tables,
)
from ._columns cimport MAX_LEVELS_UP, SILENT, integers
from ._events cimport (
    K_BLOCKQUOTE, K_FIGURE, K_H1, K_H6, K_NONE, K_PRE, K_STRONG, K_TABLE, K_TD, K_TH, K_TR,
)
from ._signs cimport Signs

from ..document.tags import CODES, TAGS
from ._events import NAMES

# Obsolete tags and those that replaced them (HTML standard, section 16.2).
_REPLACED = {"menu": "ul", "dir": "ul", "strike": "s", "tt": "code", "acronym": "abbr"}

cdef enum:
    MAX_CAPTION_BLOCKS = 3   # of an image: its caption and who took it
    MAX_NEAR_BLOCKS = 4      # from a caption to main content above and below

cdef list CAPTION_NAMES = [b"caption"]
cdef int THEAD = CODES["thead"], N_TAGS = len(TAGS)


def _kinds_by_tag():
    kinds = {name: kind for kind, name in enumerate(NAMES) if name and name != "p"}
    table = bytearray(N_TAGS + 1)
    for name, code in CODES.items():
        table[code] = kinds.get(_REPLACED.get(name, name), K_NONE)
    return table


cdef bytearray KIND_MEMORY = _kinds_by_tag()
cdef const uint8_t* KIND_BY_TAG = <const uint8_t*><char*>KIND_MEMORY


# By markup: none, no mark, a table of code, a box, its title, its table.
cdef int[6] KIND_OF_MARKUP = [K_NONE, K_NONE, K_PRE, K_BLOCKQUOTE, K_STRONG, K_NONE]


cdef class MainTree:
    def __init__(self, Signs signs, main):
        cdef bytes mask = np.asarray(main, bool).tobytes()
        cdef const unsigned char* is_main = mask
        cdef int i, k, words
        if len(mask) != signs.n_blocks:
            raise ValueError("%d blocks, but a mask of %d" % (signs.n_blocks, len(mask)))
        self.d = signs
        self.memory = bytearray(4 * (signs.n_elements + 3 * (signs.n_blocks + 1)))
        self.kind = integers(self.memory)
        self.main_before = self.kind + signs.n_elements
        self.main_words_before = self.main_before + signs.n_blocks + 1
        self.words_before = self.main_words_before + signs.n_blocks + 1
        for i in range(signs.n_elements):
            if signs.markup[i]:
                self.kind[i] = KIND_OF_MARKUP[signs.markup[i]]
            else:
                self.kind[i] = KIND_BY_TAG[min(signs.elements.tag[i], N_TAGS)]
        for k in range(signs.n_blocks):
            words = signs.blocks.words[k]
            self.main_before[k + 1] = self.main_before[k] + is_main[k]
            self.main_words_before[k + 1] = self.main_words_before[k] + is_main[k] * words
            self.words_before[k + 1] = self.words_before[k] + words

    cdef bint is_main(self, int block) noexcept:
        return 0 <= block < self.d.n_blocks and self.main_before[block + 1] > self.main_before[block]

    cdef int main_blocks(self, int element) noexcept:
        cdef int first = self.d.elements.first_block[element], end = self.d.elements.end_block[element]
        return self.main_before[end] - self.main_before[first]

    cdef bint has_own_text(self, int element) noexcept:
        """Whether the first block of an element is its own text, and not a child's."""
        cdef int block = self.d.elements.first_block[element]
        return (
            block < self.d.elements.end_block[element]
            and self.d.elements.owner[self.d.blocks.element[block]] == element
        )

    cdef int row_of(self, int heading, int blocks) noexcept:
        """The table row that holds the *blocks* of a heading and no other; or -1."""
        cdef int i = heading
        for _ in range(MAX_LEVELS_UP):
            i = self.d.elements.parent[i]
            if i < 0 or self.main_blocks(i) != blocks:
                return -1
            if self.kind[i] == K_TR:
                return i
        return -1

    cdef bint is_mostly_main(self, int element) noexcept:
        """Whether at least half of the element's words (or blocks) are main content."""
        cdef int first = self.d.elements.first_block[element], end = self.d.elements.end_block[element]
        cdef int words = self.words_before[end] - self.words_before[first]
        if not words:
            return 2 * self.main_blocks(element) >= end - first
        return 2 * (self.main_words_before[end] - self.main_words_before[first]) >= words

    cdef bint is_between(self, int i, int holder) noexcept:
        """Whether an element without text stands beside a main block, as its sibling."""
        cdef int block = self.d.elements.first_block[i]
        return self.is_child(block, holder) or self.is_child(block - 1, holder)

    cdef bint is_captioned(self, int image, int holder) except -1:
        """Whether main blocks are around an image and its caption, which is none of them."""
        cdef int first = self.d.elements.first_block[holder], end = self.d.elements.end_block[holder]
        if end - first > MAX_CAPTION_BLOCKS or self.d.elements.link[image] >= 0 or self.main_blocks(holder):
            return False
        return (
            self.main_before[first] > self.main_before[max(0, first - MAX_NEAR_BLOCKS)]
            and self.main_before[min(self.d.n_blocks, end + MAX_NEAR_BLOCKS)] > self.main_before[end]
        ) and (
            self.kind[holder] == K_FIGURE
            or self.d.has_name(holder, CAPTION_NAMES, [])
            or self.d.has_name(self.d.blocks.element[first], CAPTION_NAMES, [])
        )

    cdef bint is_child(self, int block, int holder) noexcept:
        cdef int i
        if not self.is_main(block):
            return False
        i = self.d.blocks.element[block]
        return i > holder and i < self.d.elements.end[holder] and self.d.elements.parent[i] == holder


cdef bytearray find_holders(ElementColumns elements, int n_elements):
    cdef bytearray memory = bytearray(4 * n_elements)
    cdef int32_t* holder = integers(memory)
    cdef int i, parent
    for i in range(n_elements):
        parent = elements.parent[i]
        if elements.end_block[i] > elements.first_block[i]:
            holder[i] = i
        else:
            holder[i] = holder[parent] if parent >= 0 else -1
    return memory


def text_holders(document):
    """Per element the smallest ancestor, itself included, with a text block; or -1."""
    cdef Tables t
    read_tables(document, &t)
    return np.frombuffer(find_holders(t.elements, t.n_elements), np.int32)


def main_runs(Signs signs, main):
    """A mask of the runs that belong to the main content (uint8).

    A run outside of all blocks belongs to it if the smallest element around it that
    holds text holds mostly main content, or a main block beside it; a rule if it stands
    between two main blocks.
    """
    cdef MainTree t = MainTree(signs, main)
    cdef bytearray memory = bytearray(signs.n_runs), holders = find_holders(signs.elements, signs.n_elements)
    cdef uint8_t* kept = <uint8_t*><char*>memory
    cdef const int32_t* holder = integers(holders)
    cdef int k, element, block
    for k in range(signs.n_runs):
        element, block = signs.runs.element[k], signs.runs.block[k]
        if signs.runs.kind[k] == RUN_HEAD or signs.role[k] == SILENT:
            continue
        if signs.runs.kind[k] == RUN_RULE:
            block = signs.elements.first_block[element]
            kept[k] = t.is_main(block - 1) and t.is_main(block)
        elif signs.runs.kind[k] <= RUN_BREAK:
            kept[k] = t.is_main(block) and signs.runs.end[k] > signs.runs.start[k]
        elif block >= 0:
            kept[k] = t.is_main(block)
        elif holder[element] >= 0 and not signs.elements.flags[element] & HIDDEN:
            kept[k] = (
                t.is_mostly_main(holder[element])
                or t.is_between(element, holder[element])
                or t.is_captioned(element, holder[element])
            )
    return np.frombuffer(memory, np.uint8)


cdef struct CellCount:  # of a table
    int cells
    int blocks          # in its cells
    int last_row        # the row of the cell before
    bint has_pair       # two cells in a row
    bint has_header_cell
    bint has_header_row


cdef bytearray layout_tables(MainTree t):
    """Per element: 1 if the nearest table around it only lays out the page; HEADING_ROW
    in a row that is a heading of the rows below.

    A table with a header row holds data. Another one does if it has no table, heading or
    preformatted text inside, a row with two cells or a header cell, and mostly one block
    in a cell.
    """
    cdef Signs d = t.d
    cdef bytearray memory = bytearray(4 * d.n_elements), table_memory = bytearray(4 * d.n_elements)
    cdef bytearray heading_memory = bytearray(4 * d.n_elements)
    cdef bytearray count_memory = bytearray(d.n_elements * <Py_ssize_t>sizeof(CellCount))
    cdef int32_t* layout = integers(memory)
    cdef int32_t* table = integers(table_memory)
    cdef int32_t* heading_row = integers(heading_memory)
    cdef CellCount* counts = <CellCount*><char*>count_memory
    cdef CellCount* count
    cdef int i, kind, around, blocks, row, parent
    for i in range(d.n_elements):
        parent, kind = d.elements.parent[i], t.kind[i]
        around = table[parent] if parent >= 0 else -1
        table[i] = i if kind == K_TABLE else around
        blocks = t.main_blocks(i) if kind and around >= 0 else 0
        if not blocks:
            continue
        count = &counts[around]
        row = t.row_of(i, blocks) if K_H1 <= kind <= K_H6 else -1
        if row >= 0:
            heading_row[row] = HEADING_ROW
        elif kind == K_TABLE or K_H1 <= kind <= K_PRE:
            layout[around] = 1
        elif kind == K_TR:
            count.has_header_row |= count_header_cells(t, i) > 1
        elif kind == K_TD or kind == K_TH:
            count.cells += 1
            count.blocks += blocks
            count.has_pair |= count.last_row == parent
            count.last_row = parent
            count.has_header_cell |= kind == K_TH
    for i in range(d.n_elements):
        around = table[i]
        if around == i:
            count = &counts[i]
            layout[i] = not count.has_header_row and (
                layout[i]
                or count.cells < 2
                or not (count.has_pair or count.has_header_cell)
                or 2 * count.blocks > (8 if count.has_header_cell else 3) * count.cells
            )
        elif around >= 0:
            heading_row[i] = max(heading_row[i], heading_row[d.elements.parent[i]])
            layout[i] = layout[around] or (0 if counts[around].has_header_row else heading_row[i])
    return memory


cdef int count_header_cells(MainTree t, int row) noexcept:
    """The number of cells with text of a header row; 0 for other rows.

    All cells with text of a header row are header cells, or it stands in a `thead`.
    """
    cdef int parent = t.d.elements.parent[row]
    cdef bint in_head = parent >= 0 and t.d.elements.tag[parent] == THEAD
    cdef int i = row + 1, cells = 0
    while i < t.d.elements.end[row]:
        if t.d.elements.end_block[i] > t.d.elements.first_block[i]:
            cells += 1
            if not in_head and t.kind[i] != K_TH:
                return 0
        i = t.d.elements.end[i]
    return cells
