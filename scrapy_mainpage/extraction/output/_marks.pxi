# Which marks of a paragraph can be written as CommonMark reads them.
#
# A paragraph is a list of segments, each with its set of marks. Marks that would overlap,
# that begin or end with a blank, or that stand beside letters with punctuation inside
# are made smaller or left out, so that the parsed Markdown has the marks of the page.

cdef enum:
    M_DEL = 1 << 0
    M_STRONG = 1 << 1
    M_EM = 1 << 2
    M_SUP = 1 << 3
    M_SUB = 1 << 4
    M_STAR = 1 << 5  # emphasis beside or inside of a word, which "_" cannot give
    N_MARKS = 6
    M_CODE = 1 << 6
    M_DELIMITED = M_DEL | M_STRONG | M_EM

cdef enum:
    S_TEXT, S_EDGE, S_BLANK, S_BREAK, S_IMAGE, S_MEDIA, S_NOTE, S_RAISED


cdef struct Segment:
    int kind
    int start        # of text: its bytes; of an image or media: the element
    int end
    int marks
    int link         # the element of the link around it, or -1
    int link_first   # the first and the last segment of that link
    int link_last
    int[N_MARKS] last


cdef inline bint is_space_kind(int kind) noexcept:
    return kind == S_BLANK or kind == S_BREAK


cdef class Segments:
    cdef Segment* items
    cdef int size, room

    def __dealloc__(self):
        PyMem_Free(self.items)

    cdef int add(self, int kind, int start, int end, int marks, int link) except -1:
        cdef void* larger
        cdef Segment* s
        if self.size == self.room:
            larger = PyMem_Realloc(self.items, (2 * self.room + 32) * sizeof(Segment))
            if not larger:
                raise MemoryError
            self.items = <Segment*>larger
            self.room = 2 * self.room + 32
        s = &self.items[self.size]
        s.kind, s.start, s.end, s.marks, s.link = kind, start, end, marks, link
        self.size += 1


cdef bint is_edge(const unsigned char* s, Py_ssize_t k, Py_ssize_t end) except -1:
    """Whether a mark beside a letter may not end or begin with the character at `k`:
    punctuation and symbols (CommonMark, section 6.2)."""
    if s[k] < 0x80:
        return is_ascii_punctuation(s[k])
    cdef uint32_t c = character_at(s, k, end)
    if Py_UNICODE_ISALNUM(c):
        return False
    return category(chr(c))[0] in "PS"


cdef bint is_outside(const unsigned char* s, Py_ssize_t k, Py_ssize_t end) except -1:
    """Whether a mark that ends with punctuation may stand beside the character at `k`."""
    if s[k] < 0x80:
        return is_ascii_punctuation(s[k]) or is_blank(s[k])
    cdef uint32_t c = character_at(s, k, end)
    if Py_UNICODE_ISALNUM(c):
        return False
    return category(chr(c))[0] == "P"


