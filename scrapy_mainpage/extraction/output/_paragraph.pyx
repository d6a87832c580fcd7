"""Writes the inside of one paragraph as CommonMark.

A paragraph is gathered as segments of text with their set of marks first, because what
stands around a mark decides whether it may stand there.
"""

from cpython.mem cimport PyMem_Free
from libc.string cimport memset

from ._attributes cimport find_attribute
from ._buffer cimport (
    Buffer, is_blank, next_character, previous_character, put, put_bytes, put_string,
    release,
)
from ._escaping cimport (
    IN_CELL, IN_HEADING, line_markup, needs_escape,
)
from ._events cimport (
    K_A, K_B, K_CODE, K_DEL, K_EM, K_I, K_KBD, K_S, K_SAMP, K_STRONG, K_SUB, K_SUP,
)
from ._marks cimport (
    Line, M_CODE, M_DELIMITED, N_MARKS, S_BLANK, S_BREAK, S_EDGE, S_IMAGE, S_MEDIA,
    S_TEXT, Segment, add_segment, is_edge, is_space_kind,
)

from ..document.tags import ATTRIBUTE_CODES

cdef int ALT = ATTRIBUTE_CODES["alt"], TITLE = ATTRIBUTE_CODES["title"]

cdef const char** OPENERS = ["~~", "**", "_", "<sup>", "<sub>", "*"]
cdef const char** CLOSERS = ["~~", "**", "_", "</sup>", "</sub>", "*"]


