"""What class and id tokens are made of, hashed."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ..document._bytekinds cimport first_bit
from ...text._hashing cimport FNV_OFFSET, FNV_PRIME

cdef extern from *:
    """
    #include <string.h>
    typedef struct {
        // Of a token of at most 64 bytes, a bit for each: ASCII letters, digits.
        unsigned long long letter, upper, digit;
    } mainpage_token_kinds;

    static inline void mainpage_read_token(
        const unsigned char* token, int size, unsigned char* text,
        mainpage_token_kinds* kinds
    ) {
        unsigned long long letter = 0, upper = 0, digit = 0;
        int k;
        memset(text, 0, 64);
        memcpy(text, token, (size_t)size);
    #ifdef MAINPAGE_SSE2
        const __m128i bit = _mm_set1_epi8(0x20), a = _mm_set1_epi8('a');
        const __m128i capital = _mm_set1_epi8('A'), z = _mm_set1_epi8(25);
        const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
        for (k = 0; k < size; k += 16) {
            __m128i c = _mm_loadu_si128((const __m128i*)(text + k));
            const __m128i low = _mm_sub_epi8(_mm_or_si128(c, bit), a);
            const __m128i high = _mm_sub_epi8(c, capital), number = _mm_sub_epi8(c, zero);
            const __m128i is_letter = _mm_cmpeq_epi8(_mm_min_epu8(low, z), low);
            const __m128i is_upper = _mm_cmpeq_epi8(_mm_min_epu8(high, z), high);
            const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(number, nine), number);
            c = _mm_or_si128(c, _mm_and_si128(is_upper, bit));
            // Any digit without its lower bits is 0.
            c = _mm_andnot_si128(_mm_and_si128(is_digit, _mm_set1_epi8(15)), c);
            _mm_storeu_si128((__m128i*)(text + k), c);
            letter |= (unsigned long long)(unsigned)_mm_movemask_epi8(is_letter) << k;
            upper |= (unsigned long long)(unsigned)_mm_movemask_epi8(is_upper) << k;
            digit |= (unsigned long long)(unsigned)_mm_movemask_epi8(is_digit) << k;
        }
    #else
        for (k = 0; k < size; k++) {
            const unsigned char c = text[k];
            const unsigned long long one = 1ull << k;
            if ((unsigned char)((c | 0x20) - 'a') < 26) letter |= one;
            if ((unsigned char)(c - 'A') < 26) {
                upper |= one;
                text[k] = c | 0x20;
            }
            if ((unsigned char)(c - '0') < 10) {
                digit |= one;
                text[k] = '0';
            }
        }
    #endif
        kinds->letter = letter;
        kinds->upper = upper;
        kinds->digit = digit;
    }
    """
    ctypedef struct TokenKinds "mainpage_token_kinds":
        uint64_t letter, upper, digit
    void read_token "mainpage_read_token"(
        const unsigned char* token, int size, unsigned char* text, TokenKinds* kinds
    ) noexcept

cdef enum:
    BITS = 18
    # Of an element's tokens: what hostile pages have more of says nothing.
    LONGEST_TOKEN = 60
    MOST_SLOTS = 64
    ROOM = 2 * MOST_SLOTS

cdef enum:
    OWN_SALT = 0x85EBCA6B
    PARENT_SALT = 0xC2B2AE35
    TAG_SALT = 0x27D4EB2F


cdef inline int32_t slot_of(uint64_t value) noexcept:
    value ^= value >> 32
    value *= 0xD6E8FEB86659FD93ull
    return <int32_t>(value >> (64 - BITS))


cdef inline int32_t salted(int32_t slot, uint32_t salt) noexcept:
    return slot_of((<uint64_t>slot + 1) * salt)


cdef inline int32_t tag_pair(int32_t parent, int32_t tag) noexcept:
    return slot_of((<uint64_t>(parent + 2) * 1000 + tag) * 0x9E3779B97F4A7C15ull)


cdef inline int part_end(const TokenKinds* kinds, int k, int size) noexcept:
    """Where the part that begins at *k* ends: words of camel case are apart."""
    cdef uint64_t small = kinds.letter & ~kinds.upper
    cdef int begin = k
    if kinds.upper >> k & 1:
        k += first_bit(~(kinds.upper >> k))
        if k == size or not kinds.letter >> k & 1:
            return k
        if k - begin > 1:
            return k - 1
    return k + first_bit(~(small >> k))


cdef struct Own:
    # The slots of an element, each once; a table of their places from 1, 0 for none.
    int32_t* slot
    int count
    uint8_t[ROOM] place


cdef inline void begin_own(Own* own, int32_t* slot) noexcept:
    own.slot, own.count = slot, 0
    memset(own.place, 0, ROOM)


cdef inline void add_slot(Own* own, int32_t slot) noexcept:
    cdef int at = slot & (ROOM - 1)
    if own.count >= MOST_SLOTS:
        return
    while own.place[at]:
        if own.slot[own.place[at] - 1] == slot:
            return
        at = (at + 1) & (ROOM - 1)
    own.slot[own.count] = slot
    own.count += 1
    own.place[at] = <uint8_t>own.count


cdef inline void add_token(
    Own* own, const unsigned char* token, int size, bint is_id
) noexcept:
    """Add the slots of a token: itself, its parts, and pairs of parts."""
    cdef uint64_t basis = FNV_OFFSET ^ (0x9E3779B97F4A7C15ull if is_id else 0)
    cdef uint64_t whole = basis, part, pair = 0, next_one, rest
    cdef int k, end
    # In lower case, digits are 0.
    cdef unsigned char[64] text
    cdef TokenKinds kinds
    read_token(token, size, text, &kinds)
    # Of several digits in a row only the first one counts.
    rest = kinds.digit & kinds.digit << 1
    if rest:
        for k in range(size):
            next_one = (whole ^ text[k]) * FNV_PRIME
            whole = whole if rest >> k & 1 else next_one
    else:
        for k in range(size):
            whole = (whole ^ text[k]) * FNV_PRIME
    add_slot(own, slot_of(whole))
    rest = kinds.letter
    while rest:
        k = first_bit(rest)
        end = part_end(&kinds, k, size)
        rest = kinds.letter >> end << end
        part = basis
        if pair:
            pair = (pair ^ c"_") * FNV_PRIME
            while k < end:
                part = (part ^ text[k]) * FNV_PRIME
                pair = (pair ^ text[k]) * FNV_PRIME
                k += 1
            add_slot(own, slot_of(pair))
        else:
            while k < end:
                part = (part ^ text[k]) * FNV_PRIME
                k += 1
        add_slot(own, slot_of(part))
        pair = part
