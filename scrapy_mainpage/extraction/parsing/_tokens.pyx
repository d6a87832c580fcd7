"""Tags with their attributes, comments and raw text, one after another."""

from libc.string cimport memchr, strlen

from ...text._chars cimport is_ascii_blank

cdef enum:
    # Tags with fewer bytes outside of quoted values have at most half as many attributes.
    MAX_PLAIN_TAG_BYTES = 1000


cdef inline const unsigned char* find(
    const unsigned char* s, const unsigned char* end, int c
) noexcept:
    """The first byte *c* from *s* on, else *end*."""
    cdef const void* found = memchr(s, c, end - s)
    return <const unsigned char*>found if found else end


cdef inline bint is_letter(unsigned char c) noexcept:
    return b"a" <= (c | 0x20) <= b"z"


cdef bint next_token(Token* t, const unsigned char* s, const unsigned char* end) noexcept:
    """Find the first markup from *s* on; whether there is one."""
    s = find(s, end, b"<")
    if s == end:
        return False
    t.start, t.behind, t.kind = s, s + 1, MARK
    if end - s < 2:
        return True
    if is_letter(s[1]):
        t.kind, t.name, t.quoted = START, s + 1, 0
        t.close = end_of_tag(s, end, &t.quoted)
        t.is_empty = closes_itself(s, t.close)
        t.behind = min(t.close + 1, end)
        if not t.is_empty:
            t.behind = end_of_raw_text(t.name, t.behind, end)
    elif s[1] == b"/" and end - s > 2 and is_letter(s[2]):
        t.kind, t.name, t.quoted = END, s + 2, 0
        t.close = end_of_tag(s, end, &t.quoted)
        t.behind = min(t.close + 1, end)
    elif s[1] == b"!" or s[1] == b"?" or s[1] == b"/":
        t.kind = DECLARATION
        if is_comment(s, end):
            t.behind = end_of_comment(s, end)
        else:
            t.behind = min(find(s, end, b">") + 1, end)
    return True


# Tags

cdef const unsigned char* end_of_tag(
    const unsigned char* s, const unsigned char* end, Py_ssize_t* quoted
) noexcept:
    """The ``>`` of the tag at *s*, or *end*; *quoted* grows by the values' bytes."""
    cdef const unsigned char* behind
    cdef const unsigned char* mark = find_mark(s + 1, end)
    cdef int attributes = 0
    if mark >= end or mark[0] == b">":
        return mark
    behind = end_of_name(s + 2, end)
    while mark < end and mark[0] != b">":
        if not opens_value(mark, behind):
            return read_attributes(behind, end, quoted, &attributes)
        behind = end_of_value(mark, end)
        quoted[0] += behind - mark
        mark = find_mark(behind, end)
    return mark


cdef inline const unsigned char* find_mark(
    const unsigned char* s, const unsigned char* end
) noexcept:
    """The first ``>`` or quotation mark from *s* on, else *end*."""
    while s < end and s[0] != b">" and s[0] != b'"' and s[0] != b"'":
        s += 1
    return s


cdef inline const unsigned char* end_of_value(
    const unsigned char* quote, const unsigned char* end
) noexcept:
    """The byte after the value that begins with the quotation mark *quote*."""
    return min(find(quote + 1, end, quote[0]) + 1, end)


cdef inline bint opens_value(
    const unsigned char* quote, const unsigned char* behind
) noexcept:
    """Whether *quote* follows a blank, a plain name and ``=``.

    *behind* is the end of the last value before it, or of the tag's name.
    """
    cdef const unsigned char* name = quote - 1
    cdef unsigned char c
    if name <= behind or name[0] != b"=":
        return False
    while name > behind:
        name -= 1
        c = name[0]
        if not (is_letter(c) or b"0" <= c <= b"9" or c == b"-" or c == b"_" or c == b":"):
            break
    if name + 2 == quote or not is_ascii_blank(name[0]):
        return False
    while name > behind and is_ascii_blank(name[0]):
        name -= 1
    return name[0] != b"="


cdef const unsigned char* read_attributes(
    const unsigned char* s, const unsigned char* end, Py_ssize_t* quoted, int* count
) noexcept:
    """The ``>`` of a tag whose attributes begin at *s*: one attribute after another."""
    cdef const unsigned char* behind
    while True:
        while s < end and (is_ascii_blank(s[0]) or s[0] == b"/"):
            s += 1
        if s >= end or s[0] == b">":
            return s
        count[0] += 1
        s += 1
        while s < end and s[0] != b"=" and not ends_name(s[0]):
            s += 1
        while s < end and is_ascii_blank(s[0]):
            s += 1
        if s >= end or s[0] != b"=":
            continue
        s += 1
        while s < end and is_ascii_blank(s[0]):
            s += 1
        if s < end and (s[0] == b'"' or s[0] == b"'"):
            behind = end_of_value(s, end)
            quoted[0] += behind - s
            s = behind
        else:
            while s < end and s[0] != b">" and not is_ascii_blank(s[0]):
                s += 1


