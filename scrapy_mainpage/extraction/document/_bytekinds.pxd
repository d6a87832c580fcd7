"""The kinds of a text's bytes, a bit for each: in a word, a blank, ...

Words and tokens are runs of such bits, which are found 64 bytes at a time.
"""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static inline int mainpage_first_bit(unsigned long long bits) {
        unsigned long place;
        #if defined(_M_X64) || defined(_M_ARM64)
        _BitScanForward64(&place, bits);
        #else
        if (!_BitScanForward(&place, (unsigned long)bits)) {
            _BitScanForward(&place, (unsigned long)(bits >> 32));
            place += 32;
        }
        #endif
        return (int)place;
    }
    #else
    #define mainpage_first_bit __builtin_ctzll
    #endif

    typedef struct {
        // In a word; a blank or control; from 0xE3 on; not the first of a character.
        uint64_t *word, *blank, *high, *more;
    } mainpage_kinds;

    // One bit for each of 64 bytes that are 0 or 1. The product has the bits of eight
    // bytes in its highest byte, the first byte's lowest.
    static inline uint64_t mainpage_pack_bits(const unsigned char* flags) {
        uint64_t bits = 0, eight;
        int k, j;
        for (k = 0; k < 64; k += 8) {
            eight = 0;
            for (j = 0; j < 8; j++)  // compilers make it one load
                eight |= (uint64_t)flags[k + j] << 8 * j;
            bits |= (eight * 0x0102040810204080ull >> 56) << k;
        }
        return bits;
    }

    // All 64 bits of place *at*, of the bytes from *s* on. Compilers vectorise the loop.
    static inline void mainpage_read_kinds(
        const unsigned char* s, mainpage_kinds* kinds, size_t at
    ) {
        unsigned char word[64], blank[64], high[64], more[64];
        int k;
        for (k = 0; k < 64; k++) {
            const unsigned char c = s[k];
            word[k] = (c >= 0x80) | ((unsigned char)((c | 0x20) - 'a') < 26)
                | ((unsigned char)(c - '0') < 10);
            blank[k] = c <= 32;
            high[k] = c >= 0xE3;
            more[k] = (c & 0xC0) == 0x80;
        }
        kinds->word[at] = mainpage_pack_bits(word);
        kinds->blank[at] = mainpage_pack_bits(blank);
        kinds->high[at] = mainpage_pack_bits(high);
        kinds->more[at] = mainpage_pack_bits(more);
    }
    """
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
