"""The inside of one paragraph as CommonMark.

A paragraph is gathered as segments of text with their set of marks first: the segments
around a mark decide whether it may stand there.
"""

from ...text._chars cimport is_ascii_blank, next_character, previous_character
from ._columns cimport AS_NOTE, RAISED, raised
from ._escaping cimport (
    IN_CELL, IN_HEADING, IN_VALUE, Surroundings, put_code, put_destination, put_text,
)
from ._events cimport (
    K_A, K_B, K_CODE, K_DEL, K_EM, K_I, K_KBD, K_S, K_SAMP, K_STRONG, K_SUB, K_SUP,
    MEDIA_NAMES, Buffer, Events,
)
from ._lines cimport LineWriter
from ._math cimport put_formula, put_text_with_formulas
from ._marks cimport (
    M_CODE, M_DELIMITED, N_MARKS, S_BLANK, S_BREAK, S_EDGE, S_FORMULA, S_IMAGE, S_MEDIA, S_NOTE,
    S_RAISED, S_TEXT, Line, Segment, Segments, is_edge, is_space_kind, next_mark,
    still_open,
)

from ..document.tags import ATTRIBUTE_CODES

cdef int ALT = ATTRIBUTE_CODES["alt"], TITLE = ATTRIBUTE_CODES["title"]

cdef const char** OPENERS = ["~~", "**", "_", "<sup>", "<sub>", "*"]
cdef const char** CLOSERS = ["~~", "**", "_", "</sup>", "</sub>", "*"]


cdef int mark_of(int kind) noexcept:
    """The number of a kind's mark, as in OPENERS; N_MARKS for code; or -1."""
    if kind == K_DEL or kind == K_S:
        return 0
    if kind == K_STRONG or kind == K_B:
        return 1
    if kind == K_EM or kind == K_I:
        return 2
    if kind == K_SUP:
        return 3
    if kind == K_SUB:
        return 4
    if kind == K_CODE or kind == K_KBD or kind == K_SAMP:
        return N_MARKS
    return -1


