"""JSON read without what cannot hold a text: most of a page's data is not looked at.

A value is checked from end to end, as Python's decoder would, and objects are only made
of what may matter to the search for texts: strings that may be prose, may be JSON or
are references, titles beside them, and the containers around those. What may be rich
text, of which no string need be long, is kept as a place (:class:`Whole`).
"""

import json
import re
from json.decoder import scanstring

from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t

from ._json cimport (
    literal_end,
    next_start,
    scalar_end,
    skip_blanks,
    string_end,
)
from ._keys cimport ANY, INNER, ITEM, LIST, TITLE, TYPE, role_of
from ._prose cimport (
    LEAST_LENGTH,
    LEAST_NESTED,
    kind_of,
    may_be_nested,
    may_be_prose,
)

from .richtext import tag_named

_UNDEFINED = re.compile(r"([:,\[])\s*(?:undefined|NaN|void 0)\s*(?=[,}\]])")

cdef enum:
    MOST_LEVELS = 200
    MOST_NOTED = 8
    SOME = 30
    # Bytes, of which a character may take six.
    LONGEST_TITLE = 3000
    LONGEST_TYPE = 40

cdef enum Kind:
    SCALAR
    STRING
    OBJECT
    ARRAY

# Where a string is, without its quotes.
cdef struct Span:
    Py_ssize_t start
    Py_ssize_t end
    bint escaped

# What is known of an object while it is read: names of types, the keys and the strings
# of titles; whether it is a known node of rich text as far as one key tells, has a text
# or children, has children that may be rich text, and holds nothing but numbers.
cdef struct Object:
    Span[MOST_NOTED] types
    Span[MOST_NOTED] names
    Span[MOST_NOTED] titles
    int n_types
    int n_titles
    bint is_typed
    bint has_inner
    bint has_rich
    bint is_flat

cdef uint8_t[256] KINDS
cdef int _byte
for _byte in range(256):
    KINDS[_byte] = kind_of(<unsigned char>_byte)


cdef class Whole:
    """A value of *source* that is read in full when somebody asks for it."""

    cdef Source source
    cdef Span span

    def value(self):
        """The value; what may be undefined in JavaScript is ``None``."""
        text = self.source._decoded(self.span.start, self.span.end)
        try:
            return json.loads(text, strict=False)
        except ValueError:
            return json.loads(_UNDEFINED.sub(r"\1null", text), strict=False)


