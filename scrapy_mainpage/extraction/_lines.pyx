"""Word counts of text wrapped at a line width, for many pieces of text at once."""

import numpy as np

from libc.stdint cimport int32_t


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


cdef Wrapped wrap(const unsigned char* text, int k, int stop, int width) noexcept:
    """Wrap the text from *k* to *stop*; see :func:`wrap_words`."""
    cdef Wrapped found = Wrapped(0, 0, 0)
    cdef int column = 0, length, size
    cdef bint is_word, joined = False
    while k < stop:
        if text[k] <= 32:
            joined = False
            k += 1
            continue
        length, is_word = 0, False
        if _is_ideograph(text, k, stop):
            length, is_word = 1, True
            k += 3
        else:
            while k < stop and text[k] > 32:
                # No ideograph begins with a lower byte.
                if text[k] >= 0xE3 and _is_ideograph(text, k, stop):
                    break
                is_word |= _is_word_byte(text[k])
                length += text[k] & 0xC0 != 0x80
                k += 1
        size = length + (1 if column and not joined else 0)
        if column + size > width or found.lines == 0:
            found.lines += 1
            column, found.last_words, size = 0, 0, length
        column += size
        found.words += is_word
        found.last_words += is_word
        joined = k < stop and text[k] > 32  # no blank before the next token
    return found


cdef inline bint _is_word_byte(unsigned char c) noexcept:
    return (
        c >= 0x80
        or <unsigned char>((c | 0x20) - 97) < 26
        or <unsigned char>(c - 48) < 10
    )


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