cdef class ParagraphWriter(LineWriter):
    def __init__(self, Events events, dict links, dict sources, dict languages):
        super().__init__(events, links, sources, languages)
        self.code, self.raw, self.split, self.line = Buffer(), Segments(), Segments(), Line()
        self.line.text = self.text
        self.around = Surroundings()
        self.link = self.pre = -1

    cdef int open_mark(self, int kind, int element) except -1:
        cdef int mark = mark_of(kind)
        if kind == K_A:
            self.link = -1
            if element in self.links and self.affords_mark(element, len(<bytes>self.links[element])):
                self.link = element
        # Inside code there are no other marks.
        elif mark >= 0 and (mark == N_MARKS or not self.mark_count[N_MARKS]):
            self.mark_count[mark] += 1
            self.marks_on |= 1 << mark

    cdef int close_mark(self, int kind) except -1:
        cdef int mark = mark_of(kind)
        if kind == K_A:
            self.link = -1
        elif mark >= 0 and (mark == N_MARKS or not self.mark_count[N_MARKS]):
            self.mark_count[mark] -= 1
            if not self.mark_count[mark]:
                self.marks_on &= ~(1 << mark)

    cdef int add_text(self, int start, int end, int role) except -1:
        cdef Segment* last
        if self.pre >= 0:
            return self.code.put_bytes(self.text + start, end - start)
        if role == AS_NOTE or (role == RAISED and not self.marks_on & M_CODE):
            return self.raw.add(
                S_NOTE if role == AS_NOTE else S_RAISED, start, end,
                self.marks_on & ~M_CODE, self.link,
            )
        if self.raw.size:
            last = &self.raw.items[self.raw.size - 1]
            if last.kind == S_TEXT and last.end == start and (
                last.marks == self.marks_on and last.link == self.link
            ):
                last.end = end
                return 0
        return self.raw.add(S_TEXT, start, end, self.marks_on, self.link)

    cdef int split_text(self, Segment* s) except -1:
        """Split off blanks, and punctuation at the edge of a mark."""
        cdef int start = s.start, end = s.end
        cdef bint edges = s.marks & M_DELIMITED and not s.marks & M_CODE
        start = self.split_edge(s, start, end, edges)
        while end > start and self.splits(previous_character(self.text, end, start), end, edges):
            end = previous_character(self.text, end, start)
        if end > start:
            self.split.add(S_TEXT, start, end, s.marks, s.link)
        self.split_edge(s, end, s.end, edges)

    cdef bint splits(self, int k, int end, bint edges) except -1:
        return is_ascii_blank(self.text[k]) or (edges and is_edge(self.text, k, end))

    cdef int split_edge(self, Segment* s, int k, int end, bint edges) except -1:
        """Add the blanks and punctuation from `k` on; return where other text begins."""
        cdef int start
        while k < end and self.splits(k, end, edges):
            start = k
            if is_ascii_blank(self.text[k]):
                while k < end and is_ascii_blank(self.text[k]):
                    k += 1
                self.split.add(S_BLANK, start, k, s.marks, s.link)
            else:
                while k < end and not is_ascii_blank(self.text[k]) and is_edge(self.text, k, end):
                    k = next_character(self.text, k, end)
                self.split.add(S_EDGE, start, k, s.marks, s.link)
        return k

    cdef int write_segments(self) except -1:
        cdef Segment* s = self.line.items
        cdef int[N_MARKS + 1] stack
        cdef int depth = 0, keep, k = 0, n = self.line.size, link = -1, code_end, mark
        self.begin = self.target.size
        while k < n:
            keep = still_open(&s[k], stack, depth, link)
            while depth > keep:
                depth -= 1
                if stack[depth] == N_MARKS:
                    self.close_link(link)
                    link = -1
                else:
                    self.target.put(CLOSERS[stack[depth]])
            while True:
                mark = next_mark(&s[k], stack, depth, link)
                if mark < 0:
                    break
                self.line_start = False
                if mark == N_MARKS:
                    self.open_link()
                    link = s[k].link
                else:
                    self.target.put(OPENERS[mark])
                stack[depth] = mark
                depth += 1
            if s[k].marks & M_CODE and not s[k].kind > S_BREAK:
                code_end = k + 1
                while code_end < n and s[code_end].marks == s[k].marks and s[code_end].link == link:
                    code_end += 1
                self.write_code(k, code_end)
                k = code_end
            else:
                self.write_segment(&s[k], &s[k + 1] if k + 1 < n else NULL)
                k += 1
        while depth:
            depth -= 1
            if stack[depth] == N_MARKS:
                self.close_link(link)
            else:
                self.target.put(CLOSERS[stack[depth]])

    cdef int open_link(self) except -1:
        cdef Py_ssize_t before = self.target.size - 1
        self.begins_word = before < self.begin or is_ascii_blank(self.target.bytes[before])
        if not self.begins_word:
            self.around.read(self.target)
            self.begins_word = not self.around.is_address
        # Before the beginning may be another cell of a table.
        if self.target.size > self.begin and self.target.bytes[self.target.size - 1] == b"!":
            # Not an image.
            self.target.size -= 1
            self.target.put(b"&#33;")
        self.target.put(b"[")
        self.link_start = self.target.size

    cdef int close_link(self, int element) except -1:
        cdef Py_ssize_t k
        cdef bint is_plain = self.begins_word
        # Else an address before it may have taken its bracket, or some renderer sees
        # no link, and its own address goes on behind it.
        for k in range(self.link_start, self.target.size):
            is_plain = is_plain and self.target.bytes[k] not in b"[]<&"
        self.target.put(b"](")
        put_destination(self.target, self.links[element])
        self.target.put(b")")
        if is_plain:
            self.around.word = self.target.size

    cdef int write_segment(self, Segment* s, Segment* after) except -1:
        if s.kind == S_BLANK or (s.kind == S_BREAK and self.context == IN_HEADING):
            self.target.put(b" ")
        elif s.kind == S_BREAK:
            if self.context >= IN_CELL:
                self.target.put(b"<br>")
            else:
                self.target.put(b"\\\n")
                self.put_prefix()
                self.line_start = True
            return 0
        elif s.kind == S_IMAGE:
            self.target.put(b"![")
            self.put_value(s.start, ALT)
            self.target.put(b"](")
            put_destination(self.target, self.sources[s.start])
            self.target.put(b")")
        elif s.kind == S_MEDIA:
            self.write_media(s)
        elif s.kind == S_RAISED:
            self.target.put_object(raised(self.d.text_object[s.start:s.end]))
        elif s.kind == S_NOTE:
            self.write_note(s, after)
        elif s.kind == S_FORMULA:
            put_formula(self.target, self.text, s.start, s.end, self.context, s.link >= 0)
        elif self.raw_formulas and s.link < 0:
            put_text_with_formulas(
                self.target, self.d.text_object, s.start, s.end, self.context, self.line_start, after == NULL
            )
        else:
            self.write_text(self.text, s.start, s.end, s.link >= 0, after == NULL)
        self.line_start = False

    cdef int write_note(self, Segment* s, Segment* after) except -1:
        """Write the mark of a footnote in brackets that begin no link and no image."""
        cdef bint is_image = self.target.size and self.target.bytes[self.target.size - 1] == b"!"
        self.target.put(b"\\[" if self.line_start or is_image else b"[")
        self.line_start = False
        self.write_text(self.text, s.start, s.end, True, False)
        if after and (after.link >= 0 or (after.kind <= S_EDGE and self.text[after.start] in b"([:")):
            self.target.put(b"\\")
        self.target.put(b"]")

    cdef int write_media(self, Segment* s) except -1:
        cdef bytes name, source = self.sources[s.start]
        if s.link < 0:
            self.open_link()
        if self.d.find(s.start, TITLE) >= 0:
            self.put_value(s.start, TITLE)
        else:
            name = MEDIA_NAMES.get(self.d.elements.tag[s.start], source)
            self.write_text(name, 0, <int>len(name), True, False)
        if s.link < 0:
            self.target.put(b"](")
            put_destination(self.target, source)
            self.target.put(b")")

    cdef int put_value(self, int element, int name) except -1:
        """Write an attribute's value inside the brackets of a link or an image."""
        cdef int k = self.d.find(element, name), start, end
        if k < 0:
            return 0
        start, end = self.d.attributes.start[k], self.d.attributes.end[k]
        while start < end and is_ascii_blank(self.d.values[start]):
            start += 1
        while start < end and is_ascii_blank(self.d.values[end - 1]):
            end -= 1
        self.line_start = False
        return self.write_text(self.d.values, start, end, IN_VALUE, False)

    cdef int write_code(self, int k, int end) except -1:
        """Write the segments from `k` to `end` as one code span."""
        cdef Buffer code = Buffer()
        if self.code_in_cell and k and self.line.items[k - 1].kind == S_BREAK:
            self.put_indent(code, self.line.items[k].start)
        while k < end:
            self.gather_code(code, &self.line.items[k])
            k += 1
        put_code(self.target, code, self.context >= IN_CELL, self.around)
        self.line_start = False

    cdef int put_indent(self, Buffer code, int start) except -1:
        """Write the blanks before the text at `start`, if they begin a line."""
        cdef int k = start
        while k and (self.text[k - 1] == b" " or self.text[k - 1] == b"\t"):
            k -= 1
        if k and self.text[k - 1] == b"\n":
            code.put_bytes(self.text + k, start - k)

    cdef int gather_code(self, Buffer code, Segment* s) except -1:
        cdef int k
        if is_space_kind(s.kind):
            return code.put(b" ")
        for k in range(s.start, s.end):
            if not is_ascii_blank(self.text[k]):
                code.put_byte(self.text[k])
            elif code.bytes[code.size - 1] != b" ":
                code.put(b" ")

    cdef int write_text(
        self, const unsigned char* s, int start, int end, int in_link, bint is_last,
    ) except -1:
        return put_text(self.target, s, start, end, self.context, in_link, self.line_start, is_last)
