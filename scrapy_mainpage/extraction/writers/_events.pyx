"""From the runs of the main content to a balanced stream of events.

The stream is made by going from one run's ancestors to the next's. Each element is
entered and left at most once, so that the walk is linear whatever the depth. What it
opens nests as HTML demands: list items stand in lists, cells in rows, and no block
stands in a paragraph; a mark around blocks is opened again in each of them.
"""

import numpy as np

from libc.stdint cimport int32_t, uint8_t

from ..tags import CODES, TAGS

NAMES = (
    "", "blockquote", "ul", "ol", "li", "dl", "dd", "table", "tr", "td", "th",
    "figure", "figcaption", "details",
    "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dt", "summary", "caption",
    "p", "",
    "a", "strong", "b", "em", "i", "u", "s", "del", "ins", "sub", "sup", "mark",
    "small", "q", "cite", "abbr", "kbd", "samp", "var", "time", "code",
)
"""The tag of each kind; empty for text without a tag of its own."""

COLUMNS = ("operation", "kind", "first", "second")
OPENS, TEXTS = OPEN, TEXT

# Tags that other names stand for today.
SAME = {"menu": "ul", "dir": "ul", "strike": "s", "tt": "code", "acronym": "abbr"}

# Deeper containers are left out: prefixes of lines would grow without end, and
# parsers give up on them.
cdef enum:
    DEEPEST = 48
    LARGEST_LINE_OF_TEXT = 8

cdef enum:
    RUN_TEXT, RUN_BREAK, RUN_IMAGE, RUN_MEDIA, RUN_RULE, RUN_HEAD

cdef int HIDDEN = 1
cdef int N_TAGS = len(TAGS)
cdef int[256] KIND_OF
cdef int TAG_P = CODES["p"]


def _fill_kinds():
    cdef int code
    kinds = {name: kind for kind, name in enumerate(NAMES) if name and name != "p"}
    for name, code in CODES.items():
        KIND_OF[code] = kinds.get(SAME.get(name, name), K_NONE)


_fill_kinds()


cdef inline bint _is_row_part(int kind) noexcept:
    return K_TABLE <= kind <= K_TH or kind == K_CAPTION


cdef inline bint _holds_text(int kind) noexcept:
    return K_H1 <= kind <= K_CAPTION


cdef class _Tree:
    """The columns of a document that are needed here, and counts of main blocks."""

    cdef const int32_t[::1] tag, parent, end, flags, owner, link, first_block, end_block
    cdef const int32_t[::1] kinds, elements, blocks, starts, ends, words
    cdef int32_t[::1] main_before, main_words_before, words_before
    cdef int n_elements, n_runs, n_blocks

    def __init__(self, document, const uint8_t[::1] main):
        elements, runs = document.elements, document.runs
        self.tag, self.parent, self.end = elements.tag, elements.parent, elements.end
        self.flags, self.owner, self.link = elements.flags, elements.owner, elements.link
        self.first_block, self.end_block = elements.first_block, elements.end_block
        self.kinds, self.elements, self.blocks = runs.kind, runs.element, runs.block
        self.starts, self.ends = runs.start, runs.end
        self.words = document.blocks.words
        self.n_elements, self.n_runs = self.tag.shape[0], self.kinds.shape[0]
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

    cdef inline bint is_main(self, int block) noexcept:
        return 0 <= block < self.n_blocks and self.main_before[block + 1] > self.main_before[block]

    cdef inline int main_blocks(self, int element) noexcept:
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
    cdef _Tree t = _Tree(document, np.ascontiguousarray(main, np.uint8))
    cdef int32_t[::1] holder = text_holders(document)
    mask = np.zeros(t.n_runs, np.uint8)
    cdef uint8_t[::1] kept = mask
    cdef int k, element, block
    for k in range(t.n_runs):
        element, block = t.elements[k], t.blocks[k]
        if t.kinds[k] == RUN_HEAD:
            continue
        if t.kinds[k] == RUN_RULE:
            block = t.first_block[element]
            kept[k] = t.is_main(block - 1) and t.is_main(block)
        elif t.kinds[k] <= RUN_BREAK:
            kept[k] = t.is_main(block) and t.ends[k] > t.starts[k]
        elif block >= 0:
            kept[k] = t.is_main(block)
        elif holder[element] >= 0 and not t.flags[element] & HIDDEN:
            kept[k] = t.mostly_main(holder[element])
    return mask


