"""From the runs of the main content to a balanced stream of events.

The stream is made by going from one run's ancestors to the next's. Each element is
entered and left at most once, so that the walk is linear whatever the depth.
"""

from libc.stdint cimport int32_t

from ..document._schema cimport (
    HEADING_SHIFT, IS_FORMULA, RUN_BREAK, RUN_IMAGE, RUN_RULE, RUN_TEXT,
)
from ._columns cimport AS_IS, integers
from ._events cimport (
    BLANK, BREAK, CLOSE, FORMULA, IMAGE, K_A, K_BLOCKQUOTE, K_DD, K_DETAILS, K_H1, K_H6, K_LI,
    K_NONE, K_P, K_STRONG, K_TIGHT, K_UL, MEDIA, OPEN, RULE, TEXT,
)
from ._main_tree cimport MainTree
from ._nesting cimport Nesting, holds_text
from ._signs cimport Signs


cdef class EventReader(Nesting):
    cdef bytearray chain_memory
    cdef int32_t* chain             # of elements that are entered
    cdef int current                # the element of the walk

    def __init__(self, MainTree t):
        super().__init__(t)
        self.chain_memory = bytearray(4 * t.d.n_elements + 4)
        self.chain = integers(self.chain_memory)
        self.current = -1

    cdef int walk(self, const unsigned char* kept) except -1:
        cdef int k, kind
        for k in range(self.d.n_runs):
            kind = self.d.runs.kind[k]
            if not kept[k]:
                continue
            if kind == RUN_RULE:
                self.add_rule(self.d.runs.element[k])
                continue
            self.go_to(self.d.runs.element[k], self.d.runs.block[k], kind >= RUN_IMAGE)
            if kind == RUN_TEXT:
                if self.after_image and self.d.text[self.d.runs.start[k] - 1] == b" ":
                    # Of the blanks around an image the document has the first.
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


def read_events(Signs signs, main, kept):
    """The events of the runs that `kept` (a mask of uint8) names.

    `main` is the mask of main blocks.
    """
    cdef EventReader reader = EventReader(MainTree(signs, main))
    cdef bytes mask = kept.tobytes()
    if len(mask) != signs.n_runs:
        raise ValueError("%d runs, but a mask of %d" % (signs.n_runs, len(mask)))
    reader.walk(mask)
    return reader.events
