"""The cost of a page to a parser, and a page over a limit as flat HTML."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from ...text._chars cimport decode, is_ascii_blank
from ._tokens cimport END, MARK, START, Token, count_attributes, end_of_name, ends_name, next_token

from ..document.tags import BLOCK_TAGS, VOID_TAGS, WORDLESS_TAGS

cdef enum:
    PARSER_DEPTH = 2048             # libxml2 ignores whatever is nested deeper


def survey(bytes page not None):
    """Start tags, end tags, most attributes of a long tag, and longest text in bytes.

    Attributes are counted in tags of 1,000 bytes and more, quoted values left out.
    """
    cdef const unsigned char* s = page
    cdef const unsigned char* end = s + len(page)
    cdef const unsigned char* text = s
    cdef Py_ssize_t opened = 0, closed = 0, longest_text = 0
    cdef int attributes = 0
    cdef Token t
    while next_token(&t, s, end):
        s = t.behind
        if t.kind == START or t.kind == END:
            opened += t.kind == START
            closed += t.kind == END
            attributes = max(attributes, count_attributes(&t, end))
            longest_text = max(longest_text, t.start - text)
            text = s
    return opened, closed, attributes, max(longest_text, end - text)


def count_searches(bytes page not None, Py_ssize_t limit):
    """Open elements that a parser compares with end tags; stops above *limit*.

    Every end tag is looked up among the open elements, from the innermost one on. End
    tags that HTML lets a page omit are not implied, so the count is an upper bound.
    """
    cdef const unsigned char* s = page
    cdef const unsigned char* end = s + len(page)
    cdef uint64_t[PARSER_DEPTH] stack
    cdef uint64_t name
    cdef Py_ssize_t count = 0
    cdef int depth = 0, k
    cdef Token t
    while count <= limit and next_token(&t, s, end):
        s = t.behind
        if t.kind == START and not t.is_empty:
            name = _short_name(t.name, end)
            if name not in _VOID_NAMES:
                depth = min(depth + 1, PARSER_DEPTH)
                stack[depth - 1] = name
        elif t.kind == END:
            name = _short_name(t.name, end)
            k = depth - 1
            while k >= 0 and stack[k] != name:
                k -= 1
            count += depth - k
            if k >= 0:
                depth = k
    return count


cdef uint64_t _short_name(const unsigned char* s, const unsigned char* end) noexcept:
    """A tag name's first eight bytes, in lower case, as a number."""
    cdef uint64_t name = 0
    cdef int k
    for k in range(8):
        if s + k >= end or ends_name(s[k]):
            break
        name = name << 8 | s[k] | (0x20 if b"A" <= s[k] <= b"Z" else 0)
    return name


cdef set _VOID_NAMES = {int.from_bytes(name.encode()[:8], "big") for name in VOID_TAGS}


def count_characters(bytes page not None):
    """The characters beyond ASCII of a page in UTF-8; -1 if it is not valid UTF-8."""
    cdef const unsigned char* s = page
    cdef const unsigned char* end = s + len(page)
    cdef Py_ssize_t characters = 0
    cdef uint32_t c = 0
    cdef uint64_t eight
    cdef int size
    while s < end:
        if s[0] < 0x80:
            s += 1
            while end - s >= 8:
                memcpy(&eight, s, 8)
                if eight & 0x8080808080808080ull:
                    break
                s += 8
            while s < end and s[0] < 0x80:
                s += 1
            continue
        size = decode(s, &c)
        if not size:
            return -1
        s += size
        characters += 1
    return characters


cdef enum:
    # Longer tags of links and of the head are left out.
    MAX_KEPT_TAG_BYTES = 1000
    # Once the page has all elements it may have, breaks end paragraphs from here on.
    MIN_LATE_PARAGRAPH_BYTES = 1024
    MAX_CHARACTER_BYTES = 4

    ENDS_BLOCK = 1 << 0
    KEEPS_NAME = 1 << 1     # blocks that keep their tag; others become paragraphs
    HIDES_TEXT = 1 << 2
    IS_RAW = 1 << 3         # its text is text of the page, without markup
    IS_HEAD = 1 << 4

cdef dict KINDS = {}
for _kind, _names in (
    (ENDS_BLOCK, [*BLOCK_TAGS, "br", "hr"]),
    (KEEPS_NAME, "h1 h2 h3 h4 h5 h6 li pre blockquote".split()),
    (HIDES_TEXT, ["template", "svg", "select", "datalist", "noembed", *WORDLESS_TAGS]),
    (IS_RAW, "xmp plaintext".split()),
    (IS_HEAD, "html title meta link base".split()),
):
    for _name in _names:
        KINDS[_name.encode()] = KINDS.get(_name.encode(), 0) | _kind


