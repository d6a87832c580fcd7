"""From the runs of the main content to a balanced stream of events.

The stream is made by going from one run's ancestors to the next's. Each element is
entered and left at most once, so that the walk is linear whatever the depth. Events nest
as HTML demands: list items stand in lists, cells in rows, and no block stands in a
paragraph; a mark around blocks is opened again in each of them.
"""

from libc.stdint cimport int32_t, int64_t

from ..document._schema cimport (
    HEADING_SHIFT, HIDDEN, IS_FORMULA, RUN_BREAK, RUN_IMAGE, RUN_RULE, RUN_TEXT,
)
from ._columns cimport AS_IS, integers
from ._events cimport (
    BLANK, BREAK, CLOSE, FORMULA, IMAGE, K_A, K_BLOCKQUOTE, K_CAPTION, K_DD, K_DETAILS, K_DL,
    K_DT, K_FIGCAPTION, K_FIGURE, K_H1, K_H6, K_LI, K_NONE, K_OL, K_P, K_STRONG, K_SUMMARY,
    K_TABLE, K_TD, K_TH, K_TIGHT, K_TR, K_UL, MEDIA, N_KINDS, OPEN, RULE, TEXT, Event, Events,
)
from ._main_tree cimport HEADING_ROW, MainTree, heads_table, layout_tables
from ._signs cimport Signs

from ..document.tags import CODES

cdef enum:
    MAX_DEPTH = 48        # of containers; line prefixes would grow, parsers give up
    MIN_MARKS = 1000      # in all, beside twice the elements
    MAX_TEXT_BLOCKS = 8   # in a heading or another container of text; else unclosed

cdef int TAG_P = CODES["p"]


cdef struct Open:
    int kind
    int element
    bint filled
    bint implied  # not in the source: a list around a stray item, a cell in a row
    int rest      # of a row: where cells may come that were not opened yet


cdef inline bint holds_text(int kind) noexcept:
    return K_H1 <= kind <= K_CAPTION


