"""What a page costs to parse, told from its bytes in one pass, before the parse."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint32_t

from ...text._chars cimport decode
from ._scanning cimport (
    closes_itself, end_of_declaration, end_of_tag, end_of_text, find, is_letter, skip_ascii,
)


cdef struct Survey:
    Py_ssize_t opened       # start tags
    Py_ssize_t closed       # end tags
    Py_ssize_t longest_tag  # bytes of a tag besides its quoted values
    Py_ssize_t longest_text


cdef Survey _survey(const unsigned char* s, const unsigned char* end) noexcept:
    cdef Survey found = Survey(0, 0, 0, 0)
    cdef const unsigned char* text = s
    cdef const unsigned char* tag
    cdef Py_ssize_t quoted
    cdef unsigned char c
    while True:
        s = find(s, end, b"<")
        if end - s < 2:
            found.longest_text = max(found.longest_text, end - text)
            return found
        c = s[1]
        if is_letter(c) or (c == b"/" and end - s > 2 and is_letter(s[2])):
            found.longest_text = max(found.longest_text, s - text)
            tag = s
            quoted = 0
            s = end_of_tag(s, end, &quoted)
            found.longest_tag = max(found.longest_tag, s - tag - quoted)
            if c == b"/":
                found.closed += 1
            else:
                found.opened += 1
                if not closes_itself(tag, s):
                    s = end_of_text(tag + 1, s, end)
            text = s
        elif c == b"!" or c == b"?" or c == b"/":
            s = end_of_declaration(s, end)
        else:
            s += 1


def survey(bytes page not None):
    """The start tags and end tags of *page*, its longest tag and its longest text.

    Sizes are in bytes; a tag's is without its quoted values, a text's with comments.
    """
    cdef const unsigned char* s = <const unsigned char*>PyBytes_AS_STRING(page)
    cdef Survey found
    cdef Py_ssize_t size = PyBytes_GET_SIZE(page)
    found = _survey(s, s + size)
    return found.opened, found.closed, found.longest_tag, found.longest_text


def valid_utf8(bytes page not None):
    """How many characters beyond ASCII *page* has; -1 if it is not valid UTF-8."""
    cdef const unsigned char* s = <const unsigned char*>PyBytes_AS_STRING(page)
    cdef const unsigned char* end = s + PyBytes_GET_SIZE(page)
    cdef Py_ssize_t characters = 0
    cdef uint32_t c = 0
    cdef int size
    while s < end:
        if s[0] < 0x80:
            s = skip_ascii(s, end)
            continue
        size = decode(s, &c)
        if not size:
            return -1
        s += size
        characters += 1
    return characters
