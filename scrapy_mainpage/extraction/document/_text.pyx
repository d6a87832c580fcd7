"""Texts and breaks, in document order, become runs, text blocks and lines.

Text of a block: blanks are collapsed to one; a ``br`` is a line break that replaces
the blank before it; preformatted text keeps its line breaks, tabs and blanks; soft
hyphens and control characters are dropped. Blanks at the ends of a block are left
out, except for the indentation of a preformatted one.
"""

from libc.stdint cimport uint32_t
from libc.string cimport memchr, memset, strlen

from ...text._chars cimport (
    C_CAPITAL, C_DIGIT, C_DROP, C_END, C_LETTER, C_SPACE, classify, classify_ascii, decode, is_ascii_blank,
    is_currency,
)
from ._buffers cimport Buffer, Table, reserve_bytes, reserve_rows
from ._schema cimport (
    CODE, HIDDEN, PRE, RUN_BREAK, RUN_HEAD, RUN_TEXT, STRONG, WORDLESS, Block, Element, Line,
    Run,
)

from .tags import CODES

cdef int TAG_CODE = CODES["code"], N_TAGS = len(CODES)
# By tag, whether elements are boxes in a line, and not marks in a sentence.
cdef bytearray BOXES = bytearray(N_TAGS + 1)
for _name in "span a time label small s del ins data slot output".split():
    BOXES[CODES[_name]] = 1
cdef const unsigned char* IS_BOX = <const unsigned char*><char*>BOXES
cdef unsigned char[128] CLASSES
cdef int _code
for _code in range(128):
    CLASSES[_code] = classify_ascii(_code)


cdef inline int class_at(const unsigned char* s, int* length) noexcept:
    """The class of the character at *s*, and its bytes; malformed ones are dropped."""
    cdef uint32_t c = 0
    length[0] = 1
    if s[0] < 0x80:
        return CLASSES[s[0]]
    cdef int size = decode(s, &c)
    if not size:
        return C_DROP
    length[0] = size
    return classify(c)


cdef inline const unsigned char* skip_blanks(const unsigned char* s) noexcept:
    """The first character from *s* on that is neither a blank nor dropped."""
    cdef int length, kind = class_at(s, &length)
    while kind == C_SPACE or kind == C_DROP:
        s += length
        kind = class_at(s, &length)
    return s


cdef inline bint is_wide(const unsigned char* s) noexcept:
    """Whether a Chinese or Japanese character, or a full-width one, begins at *s*."""
    cdef uint32_t c = 0
    return decode(s, &c) == 3 and (0x3000 <= c <= 0x9FFF or 0xFF01 <= c <= 0xFF60)


cdef inline unsigned char preformatted(unsigned char c) noexcept:
    """The replacement of white space that begins with *c* in preformatted text."""
    return b"\t" if c == b"\t" else b"\n" if c == b"\n" or c == b"\r" else b" "


