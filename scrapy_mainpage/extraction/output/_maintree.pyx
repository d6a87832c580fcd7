"""Where in the tree the main content lies: counts per element, and what belongs to it."""

import numpy as np

from libc.stdint cimport int32_t, uint8_t

from ._events cimport K_H1, K_PRE, K_TABLE, K_TD, K_TH

from .kinds import kinds_of

cdef int HIDDEN = 1


cdef class MainTree:
    """The columns of a document that are needed here, and counts of main blocks."""

    def __init__(self, document, const uint8_t[::1] main):
        elements, runs = document.elements, document.runs
        self.tag, self.parent, self.end = elements.tag, elements.parent, elements.end
        self.flags, self.owner, self.link = elements.flags, elements.owner, elements.link
        self.first_block, self.end_block = elements.first_block, elements.end_block
        self.run_kind, self.elements, self.blocks = runs.kind, runs.element, runs.block
        self.starts, self.ends = runs.start, runs.end
        self.words = document.blocks.words
        self.kind = kinds_of(elements.tag)
        self.n_elements, self.n_runs = self.tag.shape[0], self.run_kind.shape[0]
        self.n_blocks = self.words.shape[0]
        if main.shape[0] != self.n_blocks:
            raise ValueError("%d blocks, but a mask of %d" % (self.n_blocks, main.shape[0]))
        self._count(main)

    cdef int _count(self, const uint8_t[::1] main) except -1:
        cdef int i
        self.main_before = np.zeros(self.n_blocks + 1, np.int32)
        self.main_words_before = np.zeros(self.n_blocks + 1, np.int32)
        self.words_before = np.zeros(self.n_blocks + 1, np.int32)
        for i in range(self.n_blocks):
            self.main_before[i + 1] = self.main_before[i] + main[i]
            self.words_before[i + 1] = self.words_before[i] + self.words[i]
            self.main_words_before[i + 1] = (
                self.main_words_before[i] + (self.words[i] if main[i] else 0)
            )
        return 0

    cdef bint is_main(self, int block) noexcept:
        return 0 <= block < self.n_blocks and self.main_before[block + 1] > self.main_before[block]

    cdef int main_blocks(self, int element) noexcept:
        return self.main_before[self.end_block[element]] - self.main_before[self.first_block[element]]

    cdef bint mostly_main(self, int element) noexcept:
        """Whether at least half of the element's words (or blocks) are main content."""
        cdef int first = self.first_block[element], end = self.end_block[element]
        cdef int words = self.words_before[end] - self.words_before[first]
        if not words:
            return 2 * self.main_blocks(element) >= end - first
        return 2 * (self.main_words_before[end] - self.main_words_before[first]) >= words


def text_holders(document):
    """Per element the smallest ancestor, itself included, with a text block; or -1."""
    cdef const int32_t[::1] parent = document.elements.parent
    cdef const int32_t[::1] first = document.elements.first_block
    cdef const int32_t[::1] end = document.elements.end_block
    holders = np.empty(parent.shape[0], np.int32)
    cdef int32_t[::1] holder = holders
    cdef int i
    for i in range(parent.shape[0]):
        if end[i] > first[i]:
            holder[i] = i
        else:
            holder[i] = holder[parent[i]] if parent[i] >= 0 else -1
    return holders


def main_runs(document, main):
    """A mask of the runs that belong to the main content (uint8).

    What stands outside of all blocks belongs to it if the smallest element around it
    that holds text holds mostly main content; a rule if it stands between two blocks
    of main content.
    """
    cdef MainTree t = MainTree(document, np.ascontiguousarray(main, np.uint8))
    cdef int32_t[::1] holder = text_holders(document)
    mask = np.zeros(t.n_runs, np.uint8)
    cdef uint8_t[::1] kept = mask
    cdef int k, element, block
    for k in range(t.n_runs):
        element, block = t.elements[k], t.blocks[k]
        if t.run_kind[k] == RUN_HEAD:
            continue
        if t.run_kind[k] == RUN_RULE:
            block = t.first_block[element]
            kept[k] = t.is_main(block - 1) and t.is_main(block)
        elif t.run_kind[k] <= RUN_BREAK:
            kept[k] = t.is_main(block) and t.ends[k] > t.starts[k]
        elif block >= 0:
            kept[k] = t.is_main(block)
        elif holder[element] >= 0 and not t.flags[element] & HIDDEN:
            kept[k] = t.mostly_main(holder[element])
    return mask


cdef int32_t[::1] layout_tables(MainTree t):
    """Per element: 1 if the nearest table around it only lays out the page.

    A table of data has no table, heading or preformatted text inside, a row with two
    cells or a header cell, and mostly one block in a cell.
    """
    cdef int32_t[::1] table = np.full(t.n_elements, -1, np.int32)
    cdef int32_t[::1] layout = np.zeros(t.n_elements, np.int32)
    cdef int32_t[:, ::1] count = np.zeros((5, t.n_elements), np.int32)
    cdef int i, kind, around, blocks
    for i in range(t.n_elements):
        around = table[t.parent[i]] if t.parent[i] >= 0 else -1
        kind = t.kind[i]
        table[i] = i if kind == K_TABLE else around
        blocks = t.main_blocks(i) if kind and around >= 0 else 0
        if not blocks:
            continue
        if kind == K_TABLE or K_H1 <= kind <= K_PRE:
            layout[around] = 1
        elif kind == K_TD or kind == K_TH:
            count[0, around] += 1
            count[1, around] += blocks
            count[2, around] |= count[3, around] == t.parent[i]
            count[3, around] = t.parent[i]
            count[4, around] |= kind == K_TH
    for i in range(t.n_elements):
        around = table[i]
        if around == i:
            layout[i] |= (
                count[0, i] < 2
                or not (count[2, i] or count[4, i])
                or 2 * count[1, i] > (8 if count[4, i] else 3) * count[0, i]
            )
        elif around >= 0:
            layout[i] = layout[around]
    return layout