cdef class EventReader:
    cdef MainTree t
    cdef Signs d
    cdef Events events
    cdef set posts                  # blocks that a rule stands before
    cdef bytearray layout_memory, chain_memory
    cdef int32_t* layout
    cdef int32_t* chain             # of elements that are entered
    cdef int current                # the element of the walk
    cdef Open[MAX_DEPTH + 16] stack
    cdef int depth
    cdef int[N_KINDS] mark          # the element that a mark was opened for, or -1
    cdef int[N_KINDS] marks         # the marks that are on, outermost first
    cdef int n_marks
    cdef int64_t marks_left         # that may still be opened again in other blocks
    cdef int interrupted            # the table that goes on below a heading, or -1
    cdef bint text_open, after_image
    cdef int text_kind, text_owner, text_block

    def __init__(self, MainTree t, set posts):
        cdef int kind
        self.t, self.d, self.events, self.posts = t, t.d, Events(t.d), posts
        self.layout_memory, self.chain_memory = layout_tables(t, posts), bytearray(4 * t.d.n_elements + 4)
        self.layout, self.chain = integers(self.layout_memory), integers(self.chain_memory)
        self.current = self.interrupted = -1
        self.marks_left = MIN_MARKS + 2 * <int64_t>t.d.n_elements
        for kind in range(N_KINDS):
            self.mark[kind] = -1

    cdef int walk(self, const unsigned char* kept) except -1:
        cdef int k, kind, block = -1
        for k in range(self.d.n_runs):
            kind = self.d.runs.kind[k]
            if not kept[k]:
                continue
            if kind == RUN_RULE:
                self.add_rule(self.d.runs.element[k])
                continue
            if self.d.runs.block[k] > block:
                block = self.d.runs.block[k]
                if block in self.posts:
                    self.add_rule(self.d.runs.element[k])
            self.go_to(self.d.runs.element[k], self.d.runs.block[k], kind >= RUN_IMAGE)
            if kind == RUN_TEXT:
                if self.d.parts(k) or (
                    # Of the blanks around an image the document has the first.
                    self.after_image and self.d.text[self.d.runs.start[k] - 1] == b" "
                ):
                    self.events.add(BLANK, 0, 0, 0)
                self.after_image = False
                if self.d.elements.flags[self.d.runs.element[k]] & IS_FORMULA:
                    self.events.add(FORMULA, 0, k, 0)
                else:
                    self.events.add(TEXT, self.d.role[k], self.d.runs.start[k], self.d.runs.end[k])
            elif kind == RUN_BREAK:
                self.events.add(BREAK, 0, 0, 0)
            else:
                self.part_image(k)
                self.events.add(IMAGE if kind == RUN_IMAGE else MEDIA, 0, self.d.runs.element[k], 0)
                self.after_image = self.d.runs.start[k] > 0
        self.close_text()
        self.leave_until(-1)
        while self.depth:
            self.pop()

    cdef int part_image(self, int k) except -1:
        """Write a blank before an image at the end of a text: the document has none there."""
        cdef int block = self.d.runs.block[k], last = self.events.size - 1
        while last >= 0 and self.events.items[last].kind > K_TIGHT and (
            self.events.items[last].operation == OPEN or self.events.items[last].operation == CLOSE
        ):
            last -= 1
        if last >= 0 and self.events.items[last].operation in (TEXT, FORMULA, IMAGE, MEDIA) and (
            block < 0 or self.d.runs.start[k] >= self.d.blocks.end[block]
        ):
            self.events.add(BLANK, 0, 0, 0)

    cdef int add_rule(self, int element) except -1:
        self.close_text()
        self.leave_until(element)
        self.pop_implied(K_UL)
        if self.events.size and self.events.items[self.events.size - 1].operation != RULE and (
            not self.depth or self.top() in (K_BLOCKQUOTE, K_LI, K_DD, K_DETAILS)
        ):
            self.events.add(RULE, 0, 0, 0)

    # Between elements

    cdef int go_to(self, int element, int block, bint is_image) except -1:
        """Move to `element`, and open the text that its run belongs to."""
        cdef int owner = self.d.elements.owner[element]
        if self.text_open and (owner != self.text_owner or (
            block != self.text_block and block >= 0 and self.text_block >= 0
        )):
            self.close_text()
        self.leave_until(element)
        self.enter_until(element)
        if not self.text_open:
            self.open_text(owner, is_image)
            self.text_block = block
        elif self.text_block < 0 <= block:
            self.text_block = block
            # The document has no blanks before a block's text.
            self.events.add(BLANK, 0, 0, 0)

    cdef int leave_until(self, int element) except -1:
        """Leave elements up to the first around `element`."""
        cdef int i = self.current
        while i >= 0 and not (i <= element < self.d.elements.end[i]):
            self.leave(i)
            i = self.d.elements.parent[i]
        self.current = i

    cdef int enter_until(self, int element) except -1:
        cdef int n = 0, i = element
        while i != self.current:
            self.chain[n] = i
            n += 1
            i = self.d.elements.parent[i]
        while n:
            n -= 1
            self.enter(self.chain[n])
        self.current = element

    cdef int enter(self, int i) except -1:
        cdef int kind = self.t.kind[i]
        if K_H1 <= self.top() <= K_H6 and not self.d.elements.flags[i] >> HEADING_SHIFT:
            self.pop()  # a block behind the heading's own text
        if kind == K_NONE:
            return self.open_panel(i) if self.d.panels else 0
        if kind < K_P:
            return self.open_container(i, kind)
        if self.mark[kind] >= 0 or (kind == K_A and self.d.elements.link[i] != i):
            return 0
        self.mark[kind] = i
        self.marks[self.n_marks] = kind
        self.n_marks += 1
        if self.text_open:
            self.events.add(OPEN, kind, i, 0)

    cdef int open_panel(self, int i) except -1:
        """Write the label of a tab's panel, as a paragraph of its own."""
        cdef tuple label = self.d.label_of(i)
        if label is None or holds_text(self.top()):
            return 0
        self.close_text()
        self.make_room_for_blocks()
        if self.depth:
            self.stack[self.depth - 1].filled = True
        self.events.add(OPEN, K_P, -1, 0)
        self.events.add(OPEN, K_STRONG, -1, 0)
        self.events.add(TEXT, AS_IS, label[0], label[1])
        self.events.add(CLOSE, K_STRONG, 0, 0)
        self.events.add(CLOSE, K_P, 0, 0)

    cdef int leave(self, int i) except -1:
        cdef int kind = self.t.kind[i]
        if kind > K_TIGHT and self.mark[kind] == i:
            self.mark[kind] = -1
            self.n_marks -= 1
            if self.text_open:
                self.events.add(CLOSE, kind, 0, 0)
        while self.depth and self.stack[self.depth - 1].element == i:
            self.pop()

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
            OPEN, kind, -1 if implied else element, kind == K_TR and heads_table(self.t, element),
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
        if self.layout[i] and (K_TABLE <= kind <= K_TH or kind == K_CAPTION):
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
                self.push(K_TR, self.d.elements.parent[i], True)
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
        if self.top() == K_LI:
            self.pop()  # without a list in between they are items of one list
        if self.top() != K_UL and self.top() != K_OL:
            if self.depth + 3 > MAX_DEPTH:
                return 0
            self.make_room_for_blocks()
            self.push(K_UL, self.d.elements.parent[i], True)
        return self.push(K_LI, i, False)

    cdef int reopen_item(self) except -1:
        """Continue the last item: a list right inside a list belongs to it."""
        cdef Open* item = &self.stack[self.depth]
        cdef Event* last
        if not self.events.size:
            return 0  # and no last event to point to
        last = &self.events.items[self.events.size - 1]
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
        cdef Open* container
        if kind == K_FIGURE:
            return is_image
        if kind not in (K_LI, K_DD, K_TD, K_TH, K_FIGCAPTION):
            return False  # also where nothing is open
        container = &self.stack[self.depth - 1]
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


def read_events(Signs signs, main, kept, set posts not None):
    """The events of the runs that `kept` (a mask of uint8) names.

    `main` is the mask of main blocks; posts begin with the blocks `posts`, after a rule.
    """
    cdef EventReader reader = EventReader(MainTree(signs, main), posts)
    cdef bytes mask = kept.tobytes()
    if len(mask) != signs.n_runs:
        raise ValueError("%d runs, but a mask of %d" % (signs.n_runs, len(mask)))
    reader.walk(mask)
    return reader.events
