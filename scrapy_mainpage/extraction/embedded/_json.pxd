"""Steps over JSON, and over JavaScript that holds JSON, in bytes of UTF-8.

What is JSON is what Python's decoder takes when it is not strict: any character in a
string, ``NaN`` and the infinities. All steps end at *end*, and a negative number stands
for an error.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memcpy

# The first brace, bracket or percent sign: the first two differ by one bit.
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
    #endif
    static inline const unsigned char* mainpage_find_opening(
        const unsigned char* s, const unsigned char* end
    ) {
    #if defined(__SSE2__) || defined(_M_X64)
        const __m128i bit = _mm_set1_epi8(0x20);
        const __m128i brace = _mm_set1_epi8('{');
        const __m128i percent = _mm_set1_epi8('%');
        for (; end - s >= 16; s += 16) {
            const __m128i bytes = _mm_loadu_si128((const __m128i*)s);
            const __m128i found = _mm_or_si128(
                _mm_cmpeq_epi8(_mm_or_si128(bytes, bit), brace),
                _mm_cmpeq_epi8(bytes, percent)
            );
            const int bits = _mm_movemask_epi8(found);
            if (bits)
                return s + mainpage_lowest((unsigned int)bits);
        }
    #endif
        while (s < end && *s != '{' && *s != '[' && *s != '%')
            s++;
        return s;
    }
    """
    const unsigned char* find_opening "mainpage_find_opening"(
        const unsigned char* s, const unsigned char* end
    ) noexcept


cdef inline bint is_blank(unsigned char c) noexcept:
    """Whether *c* is white space to JSON."""
    return c == b" " or c == b"\n" or c == b"\t" or c == b"\r"


cdef inline bint is_space(unsigned char c) noexcept:
    """Whether *c* is white space to JavaScript."""
    return c == b" " or 9 <= c <= 13 or 28 <= c <= 31


cdef inline bint is_digit(unsigned char c) noexcept:
    return b"0" <= c <= b"9"


cdef inline bint is_letter(unsigned char c) noexcept:
    return b"a" <= c | 0x20 <= b"z"


cdef inline bint is_hex(unsigned char c) noexcept:
    return is_digit(c) or b"a" <= c <= b"f" or b"A" <= c <= b"F"


cdef inline Py_ssize_t skip_blanks(
    const unsigned char* s, Py_ssize_t k, Py_ssize_t end
) noexcept:
    """Where white space ends."""
    while k < end and is_blank(s[k]):
        k += 1
    return k


cdef inline bint has_byte(uint64_t eight, uint64_t byte) noexcept:
    """Whether one of *eight* bytes is the one that each of *byte* is."""
    cdef uint64_t difference = eight ^ byte
    return (
        (difference - 0x0101010101010101ull) & ~difference & 0x8080808080808080ull
    ) != 0


cdef inline Py_ssize_t string_end(
    const unsigned char* s, Py_ssize_t k, Py_ssize_t end, bint* escaped
) noexcept:
    """The closing quote of the string whose first character is at *k*.

    Where there is none, the complement of how far the string goes.
    """
    cdef uint64_t eight
    cdef Py_ssize_t behind
    escaped[0] = False
    while k < end:
        if k + 8 <= end:
            memcpy(&eight, s + k, 8)
            if not has_byte(eight, 0x2222222222222222ull) and not has_byte(
                eight, 0x5C5C5C5C5C5C5C5Cull
            ):
                k += 8
                continue
        if s[k] == b'"':
            return k
        if s[k] == b"\\":
            escaped[0] = True
            behind = escape_end(s, k, end)
            if behind < 0:
                return ~k
            k = behind
        else:
            k += 1
    return ~k


cdef inline Py_ssize_t escape_end(
    const unsigned char* s, Py_ssize_t k, Py_ssize_t end
) noexcept:
    """The end of the escape sequence at *k*."""
    cdef int digit
    if k + 1 >= end:
        return -1
    if s[k + 1] == b"u":
        if k + 6 > end:
            return -1
        for digit in range(2, 6):
            if not is_hex(s[k + digit]):
                return -1
        return k + 6
    if s[k + 1] in b'"\\/bfnrt':
        return k + 2
    return -1


