"""Writes an event stream as HTML: nothing but the tags and attributes named here.

Tags come from the stream's own list of names, never from the page; every text and
every value is escaped; addresses are those that were judged before.
"""

from libc.stdint cimport int32_t

from ._attributes cimport find_attribute
from ._buffer cimport Buffer, as_text, put, put_bytes, put_number, put_string, release
from ._events cimport (
    BLANK, BREAK, CLOSE, IMAGE, K_A, K_ABBR, K_BLOCKQUOTE, K_CAPTION, K_CODE, K_DEL, K_DETAILS,
    K_DL, K_FIGURE, K_INS, K_OL, K_P, K_PRE, K_Q, K_TABLE, K_TD, K_TH, K_TIME, K_TIGHT, K_UL,
    MEDIA, N_KINDS, OPEN, RULE, TEXT,
)

from ..document.tags import ATTRIBUTE_CODES
from .kinds import NAMES

cdef list TAG_NAMES = [name.encode() for name in NAMES]
cdef int LANG = ATTRIBUTE_CODES["lang"], TITLE = ATTRIBUTE_CODES["title"]
cdef int ALT = ATTRIBUTE_CODES["alt"], START = ATTRIBUTE_CODES["start"]
cdef int COLSPAN = ATTRIBUTE_CODES["colspan"], ROWSPAN = ATTRIBUTE_CODES["rowspan"]
cdef int DATETIME = ATTRIBUTE_CODES["datetime"]


cdef inline bint _begins_line(int kind) noexcept:
    return kind in (K_BLOCKQUOTE, K_UL, K_OL, K_DL, K_TABLE, K_FIGURE, K_DETAILS)


