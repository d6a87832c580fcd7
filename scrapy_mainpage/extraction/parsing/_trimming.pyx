"""A page within its limits: what a parser cannot bear is left out, text is not.

One pass over the bytes, in time that grows with their number alone. Elements below the
deepest level become siblings there, surplus attributes go, and beyond the last element
that is allowed there are only paragraphs. End tags without an element, comments and
declarations go too: a parser looks for the former through all open elements.
"""

from libc.stdint cimport uint64_t

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Calloc, PyMem_Free

from ._attributes cimport end_of_attribute, end_of_name, next_attribute
from ._scanning cimport (
    closes_itself, end_of_declaration, end_of_tag, end_of_text, find, is_letter,
)
from ..document._buffers cimport reserve_bytes
from ._tagkinds cimport (
    BLOCK, BODY, CELLS, LASTING, LINE, OPAQUE, RAW, ROOM, SINGLE, VOID, Known, ends, known,
)
from ._trimmedtext cimport ATTRIBUTES, DEPTH, ELEMENTS, PARAGRAPH, TEXT, TrimmedText

cdef enum:
    N_COUNTS = 1 << 12

    LONGEST_NAME = 256
    LONGEST_VALUE = 1 << 16

    # Bytes that an honest page has at least for each of its elements, rows apart, which
    # hold cells; and for each text block besides.
    ELEMENT_SIZE = 9
    TEXT_SIZE = 7

    # Open elements that a parser may look through for end tags in vain.
    SEARCHED = 50_000_000


cdef struct Open:
    Known tag
    int start               # of the name, among the bytes that were written
    int size


