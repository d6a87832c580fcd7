# From the runs of the main content to a balanced stream of events.
#
# The stream is made by going from one run's ancestors to the next's. Each element is
# entered and left at most once, so that the walk is linear whatever the depth. Events
# nest as HTML demands: list items stand in lists, cells in rows, and no block stands in
# a paragraph; a mark around blocks is opened again in each of them.

# The operations. The columns of an event are its operation, a kind, and two values: for
# OPEN the element (-1: none) and whether it is a header row, for TEXT the bytes' start and
# end (its kind says how it is written, as in Signs), for IMAGE and MEDIA the element.
cdef enum:
    OPEN, CLOSE, TEXT, BREAK, IMAGE, MEDIA, RULE, BLANK

OPENS = OPEN

cdef enum:
    MAX_DEPTH = 48        # of containers; line prefixes would grow, parsers give up
    MIN_MARKS = 1000      # in all, beside twice the elements
    MAX_TEXT_BLOCKS = 8   # in a heading or another container of text; else unclosed


cdef inline bint _is_row_part(int kind) noexcept:
    return K_TABLE <= kind <= K_TH or kind == K_CAPTION


cdef inline bint _holds_text(int kind) noexcept:
    return K_H1 <= kind <= K_CAPTION


cdef struct Open:
    int kind
    int element
    bint filled
    bint implied  # not in the source: a list around a stray item, a cell in a row
    int rest      # of a row: where cells may come that were not opened yet


