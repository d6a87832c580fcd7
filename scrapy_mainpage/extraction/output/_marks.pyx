"""Which marks of a paragraph can be written as CommonMark reads them.

A paragraph is a list of segments, each with its set of marks. Marks that would overlap,
that begin or end with a blank, or that stand beside letters with punctuation inside
are made smaller or left out, so that the parsed Markdown has the marks of the page.
"""

from unicodedata import category

from cpython.mem cimport PyMem_Free
from cpython.unicode cimport Py_UNICODE_ISALNUM
from libc.stdint cimport uint32_t

from ...text._chars cimport character_at, is_ascii_blank, is_ascii_punctuation, previous_character
from ..document._buffers cimport resize


cdef class Segments:
    def __dealloc__(self):
        PyMem_Free(self.items)

    cdef int add(self, int kind, int start, int end, int marks, int link) except -1:
        cdef Segment* s
        if self.size == self.room:
            self.items = <Segment*>resize(self.items, (2 * self.room + 32) * sizeof(Segment))
            self.room = 2 * self.room + 32
        s = &self.items[self.size]
        s.kind, s.start, s.end, s.marks, s.link = kind, start, end, marks, link
        self.size += 1


cdef class Line(Segments):
    cdef int count_breaks(self) noexcept:
        cdef int k, breaks = 0
        for k in range(self.size):
            breaks += self.items[k].kind == S_BREAK
        return breaks

    cdef int settle(self) except -1:
        settle_marks(self)
        merge(self)
        number_links(self)
        number_marks(self)


cdef bint is_edge(const unsigned char* s, Py_ssize_t k, Py_ssize_t end) except -1:
    """Whether no mark beside a letter ends or begins with this punctuation (CommonMark, section 6.2)."""
    return is_ascii_punctuation(s[k]) if s[k] < 0x80 else has_category(s, k, end, "PS")


cdef bint is_outside(const unsigned char* s, Py_ssize_t k, Py_ssize_t end) except -1:
    """Whether a mark that ends with punctuation may stand beside the character at `k`."""
    if s[k] < 0x80:
        return is_ascii_punctuation(s[k]) or is_ascii_blank(s[k])
    return has_category(s, k, end, "P")


cdef bint has_category(const unsigned char* s, Py_ssize_t k, Py_ssize_t end, str classes) except -1:
    cdef uint32_t c = character_at(s, k, end)
    return not Py_UNICODE_ISALNUM(c) and category(chr(c))[0] in classes


cdef int number_links(Line line) noexcept:
    """Number the first and the last segment of each segment's link."""
    cdef Segment* s = line.items
    cdef int k, n = line.size
    for k in range(n):
        s[k].link_first = s[k - 1].link_first if k and s[k].link == s[k - 1].link else k
    for k in range(n - 1, -1, -1):
        s[k].link_last = s[k + 1].link_last if k + 1 < n and s[k].link == s[k + 1].link else k


cdef int number_marks(Line line) noexcept:
    """Number the last segment of each segment's marks."""
    cdef Segment* s = line.items
    cdef int k, mark, n = line.size
    for k in range(n - 1, -1, -1):
        for mark in range(N_MARKS):
            if k + 1 < n and s[k + 1].marks & 1 << mark:
                s[k].last[mark] = s[k + 1].last[mark]
            else:
                s[k].last[mark] = k


cdef int merge(Line line) noexcept:
    """Join neighbouring texts with the same marks and link."""
    cdef Segment* s = line.items
    cdef int k, n = 0
    for k in range(line.size):
        if s[k].kind == S_EDGE:
            s[k].kind = S_TEXT
        if n and s[k].kind == S_TEXT and s[n - 1].kind == S_TEXT and (
            s[n - 1].end == s[k].start
            and s[n - 1].marks == s[k].marks
            and s[n - 1].link == s[k].link
        ):
            s[n - 1].end = s[k].end
        else:
            s[n] = s[k]
            n += 1
    line.size = n


cdef int settle_marks(Line line) except -1:
    """Keep only marks that nest and that CommonMark recognises at their place."""
    cdef int mark, k
    number_links(line)
    for _ in range(4):
        for mark in range(3):
            trim_marks(line, 1 << mark)
        number_marks(line)
        if not untangle(line):
            choose_emphasis(line)
            return 0
    for k in range(line.size):
        line.items[k].marks &= M_CODE


cdef int choose_emphasis(Line line) except -1:
    """Write emphasis that touches a word with a star instead of an underscore.

    No paragraph has stars for emphasis and for strong text: each may be read as the other.
    """
    cdef Segment* s = line.items
    cdef int i = 0, j, k, n = line.size, instead = M_STAR
    for k in range(n):
        if s[k].marks & M_STRONG:
            instead = 0
    while i < n:
        j = i
        if s[i].marks & M_EM:
            while j + 1 < n and s[j + 1].marks & M_EM:
                j += 1
            if touches_word(line, i, j):
                for k in range(i, j + 1):
                    s[k].marks = s[k].marks & ~M_EM | instead
        i = j + 1


cdef bint touches_word(Line line, int i, int j) except -1:
    cdef Segment* s = line.items
    cdef int between = M_DEL | M_STRONG
    if word_before(line, i, j) and not s[i - 1].marks & ~s[i].marks & between:
        return True
    return word_after(line, i, j) and not s[j + 1].marks & ~s[j].marks & between