cdef class _FlatPage:
    """HTML of blocks that hold text and links only."""

    cdef bytearray out
    cdef bytes open_block       # the name of the open block, or None
    cdef bytes next_block       # the name of the block that the next text begins, or None
    cdef bytes next_link        # the start tag of the link that the next text begins
    cdef bint in_link
    cdef Py_ssize_t elements, max_elements, text, max_text

    def __init__(self, Py_ssize_t max_elements, Py_ssize_t max_text):
        self.out = bytearray()
        self.next_block = b"p"
        self.max_elements = max_elements
        self.max_text = max_text

    cdef int break_block(self, bytes name) except -1:
        self.next_block = name
        self.next_link = None
        return self.end_link()

    cdef int end_link(self) except -1:
        if self.in_link:
            self.out += b"</a>"
            self.in_link = False

    cdef int end_block(self) except -1:
        self.end_link()
        if self.open_block is not None:
            self.out += b"</" + self.open_block + b">"
            self.open_block = None

    cdef int begin_block(self, bytes name) except -1:
        self.end_block()
        self.out += b"<" + name + b">"
        self.open_block, self.next_block = name, None
        self.elements += 1
        self.text = 0

    cdef int add_text(self, const unsigned char* s, const unsigned char* end) except -1:
        cdef const unsigned char* cut
        cdef Py_ssize_t room
        if self.next_block is not None:
            while s < end and is_ascii_blank(s[0]):
                s += 1
            if s == end:
                return 0
            if (
                self.elements < self.max_elements
                or self.open_block is None or self.text >= MIN_LATE_PARAGRAPH_BYTES
            ):
                self.begin_block(self.next_block)
            else:
                self.out += b"\n"
                self.next_block = None
        if self.next_link is not None and self.elements < self.max_elements:
            self.out += self.next_link
            self.in_link = True
            self.elements += 1
        self.next_link = None
        while self.text + (end - s) > self.max_text:
            room = self.max_text - self.text
            if room >= MAX_CHARACTER_BYTES or not self.text:
                cut = cut_text(s, s + min(max(room, MAX_CHARACTER_BYTES), end - s))
                self.out += s[:cut - s]
                s = cut
                self.text = self.max_text
            if s == end:
                return 0
            self.begin_block(b"p")
        self.text += end - s
        self.out += s[:end - s]

    cdef int add_head(
        self, const unsigned char* s, const unsigned char* end, bytes end_tag
    ) except -1:
        """Add an element of the head, unless a text came before it."""
        if (
            self.open_block is None and end - s < MAX_KEPT_TAG_BYTES
            and self.elements < self.max_elements
        ):
            self.elements += 1
            self.out += s[:end - s]
            self.out += end_tag

    cdef int add_raw_text(self, const unsigned char* s, const unsigned char* end) except -1:
        cdef bytes text = s[:end - s]
        text = text.replace(b"&", b"&amp;").replace(b"<", b"&lt;")
        s = text
        return self.add_text(s, s + len(text))


cdef inline const unsigned char* cut_text(
    const unsigned char* s, const unsigned char* end
) noexcept:
    """The last place up to *end* behind a blank, else between characters."""
    cdef const unsigned char* cut = end
    while cut > s and not is_ascii_blank(cut[-1]):
        cut -= 1
    if cut > s:
        return cut
    cut = end
    while cut > s + 1 and cut[0] & 0xC0 == 0x80:
        cut -= 1
    return cut


def read_text(bytes page not None, Py_ssize_t max_elements, Py_ssize_t max_text):
    """*page* (UTF-8) as flat HTML, in time and size linear in its own.

    Text with its block breaks stays, and so do headings, list items, links, the title
    and short tags of the head. A block has at most *max_text* bytes; above
    *max_elements* elements the text goes on in paragraphs of 1 kB.
    """
    cdef const unsigned char* s = page
    cdef const unsigned char* end = s + len(page)
    cdef const unsigned char* resume = NULL
    cdef _FlatPage flat = _FlatPage(max_elements, max_text)
    cdef bytes name, hidden = None
    cdef set unclosed = set()
    cdef int kind, depth = 0
    cdef Token t
    while True:
        if not next_token(&t, s, end):
            if hidden is None:
                flat.add_text(s, end)
                flat.end_block()
                return bytes(flat.out)
            # Its element has no end tag: it hides nothing.
            unclosed.add(hidden)
            hidden, s = None, resume
            continue
        if hidden is None:
            flat.add_text(s, t.start)
            if t.kind == MARK:
                flat.add_raw_text(t.start, t.behind)
        s = t.behind
        if t.kind != START and t.kind != END:
            continue
        name = t.name[:end_of_name(t.name, end) - t.name].lower()
        if hidden is not None:
            if name == hidden:
                depth += -1 if t.kind == END else not t.is_empty
                hidden = hidden if depth else None
            continue
        kind = KINDS.get(name, 0)
        if kind & ENDS_BLOCK:
            flat.break_block(name if kind & KEEPS_NAME and t.kind == START else b"p")
        elif name == b"a":
            flat.end_link()
            if t.kind == START and t.close - t.start < MAX_KEPT_TAG_BYTES:
                flat.next_link = t.start[:t.behind - t.start]
        if t.kind == END:
            continue
        if kind & IS_HEAD:
            flat.add_head(t.start, s, b"</title>" if name == b"title" else b"")
        elif t.is_empty:
            continue
        elif kind & HIDES_TEXT and name not in unclosed:
            hidden, depth, resume = name, 1, s
        elif kind & IS_RAW:
            flat.add_raw_text(t.close + 1, s)
