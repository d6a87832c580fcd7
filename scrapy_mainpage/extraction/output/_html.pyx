"""Writes an event stream as HTML: nothing but the tags and attributes named here.

Tags come from the list of kinds, never from the page; every text and every value is
escaped; addresses are those that were checked before.
"""

from ._columns cimport AS_NOTE, RAISED
from ._events cimport (
    BLANK, BREAK, FORMULA, IMAGE, K_A, K_ABBR, K_BLOCKQUOTE, K_CODE, K_DEL, K_DETAILS, K_DL,
    K_FIGURE, K_H1, K_INS, K_LI, K_OL, K_P, K_PRE, K_Q, K_TABLE, K_TD, K_TH, K_TIGHT,
    K_TIME, K_UL, MEDIA, MEDIA_NAMES, RULE, Events, EventWriter,
)

from ..document.tags import ATTRIBUTE_CODES
from ._events import NAMES

cdef list TAG_NAMES = [name.encode() for name in NAMES]

cdef int ALT = ATTRIBUTE_CODES["alt"], TITLE = ATTRIBUTE_CODES["title"]
cdef int LANG = ATTRIBUTE_CODES["lang"], DATETIME = ATTRIBUTE_CODES["datetime"]
cdef int START = ATTRIBUTE_CODES["start"], VALUE = ATTRIBUTE_CODES["value"]
cdef int REVERSED = ATTRIBUTE_CODES["reversed"]
cdef int COLSPAN = ATTRIBUTE_CODES["colspan"], ROWSPAN = ATTRIBUTE_CODES["rowspan"]