cdef class TextFlow:

    def __init__(self):
        self.elements = Table(sizeof(Element) // sizeof(int), 512)
        self.blocks = Table(sizeof(Block) // sizeof(int), 128)
        self.runs = Table(sizeof(Run) // sizeof(int), 256)
        self.lines = Table(sizeof(Line) // sizeof(int), 128)
        self.text = Buffer(8192)
        self.block = -1
        self.text_place = -1

    # Texts

    cdef int add_text(self, const unsigned char* s, int element) except -1:
        """Add a text node's content. Text without tags in between is one run."""
        cdef Element* e = element_at(self, element)
        # Hidden words in a line that is shown are not of the line.
        if e.flags & WORDLESS or (e.flags & HIDDEN and not element_at(self, e.owner).flags & HIDDEN):
            return 0
        # More bytes: the line breaks or the blank that may precede the next text.
        reserve_bytes(self.text, self.indent + strlen(<char*>s) + 4)
        s = self._lead_in(s, element_at(self, element).flags & PRE)
        if not s[0]:
            return 0
        if self.block < 0:
            self._open_block(element)
        elif self._stands_apart(s, element):
            self.add_text(b" ", e.parent)
        if not self._goes_on(element):
            self._begin_text(element)
        self._write(s, element_at(self, element))
        open_block_of(self).end_place = self.place

    cdef const unsigned char* _lead_in(self, const unsigned char* s, bint pre) noexcept:
        """The first character of *s* to write: a blank after a blank is skipped."""
        cdef int length, kind = class_at(s, &length)
        cdef bint opens = self.block < 0
        cdef bint skips = opens or (not pre and self._after_blank())
        while kind == C_DROP or (kind == C_SPACE and skips):
            if kind == C_SPACE and pre and opens:
                self._keep_indent(preformatted(s[0]))
            s += length
            kind = class_at(s, &length)
        return s

    cdef bint _goes_on(self, int element) noexcept:
        """Whether there was no tag since the last text (void ones end without one)."""
        return (
            self.text_place == self.place
            and run_at(self, self.runs.rows - 1).element == element
        )

    cdef bint _stands_apart(self, const unsigned char* s, int element) noexcept:
        """Whether a text *s* is another box of its line: "$5" "Was $7", "Time" "5 min".

        Browsers part boxes by style sheets, which are not read: a capital or an amount that
        begins one goes on with no word. That is less sure beside a text without a box, after
        a single letter, as of initials and formulas, and after a name that ends with a dot; a
        short link that begins with a digit may be the mark of a note.
        """
        cdef Run* r = run_at(self, self.runs.rows - 1)
        cdef int a = r.element, b = element, size, first, last
        cdef int flags = element_at(self, a).flags | element_at(self, b).flags
        cdef const unsigned char* end = self.text.data + self.text.used - 1
        cdef unsigned char before
        if r.kind != RUN_TEXT or a == b or flags & PRE:
            return False
        if flags & CODE:
            return (
                element_at(self, a).tag == TAG_CODE == element_at(self, b).tag
                and element_at(self, a).parent == element_at(self, b).parent
                and not is_ascii_blank(end[0])
            )
        while a != b:   # up to the element around both
            if not IS_BOX[min(element_at(self, max(a, b)).tag, N_TAGS)]:
                return False
            if a > b:
                a = element_at(self, a).parent
            else:
                b = element_at(self, b).parent
        while end[0] & 0xC0 == 0x80:
            end -= 1
        before = (end - 1)[0] if end > self.text.data else b" "
        first, last = class_at(s, &size), class_at(end, &size)
        if a == r.element or a == element:
            return first == C_CAPITAL and (last == C_LETTER or (end[0] == b":" and a == element))
        if first == C_DIGIT and element_at(self, element).link >= 0 > element_at(self, r.element).link:
            return strlen(<char*>s) > 3
        if first != C_CAPITAL and first != C_DIGIT and not is_currency(s):
            return False
        if last == C_LETTER or last == C_CAPITAL or last == C_DIGIT:
            return self.text.used - r.start > size or (last == C_DIGIT and first == C_CAPITAL) or (
                last == C_LETTER and b"0" <= before <= b"9"     # a unit
            )
        return end[0] in b")?!" or (end[0] == b":" and before > b":") or (
            end[0] == b"." and first == C_CAPITAL and r.words > 1
        )

    cdef bint _after_blank(self) noexcept:
        return is_ascii_blank(self.text.data[self.text.used - 1])

    cdef void _keep_indent(self, unsigned char blank) noexcept:
        """Keep the indentation of a preformatted block's first line."""
        if blank == b"\n":
            self.indent = 0
        else:
            self.text.data[self.text.used + self.indent] = blank
            self.indent += 1

    cdef int _begin_text(self, int element) except -1:
        cdef Block* b = open_block_of(self)
        self.place += 1
        self.text_place = self.place
        self.add_run(RUN_TEXT, element, self.text.used)
        self.text.used += self.indent
        b.chars += self.indent
        if element_at(self, element).link >= 0:
            b.linked_chars += self.indent
        self.indent = 0

    cdef void _write(self, const unsigned char* s, Element* e) noexcept:
        """Write the text *s*, from a character that counts on, and count."""
        cdef unsigned char* start = self.text.data + self.text.used
        cdef unsigned char* out = start
        cdef const unsigned char* rest
        cdef bint pre = e.flags & PRE, inked = False
        cdef int kind, length, beyond = 0
        cdef Counts n = Counts(0, 0, 0, 0, 0, 0, self.in_word, self.unspaced, self.mark)
        while True:
            kind = class_at(s, &length)
            if kind == C_END:
                break
            if kind == C_DROP:
                s += length
                continue
            count(&n, kind)
            if kind != C_SPACE:
                inked = True
                beyond += length - 1
                while length:
                    out[0] = s[0]
                    out += 1
                    s += 1
                    length -= 1
                if kind == C_LETTER:
                    while b"a" <= s[0] <= b"z":
                        out[0] = s[0]
                        out += 1
                        s += 1
            elif pre:
                out[0] = preformatted(s[0])
                out += 1
                s += 2 if s[0] == b"\r" and s[1] == b"\n" else length
            else:
                rest = skip_blanks(s + length)
                # A line break of the source between two wide characters is no blank.
                if not (
                    is_wide(rest) and out - start > 2 and is_wide(out - 3) and memchr(s, b"\n", rest - s)
                ):
                    out[0] = b" "
                    out += 1
                s = rest
        self.text.used += <int>(out - start)
        self.in_word, self.unspaced = n.in_word, n.unspaced
        self.mark = n.mark
        self._credit(&n, <int>(out - start) - beyond, e, inked)

    cdef void _credit(self, Counts* n, int chars, Element* e, bint inked) noexcept:
        """Add the counts of a text in *e* to its run and to the open block."""
        cdef Block* b = open_block_of(self)
        cdef Run* r = run_at(self, self.runs.rows - 1)
        r.end = self.text.used
        r.words += n.words
        b.chars += chars
        b.words += n.words
        b.cjk += n.cjk
        b.sentences += n.sentences
        b.commas += n.commas
        b.digits += n.digits
        b.capitals += n.capitals
        if e.link >= 0:
            b.linked_chars += chars
            b.linked_words += n.words
        if e.flags & STRONG:
            b.strong_words += n.words
        if inked:
            b.flags &= e.flags

    # Breaks

    cdef int add_break(self, int element) except -1:
        """Write a ``br``; more than two in a row look the same as two."""
        cdef int last = self.runs.rows - 1
        self.indent = 0
        if self.block < 0:
            return 0
        self._end_word()
        if self.text.data[self.text.used - 1] == b" " and not element_at(self, element).flags & PRE:
            self._take_back(&last)
            self._clamp_runs(last)
        if self._after_two_lines():
            return 0
        self.text.data[self.text.used] = b"\n"
        self.text.used += 1
        open_block_of(self).chars += 1
        self.add_run(RUN_BREAK, element, self.text.used - 1).end = self.text.used

    cdef bint _after_two_lines(self) noexcept:
        cdef int n = self.text.used
        return n >= 2 and self.text.data[n - 1] == b"\n" and self.text.data[n - 2] == b"\n"

    cdef void _end_word(self) noexcept:
        open_block_of(self).sentences += self.mark == WAITING
        self.in_word = False
        self.mark = NO_MARK

    cdef Run* add_run(self, int kind, int element, int start) except NULL:
        cdef Run* r
        reserve_rows(self.runs, 1)
        r = run_at(self, self.runs.rows)
        r[0] = Run(kind, element, self.block, start, start, 0, self.place)
        self.runs.rows += 1
        return r

    # Blocks and lines

    cdef int new_line(self) except -1:
        """Begin a line, unless the last one is empty."""
        if self.lines.rows and not last_line(self).text and not last_line(self).code:
            return 0
        reserve_rows(self.lines, 1)
        self.lines.rows += 1
        last_line(self)[0] = Line(0, 0)

    cdef int _open_block(self, int element) except -1:
        """Begin a block with a text in *element*."""
        cdef Element* e = element_at(self, element)
        if self.line_ended:
            self.new_line()
            self.line_ended = False
        reserve_rows(self.blocks, 1)
        self.block = self.blocks.rows
        self.blocks.rows += 1
        cdef Block* b = open_block_of(self)
        memset(b, 0, sizeof(Block))
        b.element = e.owner
        b.flags = e.flags
        b.item = e.item
        b.cell = e.cell
        b.first_run = self.runs.rows
        b.start = self.text.used
        b.line = self.lines.rows - 1
        b.place = self.place + 1
        self.in_word = False
        self.mark = NO_MARK

    cdef void close_block(self) noexcept:
        """End the open block, if there is one: trailing blanks go, counts are final."""
        cdef int last = self.runs.rows - 1
        self.indent = 0
        if self.block < 0:
            return
        cdef Block* b = open_block_of(self)
        self._end_word()
        while self._after_blank():
            self._take_back(&last)
        self._clamp_runs(last)
        b.end = self.text.used
        b.end_run = self.runs.rows
        (<Line*>self.lines.data)[b.line].text += b.chars
        self.block = -1

    cdef void _take_back(self, int* last) noexcept:
        """Take back the last character, a blank; the run that holds it is *last*."""
        cdef Run* r = run_at(self, last[0])
        self.text.used -= 1
        while r.kind > RUN_BREAK or r.start > self.text.used or r.end <= self.text.used:
            r -= 1
            last[0] -= 1
        open_block_of(self).chars -= 1
        if r.kind == RUN_TEXT and element_at(self, r.element).link >= 0:
            open_block_of(self).linked_chars -= 1

    cdef void _clamp_runs(self, int first) noexcept:
        """Let no run from *first* on reach beyond the text."""
        cdef int i
        cdef Run* r
        for i in range(first, self.runs.rows):
            r = run_at(self, i)
            if r.kind != RUN_HEAD:
                r.start = min(r.start, self.text.used)
                r.end = min(r.end, self.text.used)
