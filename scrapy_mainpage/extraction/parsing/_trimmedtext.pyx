"""The page that trimming writes, text by text: too long ones are divided.

Beyond the last element that is allowed, texts become paragraphs.
"""

from ._scanning cimport is_blank
from ..document._buffers cimport Buffer, reserve_bytes

cdef enum:
    LONGEST_CHARACTER = 4

cdef const unsigned char* MARK = b"&lt;"
cdef const unsigned char* AMPERSAND = b"&amp;"


cdef class TrimmedText:
    """Bytes that were written, and how their texts go on.

    They are about as many as *size*; a text has *max_text*, and elements and text
    blocks share the *room*.
    """

    def __cinit__(self, size_t size, Py_ssize_t max_text, Py_ssize_t room, *more):
        self.out = Buffer(size // 2 + 1024)
        self.max_text = max_text
        self.room = room

    cdef int add_text(self, const unsigned char* s, const unsigned char* end) except -1:
        cdef const unsigned char* cut
        if self.spare:
            return self.add_spare_text(s, end)
        if self.owed:
            self.pay(s, end)
        while self.text + (end - s) > self.max_text and s < end and not self.opaque:
            cut = s
            if not self.text or self.max_text - self.text >= LONGEST_CHARACTER:
                cut = s + max(self.max_text - self.text, LONGEST_CHARACTER)
                cut = last_blank(s, min(end, cut))
            self.write(s, cut)
            s = cut
            self.text = 0
            if s < end:
                self.done |= TEXT
                self.write_literal(b"<p>", 3)
        self.text += end - s
        self.write(s, end)
        return 0

    cdef void pay(self, const unsigned char* s, const unsigned char* end) noexcept:
        """Take the room that a text block needs, if the text begins one."""
        while s < end and is_blank(s[0]):
            s += 1
        if s < end:
            self.room -= self.owed
            self.owed = 0

    cdef const unsigned char* add_mark(self, const unsigned char* mark) except NULL:
        """Add a ``<`` that is text, as which it stays whatever comes to stand behind."""
        self.add_reference(MARK, 4)
        return mark + 1

    cdef int add_reference(self, const unsigned char* s, Py_ssize_t size) except -1:
        """Add what means one character, which is never divided."""
        if self.spare:
            return self.add_spare_text(s, s + size)
        self.text += size
        return self.write(s, s + size)

    cdef int add_raw_text(self, const unsigned char* s, const unsigned char* end) except -1:
        """Add the text of an element that is left out, in which there is no markup."""
        cdef const unsigned char* mark = s
        while s < end:
            while mark < end and mark[0] != b"<" and mark[0] != b"&":
                mark += 1
            self.add_text(s, mark)
            if mark < end:
                if mark[0] == b"<":
                    self.add_reference(MARK, 4)
                else:
                    self.add_reference(AMPERSAND, 5)
                mark += 1
            s = mark
        return 0

    cdef int add_spare_text(self, const unsigned char* s, const unsigned char* end) except -1:
        while self.broken and s < end and is_blank(s[0]):
            s += 1
        if self.opaque or self.hidden or s == end:
            return 0
        if self.broken:
            if self.text >= PARAGRAPH:
                self.write_literal(b"<p>", 3)
                self.text = 0
            else:
                self.write_literal(b"\n", 1)
            self.broken = False
        self.text += end - s
        self.write(s, end)
        return 0

    cdef int write_literal(self, const char* s, size_t size) except -1:
        reserve_bytes(self.out, size)
        self.out.append(<const unsigned char*>s, size)
        return 0

    cdef int write(self, const unsigned char* s, const unsigned char* end) except -1:
        reserve_bytes(self.out, end - s)
        self.out.append(s, end - s)
        return 0


cdef inline const unsigned char* last_blank(
    const unsigned char* s, const unsigned char* end
) noexcept:
    """Where a text is best cut before *end*: behind a blank, else between characters."""
    cdef const unsigned char* cut = end
    while cut > s and not is_blank(cut[-1]):
        cut -= 1
    if cut > s:
        return cut
    cut = end
    while cut > s + 1 and cut[0] & 0xC0 == 0x80:
        cut -= 1
    return cut