cdef class _Trimmer(TrimmedText):
    cdef Open* stack
    cdef int depth, max_depth, max_attributes
    cdef Py_ssize_t elements, max_elements
    cdef int* counts        # open elements by a part of their name's number
    cdef uint64_t hiding    # beyond the last element: the opaque one that is not over
    cdef Py_ssize_t inside  # elements that are open in that one
    cdef bint scripts       # whether scripts and style sheets are kept
    cdef uint64_t sought    # what open elements were looked through

    def __cinit__(
        self, size_t size, Py_ssize_t max_text, Py_ssize_t room,
        Py_ssize_t max_elements, int max_depth, int max_attributes, bint scripts,
    ):
        self.stack = <Open*>PyMem_Calloc(max_depth + 1, sizeof(Open))
        self.counts = <int*>PyMem_Calloc(N_COUNTS, sizeof(int))
        if not self.stack or not self.counts:
            raise MemoryError
        self.max_elements = max_elements
        self.max_depth = max_depth
        self.max_attributes = max_attributes
        self.scripts = scripts

    def __dealloc__(self):
        PyMem_Free(self.stack)
        PyMem_Free(self.counts)

    cdef int run(self, const unsigned char* s, const unsigned char* end) except -1:
        cdef const unsigned char* mark
        while s < end:
            mark = find(s, end, b"<")
            if mark > s:
                self.add_text(s, mark)
            if end == mark:
                return 0
            if end - mark == 1:
                s = self.add_mark(mark)
            elif is_letter(mark[1]):
                s = self.start_tag(mark, end)
            elif mark[1] == b"/" and end - mark > 2 and is_letter(mark[2]):
                s = self.end_tag(mark, end)
            elif mark[1] == b"!" or mark[1] == b"?" or mark[1] == b"/":
                s = end_of_declaration(mark, end)
            else:
                s = self.add_mark(mark)
        return 0

    # Tags

    cdef const unsigned char* start_tag(
        self, const unsigned char* s, const unsigned char* end
    ) except NULL:
        cdef const unsigned char* name = s + 1
        cdef const unsigned char* behind = end_of_name(name, end)
        cdef const unsigned char* close
        cdef const unsigned char* after
        cdef Py_ssize_t quoted = 0
        close = end_of_tag(s, end, &quoted)
        if close == end:
            return end
        after = close + 1 if closes_itself(s, close) else end_of_text(name, close + 1, end)
        if behind - name <= LONGEST_NAME:
            self.add_element(known(name, behind - name), name, behind, close, after)
        return after

    cdef int add_element(
        self, Known tag, const unsigned char* name, const unsigned char* behind,
        const unsigned char* close, const unsigned char* after
    ) except -1:
        """Add an element; where markup goes on only *after* it, with its text."""
        cdef bint empty = tag.kind & (VOID | SINGLE) or closes_itself(name, close)
        cdef bint kept = False
        if tag.kind & RAW and (self.depth >= self.max_depth or after - close > self.max_text):
            self.done |= TEXT if after - close > self.max_text else DEPTH
        else:
            kept = self.open_element(tag, empty, name, behind, close)
        if after <= close + 1:
            return 0
        if kept and self.keeps(name[0] | 0x20, after - close):
            self.write(close + 1, after)
        elif not kept and tag.kind & RAW:
            self.add_raw_text(close + 1, after)
        return 0

    cdef bint keeps(self, unsigned char initial, Py_ssize_t size) noexcept:
        """Whether the text of a script or its like is kept; those of titles are."""
        if size > self.max_text:
            self.done |= TEXT
            return False
        return self.scripts or initial == b"t" or initial == b"x" or initial == b"p"

    cdef bint open_element(
        self, Known tag, bint empty, const unsigned char* name,
        const unsigned char* behind, const unsigned char* close
    ) except -1:
        """Open an element, or only what remains of it; whether there is one."""
        if not self.spare and (self.elements >= self.max_elements or self.room <= 0):
            self.begin_spare()
        if self.spare:
            self.skip_start(tag, empty)
            return False
        while self.depth and ends(tag, self.stack[self.depth - 1].tag):
            if self.stack[self.depth - 1].tag.kind & LASTING:
                self.write_end(self.stack[self.depth - 1])
            self.pop_to(self.depth - 1)
        if not empty and self.depth >= self.max_depth:
            self.done |= DEPTH
            if not tag.kind & (BLOCK | OPAQUE) or self.opaque:
                return False
            self.write_end(self.stack[self.depth - 1])
            self.pop_to(self.depth - 1)
        self.elements += 1
        self.room -= 0 if tag.group > CELLS else ELEMENT_SIZE
        self.owe(tag)
        self.text = 0
        cdef int start = self.out.used + 1
        self.write_start(name, behind, close)
        if not empty:
            self.push(tag, start, <int>(behind - name))
        elif tag.kind & VOID and tag.kind & LASTING and not closes_itself(name, close):
            self.write_end(Open(tag, start, <int>(behind - name)))
        return True

    cdef inline void owe(self, Known tag) noexcept:
        """Let the text behind a tag of a block pay for a text block."""
        if tag.kind & (BLOCK | LINE) == BLOCK and not self.opaque:
            self.owed = TEXT_SIZE

    cdef const unsigned char* end_tag(
        self, const unsigned char* s, const unsigned char* end
    ) except NULL:
        cdef const unsigned char* name = s + 2
        cdef const unsigned char* behind = end_of_name(name, end)
        cdef const unsigned char* close
        cdef Py_ssize_t quoted = 0
        close = end_of_tag(s, end, &quoted)
        if close == end:
            return end
        self.close_element(known(name, behind - name))
        return close + 1

    cdef int close_element(self, Known tag) except -1:
        cdef int place = self.depth - 1
        if self.spare:
            self.skip_end(tag)
        if tag.kind & BODY and self.depth:
            self.pop_to(0)
            return self.write_literal(b"</body>", 7)
        if tag.kind & (SINGLE | VOID):
            return 0
        if not self.counts[tag.name & (N_COUNTS - 1)]:
            self.sought += self.depth
            return 0
        while place >= 0 and self.stack[place].tag.name != tag.name:
            if self.stack[place].tag.rank > tag.rank:
                return 0
            place -= 1
        if place >= 0:
            self.write_end(self.stack[place])
            self.pop_to(place)
            self.owe(tag)
        return 0

    cdef void skip_start(self, Known tag, bint empty) noexcept:
        """Of a tag that is not written there stays the break that it makes."""
        if tag.kind & BLOCK:
            self.broken = True
        if empty:
            return
        if self.hidden:
            self.inside += tag.kind & BLOCK != 0
        elif tag.kind & OPAQUE:
            self.hidden = True
            self.hiding = tag.name
            self.inside = 0

    cdef void skip_end(self, Known tag) noexcept:
        if tag.kind & BLOCK:
            self.broken = True
        if not self.hidden:
            return
        # What holds it ends it too.
        if self.hiding == tag.name or (tag.kind & BLOCK and not self.inside):
            self.hidden = False
        elif tag.kind & BLOCK:
            self.inside -= 1

    cdef int begin_spare(self) except -1:
        """Close what paragraphs cannot stand in; from here on there is nothing else."""
        self.done |= ELEMENTS
        self.spare = self.broken = True
        self.text = PARAGRAPH
        while self.depth and not self.opaque and not self.stack[self.depth - 1].tag.kind & ROOM:
            self.write_end(self.stack[self.depth - 1])
            self.pop_to(self.depth - 1)
        return 0

    # Open elements

    cdef void push(self, Known tag, int start, int size) noexcept:
        self.stack[self.depth] = Open(tag, start, size)
        self.depth += 1
        self.counts[tag.name & (N_COUNTS - 1)] += 1
        self.opaque += tag.kind & OPAQUE != 0

    cdef void pop_to(self, int depth) noexcept:
        while self.depth > depth:
            self.depth -= 1
            self.counts[self.stack[self.depth].tag.name & (N_COUNTS - 1)] -= 1
            self.opaque -= self.stack[self.depth].tag.kind & OPAQUE != 0
        self.text = 0 if not self.spare else self.text

    # Bytes

    cdef int write_start(
        self, const unsigned char* name, const unsigned char* behind,
        const unsigned char* close
    ) except -1:
        cdef const unsigned char* start = name
        cdef int count = 0
        self.write_literal(b"<", 1)
        self.write(name, behind)
        name = next_attribute(behind, close)
        while name < close:
            behind = end_of_attribute(name, close)
            count += 1
            if count > self.max_attributes:
                self.done |= ATTRIBUTES
                break
            if behind - name <= LONGEST_VALUE:
                self.write_literal(b" ", 1)
                self.write(name, behind)
            name = next_attribute(behind, close)
        if closes_itself(start, close):
            return self.write_literal(b" />", 3)
        return self.write_literal(b">", 1)

    cdef int write_end(self, Open element) except -1:
        reserve_bytes(self.out, element.size + 3)
        self.write_literal(b"</", 2)
        self.out.append(self.out.data + element.start, element.size)
        return self.write_literal(b">", 1)


def trim(
    bytes page not None, *, Py_ssize_t elements, Py_ssize_t room, int depth,
    int attributes, Py_ssize_t text, bint scripts,
):
    """*page*, UTF-8 without NUL, within limits; and what that took.

    There are at most *elements*, as long as there is *room*, of which each takes nine
    bytes, a row none, and a text block seven; behind them are paragraphs of 1 kB. None
    is deeper than *depth* below the body or has more than *attributes*; a text of more
    than *text* bytes is divided into paragraphs. Without *scripts*, those of scripts and
    style sheets are left out. What it took are names among ``depth``, ``attributes``,
    ``elements`` and ``text_node``; if there is none, the page needed no trimming.
    """
    cdef const unsigned char* s = <const unsigned char*>PyBytes_AS_STRING(page)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(page)
    cdef _Trimmer trimmer = _Trimmer(
        size, text, room, elements, depth, attributes, scripts
    )
    trimmer.run(s, s + size)
    if trimmer.sought > SEARCHED:
        trimmer.done |= DEPTH
    codes = ("depth", "attributes", "elements", "text_node")
    done = tuple([code for k, code in enumerate(codes) if trimmer.done >> k & 1])
    return trimmer.out.contents(), done
