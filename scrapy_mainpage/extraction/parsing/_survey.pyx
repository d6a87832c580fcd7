"""One pass over the bytes of a page: its cost to a parser, or its text alone."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memchr, memcpy, strlen

from ...text._chars cimport decode, is_ascii_blank

from ..document.tags import BLOCK_TAGS, VOID_TAGS, WORDLESS_TAGS

include "_tokens.pxi"
include "_fallback.pxi"

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
