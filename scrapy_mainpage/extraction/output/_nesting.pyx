"""The nesting of events as HTML demands.

List items stand in lists, cells in rows, and no block stands in a paragraph; a mark
around blocks is opened again in each of them.
"""

from libc.stdint cimport int64_t

from ..document._schema cimport HIDDEN
from ._columns cimport integers
from ._events cimport (
    BREAK, CLOSE, K_CAPTION, K_DD, K_DETAILS, K_DL, K_DT, K_FIGCAPTION, K_FIGURE, K_H1,
    K_H6, K_LI, K_NONE, K_OL, K_P, K_SUMMARY, K_TABLE, K_TD, K_TH, K_TIGHT, K_TR, K_UL,
    N_KINDS, OPEN, Event, Events,
)
from ._main_tree cimport HEADING_ROW, MainTree, count_header_cells, layout_tables

from ..document.tags import CODES

cdef enum:
    MIN_MARKS = 1000      # in all, beside twice the elements
    MAX_TEXT_BLOCKS = 8   # in a heading or another container of text; else unclosed

cdef int TAG_P = CODES["p"]


cdef inline bint is_row_part(int kind) noexcept:
    return K_TABLE <= kind <= K_TH or kind == K_CAPTION


cdef class Nesting:
    def __init__(self, MainTree t):
        cdef int kind
        self.t, self.d, self.events = t, t.d, Events(t.d)
        self.layout_memory = layout_tables(t)
        self.layout = integers(self.layout_memory)
        self.interrupted = -1
        self.marks_left = MIN_MARKS + 2 * <int64_t>t.d.n_elements
        for kind in range(N_KINDS):
            self.mark[kind] = -1

    # Containers

    cdef int top(self) noexcept:
        return self.stack[self.depth - 1].kind if self.depth else K_NONE

    cdef int push(self, int kind, int element, bint implied) except -1:
        self.close_text()
        if self.depth:
            self.stack[self.depth - 1].filled = True
        self.stack[self.depth] = Open(kind, element, False, implied, element + 1)
        self.depth += 1
        return self.events.add(
            OPEN, kind, -1 if implied else element,
            kind == K_TR and not implied and count_header_cells(self.t, element) > 0,
        )

    cdef int pop(self) except -1:
        self.close_text()
        if self.top() == K_TR:
            self.fill_row(self.d.elements.end[self.stack[self.depth - 1].element])
        self.depth -= 1
        return self.events.add(CLOSE, self.stack[self.depth].kind, 0, 0)

    cdef int fill_row(self, int last) except -1:
        """Add the cells without text of the open row before the element `last`."""
        cdef Open* row = &self.stack[self.depth - 1]
        cdef int i = row.rest
        if row.implied:
            return 0
        while i < last and self.d.elements.end[i] <= last:
            if self.t.kind[i] in (K_TD, K_TH) and not self.d.elements.flags[i] & HIDDEN:
                self.events.add(OPEN, self.t.kind[i], i, 0)
                self.events.add(CLOSE, self.t.kind[i], 0, 0)
            i = self.d.elements.end[i]
        row.rest = i

    cdef int pop_implied(self, int kind) except -1:
        while self.depth and self.top() == kind and self.stack[self.depth - 1].implied:
            self.pop()

    cdef int open_container(self, int i, int kind) except -1:
        """Open element `i` if its place allows it; else skip it."""
        if self.top() == K_SUMMARY and K_H1 <= kind <= K_H6:
            return self.push(kind, i, False)  # as HTML allows
        if holds_text(self.top()):
            return 0
        if is_row_part(kind) and self.layout[i]:
            return self.interrupt_table() if kind == K_TR and self.layout[i] == HEADING_ROW else 0
        if kind != K_LI:
            self.pop_implied(K_UL)
        if kind == K_LI:
            return self.open_item(i)
        if kind == K_DT or kind == K_DD:
            self.pop_implied(K_DD)
            return self.push_if(self.top() == K_DL, kind, i)
        if kind == K_TR or kind == K_CAPTION:
            self.pop_implied(K_TD)
            self.pop_implied(K_TR)
            self.resume_table(i)
            return self.push_if(
                self.top() == K_TABLE and (kind == K_TR or not self.is_filled()), kind, i
            )
        if kind == K_TD or kind == K_TH:
            self.pop_implied(K_TD)
            if self.top() == K_TABLE:
                self.push(K_TR, self.stack[self.depth - 1].element, True)
            if self.top() == K_TR:
                self.fill_row(i)
                self.stack[self.depth - 1].rest = self.d.elements.end[i]
            return self.push_if(self.top() == K_TR, kind, i)
        if kind == K_FIGCAPTION:
            return self.push_if(self.top() == K_FIGURE, kind, i)
        if kind == K_SUMMARY:
            return self.push_if(self.top() == K_DETAILS and not self.is_filled(), kind, i)
        if not holds_text(kind) and self.depth + 3 > MAX_DEPTH:
            return 0
        if K_H1 <= kind <= K_H6 and self.t.main_blocks(i) > MAX_TEXT_BLOCKS and (
            not self.t.has_own_text(i)
        ):
            return 0
        if kind == K_UL or kind == K_OL:
            self.reopen_item()
        self.make_room_for_blocks()
        return self.push(kind, i, False)

    cdef int interrupt_table(self) except -1:
        """End the table before a heading of the rows below, which stands outside of it."""
        self.pop_implied(K_TD)
        self.pop_implied(K_TR)
        if self.top() != K_TABLE:
            return 0
        self.interrupted = self.stack[self.depth - 1].element
        if self.is_filled():
            return self.pop()
        self.depth -= 1
        self.events.size -= 1  # its opening

    cdef int resume_table(self, int row) except -1:
        if self.interrupted >= 0 and self.top() != K_TABLE and (
            self.interrupted < row < self.d.elements.end[self.interrupted]
        ):
            self.make_room_for_blocks()
            self.push(K_TABLE, self.interrupted, False)
            self.interrupted = -1

    cdef bint is_filled(self) noexcept:
        return self.depth > 0 and self.stack[self.depth - 1].filled

    cdef int push_if(self, bint fits, int kind, int i) except -1:
        if holds_text(kind) and self.t.main_blocks(i) > MAX_TEXT_BLOCKS:
            return 0
        if fits:
            self.push(kind, i, False)

    cdef int open_item(self, int i) except -1:
        self.pop_implied(K_LI)
        if self.top() != K_UL and self.top() != K_OL:
            if self.depth + 3 > MAX_DEPTH:
                return 0
            self.make_room_for_blocks()
            self.push(K_UL, self.d.elements.parent[i], True)
        return self.push(K_LI, i, False)

    cdef int reopen_item(self) except -1:
        """Continue the last item: a list right inside a list belongs to it."""
        cdef Open* item = &self.stack[self.depth]
        cdef Event* last = &self.events.items[self.events.size - 1]
        if (
            self.top() in (K_UL, K_OL) and self.is_filled()
            and last.operation == CLOSE and last.kind == K_LI
        ):
            self.events.size -= 1
            item.element = self.stack[self.depth - 1].element
            item.implied = True
            self.depth += 1

    cdef int make_room_for_blocks(self) except -1:
        """Open the elements required between a list or a table and a block."""
        cdef int kind, element
        self.pop_implied(K_UL)
        while True:
            kind = self.top()
            element = self.stack[self.depth - 1].element if self.depth else -1
            if kind == K_UL or kind == K_OL:
                self.push(K_LI, element, True)
            elif kind == K_DL:
                self.push(K_DD, element, True)
            elif kind == K_TABLE:
                self.push(K_TR, element, True)
            elif kind == K_TR:
                self.push(K_TD, element, True)
            else:
                return 0

    # Text

    cdef int open_text(self, int owner, bint is_image) except -1:
        cdef int k
        if not holds_text(self.top()):
            self.make_room_for_blocks()
            self.text_kind = K_TIGHT if self.is_tight(owner, is_image) else K_P
            self.events.add(OPEN, self.text_kind, owner if self.d.elements.tag[owner] == TAG_P else -1, 0)
        else:
            self.text_kind = K_NONE
            if self.is_filled():
                self.events.add(BREAK, 0, 0, 0)
        if self.depth:
            self.stack[self.depth - 1].filled = True
        self.text_open = True
        self.text_owner = owner
        self.marks_left -= self.n_marks
        if self.marks_left < 0:
            self.drop_marks()
        for k in range(self.n_marks):
            self.events.add(OPEN, self.marks[k], self.mark[self.marks[k]], 0)

    cdef int drop_marks(self) noexcept:
        """Open the marks around this block no more: they outgrow the page."""
        cdef int k
        for k in range(self.n_marks):
            self.mark[self.marks[k]] = -1
        self.n_marks = 0

    cdef bint is_tight(self, int owner, bint is_image) noexcept:
        """Whether the text needs no paragraph of its own in its container."""
        cdef int kind = self.top()
        cdef Open* container = &self.stack[self.depth - 1]
        if kind == K_FIGURE:
            return is_image
        if kind not in (K_LI, K_DD, K_TD, K_TH, K_FIGCAPTION):
            return False
        if container.filled:
            return False
        return (
            container.implied
            or owner == container.element
            or self.t.main_blocks(container.element) <= 1
        )

    cdef int close_text(self) except -1:
        cdef int k
        if not self.text_open:
            return 0
        self.text_open = self.after_image = False
        for k in range(self.n_marks - 1, -1, -1):
            self.events.add(CLOSE, self.marks[k], 0, 0)
        if self.text_kind:
            self.events.add(CLOSE, self.text_kind, 0, 0)