cdef class Line(Segments):
    """The segments of one paragraph, after blanks were joined."""

    cdef const unsigned char* text

    cdef int count_breaks(self) noexcept:
        cdef int k, breaks = 0
        for k in range(self.size):
            breaks += self.items[k].kind == S_BREAK
        return breaks

    cdef void number_links(self) noexcept:
        """Number the first and the last segment of each segment's link."""
        cdef Segment* s = self.items
        cdef int k, n = self.size
        for k in range(n):
            s[k].link_first = s[k - 1].link_first if k and s[k].link == s[k - 1].link else k
        for k in range(n - 1, -1, -1):
            s[k].link_last = s[k + 1].link_last if k + 1 < n and s[k].link == s[k + 1].link else k

    cdef void number_marks(self) noexcept:
        """Number the last segment of each segment's marks."""
        cdef Segment* s = self.items
        cdef int k, mark, n = self.size
        for k in range(n - 1, -1, -1):
            for mark in range(N_MARKS):
                if k + 1 < n and s[k + 1].marks & 1 << mark:
                    s[k].last[mark] = s[k + 1].last[mark]
                else:
                    s[k].last[mark] = k

    cdef void merge(self) noexcept:
        """Join neighbouring texts with the same marks and link."""
        cdef Segment* s = self.items
        cdef int k, n = 0
        for k in range(self.size):
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
        self.size = n

    # Where marks may stand

    cdef int settle_marks(self) except -1:
        """Keep only marks that nest and that CommonMark recognises at their place."""
        cdef int mark, k, rounds
        self.number_links()
        for rounds in range(4):
            for mark in range(3):
                self.trim_marks(1 << mark)
            self.number_marks()
            if not self.untangle():
                self.choose_emphasis()
                return 0
        for k in range(self.size):
            self.items[k].marks &= M_CODE

    cdef int choose_emphasis(self) except -1:
        """Write emphasis that touches a word with a star instead of an underscore.

        Stars of emphasis and of strong text may be read as one another's, so that
        no paragraph has both.
        """
        cdef Segment* s = self.items
        cdef int i = 0, j, k, n = self.size, instead = M_STAR
        for k in range(n):
            if s[k].marks & M_STRONG:
                instead = 0
        while i < n:
            j = i
            if s[i].marks & M_EM:
                while j + 1 < n and s[j + 1].marks & M_EM:
                    j += 1
                if self.touches_word(i, j):
                    for k in range(i, j + 1):
                        s[k].marks = s[k].marks & ~M_EM | instead
            i = j + 1

    cdef bint touches_word(self, int i, int j) except -1:
        cdef Segment* s = self.items
        cdef int between = M_DEL | M_STRONG
        if self.word_before(i, j) and not s[i - 1].marks & ~s[i].marks & between:
            return True
        return self.word_after(i, j) and not s[j + 1].marks & ~s[j].marks & between

    cdef bint untangle(self) noexcept:
        """Shorten one of two stretches that overlap without nesting.

        A stretch interrupted by the end of another one begins after it; a link is never
        interrupted. Returns whether a stretch was shortened.
        """
        cdef Segment* s = self.items
        cdef int[N_MARKS + 1] stack
        cdef int[N_MARKS + 1] since
        cdef int k, place, below, depth = 0, keep, link = -1
        cdef bint changed = False
        for k in range(self.size):
            keep = self.still_open(&s[k], stack, depth, link)
            for place in range(keep, depth):
                if stack[place] != N_MARKS and s[k].marks & 1 << stack[place]:
                    self.clear_mark(stack[place], since[stack[place]], k)
                    changed = True
                elif stack[place] == N_MARKS and s[k].link == link:
                    for below in range(keep, place):
                        if not s[k].marks & 1 << stack[below]:
                            self.clear_mark(stack[below], s[k].link_first, k)
                            changed = True
            for place in range(keep, depth):
                if stack[place] == N_MARKS:
                    link = -1
            depth = keep
            while True:
                place = self.next_mark(&s[k], stack, depth, link)
                if place < 0:
                    break
                if place == N_MARKS:
                    link = s[k].link
                stack[depth] = place
                since[place] = k
                depth += 1
        return changed

    cdef void clear_mark(self, int mark, int start, int end) noexcept:
        cdef int k
        for k in range(start, end):
            self.items[k].marks &= ~(1 << mark)

    cdef int still_open(self, Segment* s, int* stack, int depth, int link) noexcept:
        """The number of open marks that can stay open for a segment."""
        cdef int keep = 0
        while keep < depth and (
            s.link == link if stack[keep] == N_MARKS else s.marks & 1 << stack[keep]
        ):
            keep += 1
        return keep

    cdef int next_mark(self, Segment* s, int* stack, int depth, int link) noexcept:
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

    cdef int trim_marks(self, int mark) except -1:
        """Shrink the stretches of a mark to where CommonMark recognises their ends."""
        cdef Segment* s = self.items
        cdef int i = 0, j, n = self.size
        while i < n:
            j = i
            if s[i].marks & mark:
                while j + 1 < n and s[j + 1].marks & mark:
                    j += 1
                self.trim_stretch(i, j, mark)
            i = j + 1

    cdef int trim_stretch(self, int i, int j, int mark) except -1:
        cdef Segment* s = self.items
        while i <= j:
            if is_space_kind(s[i].kind) or (s[i].kind == S_EDGE and self.fails_before(i, j, mark)):
                s[i].marks &= ~mark
                i += 1
            elif is_space_kind(s[j].kind) or (s[j].kind == S_EDGE and self.fails_after(i, j, mark)):
                s[j].marks &= ~mark
                j -= 1
            else:
                break
        if i <= j and (self.fails_before(i, j, mark) or self.fails_after(i, j, mark)):
            while i <= j:
                s[i].marks &= ~mark
                i += 1

    cdef bint wraps(self, Segment* s, Segment* beside, bint link_inside, int mark) noexcept:
        """Whether a mark's inner edge may be punctuation."""
        cdef int others = s.marks & ~mark
        if beside:
            # A code span of one segment is always its own; the rest goes on beside it.
            others &= ~(beside.marks & ~M_CODE)
        return others != 0 or link_inside or s.kind != S_TEXT

    cdef bint fails_before(self, int i, int j, int mark) except -1:
        cdef Segment* s = self.items
        cdef bint link_inside = s[i].link >= 0 and s[i].link_first == i and s[i].link_last < j
        return self.wraps(&s[i], &s[i - 1] if i else NULL, link_inside, mark) and self.word_before(i, j)

    cdef bint fails_after(self, int i, int j, int mark) except -1:
        cdef Segment* s = self.items
        cdef bint link_inside = s[j].link >= 0 and s[j].link_last == j and s[j].link_first > i
        cdef Segment* outer = &s[j + 1] if j + 1 < self.size else NULL
        return self.wraps(&s[j], outer, link_inside, mark) and self.word_after(i, j)

    cdef bint word_before(self, int i, int j) except -1:
        """Whether a letter, or a symbol that counts as one, precedes a stretch."""
        cdef Segment* s = self.items
        cdef Segment* outer = &s[i - 1] if i else NULL
        if not outer or (s[i].link >= 0 and s[i].link_first == i and s[i].link_last >= j):
            return False
        if self.ends_word(outer, &s[i]):
            return False
        return not is_outside(
            self.text, previous_character(self.text, outer.end, outer.start), outer.end
        )

    cdef bint word_after(self, int i, int j) except -1:
        """Whether a letter, or a symbol that counts as one, follows a stretch."""
        cdef Segment* s = self.items
        cdef Segment* outer = &s[j + 1] if j + 1 < self.size else NULL
        if not outer or (s[j].link >= 0 and s[j].link_last == j and s[j].link_first <= i):
            return False
        if self.ends_word(outer, &s[j]):
            return False
        return not is_outside(self.text, outer.start, outer.end)

    cdef bint ends_word(self, Segment* outer, Segment* s) noexcept:
        """Whether markup or a blank separates a stretch from its neighbour."""
        return (
            S_BLANK <= outer.kind <= S_NOTE
            or outer.marks & M_CODE
            or outer.marks & (M_SUP | M_SUB) & ~s.marks
            or (outer.link >= 0 and outer.link != s.link)
        )
