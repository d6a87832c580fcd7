"""What class and id tokens are made of, hashed."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ._hashing cimport FNV_OFFSET, FNV_PRIME

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


cdef inline bint is_digit(unsigned char c) noexcept:
    return b"0" <= c <= b"9"


cdef inline bint is_upper(unsigned char c) noexcept:
    return b"A" <= c <= b"Z"


cdef inline bint is_letter(unsigned char c) noexcept:
    return b"a" <= c <= b"z" or b"A" <= c <= b"Z"


cdef inline unsigned char in_lower(unsigned char c) noexcept:
    return c | 0x20 if is_upper(c) else c


cdef inline int part_end(const unsigned char* token, int k, int size) noexcept:
    """Where the part that begins at *k* ends: words of camel case are apart."""
    cdef int begin = k
    if is_upper(token[k]):
        while k < size and is_upper(token[k]):
            k += 1
        if k == size or not is_letter(token[k]):
            return k
        if k - begin > 1:
            return k - 1
    while k < size and is_letter(token[k]) and not is_upper(token[k]):
        k += 1
    return k


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
    cdef uint64_t whole = basis, part, pair = 0
    cdef int k = 0, begin
    cdef unsigned char c
    while k < size:
        c = token[k]
        if is_digit(c):
            if k and is_digit(token[k - 1]):
                k += 1
                continue
            c = b"0"
        whole = (whole ^ in_lower(c)) * FNV_PRIME
        k += 1
    add_slot(own, slot_of(whole))
    k = 0
    while k < size:
        if not is_letter(token[k]):
            k += 1
            continue
        begin = k
        k = part_end(token, k, size)
        part = basis
        if pair:
            pair = (pair ^ c"_") * FNV_PRIME
            while begin < k:
                part = (part ^ in_lower(token[begin])) * FNV_PRIME
                pair = (pair ^ in_lower(token[begin])) * FNV_PRIME
                begin += 1
            add_slot(own, slot_of(pair))
        else:
            while begin < k:
                part = (part ^ in_lower(token[begin])) * FNV_PRIME
                begin += 1
        add_slot(own, slot_of(part))
        pair = part