cdef class HtmlWriter(EventWriter):
    cdef bint in_link, link_written, code_written

    cdef int open(self, int kind, int element, int is_head) except -1:
        if kind == K_TIGHT or (kind == K_CODE and self.code_written):
            return 0
        if kind == K_A:
            self.in_link = True
            self.link_written = element in self.links and self.affords_mark(
                element, len(<bytes>self.links[element]) + self.values_size(element)
            )
            if not self.link_written:
                return 0
        self.out.put(b"<")
        self.put_value(TAG_NAMES[kind])
        if element >= 0 and (
            kind <= K_TIGHT or kind == K_A or self.affords_mark(element, self.cited_size(element))
        ):
            self.put_attributes(kind, element)
        self.out.put(b">")
        if kind == K_PRE and element in self.languages:
            self.code_written = True
            self.out.put(b'<code class="language-')
            self.put_value(self.languages[element])
            self.out.put(b'">')
        elif kind in (K_BLOCKQUOTE, K_UL, K_OL, K_DL, K_TABLE, K_FIGURE, K_DETAILS):
            self.out.put(b"\n")

    cdef int close(self, int kind) except -1:
        if kind == K_TIGHT or (kind == K_CODE and self.code_written):
            return 0
        if kind == K_A:
            self.in_link = False
            if not self.link_written:
                return 0
        if K_H1 <= kind <= K_P and kind != K_PRE or kind == K_LI or kind == K_TD or kind == K_TH:
            while self.out.size and self.out.bytes[self.out.size - 1] == b" ":
                self.out.size -= 1
        if kind == K_PRE and self.code_written:
            self.code_written = False
            self.out.put(b"</code>")
        self.out.put(b"</")
        self.put_value(TAG_NAMES[kind])
        self.out.put(b">")
        if kind <= K_P and kind != K_TD and kind != K_TH:
            self.out.put(b"\n")

    cdef int add_text(self, int start, int end, int role) except -1:
        if role == RAISED or role == AS_NOTE:
            self.out.put(b"<sup>[" if role == AS_NOTE else b"<sup>")
        self.put_escaped(self.text + start, end - start)
        if role == RAISED or role == AS_NOTE:
            self.out.put(b"]</sup>" if role == AS_NOTE else b"</sup>")

    cdef int add(self, int operation, int element) except -1:
        if operation == BREAK:
            self.out.put(b"<br>")
        elif operation == BLANK:
            self.out.put(b" ")
        elif operation == RULE:
            self.out.put(b"<hr>\n")
        elif operation == IMAGE:
            self.out.put(b"<img")
            self.put_address(b"src", self.sources[element])
            self.out.put(b' alt="')
            self.put_attribute_value(element, ALT)
            self.out.put(b'"')
            self.put_attribute(b"title", element, TITLE)
            self.out.put(b">")
        elif operation == MEDIA:
            self.add_media(element, self.sources[element])
        elif operation == FORMULA:
            self.add_formula(self.d.runs.start[element], self.d.runs.end[element])

    cdef int add_formula(self, int start, int end) except -1:
        """The LaTeX of a formula, and the same as text to show."""
        cdef int dollars = 2 if self.text[start + 1] == b"$" else 1
        self.out.put(b'<math display="block">' if dollars == 2 else b"<math>")
        self.out.put(b"<semantics><mtext>")
        self.put_escaped(self.text + start + dollars, end - start - 2 * dollars)
        self.out.put(b'</mtext><annotation encoding="application/x-tex">')
        self.put_escaped(self.text + start + dollars, end - start - 2 * dollars)
        self.out.put(b"</annotation></semantics></math>")

    cdef int add_media(self, int element, bytes source) except -1:
        """A link to a video, sound or embedded page; inside a link its name alone."""
        if not self.in_link:
            self.out.put(b"<a")
            self.put_address(b"href", source)
            self.out.put(b">")
        if not self.put_attribute_value(element, TITLE):
            self.put_value(MEDIA_NAMES.get(self.d.elements.tag[element], source))
        if not self.in_link:
            self.out.put(b"</a>")

    cdef Py_ssize_t cited_size(self, int element):
        """The size of the attributes of a mark that is not a link."""
        return self.values_size(element) + len(<bytes>self.links.get(element, b""))

    cdef Py_ssize_t values_size(self, int element) noexcept:
        cdef Py_ssize_t size = 0
        cdef int k, code
        for code in (TITLE, DATETIME, LANG):
            k = self.d.find(element, code)
            if k >= 0:
                size += self.d.attributes.end[k] - self.d.attributes.start[k]
        return size

    cdef int put_attributes(self, int kind, int element) except -1:
        if kind == K_A:
            self.put_address(b"href", self.links[element])
        elif kind in (K_BLOCKQUOTE, K_Q, K_DEL, K_INS) and element in self.links:
            self.put_address(b"cite", self.links[element])
        if kind == K_A or kind == K_ABBR:
            self.put_attribute(b"title", element, TITLE)
        elif kind == K_TD or kind == K_TH:  # limits of the HTML standard
            self.put_number(b"colspan", element, COLSPAN, 2, 1000)
            self.put_number(b"rowspan", element, ROWSPAN, 2, 65534)
        elif kind == K_OL:
            self.put_number(b"start", element, START, 0, 999999999)
            if self.d.find(element, REVERSED) >= 0:
                self.out.put(b" reversed")
        elif kind == K_LI:
            self.put_number(b"value", element, VALUE, 0, 999999999)
        elif kind == K_TIME or kind == K_DEL or kind == K_INS:
            self.put_attribute(b"datetime", element, DATETIME)
        return self.put_attribute(b"lang", element, LANG)

    cdef int begin_attribute(self, const char* name) except -1:
        self.out.put(b" ")
        self.out.put(name)
        self.out.put(b'="')

    cdef int put_address(self, const char* name, bytes address) except -1:
        self.begin_attribute(name)
        self.put_value(address)
        self.out.put(b'"')

    cdef int put_attribute(self, const char* name, int element, int code) except -1:
        cdef int k = self.d.find(element, code)
        if k >= 0 and self.d.attributes.end[k] > self.d.attributes.start[k]:
            self.begin_attribute(name)
            self.put_attribute_value(element, code)
            self.out.put(b'"')

    cdef int put_attribute_value(self, int element, int code) except -1:
        """Write an attribute's value; return its size in the source."""
        cdef int k = self.d.find(element, code), size
        if k < 0:
            return 0
        size = self.d.attributes.end[k] - self.d.attributes.start[k]
        self.put_escaped(self.d.values + self.d.attributes.start[k], size)
        return size

    cdef int put_number(
        self, const char* name, int element, int code, int minimum, int maximum
    ) except -1:
        cdef int value = self.d.number(element, code, -1)
        if minimum <= value <= maximum:
            self.begin_attribute(name)
            self.out.put_number(value)
            self.out.put(b'"')

    cdef int put_value(self, bytes value) except -1:
        return self.put_escaped(value, <int>len(value))

    cdef int put_escaped(self, const unsigned char* s, int size) except -1:
        cdef int k
        for k in range(size):
            if s[k] == b"&":
                self.out.put(b"&amp;")
            elif s[k] == b"<":
                self.out.put(b"&lt;")
            elif s[k] == b">":
                self.out.put(b"&gt;")
            elif s[k] == b'"':
                self.out.put(b"&quot;")
            elif s[k] == b"'":
                self.out.put(b"&#39;")
            elif s[k] == b"`":
                self.out.put(b"&#96;")
            elif s[k] >= 32 or s[k] == 10 or s[k] == 9:
                self.out.put_byte(s[k])


def assemble_html(Events events, dict links, dict sources, dict languages):
    """The events as HTML; the dictionaries are those of :class:`EventWriter`."""
    cdef HtmlWriter writer = HtmlWriter(events, links, sources, languages)
    return writer.write().rstrip("\n")
