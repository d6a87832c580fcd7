"""What the inside of a JSON string needs, to be more than a string nobody reads.

Necessary conditions, not sufficient ones: they tell which strings are worth a Python
object. They are as strict as can be for a string without markup and entities.
"""

from cpython.unicode cimport Py_UNICODE_ISALNUM
from libc.stdint cimport uint8_t, uint32_t

from ...text._chars cimport decode
from ._json cimport is_digit, is_letter

cdef enum:
    LEAST_LENGTH = 30
    LEAST_NESTED = 200
    LEAST_WORDS = 12
    LONGEST_WORD = 15
    MARK_WEIGHT = 8
    SAMPLE = 2000
    LONGEST_ENTITY = 34

# What a character is: one of a word; a word of its own; one of code; one that may end a
# sentence, or does so alone; one that may stand behind such a mark.
cdef enum:
    WORD = 1
    IDEOGRAPH = 2
    CODE = 4
    STOP = 8
    FULL_STOP = 16
    CLOSING = 32

# What is known of a string so far.
cdef struct Reading:
    Py_ssize_t length
    Py_ssize_t words
    Py_ssize_t marks
    bint inside
    bint has_stop
    bint stopped
    bint ends
    bint wild


cdef inline uint8_t kind_of(unsigned char c) noexcept:
    """The kind of a byte below 0x80."""
    if is_digit(c) or is_letter(c):
        return WORD
    if c in b"{}[=;|^~\\":
        return CODE
    if c == b"]":
        return CODE | CLOSING
    if c in b".!?":
        return STOP
    return CLOSING if c in b"\"')" else 0


cdef inline uint8_t kind_beyond(uint32_t c) noexcept:
    """The kind of a character beyond ASCII."""
    if 0x3040 <= c <= 0x30FF or 0x3400 <= c <= 0x9FFF or 0xAC00 <= c <= 0xD7A3:
        return IDEOGRAPH
    if 0xF900 <= c <= 0xFAFF:
        return IDEOGRAPH
    if c == 0x3002 or c == 0xFF01 or c == 0xFF1F:
        return FULL_STOP
    if c == 0x2026 or c == 0x0964 or c == 0x061F:
        return STOP
    if c == 0x201D or c == 0x2019 or c == 0xBB:
        return CLOSING
    return WORD if Py_UNICODE_ISALNUM(c) else 0


cdef inline bint falls_apart(uint32_t c) noexcept:
    """Whether a letter has another case that is a letter with a mark behind it."""
    if c < 0x0390:
        return c == 0x0130 or c == 0x0149 or c == 0x01F0
    return c == 0x0390 or c == 0x03B0 or c == 0x0587 or 0x1E96 <= c <= 0x1FFF


cdef inline bint is_entity(
    const unsigned char* s, Py_ssize_t k, Py_ssize_t end
) noexcept:
    """Whether an entity may follow the ampersand before *k*."""
    cdef Py_ssize_t stop = min(end, k + LONGEST_ENTITY)
    while k < stop and (is_digit(s[k]) or is_letter(s[k]) or s[k] == b"#"):
        k += 1
    return k < stop and s[k] == b";"


cdef inline void take(Reading* r, uint32_t c, uint8_t kind) noexcept:
    """Go on by the character *c*, which is of that *kind*."""
    r.length += 1
    if r.stopped and not kind & CLOSING:
        # A tag may come next, or what counts as white space.
        r.ends |= c <= 32 or c == 0x3C or (c >= 0x80 and not kind & WORD)
        r.stopped = False
    if kind & WORD:
        r.words += not r.inside
        r.inside = True
        return
    r.inside = False
    r.words += (kind & IDEOGRAPH) != 0
    r.marks += (kind & CODE) != 0
    r.ends |= (kind & FULL_STOP) != 0
    if kind & STOP:
        r.stopped = r.has_stop = True


cdef inline void take_beyond(Reading* r, uint32_t c) noexcept:
    """Go on by a character beyond ASCII."""
    take(r, c, kind_beyond(c))
    r.words += 3 * falls_apart(c)


cdef inline uint32_t hex_of(const unsigned char* s) noexcept:
    """What four hexadecimal digits say."""
    cdef uint32_t c = 0
    cdef int k
    for k in range(4):
        c = c << 4 | (s[k] & 0x0F) + (9 if s[k] > b"9" else 0)
    return c


cdef inline bint may_be_prose(
    const unsigned char* s, Py_ssize_t k, Py_ssize_t end, const uint8_t* kinds
) noexcept:
    """Whether the inside of a JSON string, from *k* to *end*, may read as prose.

    *kinds* are those of bytes below 0x80.
    """
    cdef Reading r = Reading(0, 0, 0, False, False, False, False, False)
    cdef uint32_t c
    cdef int size
    while k < end:
        c = s[k]
        if c >= 0x80:
            size = decode(s + k, &c)
            k += size if size else 1
            take_beyond(&r, c)
            continue
        k += 1
        if c == b"\\":
            c = s[k]
            k += 1
            if c == b"u":
                c = hex_of(s + k)
                k += 4
                if c >= 0x80:
                    take_beyond(&r, c)
                    continue
                r.wild |= c == b"&"
            elif c in b"bfnrt":
                c = b" "
        if c == b"<" or (c == b"&" and is_entity(s, k, end)):
            r.wild = True
        take(&r, c, kinds[c])
    if r.words < LEAST_WORDS:
        return False
    # What markup stands for, and where a text is cut off, is not looked at here.
    if r.wild or r.length > SAMPLE:
        return r.wild or r.has_stop or r.ends
    if not (r.ends or r.stopped):
        return False
    return r.marks * MARK_WEIGHT < r.words and r.length < LONGEST_WORD * r.words


cdef inline bint may_be_nested(
    const unsigned char* s, Py_ssize_t k, Py_ssize_t end
) noexcept:
    """Whether the inside of a JSON string, from *k* to *end*, may be JSON itself."""
    while k < end:
        if s[k] == 0xC2 and s[k + 1] == 0xA0:
            k += 2
        elif s[k] == b"\\" and s[k + 1] in b"nrtf":
            k += 2
        elif s[k] <= 32:
            k += 1
        else:
            return s[k] == b"{" or s[k] == b"[" or s[k] == b"\\"
    return False
