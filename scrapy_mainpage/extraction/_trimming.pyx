"""A page within its limits: what a parser cannot bear is left out, text is not.

One pass over the bytes, in time that grows with their number alone. Elements below the
deepest level become siblings there, surplus attributes go, and beyond the last element
that is allowed there are only paragraphs. End tags without an element, comments and
declarations go too: a parser looks for the former through all open elements.
"""

from libc.stdint cimport uint64_t

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Calloc, PyMem_Free

from ._scanning cimport (
    closes_itself, end_of_declaration, end_of_tag, end_of_text, end_of_value, ends_name, find, is_blank,
    is_letter,
)
from ._tables cimport Buffer, reserve_bytes

from .tags import BLOCK_TAGS, OPAQUE_TAGS

cdef enum:
    BLOCK = 1 << 0      # ends a text block
    VOID = 1 << 1       # has no end tag
    OPAQUE = 1 << 2     # holds no text of the page
    ROOM = 1 << 3       # what paragraphs can stand in
    SINGLE = 1 << 4     # html, head and body: the parser knows where they begin and end
    RAW = 1 << 5        # holds text of the page that is no markup

    N_COUNTS = 1 << 12

    # Beyond the last element, a paragraph with so many bytes ends at the next break.
    PARAGRAPH = 1024

    LONGEST_CHARACTER = 4
    LONGEST_NAME = 256
    LONGEST_VALUE = 1 << 16

    # Bytes that an honest page has at least for each of its elements, with their text:
    # items and cells may have no end tags, and rows hold cells, which have theirs.
    ELEMENT_SIZE = 9
    ITEM_SIZE = 7

    DEPTH = 1 << 0
    ATTRIBUTES = 1 << 1
    ELEMENTS = 1 << 2
    TEXT = 1 << 3

    # Open elements that a parser may look through for end tags in vain.
    SEARCHED = 50_000_000


cdef const unsigned char* MARK = b"&lt;"
cdef const unsigned char* AMPERSAND = b"&amp;"


cdef struct Known:
    uint64_t name           # its number
    int kind
    int rank                # see RANKS
    int group               # see GROUPS


cdef struct Open:
    Known tag
    int start               # of the name, among the bytes that were written
    int size


cdef uint64_t _hash(const unsigned char* s, Py_ssize_t size) noexcept:
    """The number of a name, the same for capitals."""
    cdef uint64_t value = 14695981039346656037u
    cdef Py_ssize_t k
    for k in range(size):
        value = (value ^ (s[k] | 0x20 if b"A" <= s[k] <= b"Z" else s[k])) * 1099511628211u
    return value ^ value >> 29


cdef dict _kinds():
    names = dict.fromkeys(BLOCK_TAGS, BLOCK)
    for flag, tags in (
        (VOID, "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr"),
        (OPAQUE, " ".join(OPAQUE_TAGS)),
        (ROOM, "div section article main center blockquote form fieldset"),
        (BLOCK, "br hr"),
        (SINGLE, "html head body"),
        (RAW, "xmp noembed plaintext"),
    ):
        for name in tags.split():
            names[name] = names.get(name, 0) | flag
    names["frame"] = VOID
    # Nothing says where one of these ends, and it holds no more than a bracket.
    names["rp"] = 0
    return names


# What closes what: an end tag does not reach beyond an open element of a higher rank.
RANKS = {"p": 1, "div": 3, "td": 4, "th": 4, "tr": 5, "thead": 6, "tbody": 6, "tfoot": 6, "table": 7}

# Elements that need no end tag: the next one of the group is theirs.
GROUPS = {
    "p": 1, "li": 2, "dt": 3, "dd": 3, "option": 4, "optgroup": 5,
    "td": 8, "th": 8, "tr": 9, "thead": 10, "tbody": 10, "tfoot": 10,
}

cdef enum:
    N_KNOWN = 1024
    PARAGRAPHS = 1
    CELLS = 8

cdef uint64_t[N_KNOWN] KNOWN
cdef int[N_KNOWN] KIND
cdef int[N_KNOWN] RANK
cdef int[N_KNOWN] GROUP


cdef int _slot(uint64_t name) noexcept:
    cdef int slot = <int>(name & (N_KNOWN - 1))
    while KNOWN[slot] and KNOWN[slot] != name:
        slot = (slot + 1) & (N_KNOWN - 1)
    return slot


def _fill():
    for text, kind in _kinds().items():
        name = text.encode()
        slot = _slot(_hash(name, len(name)))
        KNOWN[slot] = _hash(name, len(name))
        KIND[slot] = kind
        RANK[slot] = RANKS.get(text, 2)
        GROUP[slot] = GROUPS.get(text, 0)


_fill()

cdef uint64_t BODY = _hash(b"body", 4)


cdef inline Known known(const unsigned char* s, Py_ssize_t size) noexcept:
    cdef uint64_t name = _hash(s, size)
    cdef int slot = _slot(name)
    if not KNOWN[slot]:
        return Known(name, 0, 2, 0)
    return Known(name, KIND[slot], RANK[slot], GROUP[slot])


cdef inline bint ends(Known tag, Known top) noexcept:
    """Whether the start tag *tag* ends the open element *top*."""
    if not top.group:
        return False
    if top.group == PARAGRAPHS:
        return tag.kind & BLOCK and tag.kind & VOID == 0
    return tag.group == top.group or tag.group > top.group >= CELLS