cdef class EventStream:
    cdef MainTree t
    cdef bytes text
    cdef int32_t[::1] layout, chain
    cdef object table
    cdef int32_t[:, ::1] events
    cdef int n
    cdef Open[MAX_DEPTH + 16] stack
    cdef int depth
    cdef int[N_KINDS] mark          # the element that a mark was opened for, or -1
    cdef int[N_KINDS] marks         # the marks that are on, outermost first
    cdef int n_marks
    cdef int64_t marks_left         # that may still be opened again in other blocks
    cdef int current                # the element of the walk
    cdef int interrupted            # the table that goes on below a heading, or -1
    cdef bint text_open, after_image
    cdef int text_kind, text_owner, text_block

    def __init__(self, MainTree t, bytes text):
        cdef int kind
        self.t, self.text = t, text
        self.layout = layout_tables(t)
        self.chain = np.empty(t.n_elements + 1, np.int32)
        self.table = np.empty((256, 4), np.int32)
        self.events = self.table
        self.current = self.interrupted = -1
        self.marks_left = MIN_MARKS + 2 * <int64_t>t.n_elements
        for kind in range(N_KINDS):
            self.mark[kind] = -1

    cdef int emit(self, int operation, int kind, int first, int second) except -1:
        if self.n == self.events.shape[0]:
            self.table = np.concatenate([self.table, np.empty_like(self.table)])
            self.events = self.table
        self.events[self.n, 0] = operation
        self.events[self.n, 1] = kind
        self.events[self.n, 2] = first
        self.events[self.n, 3] = second
        self.n += 1

    cdef int walk(self, const uint8_t[::1] kept) except -1:
        cdef int k, kind
        for k in range(self.t.n_runs):
            kind = self.t.run_kind[k]
            if not kept[k]:
                continue
            if kind == RUN_RULE:
                self.add_rule(self.t.elements[k])
                continue
            self.go_to(self.t.elements[k], self.t.blocks[k], kind >= RUN_IMAGE)
            if kind == RUN_TEXT:
                if self.after_image and self.text[self.t.starts[k] - 1] == b" ":
                    # Of the blanks around an image the document has the first.
                    self.emit(BLANK, 0, 0, 0)
                self.after_image = False
                self.emit(TEXT, self.t.signs.run[k], self.t.starts[k], self.t.ends[k])
            elif kind == RUN_BREAK:
                self.emit(BREAK, 0, 0, 0)
            else:
                self.part_image(k)
                self.emit(IMAGE if kind == RUN_IMAGE else MEDIA, 0, self.t.elements[k], 0)
                self.after_image = self.t.starts[k] > 0
        self.close_text()
        self.leave_until(-1)
        while self.depth:
            self.pop()

    cdef int part_image(self, int k) except -1:
        """Write a blank before an image at the end of a text: the document has none there."""
        cdef int block = self.t.blocks[k], last = self.n - 1
        while last >= 0 and self.events[last, 1] > K_TIGHT and (
            self.events[last, 0] == OPEN or self.events[last, 0] == CLOSE
        ):
            last -= 1
        if last >= 0 and self.events[last, 0] in (TEXT, IMAGE, MEDIA) and (
            block < 0 or self.t.starts[k] >= self.t.signs.block_end[block]
        ):
            self.emit(BLANK, 0, 0, 0)

    cdef int add_rule(self, int element) except -1:
        self.close_text()
        self.leave_until(element)
        self.pop_implied(K_UL)
        if self.n and self.events[self.n - 1, 0] != RULE and (
            not self.depth or self.top() in (K_BLOCKQUOTE, K_LI, K_DD, K_DETAILS)
        ):
            self.emit(RULE, 0, 0, 0)

    # Between elements

    cdef int go_to(self, int element, int block, bint is_image) except -1:
        """Move to `element`, and open the text that its run belongs to."""
        cdef int owner = self.t.owner[element]
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
            self.emit(BLANK, 0, 0, 0)

    cdef int leave_until(self, int element) except -1:
        """Leave elements up to the first around `element`."""
        cdef int i = self.current
        while i >= 0 and not (i <= element < self.t.end[i]):
            self.leave(i)
            i = self.t.parent[i]
        self.current = i

    cdef int enter_until(self, int element) except -1:
        cdef int n = 0, i = element
        while i != self.current:
            self.chain[n] = i
            n += 1
            i = self.t.parent[i]
        while n:
            n -= 1
            self.enter(self.chain[n])
        self.current = element

    cdef int enter(self, int i) except -1:
        cdef int kind = self.t.kind[i]
        if K_H1 <= self.top() <= K_H6 and not self.t.flags[i] >> HEADING_SHIFT:
            self.pop()  # a block behind the heading's own text
        if kind == K_NONE:
            return self.open_panel(i) if self.t.signs.panels else 0
        if kind < K_P:
            return self.open_container(i, kind)
        if self.mark[kind] >= 0 or (kind == K_A and self.t.link[i] != i):
            return 0
        self.mark[kind] = i
        self.marks[self.n_marks] = kind
        self.n_marks += 1
        if self.text_open:
            self.emit(OPEN, kind, i, 0)

    cdef int open_panel(self, int i) except -1:
        """Write the label of a tab's panel, as a paragraph of its own."""
        cdef tuple label = self.t.signs.label_of(i)
        if label is None or _holds_text(self.top()):
            return 0
        self.close_text()
        self.make_room_for_blocks()
        if self.depth:
            self.stack[self.depth - 1].filled = True
        self.emit(OPEN, K_P, -1, 0)
        self.emit(OPEN, K_STRONG, -1, 0)
        self.emit(TEXT, AS_IS, label[0], label[1])
        self.emit(CLOSE, K_STRONG, 0, 0)
        self.emit(CLOSE, K_P, 0, 0)

    cdef int leave(self, int i) except -1:
        cdef int kind = self.t.kind[i]
        if kind > K_TIGHT and self.mark[kind] == i:
            self.mark[kind] = -1
            self.n_marks -= 1
            if self.text_open:
                self.emit(CLOSE, kind, 0, 0)
        while self.depth and self.stack[self.depth - 1].element == i:
            self.pop()

    # Containers

    cdef inline int top(self) noexcept:
        return self.stack[self.depth - 1].kind if self.depth else K_NONE

    cdef int push(self, int kind, int element, bint implied) except -1:
        self.close_text()
        if self.depth:
            self.stack[self.depth - 1].filled = True
        self.stack[self.depth] = Open(kind, element, False, implied, element + 1)
        self.depth += 1
        return self.emit(
            OPEN, kind, -1 if implied else element,
            kind == K_TR and not implied and count_header_cells(self.t, element) > 0,
        )

    cdef int pop(self) except -1:
        self.close_text()
        if self.top() == K_TR:
            self.fill_row(self.t.end[self.stack[self.depth - 1].element])
        self.depth -= 1
        return self.emit(CLOSE, self.stack[self.depth].kind, 0, 0)

    cdef int fill_row(self, int last) except -1:
        """Add the cells without text of the open row before the element `last`."""
        cdef Open* row = &self.stack[self.depth - 1]
        cdef int i = row.rest
        if row.implied:
            return 0
        while i < last and self.t.end[i] <= last:
            if self.t.kind[i] in (K_TD, K_TH) and not self.t.flags[i] & HIDDEN:
                self.emit(OPEN, self.t.kind[i], i, 0)
                self.emit(CLOSE, self.t.kind[i], 0, 0)
            i = self.t.end[i]
        row.rest = i

    cdef int pop_implied(self, int kind) except -1:
        while self.depth and self.top() == kind and self.stack[self.depth - 1].implied:
            self.pop()

    cdef int open_container(self, int i, int kind) except -1:
        """Open element `i` if its place allows it; else skip it."""
        if self.top() == K_SUMMARY and K_H1 <= kind <= K_H6:
            return self.push(kind, i, False)  # as HTML allows
        if _holds_text(self.top()):
            return 0
        if _is_row_part(kind) and self.layout[i]:
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
                self.stack[self.depth - 1].rest = self.t.end[i]
            return self.push_if(self.top() == K_TR, kind, i)
        if kind == K_FIGCAPTION:
            return self.push_if(self.top() == K_FIGURE, kind, i)
        if kind == K_SUMMARY:
            return self.push_if(self.top() == K_DETAILS and not self.is_filled(), kind, i)
        if not _holds_text(kind) and self.depth + 3 > MAX_DEPTH:
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
        self.n -= 1  # its opening

    cdef int resume_table(self, int row) except -1:
        if self.interrupted >= 0 and self.top() != K_TABLE and (
            self.interrupted < row < self.t.end[self.interrupted]
        ):
            self.make_room_for_blocks()
            self.push(K_TABLE, self.interrupted, False)
            self.interrupted = -1

    cdef inline bint is_filled(self) noexcept:
        return self.depth > 0 and self.stack[self.depth - 1].filled

    cdef int push_if(self, bint fits, int kind, int i) except -1:
        if _holds_text(kind) and self.t.main_blocks(i) > MAX_TEXT_BLOCKS:
            return 0
        if fits:
            self.push(kind, i, False)

    cdef int open_item(self, int i) except -1:
        self.pop_implied(K_LI)
        if self.top() != K_UL and self.top() != K_OL:
            if self.depth + 3 > MAX_DEPTH:
                return 0
            self.make_room_for_blocks()
            self.push(K_UL, self.t.parent[i], True)
        return self.push(K_LI, i, False)

    cdef int reopen_item(self) except -1:
        """Continue the last item: a list right inside a list belongs to it."""
        cdef Open* item = &self.stack[self.depth]
        if (self.top() == K_UL or self.top() == K_OL) and self.is_filled() and (
            self.events[self.n - 1, 0] == CLOSE and self.events[self.n - 1, 1] == K_LI
        ):
            self.n -= 1
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
        if not _holds_text(self.top()):
            self.make_room_for_blocks()
            self.text_kind = K_TIGHT if self._is_tight(owner, is_image) else K_P
            self.emit(OPEN, self.text_kind, owner if self.t.tag[owner] == TAG_P else -1, 0)
        else:
            self.text_kind = K_NONE
            if self.is_filled():
                self.emit(BREAK, 0, 0, 0)
        if self.depth:
            self.stack[self.depth - 1].filled = True
        self.text_open = True
        self.text_owner = owner
        self.marks_left -= self.n_marks
        if self.marks_left < 0:
            self.drop_marks()
        for k in range(self.n_marks):
            self.emit(OPEN, self.marks[k], self.mark[self.marks[k]], 0)

    cdef int drop_marks(self) noexcept:
        """Open the marks around this block no more: they outgrow the page."""
        cdef int k
        for k in range(self.n_marks):
            self.mark[self.marks[k]] = -1
        self.n_marks = 0
        return 0

    cdef bint _is_tight(self, int owner, bint is_image) noexcept:
        """Whether the text needs no paragraph of its own in its container."""
        cdef int kind = self.top()
        cdef Open* container
        if kind == K_FIGURE:
            return is_image
        if kind not in (K_LI, K_DD, K_TD, K_TH, K_FIGCAPTION):
            return False
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
            self.emit(CLOSE, self.marks[k], 0, 0)
        if self.text_kind:
            self.emit(CLOSE, self.text_kind, 0, 0)


def read_events(document, main, kept, Signs signs):
    """The events of the runs that `kept` (a mask of uint8) names, one row each (int32).

    `main` is the mask of main blocks. Every OPEN has its CLOSE, and they nest.
    """
    cdef MainTree t = MainTree(document, main, signs)
    cdef const uint8_t[::1] mask = kept
    if mask.shape[0] != t.n_runs:
        raise ValueError("%d runs, but a mask of %d" % (t.n_runs, mask.shape[0]))
    cdef EventStream stream = EventStream(t, document.text)
    stream.walk(mask)
    return stream.table[:stream.n].copy()