cdef class Source:
    """A text that holds JSON values, or its UTF-8; places are counted in bytes.

    *unwanted* tells of a key whether what it names is left out, and *references* has the
    strings that stand for a text.
    """

    cdef object text, unwanted, references
    cdef bytes encoded
    cdef const unsigned char* data
    cdef readonly Py_ssize_t size
    cdef readonly bint too_deep
    cdef Py_ssize_t at, far
    cdef int level
    cdef bint lenient
    # Of the value that was read last: what it is; whether it may be a node of rich text,
    # a list of such nodes, a container of nothing but numbers.
    cdef Kind kind
    cdef bint is_node, is_rich, is_flat

    def __cinit__(self, text not None, unwanted, references=()):
        self.text, self.unwanted, self.references = text, unwanted, references
        if isinstance(text, bytes):
            self.data, self.size = <bytes>text, len(text)
            return
        try:
            self.data = <const unsigned char*>PyUnicode_AsUTF8AndSize(text, &self.size)
        except UnicodeEncodeError:  # half of a surrogate pair
            self.encoded = text.encode("utf-8", "surrogatepass")
            self.data, self.size = self.encoded, len(self.encoded)

    def begin(self):
        """Where the first character is that is not blank, or the end."""
        return skip_blanks(self.data, 0, self.size)

    def next_start(self, Py_ssize_t start):
        """Where a value may begin in JavaScript, from *start* on; -1 for nowhere."""
        return next_start(self.data, start, self.size)

    def character(self, Py_ssize_t place):
        """The character at *place* if it is one of ASCII; something else if not."""
        return chr(self.data[place]) if place < self.size else ""

    def value(self, Py_ssize_t start, bint lenient=False):
        """Whether there is a value at *start*, what is left of it, and where it ends.

        Where there is none, the end is how far it was looked for. *lenient* takes what
        is undefined in JavaScript. Of a value without any text, ``None`` is left.
        """
        self.at = self.far = start
        self.level, self.lenient, self.too_deep = 0, lenient, False
        found = self._value()
        if self.at < 0:
            return False, None, self.far
        return True, found, self.at

    def string(self, Py_ssize_t start):
        """What the string at *start* says, ``None`` if it is none, and its end."""
        cdef Span span
        self.at = self.far = start
        if not self._string(&span):
            return None, self.far
        return self._said(&span), self.at

    def literal(self, Py_ssize_t start):
        """The inside of the JavaScript literal at *start*, ``None`` if none, its end."""
        cdef Py_ssize_t end = literal_end(self.data, start + 1, self.size)
        if end >= 0:
            return self._decoded(start + 1, end), end + 1
        end = start
        while end < self.size and self.data[end] != b"\n":
            end += 1
        return None, min(end + 1, self.size)

    cdef object _value(self):
        """Read the value at ``at``, which is then behind it, or negative."""
        cdef Span span
        cdef unsigned char c = self.data[self.at] if self.at < self.size else 0
        if c == b'"':
            self.kind = STRING
            if self._string(&span) and self._may_hold(&span):
                return self._said(&span)
            return None
        if c == b"{" or c == b"[":
            if self.level >= MOST_LEVELS:
                self.too_deep = True
                return self._fail(self.at)
            self.level += 1
            found = self._object() if c == b"{" else self._array()
            self.level -= 1
            return found
        self.kind = SCALAR
        self.far = self.at
        self.at = scalar_end(self.data, self.at, self.size, self.lenient)
        return None

    cdef object _fail(self, Py_ssize_t place):
        self.far, self.at = place, -1

    cdef bint _next(self, unsigned char wanted) noexcept:
        """Whether the byte *wanted* comes next; blanks are passed, and it if it does."""
        self.at = skip_blanks(self.data, self.at, self.size)
        if self.at < self.size and self.data[self.at] == wanted:
            self.at += 1
            return True
        return False

    cdef void _skip(self) noexcept:
        self.at = skip_blanks(self.data, self.at, self.size)

    cdef bint _string(self, Span* span) noexcept:
        """Read the string at ``at``."""
        cdef Py_ssize_t end
        if self.at >= self.size or self.data[self.at] != b'"':
            self._fail(self.at)
            return False
        span.start = self.at + 1
        end = string_end(self.data, span.start, self.size, &span.escaped)
        if end < 0:
            self._fail(~end)
            return False
        span.end = end
        self.at = end + 1
        return True

    cdef bint _may_hold(self, const Span* span):
        """Whether a string may be a text, hold values or stand for a text."""
        cdef Py_ssize_t size = span.end - span.start
        if size >= LEAST_LENGTH and may_be_prose(self.data, span.start, span.end, KINDS):
            return True
        if size >= LEAST_NESTED and may_be_nested(self.data, span.start, span.end):
            return True
        if not self.references or size < 2 or self.data[span.start] != b"$":
            return False
        return self._said(span) in self.references

    cdef str _decoded(self, Py_ssize_t start, Py_ssize_t end):
        return PyUnicode_DecodeUTF8(
            <const char*>self.data + start, end - start, "surrogatepass"
        )

    cdef str _said(self, const Span* span):
        if not span.escaped:
            return self._decoded(span.start, span.end)
        return scanstring(self._decoded(span.start, span.end + 1), 0, False)[0]

    cdef Whole _whole(self, Py_ssize_t start):
        cdef Whole whole = Whole.__new__(Whole)
        whole.source = self
        whole.span = Span(start, self.at, False)
        return whole

    cdef object _array(self):
        """Read the list at ``at``."""
        cdef Py_ssize_t start = self.at, count = 0
        cdef int nodes = 0, some
        cdef bint is_flat = False, is_wrapper = False
        cdef list kept = None
        self.at += 1
        while not (count == 0 and self._next(b"]")):
            self._skip()
            found = self._value()
            if self.at < 0:
                return None
            if found is not None:
                kept = kept or []
                kept.append(found)
            if count < SOME and self.kind == OBJECT and self.is_node:
                nodes += 1
            if count == 0:
                is_flat = self.kind >= OBJECT and self.is_flat
                is_wrapper = self.kind == STRING
            elif self.kind != SCALAR:
                is_wrapper = False
            count += 1
            if self._next(b","):
                continue
            if not self._next(b"]"):
                return self._fail(self.at)
            break
        some = min(count, SOME)
        self.kind = ARRAY
        self.is_rich = count > 0 and some - nodes <= some // 2
        self.is_flat = is_wrapper and count == 2
        if self.is_rich or (is_flat and self.level == 1):
            return self._whole(start)
        return kept

    cdef object _object(self):
        """Read the object at ``at``."""
        cdef Py_ssize_t start = self.at, count = 0
        cdef Object about
        cdef Span key, text
        cdef bint holds
        cdef int role
        cdef dict kept = None
        about.n_types = about.n_titles = 0
        about.is_typed = about.has_inner = about.has_rich = False
        about.is_flat = True
        self.at += 1
        while not (count == 0 and self._next(b"}")):
            self._skip()
            if not self._string(&key):
                return None
            if not self._next(b":"):
                return self._fail(self.at)
            self._skip()
            role = ANY if key.escaped else role_of(self.data + key.start, key.end - key.start)
            if self.at < self.size and self.data[self.at] == b'"':
                found, self.kind = None, STRING
                if not self._string(&text):
                    return None
                holds = self._may_hold(&text)
            else:
                found = self._value()
                if self.at < 0:
                    return None
                holds = found is not None
            if self.kind != SCALAR:
                about.is_flat = False
            if role:
                self._note(&about, role, &key, &text)
            if holds:
                name = self._said(&key)
                if not self.unwanted(name):
                    kept = kept or {}
                    kept[name] = self._said(&text) if found is None else found
            count += 1
            if self._next(b","):
                continue
            if not self._next(b"}"):
                return self._fail(self.at)
            break
        self.kind = OBJECT
        self.is_flat = about.is_flat and count > 0
        self.is_node = about.has_inner and self._is_typed(&about)
        if self.is_node and about.has_rich:
            return self._whole(start)
        if kept is not None:
            self._add_titles(kept, &about)
        return kept

    cdef void _note(self, Object* about, int role, const Span* key, const Span* text):
        """Take note of what a key of that *role* says; *text* is its value if a string."""
        cdef bint is_text = self.kind == STRING
        about.has_inner |= (role & INNER) and self.kind != SCALAR
        about.has_rich |= (role & LIST) and self.kind == ARRAY and self.is_rich
        about.is_typed |= (role & ITEM) != 0
        if is_text and role & TYPE:
            if about.n_types < MOST_NOTED:
                about.types[about.n_types] = text[0]
                about.n_types += 1
            else:
                about.is_typed = True
        if is_text and role & TITLE and about.n_titles < MOST_NOTED:
            if text.end - text.start < LONGEST_TITLE:
                about.names[about.n_titles] = key[0]
                about.titles[about.n_titles] = text[0]
                about.n_titles += 1

    cdef bint _is_typed(self, const Object* about):
        """Whether one of the types of a node may be known."""
        cdef int k
        cdef Py_ssize_t size
        if about.is_typed:
            return True
        for k in range(about.n_types):
            size = about.types[k].end - about.types[k].start
            # Others of these names hold texts, which are not worth keeping.
            known = tag_named if size <= LONGEST_TYPE else tag_named.__wrapped__
            if known(self._said(&about.types[k])) is not None:
                return True
        return False

    cdef object _add_titles(self, dict kept, const Object* about):
        cdef int k
        for k in range(about.n_titles):
            kept.setdefault(self._said(&about.names[k]), self._said(&about.titles[k]))