cdef bint untangle(Line line) noexcept:
    """Shorten one of two stretches that overlap without nesting.

    A stretch interrupted by the end of another one begins after it; a link is never
    interrupted. Returns whether a stretch was shortened.
    """
    cdef Segment* s = line.items
    cdef int[N_MARKS + 1] stack
    cdef int[N_MARKS + 1] since
    cdef int k, place, below, depth = 0, keep, link = -1
    cdef bint changed = False
    for k in range(line.size):
        keep = still_open(&s[k], stack, depth, link)
        for place in range(keep, depth):
            if stack[place] != N_MARKS and s[k].marks & 1 << stack[place]:
                clear_mark(line, stack[place], since[stack[place]], k)
                changed = True
            elif stack[place] == N_MARKS and s[k].link == link:
                for below in range(keep, place):
                    if not s[k].marks & 1 << stack[below]:
                        clear_mark(line, stack[below], s[k].link_first, k)
                        changed = True
        for place in range(keep, depth):
            if stack[place] == N_MARKS:
                link = -1
        depth = keep
        while True:
            place = next_mark(&s[k], stack, depth, link)
            if place < 0:
                break
            if place == N_MARKS:
                link = s[k].link
            stack[depth] = place
            since[place] = k
            depth += 1
    return changed


cdef int clear_mark(Line line, int mark, int start, int end) noexcept:
    cdef int k
    for k in range(start, end):
        line.items[k].marks &= ~(1 << mark)


cdef int still_open(Segment* s, int* stack, int depth, int link) noexcept:
    """The number of open marks that can stay open for a segment."""
    cdef int keep = 0
    while keep < depth and (s.link == link if stack[keep] == N_MARKS else s.marks & 1 << stack[keep]):
        keep += 1
    return keep


cdef int next_mark(Segment* s, int* stack, int depth, int link) noexcept:
    """The longest of a segment's marks that are not open, or -1."""
    cdef int missing = s.marks & ((1 << N_MARKS) - 1), mark, best = -1, last = -1
    for mark in range(depth):
        if stack[mark] < N_MARKS:
            missing &= ~(1 << stack[mark])
    if s.link >= 0 and s.link != link:
        best, last = N_MARKS, s.link_last
    for mark in range(N_MARKS):
        if missing & 1 << mark and s.last[mark] > last:
            best, last = mark, s.last[mark]
    return best


cdef int trim_marks(Line line, int mark) except -1:
    """Shrink the stretches of a mark to where CommonMark recognises their ends."""
    cdef Segment* s = line.items
    cdef int i = 0, j, n = line.size
    while i < n:
        j = i
        if s[i].marks & mark:
            while j + 1 < n and s[j + 1].marks & mark:
                j += 1
            trim_stretch(line, i, j, mark)
        i = j + 1


cdef int trim_stretch(Line line, int i, int j, int mark) except -1:
    cdef Segment* s = line.items
    while i <= j:
        if is_space_kind(s[i].kind) or (s[i].kind == S_EDGE and fails_before(line, i, j, mark)):
            s[i].marks &= ~mark
            i += 1
        elif is_space_kind(s[j].kind) or (s[j].kind == S_EDGE and fails_after(line, i, j, mark)):
            s[j].marks &= ~mark
            j -= 1
        else:
            break
    if i <= j and (fails_before(line, i, j, mark) or fails_after(line, i, j, mark)):
        while i <= j:
            s[i].marks &= ~mark
            i += 1


cdef bint wraps(Segment* s, Segment* beside, bint link_inside, int mark) noexcept:
    """Whether a mark's inner edge may be punctuation."""
    cdef int others = s.marks & ~mark
    if beside:
        # A code span of one segment is always its own; the rest goes on beside it.
        others &= ~(beside.marks & ~M_CODE)
    return others != 0 or link_inside or s.kind != S_TEXT


cdef bint fails_before(Line line, int i, int j, int mark) except -1:
    cdef Segment* s = line.items
    cdef bint link_inside = s[i].link >= 0 and s[i].link_first == i and s[i].link_last < j
    return wraps(&s[i], &s[i - 1] if i else NULL, link_inside, mark) and word_before(line, i, j)


cdef bint fails_after(Line line, int i, int j, int mark) except -1:
    cdef Segment* s = line.items
    cdef bint link_inside = s[j].link >= 0 and s[j].link_last == j and s[j].link_first > i
    cdef Segment* outer = &s[j + 1] if j + 1 < line.size else NULL
    return wraps(&s[j], outer, link_inside, mark) and word_after(line, i, j)


cdef bint word_before(Line line, int i, int j) except -1:
    """Whether a letter, or a symbol that counts as one, precedes a stretch."""
    cdef Segment* s = line.items
    cdef Segment* outer = &s[i - 1] if i else NULL
    if not outer or (s[i].link >= 0 and s[i].link_first == i and s[i].link_last >= j):
        return False
    if ends_word(outer, &s[i]):
        return False
    return not is_outside(
        line.text, previous_character(line.text, outer.end, outer.start), outer.end
    )


cdef bint word_after(Line line, int i, int j) except -1:
    """Whether a letter, or a symbol that counts as one, follows a stretch."""
    cdef Segment* s = line.items
    cdef Segment* outer = &s[j + 1] if j + 1 < line.size else NULL
    if not outer or (s[j].link >= 0 and s[j].link_last == j and s[j].link_first <= i):
        return False
    if ends_word(outer, &s[j]):
        return False
    return not is_outside(line.text, outer.start, outer.end)


cdef bint ends_word(Segment* outer, Segment* s) noexcept:
    """Whether markup or a blank separates a stretch from its neighbour."""
    return (
        S_BLANK <= outer.kind <= S_NOTE
        or outer.marks & M_CODE
        or outer.marks & (M_SUP | M_SUB) & ~s.marks
        or (outer.link >= 0 and outer.link != s.link)
    )
