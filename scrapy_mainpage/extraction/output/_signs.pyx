"""All signs of a document, and the blocks that consist of them; labels of tabs.

The labels of panels of tabs stand apart from the panels in the source.
"""

from bisect import bisect_left

import numpy as np

from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from ...text._chars cimport is_ascii_blank
from ..document._schema cimport RUN_TEXT
from ._box_signs cimport find_boxes
from ._code_signs cimport find_code
from ._columns cimport NO_MARK, SILENT, Columns, Wording, integers
from ._link_signs cimport find_link_signs
from ._repeat_signs cimport find_repeats

cdef enum:
    MAX_TABS = 16
    MAX_LABEL_BYTES = 60

cdef list TAB_LISTS = [b"tablist", b"tabs", b"tabbedlabels", b"navtabs", b"sdtablabel"]
cdef list TAB_PANELS = [b"tabpanel", b"tabbed", b"tabcontent", b"tabpane", b"tabitem", b"blocks"]


cdef class Signs(Columns):
    def __init__(self, document):
        super().__init__(document)
        find_link_signs(self)
        find_boxes(self)
        find_repeats(self)
        self.code_memory = find_code(self)
        self.code = integers(self.code_memory) if self.code_memory is not None else NULL
        read_tabs(self)
        self.block_memory = bytearray(self.n_blocks)
        self.block = <uint8_t*><char*>self.block_memory
        self.mark_blocks()
        self.silent_blocks = np.frombuffer(self.block_memory, np.uint8) == 2

    cdef int mark_blocks(self) noexcept:
        cdef int k, i, block
        for k in range(self.n_runs):
            block = self.runs.block[k]
            if self.role[k] and block >= 0 and not self.block[block]:
                self.block[block] = 2
                for i in range(self.blocks.first_run[block], self.blocks.end_run[block]):
                    if self.runs.kind[i] == RUN_TEXT and self.role[i] != SILENT and (
                        self.runs.end[i] > self.runs.start[i] + is_ascii_blank(
                            self.text[self.runs.start[i]]
                        )
                    ):
                        self.block[block] = 1
                        break

    cdef tuple label_of(self, int panel):
        """The bytes of a panel's label, or `None`."""
        cdef Py_ssize_t k
        if self.panels:
            k = bisect_left(self.panels, panel)
            if k < len(self.panels) and self.panels[k] == panel:
                return self.labels[k]


def title_blocks_of_boxes(Signs signs):
    """The blocks that are the titles of boxes, ascending."""
    return signs.box_titles


def unmarked_elements(Signs signs):
    """Per element whether it is a link that is a sign, not a link."""
    return np.frombuffer(signs.markups, np.uint8) == NO_MARK


# Tabs

cdef int read_tabs(Signs d) except -1:
    cdef int k, size, start
    cdef int last = -1, i
    d.panels, d.labels = [], []
    for k in range(d.n_tokens):
        start = d.tokens.start[k]
        size = d.tokens.end[k] - start
        if size >= 4 and d.tokens.element[k] != last and (
            memcmp(d.values + start, b"tab", 3) == 0
            or memcmp(d.values + start, b"nav-", 4) == 0
            or memcmp(d.values + start, b"sd-t", 4) == 0
        ):
            i = d.tokens.element[k]
            if d.has_name(i, [], TAB_LISTS):
                last = i
                read_tab_list(d, i)
    if d.panels:
        pairs = sorted(zip(d.panels, d.labels))
        d.panels = [panel for panel, _ in pairs]
        d.labels = [label for _, label in pairs]


cdef int read_tab_list(Signs d, int i) except -1:
    cdef list labels
    cdef list panels
    cdef int below
    if d.has_name(i, [], [b"sdtablabel"]):
        if is_sibling(d, d.elements.end[i], i) and d.has_name(d.elements.end[i], TAB_PANELS, []):
            add_panels(d, [i], [d.elements.end[i]])
        return 0
    labels = children(d, i)
    if not 2 <= len(labels) <= MAX_TABS:
        return 0
    for below in (i, d.elements.parent[i]):
        panels = panels_after(d, below, len(labels))
        if panels:
            add_panels(d, labels, panels)
            d.silence(i)
            return 0


cdef bint is_sibling(Signs d, int i, int beside) noexcept:
    return i < d.n_elements and d.elements.parent[i] == d.elements.parent[beside]

cdef list children(Signs d, int i):
    """The children with text of an element; too many are as none."""
    cdef list found = []
    cdef int child = i + 1, seen = 0
    while child < d.elements.end[i] and seen < 4 * MAX_TABS:
        if d.elements.end_run[child] > d.elements.first_run[child]:
            found.append(child)
        child = d.elements.end[child]
        seen += 1
    return found if child >= d.elements.end[i] else []

cdef list panels_after(Signs d, int i, int n):
    """The *n* panels after an element: its siblings, or the next one's children."""
    cdef list found = []
    cdef list inside
    cdef int sibling, seen
    if i < 0 or d.elements.parent[i] < 0:
        return []
    sibling = d.elements.end[i]
    for seen in range(n):
        if not is_sibling(d, sibling, i):
            break
        if d.has_name(sibling, TAB_PANELS, []):
            found.append(sibling)
        if seen < 2:
            inside = children(d, sibling)
            if len(inside) == n and (
                d.has_name(sibling, TAB_PANELS, [])
                or d.has_name(inside[0], TAB_PANELS, [])
            ):
                return inside
        sibling = d.elements.end[sibling]
    return found if len(found) == n else []

cdef int add_panels(Signs d, list labels, list panels) except -1:
    cdef Wording w
    cdef int label, panel, k, start, end
    for label in labels:
        w = d.wording(label)
        if not w.letters or w.size > MAX_LABEL_BYTES:
            return 0
    for label, panel in zip(labels, panels):
        start = end = -1
        for k in range(d.elements.first_run[label], d.elements.end_run[label]):
            if d.runs.kind[k] == RUN_TEXT and d.role[k] != SILENT:
                start = d.runs.start[k] if start < 0 else start
                end = d.runs.end[k]
        d.silence(label)
        d.panels.append(panel)
        d.labels.append((start, end))
