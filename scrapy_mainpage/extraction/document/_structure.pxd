"""The end of a text, and hashes of its words: inline functions, no module."""

from libc.stdint cimport uint64_t

from ...text._hashing cimport FNV_OFFSET, FNV_PRIME


cdef inline int last_character(const unsigned char* text, int start, int stop) noexcept:
    """The end of a block: 1 a sentence mark, 2 a colon, 3 an ellipsis, else 0.

    Closing quotation marks and brackets are skipped.
    """
    cdef int k = stop - 1
    cdef unsigned char c
    while k > start and text[k] in (b'"', b")", b"'", b"]"):
        k -= 1
    # Closing quotation marks of three bytes.
    if k - 2 > start and text[k - 2] == 0xE2 and text[k - 1] == 0x80 and text[k] in (0x99, 0x9D):
        k -= 3
    c = text[k]
    if c == b"." or c == b"!" or c == b"?":
        return 3 if k > start and text[k - 1] == b"." and c == b"." else 1
    if c == b":":
        return 2
    if k > start and (text[k - 1] == 0xD8 and c == 0x9F or text[k - 1] == 0xDB and c == 0x94):
        return 1
    if k - 2 < start:
        return 0
    if text[k - 2] == 0xE2 and text[k - 1] == 0x80 and c == 0xA6:
        return 3
    if text[k - 2] == 0xE3 and text[k - 1] == 0x80 and c == 0x82:
        return 1
    if text[k - 2] == 0xEF and text[k - 1] == 0xBC:
        return 1 if c == 0x81 or c == 0x9F else 2 if c == 0x9A else 0
    return 0


cdef inline uint64_t word_hash(const unsigned char* text, int* at, int end) noexcept:
    """The hash of the word at or after *at*, which moves behind it; 0 for none.

    A word is a run of letters and digits, or of bytes beyond ASCII; ASCII letters are
    taken in lower case.
    """
    cdef uint64_t value = FNV_OFFSET
    cdef unsigned char c
    while at[0] < end and not in_word(text[at[0]]):
        at[0] += 1
    if at[0] == end:
        return 0
    while at[0] < end and in_word(text[at[0]]):
        c = text[at[0]]
        if b"A" <= c <= b"Z":
            c |= 0x20
        value = (value ^ c) * FNV_PRIME
        at[0] += 1
    return value


cdef inline bint in_word(unsigned char c) noexcept:
    return (
        c >= 0x80
        or <unsigned char>((c | 0x20) - 97) < 26
        or <unsigned char>(c - 48) < 10
    )