cdef int32_t[::1] _layout_tables(_Tree t):
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
        kind = KIND_OF[t.tag[i]] if t.tag[i] < N_TAGS else K_NONE
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


cdef struct Open:
    int kind
    int element
    bint filled
    bint implied     # opened for what the source put in the wrong place


cdef class _Stream:
    cdef _Tree t
    cdef int32_t[::1] layout, chain
    cdef object table
    cdef int32_t[:, ::1] events
    cdef int n
    cdef Open[DEEPEST + 16] stack
    cdef int depth
    cdef int[N_KINDS] mark          # the element that a mark was opened for, or -1
    cdef int[N_KINDS] marks         # the marks that are on, outermost first
    cdef int n_marks
    cdef int current                # the element that the walk stands in
    cdef bint text_open
    cdef int text_kind, text_owner, text_block

    def __init__(self, _Tree t):
        cdef int kind
        self.t = t
        self.layout = _layout_tables(t)
        self.chain = np.empty(t.n_elements + 1, np.int32)
        self.table = np.empty((256, 4), np.int32)
        self.events = self.table
        self.current = -1
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
        return 0

    cdef int walk(self, const uint8_t[::1] kept) except -1:
        cdef int k, kind
        for k in range(self.t.n_runs):
            kind = self.t.kinds[k]
            if not kept[k]:
                continue
            if kind == RUN_RULE:
                self.add_rule(self.t.elements[k])
                continue
            self.go_to(self.t.elements[k], self.t.blocks[k], kind >= RUN_IMAGE)
            if kind == RUN_TEXT:
                self.emit(TEXT, 0, self.t.starts[k], self.t.ends[k])
            elif kind == RUN_BREAK:
                self.emit(BREAK, 0, 0, 0)
            else:
                self.emit(IMAGE if kind == RUN_IMAGE else MEDIA, 0, self.t.elements[k], 0)
        self.close_text()
        self.leave_until(-1)
        while self.depth:
            self.pop()
        return 0

    cdef int add_rule(self, int element) except -1:
        self.close_text()
        self.leave_until(element)
        self.pop_implied(K_UL)
        if self.n and self.events[self.n - 1, 0] != RULE and (
            not self.depth or self.top() in (K_BLOCKQUOTE, K_LI, K_DD, K_DETAILS)
        ):
            self.emit(RULE, 0, 0, 0)
        return 0

    # Between elements

    cdef int go_to(self, int element, int block, bint is_image) except -1:
        """Stand in `element`, with the text open that its run belongs to."""
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
            # The blanks before a block's text are no part of the document.
            self.emit(BLANK, 0, 0, 0)
        return 0

    cdef int leave_until(self, int element) except -1:
        """Leave elements up to the first that holds `element`."""
        cdef int i = self.current
        while i >= 0 and not (i <= element < self.t.end[i]):
            self.leave(i)
            i = self.t.parent[i]
        self.current = i
        return 0

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
        return 0

    cdef int enter(self, int i) except -1:
        cdef int kind = KIND_OF[self.t.tag[i]] if self.t.tag[i] < N_TAGS else K_NONE
        if kind == K_NONE:
            return 0
        if kind < K_P:
            return self.open_container(i, kind)
        if self.mark[kind] >= 0 or (kind == K_A and self.t.link[i] != i):
            return 0
        self.mark[kind] = i
        self.marks[self.n_marks] = kind
        self.n_marks += 1
        if self.text_open:
            self.emit(OPEN, kind, i, 0)
        return 0

    cdef int leave(self, int i) except -1:
        cdef int kind = KIND_OF[self.t.tag[i]] if self.t.tag[i] < N_TAGS else K_NONE
        if kind > K_TIGHT and self.mark[kind] == i:
            self.mark[kind] = -1
            self.n_marks -= 1
            if self.text_open:
                self.emit(CLOSE, kind, 0, 0)
        while self.depth and self.stack[self.depth - 1].element == i:
            self.pop()
        return 0

    # Containers

    cdef inline int top(self) noexcept:
        return self.stack[self.depth - 1].kind if self.depth else K_NONE

    cdef int push(self, int kind, int element, bint implied) except -1:
        self.close_text()
        if self.depth:
            self.stack[self.depth - 1].filled = True
        self.stack[self.depth] = Open(kind, element, False, implied)
        self.depth += 1
        return self.emit(OPEN, kind, -1 if implied else element, 0)

    cdef int pop(self) except -1:
        self.close_text()
        self.depth -= 1
        return self.emit(CLOSE, self.stack[self.depth].kind, 0, 0)

    cdef int pop_implied(self, int kind) except -1:
        while self.depth and self.top() == kind and self.stack[self.depth - 1].implied:
            self.pop()
        return 0

    cdef int open_container(self, int i, int kind) except -1:
        """Open what element `i` is, if its place allows it; else it is passed over."""
        if _holds_text(self.top()) or (_is_row_part(kind) and self.layout[i]):
            return 0
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
            return self.push_if(
                self.top() == K_TABLE and (kind == K_TR or not self.is_filled()), kind, i
            )
        if kind == K_TD or kind == K_TH:
            self.pop_implied(K_TD)
            if self.top() == K_TABLE:
                self.push(K_TR, self.stack[self.depth - 1].element, True)
            return self.push_if(self.top() == K_TR, kind, i)
        if kind == K_FIGCAPTION:
            return self.push_if(self.top() == K_FIGURE, kind, i)
        if kind == K_SUMMARY:
            return self.push_if(self.top() == K_DETAILS and not self.is_filled(), kind, i)
        if not _holds_text(kind) and self.depth + 3 > DEEPEST:
            return 0
        if K_H1 <= kind <= K_H6 and self.t.main_blocks(i) > LARGEST_LINE_OF_TEXT:
            return 0
        if kind == K_UL or kind == K_OL:
            self.reopen_item()
        self.make_room_for_blocks()
        return self.push(kind, i, False)

    cdef inline bint is_filled(self) noexcept:
        return self.depth > 0 and self.stack[self.depth - 1].filled

    cdef int push_if(self, bint fits, int kind, int i) except -1:
        if _holds_text(kind) and self.t.main_blocks(i) > LARGEST_LINE_OF_TEXT:
            return 0
        if fits:
            self.push(kind, i, False)
        return 0

    cdef int open_item(self, int i) except -1:
        self.pop_implied(K_LI)
        if self.top() != K_UL and self.top() != K_OL:
            if self.depth + 3 > DEEPEST:
                return 0
            self.make_room_for_blocks()
            self.push(K_UL, self.t.parent[i], True)
        return self.push(K_LI, i, False)

    cdef int reopen_item(self) except -1:
        """A list right inside a list belongs to the item before it."""
        cdef Open* item = &self.stack[self.depth]
        if (self.top() == K_UL or self.top() == K_OL) and self.is_filled() and (
            self.events[self.n - 1, 0] == CLOSE and self.events[self.n - 1, 1] == K_LI
        ):
            self.n -= 1
            item.element = self.stack[self.depth - 1].element
            item.implied = True
            self.depth += 1
        return 0

    cdef int make_room_for_blocks(self) except -1:
        """Open what must stand between a list or a table and a block."""
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
        for k in range(self.n_marks):
            self.emit(OPEN, self.marks[k], self.mark[self.marks[k]], 0)
        return 0

    cdef bint _is_tight(self, int owner, bint is_image) noexcept:
        """Whether the text needs no paragraph of its own in its container."""
        cdef int kind = self.top()
        cdef Open* container = &self.stack[self.depth - 1]
        if kind == K_FIGURE:
            return is_image
        if kind not in (K_LI, K_DD, K_TD, K_TH, K_FIGCAPTION) or container.filled:
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
        self.text_open = False
        for k in range(self.n_marks - 1, -1, -1):
            self.emit(CLOSE, self.marks[k], 0, 0)
        if self.text_kind:
            self.emit(CLOSE, self.text_kind, 0, 0)
        return 0


def read_events(document, main, kept):
    """The events of the runs that `kept` (a mask of uint8) names, one row each (int32).

    `main` is the mask of main blocks. Every OPEN has its CLOSE, and they nest.
    """
    cdef _Tree t = _Tree(document, np.ascontiguousarray(main, np.uint8))
    cdef const uint8_t[::1] mask = kept
    if mask.shape[0] != t.n_runs:
        raise ValueError("%d runs, but a mask of %d" % (t.n_runs, mask.shape[0]))
    cdef _Stream stream = _Stream(t)
    stream.walk(mask)
    return stream.table[:stream.n].copy()
