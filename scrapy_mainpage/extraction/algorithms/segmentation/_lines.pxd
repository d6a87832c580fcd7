"""Word counts of text wrapped at a line width: inline functions, no module."""

from ....text._hashing cimport in_word
from ...document._bytekinds cimport Kinds, next_one, next_zero

cdef enum:
    # Characters; the width at which text is wrapped to count the words per line.
    LINE_WIDTH = 80

    # Kinds of bytes: the first of a character; one of a word; one that may end a token,
    # a blank or the first of an ideograph.
    BEGINS = 1
    WORD = 2
    ENDS = 4


cdef struct Wrapped:
    int words, lines, last_words


cdef inline int kind_of(unsigned char c) noexcept:
    """The kinds of a byte, as bits."""
    cdef int kind
    if c <= 32:
        return ENDS
    kind = BEGINS if c & 0xC0 != 0x80 else 0
    if c >= 0xE3:
        kind |= ENDS
    if in_word(c):
        kind |= WORD
    return kind


cdef inline void _add_token(
    Wrapped* found, int* column, int length, bint is_word, bint joined, int width
) noexcept:
    """Put a token on the line, or on the next; *joined*: no blank is before it."""
    cdef int size = length + (1 if column[0] and not joined else 0)
    if column[0] + size > width or found.lines == 0:
        found.lines += 1
        column[0], found.last_words, size = 0, 0, length
    column[0] += size
    found.words += is_word
    found.last_words += is_word


cdef inline Wrapped wrap(const unsigned char* text, int k, int stop, int width) noexcept:
    """Wrap the text from *k* to *stop* at *width* characters.

    A token between blanks is a word if it holds a letter, a digit or a character beyond
    ASCII; a Chinese, Japanese or Korean character is a token of its own.
    """
    cdef Wrapped found = Wrapped(0, 0, 0)
    cdef int column = 0, length
    cdef int kind, seen
    cdef bint joined = False
    while k < stop:
        if text[k] <= 32:
            joined = False
            k += 1
            continue
        length, seen = 0, 0
        if text[k] >= 0xE3 and _is_ideograph(text, k, stop):
            length, seen = 1, WORD
            k += 3
        else:
            while k < stop:
                kind = kind_of(text[k])
                if kind & ENDS and (kind == ENDS or _is_ideograph(text, k, stop)):
                    break
                seen |= kind
                length += kind & BEGINS
                k += 1
        _add_token(&found, &column, length, seen & WORD != 0, joined, width)
        joined = k < stop and text[k] > 32  # no blank before the next token
    return found


cdef inline Wrapped wrap_kinds(
    const unsigned char* text, const Kinds* kinds, int k, int stop, int width
) noexcept:
    """As :func:`wrap`, with the *kinds* of the text's bytes."""
    cdef Wrapped found = Wrapped(0, 0, 0)
    cdef int column = 0, length, end, at
    cdef bint is_word, beyond_ascii
    if next_one(kinds.high, k, stop) < stop:
        return wrap(text, k, stop, width)
    beyond_ascii = next_one(kinds.more, k, stop) < stop
    k = next_zero(kinds.blank, k, stop)
    while k < stop:
        end = next_one(kinds.blank, k, stop)
        length = end - k
        is_word = next_one(kinds.word, k, end) < end
        if beyond_ascii:
            at = next_one(kinds.more, k, end)
            while at < end:
                length -= 1
                at = next_one(kinds.more, at + 1, end)
        _add_token(&found, &column, length, is_word, False, width)
        k = next_zero(kinds.blank, end, stop)
    return found


cdef inline bint _is_ideograph(const unsigned char* text, int k, int stop) noexcept:
    """Whether a kana, an ideograph or a Hangul syllable begins at *k*."""
    if k + 2 >= stop:
        return False
    if text[k] == 0xE3:
        return 0x81 <= text[k + 1] <= 0x83 or text[k + 1] >= 0x90
    if text[k] == 0xEA:
        return text[k + 1] >= 0xB0
    if text[k] == 0xED:
        return text[k + 1] <= 0x9E
    return 0xE4 <= text[k] <= 0xE9 or (0xEB <= text[k] <= 0xEC)
