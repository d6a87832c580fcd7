"""Hashed features of tokens: a slot is a place in a table of 2^18 weights.

Slots of a token are those of the token in lower case (a run of digits as one 0), of its
parts, and of pairs of parts.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ....text._hashing cimport fnv_start, fnv_step

cdef enum:
    SLOT_BITS = 18
    # Per element: hostile pages have more.
    MAX_TOKEN_BYTES = 60
    MAX_ELEMENT_SLOTS = 64
    N_SLOT_PLACES = 2 * MAX_ELEMENT_SLOTS


cdef inline int32_t slot_of(uint64_t value) noexcept:
    value ^= value >> 32
    value *= 0xD6E8FEB86659FD93ull
    return <int32_t>(value >> (64 - SLOT_BITS))


cdef inline int32_t salted_slot(int32_t slot, uint32_t salt) noexcept:
    return slot_of((<uint64_t>slot + 1) * salt)


cdef inline int32_t tag_pair_slot(int32_t parent, int32_t tag) noexcept:
    return slot_of((<uint64_t>(parent + 2) * 1000 + tag) * 0x9E3779B97F4A7C15ull)


cdef struct TokenSlots:
    # Distinct slots of a token, and an open table of their places from 1; 0 for none.
    int32_t* slot
    int count
    uint8_t[N_SLOT_PLACES] place


cdef inline void add_slot(TokenSlots* own, int32_t slot) noexcept:
    cdef int at = slot & (N_SLOT_PLACES - 1)
    if own.count >= MAX_ELEMENT_SLOTS:
        return
    while own.place[at]:
        if own.slot[own.place[at] - 1] == slot:
            return
        at = (at + 1) & (N_SLOT_PLACES - 1)
    own.slot[own.count] = slot
    own.count += 1
    own.place[at] = <uint8_t>own.count


cdef inline int hash_token(
    const unsigned char* token, int size, bint is_id, int32_t* slots
) noexcept:
    """Write the slots of a token (at most MAX_TOKEN_BYTES); how many they are."""
    cdef uint64_t basis = fnv_start() ^ (0x9E3779B97F4A7C15ull if is_id else 0)
    cdef uint64_t whole = basis, part, pair = 0
    cdef int k = 0, end
    cdef TokenSlots own
    own.slot, own.count = slots, 0
    memset(own.place, 0, N_SLOT_PLACES)
    for k in range(size):
        if not is_digit(token[k]):
            whole = fnv_step(whole, lower(token[k]))
        elif k == 0 or not is_digit(token[k - 1]):
            whole = fnv_step(whole, c"0")
    add_slot(&own, slot_of(whole))
    k = 0
    while k < size:
        if not is_letter(token[k]):
            k += 1
            continue
        end = part_end(token, k, size)
        part = basis
        if pair:
            pair = fnv_step(pair, c"_")
        for k in range(k, end):
            part = fnv_step(part, lower(token[k]))
            if pair:
                pair = fnv_step(pair, lower(token[k]))
        if pair:
            add_slot(&own, slot_of(pair))
        add_slot(&own, slot_of(part))
        pair = part
        k = end
    return own.count


cdef inline int part_end(const unsigned char* token, int k, int size) noexcept:
    """End of the part that begins at *k*: camel case is cut into its words."""
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


cdef inline bint is_digit(unsigned char c) noexcept:
    return <unsigned char>(c - 48) < 10


cdef inline bint is_upper(unsigned char c) noexcept:
    return <unsigned char>(c - 65) < 26


cdef inline bint is_letter(unsigned char c) noexcept:
    return <unsigned char>((c | 0x20) - 97) < 26


cdef inline unsigned char lower(unsigned char c) noexcept:
    return c | is_upper(c) << 5
