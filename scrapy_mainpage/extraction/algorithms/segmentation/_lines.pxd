"""Word counts of text wrapped at a line width: inline functions, no module."""

from ....text._hashing cimport in_word

cdef enum:
    # Characters; the width at which text is wrapped to count the words per line.
    LINE_WIDTH = 80


cdef struct Wrapped:
    int words, lines, last_words


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
    cdef bint joined = False, is_word
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
            while k < stop and text[k] > 32 and not _is_ideograph(text, k, stop):
                length += text[k] & 0xC0 != 0x80
                is_word |= in_word(text[k])
                k += 1
        _add_token(&found, &column, length, is_word, joined, width)
        joined = k < stop and text[k] > 32  # no blank before the next token
    return found


cdef inline bint _is_ideograph(const unsigned char* text, int k, int stop) noexcept:
    """Whether a kana, an ideograph or a Hangul syllable begins at *k*."""
    if text[k] < 0xE3 or k + 2 >= stop:
        return False
    if text[k] == 0xE3:
        return 0x81 <= text[k + 1] <= 0x83 or text[k + 1] >= 0x90
    if text[k] == 0xEA:
        return text[k + 1] >= 0xB0
    if text[k] == 0xED:
        return text[k + 1] <= 0x9E
    return 0xE4 <= text[k] <= 0xE9 or (0xEB <= text[k] <= 0xEC)
