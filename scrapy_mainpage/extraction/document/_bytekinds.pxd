"""What the bytes of a text are, a bit for each: in a word, a blank, ...

Words and tokens are runs of such bits, which are found 64 bytes at a time.
"""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    #define MAINPAGE_SSE2 1
    #endif
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

    // All 64 bits of place *at*, of the bytes from *s* on.
    static inline void mainpage_read_kinds(
        const unsigned char* s, mainpage_kinds* kinds, size_t at
    ) {
        unsigned long long word = 0, blank = 0, high = 0, more = 0;
    #ifdef MAINPAGE_SSE2
        const __m128i lower = _mm_set1_epi8(0x20), a = _mm_set1_epi8('a');
        const __m128i letters = _mm_set1_epi8(25), zero = _mm_set1_epi8('0');
        const __m128i digits = _mm_set1_epi8(9), e3 = _mm_set1_epi8((char)0xE3);
        const __m128i blanks = _mm_set1_epi8(32), first = _mm_set1_epi8((char)0xC0);
        int k;
        for (k = 0; k < 64; k += 16) {
            const __m128i c = _mm_loadu_si128((const __m128i*)(s + k));
            const __m128i letter = _mm_sub_epi8(_mm_or_si128(c, lower), a);
            const __m128i digit = _mm_sub_epi8(c, zero);
            const __m128i known = _mm_or_si128(
                _mm_cmpeq_epi8(_mm_min_epu8(letter, letters), letter),
                _mm_cmpeq_epi8(_mm_min_epu8(digit, digits), digit)
            );
            // The sign bit of bytes from 0x80 on is theirs.
            const unsigned long long beyond = (unsigned)_mm_movemask_epi8(c);
            word |= ((unsigned)_mm_movemask_epi8(known) | beyond) << k;
            blank |= (unsigned long long)(unsigned)_mm_movemask_epi8(
                _mm_cmpeq_epi8(_mm_min_epu8(c, blanks), c)) << k;
            if (beyond) {
                high |= (unsigned long long)(unsigned)_mm_movemask_epi8(
                    _mm_cmpeq_epi8(_mm_max_epu8(c, e3), c)) << k;
                // As signed numbers they are those below 0xC0.
                more |= (unsigned long long)(unsigned)_mm_movemask_epi8(
                    _mm_cmplt_epi8(c, first)) << k;
            }
        }
    #else
        int k;
        for (k = 0; k < 64; k++) {
            const unsigned char c = s[k];
            const unsigned long long bit = 1ull << k;
            if (c >= 0x80 || (unsigned char)((c | 0x20) - 'a') < 26
                    || (unsigned char)(c - '0') < 10)
                word |= bit;
            if (c <= 32) blank |= bit;
            if (c >= 0xE3) high |= bit;
            if ((c & 0xC0) == 0x80) more |= bit;
        }
    #endif
        kinds->word[at] = word;
        kinds->blank[at] = blank;
        kinds->high[at] = high;
        kinds->more[at] = more;
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