cdef class Paragraph:
    """Gathers segments, and writes a line of them to a buffer."""

    def __dealloc__(self):
        release(&self.code)
        PyMem_Free(self.raw.items)
        PyMem_Free(self.split.items)

    def __init__(self, document, dict links, dict sources, dict languages):
        self.attribute_names = document.attributes.name
        self.attribute_starts = document.attributes.start
        self.attribute_ends = document.attributes.end
        self.first_attribute = document.elements.first_attribute
        self.text_object, self.values_object = document.text, document.values
        self.text, self.values = self.text_object, self.values_object
        self.links, self.sources, self.languages = links, sources, languages
        self.line = Line()
        self.line.text = self.text
        self.link = self.pre = -1

    cdef int put_prefix(self) except -1:
        """Begin another line; what stands before it is the caller's."""
        return 0

    cdef int put_repeated(self, Buffer* buffer, unsigned char c, Py_ssize_t count) except -1:
        cdef Py_ssize_t k
        for k in range(count):
            put(buffer, c)
        return 0

    cdef Py_ssize_t longest_run(self, Buffer* buffer, unsigned char c) noexcept:
        cdef Py_ssize_t k, run = 0, longest = 0
        for k in range(buffer.size):
            run = run + 1 if buffer.bytes[k] == c else 0
            longest = max(longest, run)
        return longest

    cdef int mark_of(self, int kind) noexcept:
        """The number of the mark that a kind stands for, or -1."""
        if kind == K_STRONG or kind == K_B:
            return 1
        if kind == K_EM or kind == K_I:
            return 2
        if kind == K_DEL or kind == K_S:
            return 0
        if kind == K_SUP:
            return 3
        if kind == K_SUB:
            return 4
        if kind == K_CODE or kind == K_KBD or kind == K_SAMP:
            return N_MARKS
        return -1

    cdef int open_mark(self, int kind, int element) except -1:
        cdef int mark = self.mark_of(kind)
        if kind == K_A:
            self.link = element if element in self.links else -1
        # Inside code there are no other marks.
        elif mark >= 0 and (mark == N_MARKS or not self.mark_count[N_MARKS]):
            self.mark_count[mark] += 1
            self.marks_on |= 1 << mark
        return 0

    cdef int close_mark(self, int kind) except -1:
        cdef int mark = self.mark_of(kind)
        if kind == K_A:
            self.link = -1
        elif mark >= 0 and (mark == N_MARKS or not self.mark_count[N_MARKS]):
            self.mark_count[mark] -= 1
            if not self.mark_count[mark]:
                self.marks_on &= ~(1 << mark)
        return 0

    cdef int add_text(self, int start, int end) except -1:
        cdef Segment* last
        if self.pre >= 0:
            return put_bytes(&self.code, self.text + start, end - start)
        if self.raw.size:
            last = &self.raw.items[self.raw.size - 1]
            if last.kind == S_TEXT and last.end == start and (
                last.marks == self.marks_on and last.link == self.link
            ):
                last.end = end
                return 0
        return add_segment(&self.raw, S_TEXT, start, end, self.marks_on, self.link)

    cdef int split_text(self, Segment* s) except -1:
        """Split text so that its blanks, and punctuation at a mark's edge, stand alone."""
        cdef int start = s.start, end = s.end
        cdef bint edges = s.marks & M_DELIMITED and not s.marks & M_CODE
        start = self.split_edge(s, start, end, edges)
        while end > start and self._splits(previous_character(self.text, end, start), end, edges):
            end = <int>previous_character(self.text, end, start)
        if end > start:
            add_segment(&self.split, S_TEXT, start, end, s.marks, s.link)
        self.split_edge(s, end, s.end, edges)
        return 0

    cdef bint _splits(self, Py_ssize_t k, Py_ssize_t end, bint edges) except -1:
        return is_blank(self.text[k]) or (edges and is_edge(self.text, k, end))

    cdef int split_edge(self, Segment* s, int k, int end, bint edges) except -1:
        """Add the blanks and the punctuation from `k` on; where other text begins."""
        cdef int start
        while k < end and self._splits(k, end, edges):
            start = k
            if is_blank(self.text[k]):
                while k < end and is_blank(self.text[k]):
                    k += 1
                add_segment(&self.split, S_BLANK, start, k, s.marks, s.link)
            else:
                while k < end and not is_blank(self.text[k]) and is_edge(self.text, k, end):
                    k = <int>next_character(self.text, k, end)
                add_segment(&self.split, S_EDGE, start, k, s.marks, s.link)
        return k

    cdef int write_segments(self) except -1:
        cdef Segment* s = self.line.items
        cdef int[N_MARKS + 1] stack
        cdef int depth = 0, keep, k = 0, n = self.line.size, link = -1, code_end, mark
        self.begin = self.to.size
        while k < n:
            keep = self.line.still_open(&s[k], stack, depth, link)
            while depth > keep:
                depth -= 1
                if stack[depth] == N_MARKS:
                    self.close_link(link)
                    link = -1
                else:
                    put_string(self.to, CLOSERS[stack[depth]])
            while True:
                mark = self.line.next_mark(&s[k], stack, depth, link)
                if mark < 0:
                    break
                self.write_opener(mark)
                if mark == N_MARKS:
                    link = s[k].link
                stack[depth] = mark
                depth += 1
            if s[k].marks & M_CODE and not s[k].kind > S_BREAK:
                code_end = k + 1
                while code_end < n and s[code_end].marks == s[k].marks and s[code_end].link == link:
                    code_end += 1
                self.write_code(k, code_end)
                k = code_end
            else:
                self.write_segment(&s[k], k + 1 == n)
                k += 1
        while depth:
            depth -= 1
            if stack[depth] == N_MARKS:
                self.close_link(link)
            else:
                put_string(self.to, CLOSERS[stack[depth]])
        return 0

    cdef int write_opener(self, int mark) except -1:
        self.line_start = False
        if mark == N_MARKS:
            return self.open_link()
        return put_string(self.to, OPENERS[mark])

    cdef int open_link(self) except -1:
        # What stands before the beginning may be another cell of a table.
        if self.to.size > self.begin and self.to.bytes[self.to.size - 1] == b"!":
            # Not an image.
            self.to.bytes[self.to.size - 1] = b"\\"
            put(self.to, b"!")
        return put(self.to, b"[")

    cdef int close_link(self, int element) except -1:
        put_string(self.to, b"](")
        self.put_address(self.links[element])
        return put(self.to, b")")

    cdef int put_address(self, bytes address) except -1:
        """Write a link's destination: parentheses must be balanced or escaped."""
        cdef int level = 0
        cdef bint balanced = True
        cdef unsigned char c
        for c in address:
            level += (c == b"(") - (c == b")")
            balanced = balanced and 0 <= level < 30
        balanced = balanced and level == 0
        for c in address:
            if (c == b"(" or c == b")") and not balanced:
                put(self.to, b"\\")
            if c == b"&" and b";" in address:
                put_string(self.to, b"&amp;")  # "&copy;" would be read as a character
            else:
                put(self.to, c)
        return 0

    cdef int write_segment(self, Segment* s, bint is_last) except -1:
        if s.kind == S_BLANK or (s.kind == S_BREAK and self.context == IN_HEADING):
            put(self.to, b" ")
        elif s.kind == S_BREAK:
            if self.context == IN_CELL:
                put_string(self.to, b"<br>")
            else:
                put_string(self.to, b"\\\n")
                self.put_prefix()
                self.line_start = True
            return 0
        elif s.kind == S_IMAGE:
            put_string(self.to, b"![")
            self.put_value(s.start, ALT)
            put_string(self.to, b"](")
            self.put_address(self.sources[s.start])
            put(self.to, b")")
        elif s.kind == S_MEDIA:
            self.write_media(s)
        else:
            self.write_text(self.text, s.start, s.end, s.link >= 0, is_last)
        self.line_start = False
        return 0

    cdef int write_media(self, Segment* s) except -1:
        cdef bytes source = self.sources[s.start]
        if s.link < 0:
            self.open_link()
        if self.find(s.start, TITLE) >= 0:
            self.put_value(s.start, TITLE)
        else:
            self.write_text(source, 0, <int>len(source), True, False)
        if s.link < 0:
            put_string(self.to, b"](")
            self.put_address(source)
            put(self.to, b")")
        return 0

    cdef int put_value(self, int element, int name) except -1:
        """Write an attribute's value inside the brackets of a link or an image."""
        cdef int k = self.find(element, name), start, end
        if k < 0:
            return 0
        start, end = self.attribute_starts[k], self.attribute_ends[k]
        while start < end and is_blank(self.values[start]):
            start += 1
        while start < end and is_blank(self.values[end - 1]):
            end -= 1
        self.line_start = False
        return self.write_text(self.values, start, end, True, False)

    cdef int write_code(self, int k, int end) except -1:
        """Write the segments from `k` to `end` as one code span."""
        cdef Buffer code
        cdef bint in_link = self.line.items[k].link >= 0
        memset(&code, 0, sizeof(Buffer))
        try:
            while k < end:
                self.gather_code(&code, &self.line.items[k])
                k += 1
            if in_link and self.looks_like_definition(&code):
                self.write_text(code.bytes, 0, <int>code.size, True, False)
            else:
                self.put_code_span(&code)
        finally:
            release(&code)
        self.line_start = False
        return 0

    cdef int gather_code(self, Buffer* code, Segment* s) except -1:
        cdef int k
        if is_space_kind(s.kind):
            return put(code, b" ")
        for k in range(s.start, s.end):
            if not is_blank(self.text[k]):
                put(code, self.text[k])
            elif code.bytes[code.size - 1] != b" ":
                put(code, b" ")
        return 0

    cdef bint looks_like_definition(self, Buffer* code) noexcept:
        """Whether code in a link's brackets would define a reference instead."""
        cdef Py_ssize_t k
        for k in range(code.size - 1):
            if code.bytes[k] == b"]" and code.bytes[k + 1] == b":":
                return True
        return False

    cdef int put_code_span(self, Buffer* code) except -1:
        cdef Py_ssize_t k, ticks = self.longest_run(code, b"`") + 1
        cdef bint padded = code.bytes[0] == b"`" or code.bytes[code.size - 1] == b"`"
        self.put_repeated(self.to, b"`", ticks)
        if padded:
            put(self.to, b" ")
        for k in range(code.size):
            if code.bytes[k] == b"|" and self.context == IN_CELL:
                put(self.to, b"\\")
            put(self.to, code.bytes[k])
        if padded:
            put(self.to, b" ")
        return self.put_repeated(self.to, b"`", ticks)

    cdef int write_text(
        self, const unsigned char* s, int start, int end, bint in_link, bint is_last
    ) except -1:
        """Write text, escaping what would be read as markup."""
        cdef int k = start, mark = -1
        if self.line_start:
            mark = line_markup(s, start, end)
        while k < end:
            if is_blank(s[k]) or s[k] < 32:
                while k < end and (is_blank(s[k]) or s[k] < 32):
                    k += 1
                put(self.to, b" ")
                continue
            if s[k] < 0x80 and (k == mark or needs_escape(
                s, k, start, end, self.context, in_link, self.line_start, is_last
            )):
                put(self.to, b"\\")
            put(self.to, s[k])
            k += 1
        return 0

    cdef int find(self, int element, int name) noexcept:
        """The place of an attribute of `element`, or -1."""
        return find_attribute(self.first_attribute, self.attribute_names, element, name)

    cdef int number(self, int element, int name, int otherwise, int least, int most) noexcept:
        """A number that an attribute gives, kept between `least` and `most`."""
        cdef int k = self.find(element, name), value = 0, place
        if k < 0 or not 0 < self.attribute_ends[k] - self.attribute_starts[k] < 10:
            return otherwise
        for place in range(self.attribute_starts[k], self.attribute_ends[k]):
            if not 48 <= self.values[place] <= 57:
                return otherwise
            value = value * 10 + self.values[place] - 48
        return max(least, min(value, most))