cdef int count_attributes(const Token* t, const unsigned char* end) noexcept:
    """The attributes of a tag; those of a short tag are not counted: 0."""
    cdef Py_ssize_t quoted = 0
    cdef int count = 0
    if t.close - t.start - t.quoted > MAX_PLAIN_TAG_BYTES:
        read_attributes(end_of_name(t.name, end), end, &quoted, &count)
    return count


cdef inline bint closes_itself(
    const unsigned char* start, const unsigned char* close
) noexcept:
    """Whether the tag ends with ``/>``, as which libxml2 ends its element.

    A stroke at the end of a value without quotation marks belongs to the value.
    """
    if close[-1] != b"/":
        return False
    close -= 2
    while close > start and not is_ascii_blank(close[0]) and close[0] != b'"' and close[0] != b"'":
        if close[0] == b"=":
            return False
        close -= 1
    while close > start and is_ascii_blank(close[0]):
        close -= 1
    return close[0] != b"="


# Comments and raw text

cdef inline bint is_comment(const unsigned char* s, const unsigned char* end) noexcept:
    return end - s >= 4 and s[1] == b"!" and s[2] == b"-" and s[3] == b"-"


cdef const unsigned char* end_of_comment(
    const unsigned char* s, const unsigned char* end
) noexcept:
    """The byte after the comment that begins at *s* with ``<!--``."""
    cdef const unsigned char* first = s + 4
    s = find(first, end, b">")
    while s < end:
        if s[-1] == b"-" and s[-2] == b"-":
            return s + 1
        if s - first >= 3 and s[-1] == b"!" and s[-2] == b"-" and s[-3] == b"-":
            return s + 1
        s = find(s + 1, end, b">")
    return end


cdef inline bint is_name(
    const unsigned char* s, const unsigned char* end, const char* name, Py_ssize_t size
) noexcept:
    """Whether the tag name at *s* is *name*, which is in lower case."""
    cdef Py_ssize_t k
    if end - s <= size or not ends_name(s[size]):
        return False
    for k in range(size):
        if s[k] | 0x20 != <unsigned char>name[k]:
            return False
    return True


cdef const unsigned char* end_of_raw_text(
    const unsigned char* name, const unsigned char* s, const unsigned char* end
) noexcept:
    """The end tag of the element *name* whose raw text begins at *s*; else *s*."""
    cdef const char* known = raw_name(name, end)
    cdef Py_ssize_t size
    if not known:
        return s
    if known[0] == b"p":    # <plaintext> has no end
        return end
    if known[1] == b"c":
        return end_of_script(s, end)
    size = <Py_ssize_t>strlen(known)
    s = find(s, end, b"<")
    while s < end:
        if end - s > 2 and s[1] == b"/" and is_name(s + 2, end, known, size):
            return s
        s = find(s + 1, end, b"<")
    return end


cdef inline const char* raw_name(const unsigned char* s, const unsigned char* end) noexcept:
    """The tag name at *s* if its element holds raw text, else NULL."""
    cdef unsigned char c = s[0] | 0x20
    if c == b"s":
        if is_name(s, end, b"script", 6):
            return b"script"
        if is_name(s, end, b"style", 5):
            return b"style"
    elif c == b"t":
        if is_name(s, end, b"title", 5):
            return b"title"
        if is_name(s, end, b"textarea", 8):
            return b"textarea"
    elif c == b"i" and is_name(s, end, b"iframe", 6):
        return b"iframe"
    elif c == b"n":
        if is_name(s, end, b"noembed", 7):
            return b"noembed"
        if is_name(s, end, b"noframes", 8):
            return b"noframes"
    elif c == b"x" and is_name(s, end, b"xmp", 3):
        return b"xmp"
    elif c == b"p" and is_name(s, end, b"plaintext", 9):
        return b"plaintext"
    return NULL


cdef const unsigned char* end_of_script(
    const unsigned char* s, const unsigned char* end
) noexcept:
    """The end tag of a script with the text at *s*: a comment may hold another script."""
    cdef const unsigned char* mark
    cdef const unsigned char* close
    cdef bint commented = False, nested = False
    while True:
        mark = find(s, end, b"<")
        if commented:
            close = find(s, mark, b">")
            while close < mark:
                if close - s >= 2 and close[-1] == b"-" and close[-2] == b"-":
                    commented = nested = False
                    break
                close = find(close + 1, mark, b">")
        if mark == end:
            return end
        if is_comment(mark, end):
            commented = True
            s = mark + 2    # its own dashes may be those that close it
            continue
        if commented and not nested and is_name(mark + 1, end, b"script", 6):
            nested = True
        elif end - mark > 2 and mark[1] == b"/" and is_name(mark + 2, end, b"script", 6):
            if not nested:
                return mark
            nested = False
        s = mark + 1