cdef inline Py_ssize_t literal_end(
    const unsigned char* s, Py_ssize_t k, Py_ssize_t end
) noexcept:
    """The closing quote of a JavaScript string in single quotes, on one line."""
    while k < end and s[k] != b"\n":
        if s[k] == b"'":
            return k
        if s[k] == b"\\":
            if k + 1 >= end or s[k + 1] == b"\n":
                return -1
            k += 1
        k += 1
    return -1


cdef inline bint is_word(
    const unsigned char* s, Py_ssize_t k, Py_ssize_t end, const char* word, Py_ssize_t size
) noexcept:
    return end - k >= size and memcmp(s + k, word, size) == 0


cdef inline Py_ssize_t digits_end(
    const unsigned char* s, Py_ssize_t k, Py_ssize_t end
) noexcept:
    while k < end and is_digit(s[k]):
        k += 1
    return k


cdef inline Py_ssize_t scalar_end(
    const unsigned char* s, Py_ssize_t k, Py_ssize_t end, bint lenient
) noexcept:
    """The end of a number or of a named value; *lenient* takes what is undefined."""
    cdef Py_ssize_t start = k
    if is_word(s, k, end, "true", 4) or is_word(s, k, end, "null", 4):
        return k + 4
    if is_word(s, k, end, "false", 5):
        return k + 5
    if is_word(s, k, end, "NaN", 3):
        return k + 3
    if is_word(s, k, end, "Infinity", 8):
        return k + 8
    if is_word(s, k, end, "-Infinity", 9):
        return k + 9
    if lenient and is_word(s, k, end, "undefined", 9):
        return k + 9
    if lenient and is_word(s, k, end, "void 0", 6):
        return k + 6
    if k < end and s[k] == b"-":
        k += 1
    if k < end and s[k] == b"0":
        k += 1
    else:
        start = k
        k = digits_end(s, k, end)
        if k == start:
            return -1
    if k + 1 < end and s[k] == b"." and is_digit(s[k + 1]):
        k = digits_end(s, k + 1, end)
    if k < end and (s[k] == b"e" or s[k] == b"E"):
        start = k + 1
        if start < end and (s[start] == b"+" or s[start] == b"-"):
            start += 1
        if start < end and is_digit(s[start]):
            k = digits_end(s, start, end)
    return k


cdef inline Py_ssize_t next_start(
    const unsigned char* s, Py_ssize_t start, Py_ssize_t end
) noexcept:
    """Where a value may begin in JavaScript from *start* on: assigned, passed, returned.

    A container whose first item begins like one of JSON, or a string that may hold one.
    """
    cdef Py_ssize_t k = start, place, before
    while True:
        k = find_opening(s + k, s + end) - s
        if k >= end:
            return -1
        place = k
        if k > start and (s[k - 1] == b'"' or s[k - 1] == b"'") and is_opening(s, k, end):
            place = k - 1
        elif s[k] == b"%" or not is_begun(s, k + 1, end):
            k += 1
            continue
        before = place - 1
        while before >= start and is_space(s[before]):
            before -= 1
        if before >= start and (s[before] in b"=(,:" or is_return(s, before, start)):
            return place
        k += 1


cdef inline bint is_begun(
    const unsigned char* s, Py_ssize_t k, Py_ssize_t end
) noexcept:
    """Whether a string or a container is next."""
    while k < end and is_space(s[k]):
        k += 1
    return k < end and (s[k] == b'"' or s[k] == b"{" or s[k] == b"[")


cdef inline bint is_opening(
    const unsigned char* s, Py_ssize_t k, Py_ssize_t end
) noexcept:
    """Whether the brace, bracket or percent sign at *k* opens a container."""
    if s[k] != b"%":
        return True
    if end - k < 3 or (s[k + 2] | 0x20) != b"b":
        return False
    return s[k + 1] == b"7" or s[k + 1] == b"5"


cdef inline bint is_return(
    const unsigned char* s, Py_ssize_t k, Py_ssize_t start
) noexcept:
    """Whether the word ``return`` ends with *k*, and begins at *start* or later."""
    cdef unsigned char before
    if k - 5 < start or memcmp(s + k - 5, b"return", 6) != 0:
        return False
    if k == 5:
        return True
    before = s[k - 6]
    return not (is_digit(before) or is_letter(before) or before == b"_" or before >= 0x80)
