"""Classes of characters, and steps from character to character of UTF-8."""

from cpython.unicode cimport Py_UNICODE_ISALNUM, Py_UNICODE_ISUPPER
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    C_END, C_OTHER, C_SPACE, C_LETTER, C_CAPITAL, C_DIGIT, C_SENTENCE, C_COMMA
    C_CLOSING, C_DROP, C_CJK, C_CJK_SENTENCE, C_UNSPACED

cdef enum:
    UNSPACED_LETTERS = 5  # as in words.py


cdef inline bint is_ascii_blank(unsigned char c) noexcept:
    """Whether *c* is white space to HTML."""
    return c == b" " or c == b"\n" or c == b"\t" or c == b"\r" or c == b"\f"


cdef inline bint is_letter_or_digit(unsigned char c) noexcept:
    return 48 <= c <= 57 or 65 <= c <= 90 or 97 <= c <= 122


cdef inline bint is_ascii_punctuation(unsigned char c) noexcept:
    return 33 <= c < 127 and not is_letter_or_digit(c)


cdef inline int length_of(const unsigned char* s, size_t size) noexcept:
    """The number of characters in *size* bytes of UTF-8."""
    cdef int count = <int>size
    cdef size_t k = 0
    cdef uint64_t eight, seen = 0
    # All is ASCII, as a rule: then bytes are characters.
    while k + 8 <= size:
        memcpy(&eight, s + k, 8)
        seen |= eight
        k += 8
    if size >= 8:
        memcpy(&eight, s + size - 8, 8)
        seen |= eight
    else:
        for k in range(size):
            seen |= s[k]
    if seen & 0x8080808080808080ull == 0:
        return count
    for k in range(size):
        count -= s[k] & 0xC0 == 0x80
    return count


cdef inline int decode(const unsigned char* s, uint32_t* c) noexcept:
    """Decode the character at *s* (a byte >= 0x80); its length, or 0 if malformed."""
    if s[0] >= 0xF0:
        if s[0] < 0xF5 and s[1] & 0xC0 == 0x80 and s[2] & 0xC0 == 0x80 and s[3] & 0xC0 == 0x80:
            c[0] = (s[0] & 0x07) << 18 | (s[1] & 0x3F) << 12 | (s[2] & 0x3F) << 6 | (s[3] & 0x3F)
            return 4 if 0x10000 <= c[0] <= 0x10FFFF else 0
    elif s[0] >= 0xE0:
        if s[1] & 0xC0 == 0x80 and s[2] & 0xC0 == 0x80:
            c[0] = (s[0] & 0x0F) << 12 | (s[1] & 0x3F) << 6 | (s[2] & 0x3F)
            return 3 if c[0] >= 0x800 and not 0xD800 <= c[0] <= 0xDFFF else 0
    elif s[0] >= 0xC2:
        if s[1] & 0xC0 == 0x80:
            c[0] = (s[0] & 0x1F) << 6 | (s[1] & 0x3F)
            return 2
    return 0


cdef inline bint is_currency(const unsigned char* s) noexcept:
    """Whether the sign of a currency begins at *s*."""
    cdef uint32_t c = s[0]
    if c >= 0x80:
        decode(s, &c)
    return c == b"$" or 0xA2 <= c <= 0xA5 or 0x20A0 <= c <= 0x20CF


cdef inline int classify_ascii(uint32_t c) noexcept:
    """The class of a character below U+0080."""
    if is_ascii_blank(<unsigned char>c):
        return C_SPACE
    if c == 0:
        return C_END
    if c < 32 or c == 127:
        return C_DROP
    if b"A" <= c <= b"Z":
        return C_CAPITAL
    if b"a" <= c <= b"z" or c == b"_":
        return C_LETTER
    if b"0" <= c <= b"9":
        return C_DIGIT
    if c == b"." or c == b"!" or c == b"?":
        return C_SENTENCE
    if c == b",":
        return C_COMMA
    if c == b'"' or c == b"'" or c == b")" or c == b"]":
        return C_CLOSING
    return C_OTHER


