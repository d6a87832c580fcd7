"""Word counts of text wrapped at a line width, for many pieces of text at once."""

import numpy as np

from libc.stdint cimport int32_t, uint8_t

from ...document._bytekinds cimport Kinds, next_one, next_zero

# What a byte is: one that begins a character; one of a word; one that may end a token,
# a blank or the first one of an ideograph.
cdef enum:
    BEGINS = 1
    WORD = 2
    ENDS = 4

cdef uint8_t[256] KIND
cdef int _byte
for _byte in range(33, 256):
    KIND[_byte] = (
        (BEGINS if _byte & 0xC0 != 0x80 else 0)
        | (WORD if _byte >= 0x80 or chr(_byte).isalnum() else 0)
        | (ENDS if _byte >= 0xE3 else 0)
    )
for _byte in range(33):
    KIND[_byte] = ENDS


def wrap_words(
    const unsigned char[::1] text,
    const int32_t[::1] start,
    const int32_t[::1] end,
    int width,
):
    """Wrap each piece of *text* (UTF-8) at *width* characters.

    Returns per piece its words, its lines, and the words of its last line. A token
    between blanks is a word if it holds a letter, a digit or a character beyond ASCII;
    a Chinese, Japanese or Korean character is a token of its own.
    """
    cdef int n = start.shape[0], piece
    cdef Wrapped found
    counts = np.zeros((3, n), np.int32)
    cdef int32_t[:, ::1] out = counts
    for piece in range(n):
        found = wrap(&text[0], start[piece], end[piece], width)
        out[0, piece], out[1, piece] = found.words, found.lines
        out[2, piece] = found.last_words
    return counts[0], counts[1], counts[2]


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


cdef Wrapped wrap(const unsigned char* text, int k, int stop, int width) noexcept:
    """Wrap the text from *k* to *stop*; see :func:`wrap_words`."""
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
                kind = KIND[text[k]]
                if kind & ENDS and (kind == ENDS or _is_ideograph(text, k, stop)):
                    break
                seen |= kind
                length += kind & BEGINS
                k += 1
        _add_token(&found, &column, length, seen & WORD != 0, joined, width)
        joined = k < stop and text[k] > 32  # no blank before the next token
    return found


cdef Wrapped wrap_kinds(
    const unsigned char* text, const Kinds* kinds, int k, int stop, int width
) noexcept:
    """The same, where it is known what the bytes of *text* are."""
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
