"""The kinds of a text's bytes, a bit for each: in a word, a blank, ...

Words and tokens are runs of such bits, which are found 64 bytes at a time.
"""

from libc.stdint cimport uint64_t

cdef extern from "scrapy_mainpage/extraction/document/_bytekinds.h":
    ctypedef struct Kinds "mainpage_kinds":
        uint64_t *word
        uint64_t *blank
        uint64_t *high
        uint64_t *more
    void read_kinds "mainpage_read_kinds"(
        const unsigned char* s, Kinds* kinds, size_t at
    ) noexcept nogil
    int first_bit "mainpage_first_bit"(uint64_t bits) noexcept nogil


cdef inline int next_one(const uint64_t* bits, int k, int stop) noexcept nogil:
    """The first place from *k* on whose bit is set; *stop* if there is none before."""
    cdef uint64_t rest
    cdef int at = k >> 6
    if k >= stop:
        return stop
    rest = bits[at] >> (k & 63) << (k & 63)
    while not rest:
        at += 1
        if at << 6 >= stop:
            return stop
        rest = bits[at]
    k = (at << 6) + first_bit(rest)
    return k if k < stop else stop


cdef inline int next_zero(const uint64_t* bits, int k, int stop) noexcept nogil:
    """The first place from *k* on whose bit is not set; *stop* if none is before."""
    cdef uint64_t rest
    cdef int at = k >> 6
    if k >= stop:
        return stop
    rest = ~bits[at] >> (k & 63) << (k & 63)
    while not rest:
        at += 1
        if at << 6 >= stop:
            return stop
        rest = ~bits[at]
    k = (at << 6) + first_bit(rest)
    return k if k < stop else stop