cdef class _Html:
    cdef const int32_t[::1] attribute_names, attribute_starts, attribute_ends, first_attribute
    cdef bytes values, text
    cdef dict links, sources, languages
    cdef Buffer out
    cdef bint in_link, link_written, code_written

    def __dealloc__(self):
        release(&self.out)

    def __init__(self, document, dict links, dict sources, dict languages):
        self.attribute_names = document.attributes.name
        self.attribute_starts = document.attributes.start
        self.attribute_ends = document.attributes.end
        self.first_attribute = document.elements.first_attribute
        self.values, self.text = document.values, document.text
        self.links, self.sources, self.languages = links, sources, languages

    cdef int write(self, const int32_t[:, ::1] events) except -1:
        cdef int k, operation, kind
        for k in range(events.shape[0]):
            operation, kind = events[k, 0], events[k, 1]
            if operation == OPEN:
                self.open(kind, events[k, 2])
            elif operation == CLOSE:
                self.close(kind)
            elif operation == TEXT:
                self.escape(self.text, events[k, 2], events[k, 3])
            elif operation == BREAK:
                put_string(&self.out, b"<br>")
            elif operation == BLANK:
                put(&self.out, b" ")
            elif operation == RULE:
                put_string(&self.out, b"<hr>\n")
            elif operation == IMAGE:
                self.image(events[k, 2])
            elif operation == MEDIA:
                self.media(events[k, 2])
        return 0

    # Tags

    cdef int open(self, int kind, int element) except -1:
        if kind == K_TIGHT or (kind == K_CODE and self.code_written):
            return 0
        if kind == K_A:
            self.in_link = True
            self.link_written = element in self.links
            if not self.link_written:
                return 0
        put(&self.out, b"<")
        self.name(kind)
        if element >= 0:
            self.attributes(kind, element)
        put(&self.out, b">")
        if kind == K_PRE and element in self.languages:
            self.code_written = True
            put_string(&self.out, b'<code class="language-')
            self.value(self.languages[element])
            put_string(&self.out, b'">')
        elif _begins_line(kind):
            put(&self.out, b"\n")
        return 0

    cdef int close(self, int kind) except -1:
        if kind == K_TIGHT or (kind == K_CODE and self.code_written):
            return 0
        if kind == K_A:
            self.in_link = False
            if not self.link_written:
                return 0
        if kind == K_PRE and self.code_written:
            self.code_written = False
            put_string(&self.out, b"</code>")
        put_string(&self.out, b"</")
        self.name(kind)
        put(&self.out, b">")
        if kind <= K_P and kind != K_TD and kind != K_TH:
            put(&self.out, b"\n")
        return 0

    cdef int name(self, int kind) except -1:
        cdef bytes name = TAG_NAMES[kind]
        return put_bytes(&self.out, name, len(name))

    cdef int image(self, int element) except -1:
        put_string(&self.out, b'<img src="')
        self.value(self.sources[element])
        put_string(&self.out, b'" alt="')
        self.kept_value(element, ALT)
        put(&self.out, b'"')
        self.attribute(element, TITLE, b' title="')
        put(&self.out, b">")
        return 0

    cdef int media(self, int element) except -1:
        """A link to what the page plays or embeds; inside a link its name alone."""
        cdef bytes source = self.sources[element]
        if not self.in_link:
            put_string(&self.out, b'<a href="')
            self.value(source)
            put_string(&self.out, b'">')
        if not self.kept_value(element, TITLE):
            self.value(source)
        if not self.in_link:
            put_string(&self.out, b"</a>")
        return 0

    # Attributes

    cdef int attributes(self, int kind, int element) except -1:
        if kind == K_A:
            put_string(&self.out, b' href="')
            self.value(self.links[element])
            put(&self.out, b'"')
        elif kind == K_BLOCKQUOTE or kind == K_Q or kind == K_DEL or kind == K_INS:
            if element in self.links:
                put_string(&self.out, b' cite="')
                self.value(self.links[element])
                put(&self.out, b'"')
        if kind == K_A or kind == K_ABBR:
            self.attribute(element, TITLE, b' title="')
        elif kind == K_TD or kind == K_TH:
            self.number(element, COLSPAN, b' colspan="', 1000)
            self.number(element, ROWSPAN, b' rowspan="', 65534)
        elif kind == K_OL:
            self.number(element, START, b' start="', 999999999)
        elif kind == K_TIME or kind == K_DEL or kind == K_INS:
            self.attribute(element, DATETIME, b' datetime="')
        return self.attribute(element, LANG, b' lang="')

    cdef int find(self, int element, int name) noexcept:
        """The place of an attribute of `element`, or -1."""
        return find_attribute(self.first_attribute, self.attribute_names, element, name)

    cdef int attribute(self, int element, int name, const char* opening) except -1:
        cdef int k = self.find(element, name)
        if k >= 0 and self.attribute_ends[k] > self.attribute_starts[k]:
            put_string(&self.out, opening)
            self.escape(self.values, self.attribute_starts[k], self.attribute_ends[k])
            put(&self.out, b'"')
        return 0

    cdef int kept_value(self, int element, int name) except -1:
        """Write an attribute's value; how many bytes the source has for it."""
        cdef int k = self.find(element, name)
        if k < 0:
            return 0
        self.escape(self.values, self.attribute_starts[k], self.attribute_ends[k])
        return self.attribute_ends[k] - self.attribute_starts[k]

    cdef int number(self, int element, int name, const char* opening, int most) except -1:
        """Write a number from 2 to `most`; anything else means 1, as without it."""
        cdef int k = self.find(element, name), value = 0, place
        if k < 0 or self.attribute_ends[k] - self.attribute_starts[k] > 9:
            return 0
        for place in range(self.attribute_starts[k], self.attribute_ends[k]):
            if not 48 <= <unsigned char>self.values[place] <= 57:
                return 0
            value = value * 10 + <unsigned char>self.values[place] - 48
        if 1 < value <= most:
            put_string(&self.out, opening)
            put_number(&self.out, value)
            put(&self.out, b'"')
        return 0

    cdef int value(self, bytes value) except -1:
        return self.escape(value, 0, <int>len(value))

    cdef int escape(self, bytes source, int start, int end) except -1:
        cdef const unsigned char* s = source
        cdef int k
        for k in range(start, end):
            if s[k] == b"&":
                put_string(&self.out, b"&amp;")
            elif s[k] == b"<":
                put_string(&self.out, b"&lt;")
            elif s[k] == b">":
                put_string(&self.out, b"&gt;")
            elif s[k] == b'"':
                put_string(&self.out, b"&quot;")
            elif s[k] == b"'":
                put_string(&self.out, b"&#39;")
            elif s[k] == b"`":
                put_string(&self.out, b"&#96;")
            elif s[k] >= 32 or s[k] == 10 or s[k] == 9:
                put(&self.out, s[k])
        return 0


def assemble(document, const int32_t[:, ::1] events, dict links, dict sources, dict languages):
    """The events as HTML. `links` and `sources` give elements their addresses as UTF-8,
    `languages` give `pre` elements the language of their code."""
    cdef _Html html = _Html(document, links, sources, languages)
    html.write(events)
    return as_text(&html.out).rstrip("\n")
