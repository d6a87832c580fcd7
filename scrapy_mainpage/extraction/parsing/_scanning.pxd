"""Steps over the bytes of an HTML page, as the HTML standard's tokenizer takes them.

Shared by the survey of a page and by what trims one. All of them end at *end*.
"""

from libc.string cimport memchr

# The first of one or three bytes, 16 bytes at a time where the processor has it.
cdef extern from *:
    """
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static inline int mainpage_lowest(unsigned int bits) {
        unsigned long place;
        _BitScanForward(&place, bits);
        return (int)place;
    }
    #else
    #define mainpage_lowest __builtin_ctz
    #endif
    static inline const unsigned char* mainpage_find(
        const unsigned char* s, const unsigned char* end, char a
    ) {
        const __m128i one = _mm_set1_epi8(a);
        for (; end - s >= 16; s += 16) {
            const __m128i bytes = _mm_loadu_si128((const __m128i*)s);
            const int bits = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, one));
            if (bits)
                return s + mainpage_lowest((unsigned int)bits);
        }
        while (s < end && *s != (unsigned char)a)
            s++;
        return s;
    }
    static inline const unsigned char* mainpage_find_mark(
        const unsigned char* s, const unsigned char* end
    ) {
        const __m128i mark = _mm_set1_epi8('>');
        const __m128i twice = _mm_set1_epi8('"');
        const __m128i once = _mm_set1_epi8('\\'');
        for (; end - s >= 16; s += 16) {
            const __m128i bytes = _mm_loadu_si128((const __m128i*)s);
            const __m128i found = _mm_or_si128(
                _mm_cmpeq_epi8(bytes, mark),
                _mm_or_si128(_mm_cmpeq_epi8(bytes, twice), _mm_cmpeq_epi8(bytes, once))
            );
            const int bits = _mm_movemask_epi8(found);
            if (bits)
                return s + mainpage_lowest((unsigned int)bits);
        }
        while (s < end && *s != '>' && *s != '"' && *s != '\\'')
            s++;
        return s;
    }
    static inline const unsigned char* mainpage_skip_ascii(
        const unsigned char* s, const unsigned char* end
    ) {
        for (; end - s >= 16; s += 16) {
            const int bits = _mm_movemask_epi8(_mm_loadu_si128((const __m128i*)s));
            if (bits)
                return s + mainpage_lowest((unsigned int)bits);
        }
        while (s < end && *s < 0x80)
            s++;
        return s;
    }
    #else
    #include <string.h>
    static inline const unsigned char* mainpage_find(
        const unsigned char* s, const unsigned char* end, char a
    ) {
        const unsigned char* found = memchr(s, a, (size_t)(end - s));
        return found ? found : end;
    }
    static inline const unsigned char* mainpage_find_mark(
        const unsigned char* s, const unsigned char* end
    ) {
        while (s < end && *s != '>' && *s != '"' && *s != '\\'')
            s++;
        return s;
    }
    static inline const unsigned char* mainpage_skip_ascii(
        const unsigned char* s, const unsigned char* end
    ) {
        for (; end - s >= 8; s += 8) {
            unsigned long long bytes;
            memcpy(&bytes, s, 8);
            if (bytes & 0x8080808080808080ULL)
                break;
        }
        while (s < end && *s < 0x80)
            s++;
        return s;
    }
    #endif
    """
    const unsigned char* find "mainpage_find"(
        const unsigned char* s, const unsigned char* end, char a
    ) noexcept nogil
    const unsigned char* find_mark "mainpage_find_mark"(
        const unsigned char* s, const unsigned char* end
    ) noexcept nogil
    const unsigned char* skip_ascii "mainpage_skip_ascii"(
        const unsigned char* s, const unsigned char* end
    ) noexcept nogil


cdef inline bint is_letter(unsigned char c) noexcept nogil:
    return b"a" <= (c | 0x20) <= b"z"


cdef inline bint is_blank(unsigned char c) noexcept nogil:
    return c == b" " or c == b"\n" or c == b"\t" or c == b"\r" or c == b"\f"


cdef inline bint ends_name(unsigned char c) noexcept nogil:
    return c == b">" or c == b"/" or is_blank(c)