cdef inline int classify(uint32_t c) noexcept:
    """The class of a character from U+0080 on."""
    cdef int special = _classify_mark(c)
    if special:
        return special
    if is_cjk(c):
        return C_CJK
    if Py_UNICODE_ISALNUM(c):
        if is_unspaced(c):
            return C_UNSPACED
        return C_CAPITAL if Py_UNICODE_ISUPPER(c) else C_LETTER
    return C_OTHER


cdef inline bint is_unspaced(uint32_t c) noexcept:
    """Whether *c* is of a script without blanks between words, see ``words.py``."""
    return 0xE00 <= c <= 0x109F or 0x1780 <= c <= 0x17FF or 0xAA60 <= c <= 0xAA7F


cdef inline int _classify_mark(uint32_t c) noexcept:
    """The class of a blank or a punctuation mark that counts; else 0."""
    if c < 0x00C0:
        return (
            C_SPACE if c == 0xA0 or c == 0x85 else
            C_DROP if c < 0xA0 or c == 0xAD else
            C_CLOSING if c == 0xBB else 0
        )
    if c < 0x2000:
        return (
            C_SENTENCE if c == 0x061F or c == 0x06D4 or c == 0x0964 or c == 0x0965
            or c == 0x0589 or c == 0x1362 else
            C_COMMA if c == 0x060C else
            C_SPACE if c == 0x1680 else 0
        )
    if c < 0x2060:
        return (
            C_SPACE if c <= 0x200A or c == 0x2028 or c == 0x2029 or c == 0x202F or c == 0x205F else
            C_CLOSING if c == 0x2019 or c == 0x201D or c == 0x203A else
            C_SENTENCE if c == 0x2026 or c == 0x203C or 0x2047 <= c <= 0x2049 else 0
        )
    if 0x3000 <= c < 0x3010:
        return (
            C_SPACE if c == 0x3000 else C_COMMA if c == 0x3001 else
            C_CJK_SENTENCE if c == 0x3002 else
            C_CLOSING if c == 0x300D or c == 0x300F else 0
        )
    if c >= 0xFEFF:
        return (
            C_DROP if c == 0xFEFF else C_COMMA if c == 0xFF0C else
            C_CLOSING if c == 0xFF09 else
            C_CJK_SENTENCE if c == 0xFF01 or c == 0xFF1F or c == 0xFF0E or c == 0xFF61 else 0
        )
    return 0


cdef inline bint is_cjk(uint32_t c) noexcept:
    """Whether *c* is a Chinese, Japanese or Korean word character."""
    if c < 0x3005:
        return 0x1100 <= c <= 0x11FF
    return (
        0x4E00 <= c <= 0x9FFF or 0x3400 <= c <= 0x4DBF or 0xAC00 <= c <= 0xD7A3
        or 0x3041 <= c <= 0x3096 or 0x30A1 <= c <= 0x30FA or 0x30FC <= c <= 0x30FE
        or 0x31F0 <= c <= 0x31FF or 0x3131 <= c <= 0x318E or 0xF900 <= c <= 0xFAFF
        or c <= 0x3007 or 0xFF66 <= c <= 0xFF9D or 0x20000 <= c <= 0x3FFFD
    )


cdef inline uint32_t character_at(const unsigned char* s, Py_ssize_t k, Py_ssize_t end) noexcept:
    """The character that begins at `k`; U+FFFD for a broken one."""
    cdef unsigned char c = s[k]
    if c < 0x80:
        return c
    if c >= 0xF0 and k + 3 < end:
        return (c & 7) << 18 | (s[k + 1] & 63) << 12 | (s[k + 2] & 63) << 6 | (s[k + 3] & 63)
    if c >= 0xE0 and k + 2 < end:
        return (c & 15) << 12 | (s[k + 1] & 63) << 6 | (s[k + 2] & 63)
    if c >= 0xC0 and k + 1 < end:
        return (c & 31) << 6 | (s[k + 1] & 63)
    return 0xFFFD


cdef inline int next_character(const unsigned char* s, int k, int end) noexcept:
    k += 1
    while k < end and s[k] & 0xC0 == 0x80:
        k += 1
    return k


cdef inline int previous_character(const unsigned char* s, int k, int start) noexcept:
    k -= 1
    while k > start and s[k] & 0xC0 == 0x80:
        k -= 1
    return k