cdef inline int size_of(Known tag) noexcept:
    """The bytes that an element takes of the room for them."""
    if tag.group > CELLS:
        return 0
    return ITEM_SIZE if tag.group > PARAGRAPHS else ELEMENT_SIZE


cdef class _Trimmer:
    cdef Buffer out
    cdef Open* stack
    cdef int depth, max_depth, max_attributes
    cdef Py_ssize_t elements, max_elements, max_text
    cdef Py_ssize_t room    # bytes that are left for elements
    cdef int* counts        # open elements by a part of their name's number
    cdef int done           # what was done, as flags
    cdef int opaque         # open elements without text of the page
    cdef uint64_t hidden    # beyond the last element: the opaque one that is not over
    cdef Py_ssize_t inside  # elements that are open in that one
    cdef bint spare         # whether the last element was reached
    cdef bint broken        # whether the text is to go on in a new paragraph
    cdef bint scripts       # whether scripts and style sheets are kept
    cdef Py_ssize_t text    # bytes of the text node, or of the paragraph
    cdef uint64_t sought    # what open elements were looked through

    def __cinit__(
        self, size_t size, Py_ssize_t max_elements, Py_ssize_t room, int max_depth,
        int max_attributes, Py_ssize_t max_text, bint scripts,
    ):
        self.out = Buffer(size // 2 + 1024)
        self.stack = <Open*>PyMem_Calloc(max_depth + 1, sizeof(Open))
        self.counts = <int*>PyMem_Calloc(N_COUNTS, sizeof(int))
        if not self.stack or not self.counts:
            raise MemoryError
        self.max_elements = max_elements
        self.room = room
        self.max_depth = max_depth
        self.max_attributes = max_attributes
        self.max_text = max_text
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

    # Texts

    cdef int add_text(self, const unsigned char* s, const unsigned char* end) except -1:
        cdef const unsigned char* cut
        if self.spare:
            return self.add_spare_text(s, end)
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
            self.pop_to(self.depth - 1)
        if not empty and self.depth >= self.max_depth:
            self.done |= DEPTH
            if not tag.kind & (BLOCK | OPAQUE) or self.opaque:
                return False
            self.write_end(self.stack[self.depth - 1])
            self.pop_to(self.depth - 1)
        self.elements += 1
        self.room -= size_of(tag)
        self.text = 0
        cdef int start = self.out.used + 1
        self.write_start(name, behind, close)
        if not empty:
            self.push(tag, start, <int>(behind - name))
        return True

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
        if tag.name == BODY and self.depth:
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
            self.hidden = tag.name
            self.inside = 0

    cdef void skip_end(self, Known tag) noexcept:
        if tag.kind & BLOCK:
            self.broken = True
        if not self.hidden:
            return
        # What holds it ends it too.
        if self.hidden == tag.name or (tag.kind & BLOCK and not self.inside):
            self.hidden = 0
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

    cdef int write_literal(self, const char* s, size_t size) except -1:
        reserve_bytes(self.out, size)
        self.out.append(<const unsigned char*>s, size)
        return 0

    cdef int write(self, const unsigned char* s, const unsigned char* end) except -1:
        reserve_bytes(self.out, end - s)
        self.out.append(s, end - s)
        return 0


cdef inline const unsigned char* end_of_name(
    const unsigned char* s, const unsigned char* end
) noexcept:
    while s < end and not ends_name(s[0]):
        s += 1
    return s


cdef inline const unsigned char* next_attribute(
    const unsigned char* s, const unsigned char* close
) noexcept:
    while s < close and (is_blank(s[0]) or s[0] == b"/"):
        s += 1
    return s


cdef inline const unsigned char* end_of_attribute(
    const unsigned char* s, const unsigned char* close
) noexcept:
    """Behind the name at *s* and its value."""
    cdef const unsigned char* behind
    s += 1
    while s < close and s[0] != b"=" and s[0] != b"/" and not is_blank(s[0]):
        s += 1
    behind = s
    while s < close and is_blank(s[0]):
        s += 1
    if s >= close or s[0] != b"=":
        return behind
    s += 1
    while s < close and is_blank(s[0]):
        s += 1
    if s < close and (s[0] == b'"' or s[0] == b"'"):
        return end_of_value(s, close)
    while s < close and not is_blank(s[0]):
        s += 1
    return s


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


def trim(
    bytes page not None, *, Py_ssize_t elements, Py_ssize_t room, int depth,
    int attributes, Py_ssize_t text, bint scripts,
):
    """*page*, UTF-8 without NUL, within limits; and what that took.

    There are at most *elements*, as long as there is *room*, of which each takes nine
    bytes, an item or a cell seven, and a row none; behind them are paragraphs of 1 kB. None is deeper
    than *depth* below the body or has more than *attributes*; a text of more than
    *text* bytes is divided into paragraphs. Without *scripts*, those of scripts and
    style sheets are left out. What it took are names among ``depth``, ``attributes``,
    ``elements`` and ``text_node``; if there is none, the page needed no trimming.
    """
    cdef const unsigned char* s = <const unsigned char*>PyBytes_AS_STRING(page)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(page)
    cdef _Trimmer trimmer = _Trimmer(
        size, elements, room, depth, attributes, text, scripts
    )
    trimmer.run(s, s + size)
    if trimmer.sought > SEARCHED:
        trimmer.done |= DEPTH
    codes = ("depth", "attributes", "elements", "text_node")
    done = tuple([code for k, code in enumerate(codes) if trimmer.done >> k & 1])
    return trimmer.out.contents(), done