cdef inline const unsigned char* end_of_value(
    const unsigned char* quote, const unsigned char* end
) noexcept nogil:
    """Behind the value that begins with the quotation mark *quote*."""
    cdef const unsigned char* closing = find(quote + 1, end, quote[0])
    return closing + 1 if closing < end else end


cdef inline bint is_plain(unsigned char c) noexcept nogil:
    """Whether *c* is usual in an attribute's name."""
    return is_letter(c) or b"0" <= c <= b"9" or c == b"-" or c == b"_" or c == b":"


cdef inline bint opens_value(
    const unsigned char* quote, const unsigned char* behind
) noexcept nogil:
    """Whether the quotation mark *quote* surely opens a value.

    As it does behind a blank, a plain name and ``=``; *behind* is the end of the last
    value before it, or of the tag's name.
    """
    cdef const unsigned char* name = quote - 1
    if name <= behind or name[0] != b"=":
        return False
    quote = name
    name -= 1
    while name > behind and is_plain(name[0]):
        name -= 1
    if name + 1 == quote or not is_blank(name[0]):
        return False
    while name > behind and is_blank(name[0]):
        name -= 1
    return name[0] != b"="


cdef inline const unsigned char* end_of_odd_tag(
    const unsigned char* s, const unsigned char* end, Py_ssize_t* quoted
) noexcept nogil:
    """As :func:`end_of_tag`, by one attribute after the other from *s* on."""
    cdef const unsigned char* behind
    while True:
        while s < end and (is_blank(s[0]) or s[0] == b"/"):
            s += 1
        if s >= end or s[0] == b">":
            return s
        s += 1
        while s < end and s[0] != b"=" and not ends_name(s[0]):
            s += 1
        while s < end and is_blank(s[0]):
            s += 1
        if s >= end or s[0] != b"=":
            continue
        s += 1
        while s < end and is_blank(s[0]):
            s += 1
        if s < end and (s[0] == b'"' or s[0] == b"'"):
            behind = end_of_value(s, end)
            quoted[0] += behind - s
            s = behind
        else:
            while s < end and s[0] != b">" and not is_blank(s[0]):
                s += 1


cdef inline const unsigned char* end_of_tag(
    const unsigned char* s, const unsigned char* end, Py_ssize_t* quoted
) noexcept nogil:
    """The ``>`` of the tag that begins at *s*; *quoted* grows by the values' bytes."""
    cdef const unsigned char* behind
    cdef const unsigned char* mark = find_mark(s + 1, end)
    if mark >= end or mark[0] == b">":
        return mark
    s += 2
    while s < mark and not ends_name(s[0]):
        s += 1
    if s == mark:  # a quotation mark in the tag's name
        while s < end and not ends_name(s[0]):
            s += 1
        return end_of_odd_tag(s, end, quoted)
    behind = s
    while mark < end and mark[0] != b">":
        if not opens_value(mark, behind):
            return end_of_odd_tag(behind, end, quoted)
        s = end_of_value(mark, end)
        quoted[0] += s - mark
        behind = s
        mark = find_mark(s, end)
    return mark


cdef inline bint closes_itself(
    const unsigned char* start, const unsigned char* close
) noexcept nogil:
    """Whether the tag from *start* to its ``>`` ends its element, as with ``/>``.

    To HTML it does not, to libxml2 it does: a script so ended has no text. A stroke in
    a value without quotation marks is none of these.
    """
    if close[-1] != b"/":
        return False
    close -= 2
    while close > start and not is_blank(close[0]) and close[0] != b'"' and close[0] != b"'":
        if close[0] == b"=":
            return False
        close -= 1
    while close > start and is_blank(close[0]):
        close -= 1
    return close[0] != b"="


cdef inline const unsigned char* end_of_comment(
    const unsigned char* s, const unsigned char* end
) noexcept nogil:
    """Behind the comment that begins at *s* with ``<!--``."""
    cdef const unsigned char* first = s + 4
    s = find(first, end, b">")
    while s < end:
        if s[-1] == b"-" and s[-2] == b"-":
            return s + 1
        if s - first >= 3 and s[-1] == b"!" and s[-2] == b"-" and s[-3] == b"-":
            return s + 1
        s = find(s + 1, end, b">")
    return end