# Amounts of money: a number beside a currency's sign or code.

cdef enum:
    # Bytes of a blank between both: none, an ordinary or a no-break one.
    MAX_BLANK = 2


cdef inline bint has_amount(const unsigned char* text, int start, int stop) noexcept:
    """Whether a text has an amount of money."""
    cdef int k = start, size
    while k < stop:
        size = _sign_size(text, k, start, stop)
        if size and (_digit_before(text, k, start) or _digit_after(text, k + size, stop)):
            return True
        k += size if size else 1
    return False


cdef inline int _sign_size(const unsigned char* s, int k, int start, int stop) noexcept:
    """The bytes of the sign or code at a place; 0 for none."""
    cdef int left = stop - k
    if s[k] == b"$":
        return 1
    if s[k] == 0xC2:  # pound, yen
        return 2 if left > 1 and (s[k + 1] == 0xA3 or s[k + 1] == 0xA5) else 0
    if s[k] == 0xE2:  # the currency signs from U+20A0
        return 3 if left > 2 and s[k + 1] == 0x82 and s[k + 2] >= 0xA0 else 0
    if s[k] == 0xEF:  # full-width yen
        return 3 if left > 2 and s[k + 1] == 0xBF and s[k + 2] == 0xA5 else 0
    if s[k] == 0xE5:  # yen and yuan, behind their number
        return 3 if left > 2 and (
            s[k + 1] == 0x86 and s[k + 2] == 0x86 or s[k + 1] == 0x85 and s[k + 2] == 0x83
        ) else 0
    if k > start and _is_letter(s[k - 1]):
        return 0
    return _code_size(s + k, left)


cdef inline int _code_size(const unsigned char* s, int left) noexcept:
    cdef int size = 0
    while size < left and _is_letter(s[size]):
        size += 1
        if size > 6:
            return 0
    if size == 3 and _is_code(s):
        return 3
    if size == 2 and s[0] == b"k" and s[1] == b"r":  # krona, krone
        return 2
    if size == 3 and s[0] == b"z" and s[1] == 0xC5 and s[2] == 0x82:  # zloty
        return 3
    if size == 3 and s[0] == b"K" and s[1] == 0xC4 and s[2] == 0x8D:  # koruna
        return 3
    # rouble
    return size if size == 6 and s[0] == 0xD1 and s[1] == 0x80 and s[2] == 0xD1 and s[3] == 0x83 else 0


cdef inline bint _is_code(const unsigned char* s) noexcept:
    """Whether three letters are the code of a currency that prices are often in."""
    cdef unsigned int code = s[0] << 16 | s[1] << 8 | s[2]
    return (
        code == 0x455552 or code == 0x555344 or code == 0x474250 or code == 0x434846  # EUR USD GBP CHF
        or code == 0x504C4E or code == 0x435A4B or code == 0x53454B or code == 0x4E4F4B  # PLN CZK SEK NOK
        or code == 0x444B4B or code == 0x4A5059 or code == 0x434E59 or code == 0x494E52  # DKK JPY CNY INR
        or code == 0x415544 or code == 0x434144 or code == 0x42524C or code == 0x525542  # AUD CAD BRL RUB
    )


cdef inline bint _is_letter(unsigned char c) noexcept:
    return c >= 0x80 or <unsigned char>((c | 0x20) - 97) < 26


cdef inline bint _digit_before(const unsigned char* s, int k, int start) noexcept:
    cdef int i = k - 1, blank = 0
    while i > start and blank < MAX_BLANK and (s[i] == b" " or s[i] == 0xA0 or s[i] == 0xC2 or s[i] == b"-"):
        i -= 1
        blank += 1
    return i >= start and <unsigned char>(s[i] - 48) < 10


cdef inline bint _digit_after(const unsigned char* s, int k, int stop) noexcept:
    cdef int blank = 0
    while k < stop and blank < MAX_BLANK and (s[k] == b" " or s[k] == 0xA0 or s[k] == 0xC2):
        k += 1
        blank += 1
    return k < stop and <unsigned char>(s[k] - 48) < 10
