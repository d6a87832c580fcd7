"""What class and id tokens are made of, hashed."""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from ._hashing cimport FNV_OFFSET, FNV_PRIME

cdef enum:
    BITS = 18
    # Of an element's tokens: what hostile pages have more of says nothing.
    LONGEST_TOKEN = 60
    MOST_SLOTS = 64

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


cdef inline int add_slot(int32_t slot, int32_t* slots, int own, int used) noexcept:
    cdef int k
    if used - own >= MOST_SLOTS:
        return used
    for k in range(own, used):
        if slots[k] == slot:
            return used
    slots[used] = slot
    return used + 1


cdef inline int add_token(
    const unsigned char* token, int size, bint is_id, int32_t* slots, int own, int used
) noexcept:
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
    used = add_slot(slot_of(whole), slots, own, used)
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
            used = add_slot(slot_of(pair), slots, own, used)
        else:
            while begin < k:
                part = (part ^ in_lower(token[begin])) * FNV_PRIME
                begin += 1
        used = add_slot(slot_of(part), slots, own, used)
        pair = part
    return used