cdef inline bint is_comment(const unsigned char* s, const unsigned char* end) noexcept nogil:
    return end - s >= 4 and s[1] == b"!" and s[2] == b"-" and s[3] == b"-"


cdef inline const unsigned char* end_of_declaration(
    const unsigned char* s, const unsigned char* end
) noexcept nogil:
    """Behind what begins at *s* with ``<!`` or ``<?``."""
    if is_comment(s, end):
        return end_of_comment(s, end)
    s = find(s, end, b">")
    return s + 1 if s < end else end


cdef inline bint is_name(
    const unsigned char* s, const unsigned char* end, const char* name, Py_ssize_t size
) noexcept nogil:
    """Whether the tag name at *s* is *name*, which is in lower case."""
    cdef Py_ssize_t k
    if end - s <= size or not ends_name(s[size]):
        return False
    for k in range(size):
        if s[k] | 0x20 != <unsigned char>name[k]:
            return False
    return True


cdef inline bint closes_comment(
    const unsigned char* s, const unsigned char* end
) noexcept nogil:
    """Whether there is a ``-->`` between *s* and *end*."""
    cdef const unsigned char* mark = find(s, end, b">")
    while mark < end:
        if mark - s >= 2 and mark[-1] == b"-" and mark[-2] == b"-":
            return True
        mark = find(mark + 1, end, b">")
    return False


cdef inline const unsigned char* end_of_script(
    const unsigned char* s, const unsigned char* end
) noexcept nogil:
    """The end tag of a script with the text at *s*: a script in a comment holds one."""
    cdef const unsigned char* mark
    cdef bint commented = False, nested = False
    while True:
        mark = find(s, end, b"<")
        if commented and closes_comment(s, mark):
            commented = nested = False
        if mark == end:
            return end
        if is_comment(mark, end):
            commented = True
            # The mark's own dashes may be those that close it.
            s = mark + 2
            continue
        if commented and not nested and is_name(mark + 1, end, b"script", 6):
            nested = True
        elif end - mark > 2 and mark[1] == b"/" and is_name(mark + 2, end, b"script", 6):
            if not nested:
                return mark
            nested = False
        s = mark + 1


cdef inline const unsigned char* end_of_raw_text(
    const unsigned char* s, const unsigned char* end, const char* name, Py_ssize_t size
) noexcept nogil:
    """The end tag of the element *name* with the text at *s*."""
    s = find(s, end, b"<")
    while s < end:
        if end - s > 2 and s[1] == b"/" and is_name(s + 2, end, name, size):
            return s
        s = find(s + 1, end, b"<")
    return end


cdef inline const unsigned char* end_of_text(
    const unsigned char* name, const unsigned char* s, const unsigned char* end
) noexcept nogil:
    """Where markup goes on, behind the tag with *name* that ends before *s*.

    In a script, a style sheet, a title and their like there is none.
    """
    cdef unsigned char c = name[0] | 0x20
    if c == b"s":
        if is_name(name, end, b"script", 6):
            return end_of_script(s, end)
        if is_name(name, end, b"style", 5):
            return end_of_raw_text(s, end, b"style", 5)
    elif c == b"t":
        if is_name(name, end, b"title", 5):
            return end_of_raw_text(s, end, b"title", 5)
        if is_name(name, end, b"textarea", 8):
            return end_of_raw_text(s, end, b"textarea", 8)
    elif c == b"i":
        if is_name(name, end, b"iframe", 6):
            return end_of_raw_text(s, end, b"iframe", 6)
    elif c == b"n":
        if is_name(name, end, b"noembed", 7):
            return end_of_raw_text(s, end, b"noembed", 7)
        if is_name(name, end, b"noframes", 8):
            return end_of_raw_text(s, end, b"noframes", 8)
    elif c == b"x":
        if is_name(name, end, b"xmp", 3):
            return end_of_raw_text(s, end, b"xmp", 3)
    elif c == b"p":
        if is_name(name, end, b"plaintext", 9):
            return end
    return s
