"""What class and id tokens are made of, hashed; and sums over the way to an element.

A *slot* is a place in a table of ``SLOTS`` weights. Slots of elements come as one flat
array with the place where each element's begin.
"""

import numpy as np

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

ctypedef const int32_t[::1] Ints

cdef enum:
    BITS = 18
    # Of an element's tokens: what hostile pages have more of says nothing.
    LONGEST_TOKEN = 60
    MOST_SLOTS = 64

SLOTS = 1 << BITS

cdef uint64_t FNV_OFFSET = 14695981039346656037ull
cdef uint64_t FNV_PRIME = 1099511628211ull
cdef uint64_t ID_SALT = 0x9E3779B97F4A7C15ull
cdef uint32_t OWN_SALT = 0x85EBCA6Bu
cdef uint32_t PARENT_SALT = 0xC2B2AE35u
cdef uint32_t TAG_SALT = 0x27D4EB2Fu

# How often each slot occurs on the way to the element at hand; all 0 between calls.
cdef int32_t[1 << BITS] on_way


cdef inline int32_t _slot(uint64_t value) noexcept:
    value ^= value >> 32
    value *= 0xD6E8FEB86659FD93ull
    return <int32_t>(value >> (64 - BITS))


cdef inline int32_t _salted(int32_t slot, uint32_t salt) noexcept:
    return _slot((<uint64_t>slot + 1) * salt)


cdef inline int32_t _tag_pair(int32_t parent, int32_t tag) noexcept:
    return _slot((<uint64_t>(parent + 2) * 1000 + tag) * ID_SALT)


def element_slots(
    const unsigned char[::1] values,
    Ints attribute,
    Ints element,
    Ints start,
    Ints end,
    int id_attribute,
    int n_elements,
):
    """The slots of what the tokens of each element are made of, and where they begin.

    Of each token: itself in lower case, a run of digits as one 0; its parts of letters;
    and pairs of parts. An element has each slot once, and at most 64.
    """
    cdef int n = start.shape[0], k
    cdef int64_t room = 0
    for k in range(n):
        room += 2 * min(end[k] - start[k], LONGEST_TOKEN) + 1
    room = min(room, MOST_SLOTS * min(n, n_elements))
    slots_array, first_array = np.empty(room, np.int32), np.empty(n_elements + 1, np.int32)
    cdef int32_t[::1] slots = slots_array
    cdef int32_t[::1] first = first_array
    cdef int used = 0, at = 0, own
    for k in range(n_elements):
        first[k] = own = used
        while at < n and element[at] == k:
            used = _add_token(
                &values[start[at]],
                min(end[at] - start[at], LONGEST_TOKEN),
                ID_SALT if attribute[at] == id_attribute else 0,
                &slots[0],
                own,
                used,
            )
            at += 1
    first[n_elements] = used
    return slots_array[:used], first_array


cdef int _add(int32_t slot, int32_t* slots, int own, int used) noexcept:
    cdef int k
    if used - own >= MOST_SLOTS:
        return used
    for k in range(own, used):
        if slots[k] == slot:
            return used
    slots[used] = slot
    return used + 1


cdef int _add_token(
    const unsigned char* token, int size, uint64_t salt, int32_t* slots, int own, int used
) noexcept:
    cdef uint64_t whole = FNV_OFFSET ^ salt, part, pair = 0
    cdef int k = 0, begin
    cdef unsigned char c
    while k < size:
        c = token[k]
        if _is_digit(c):
            if k and _is_digit(token[k - 1]):
                k += 1
                continue
            c = b"0"
        whole = (whole ^ _lower(c)) * FNV_PRIME
        k += 1
    used = _add(_slot(whole), slots, own, used)
    k = 0
    while k < size:
        if not _is_letter(token[k]):
            k += 1
            continue
        begin = k
        k = _part_end(token, k, size)
        part = FNV_OFFSET ^ salt
        if pair:
            pair = (pair ^ c"_") * FNV_PRIME
            while begin < k:
                part = (part ^ _lower(token[begin])) * FNV_PRIME
                pair = (pair ^ _lower(token[begin])) * FNV_PRIME
                begin += 1
            used = _add(_slot(pair), slots, own, used)
        else:
            while begin < k:
                part = (part ^ _lower(token[begin])) * FNV_PRIME
                begin += 1
        used = _add(_slot(part), slots, own, used)
        pair = part
    return used


cdef int _part_end(const unsigned char* token, int k, int size) noexcept:
    """Where the part that begins at *k* ends: words of camel case are apart."""
    cdef int begin = k
    if _is_upper(token[k]):
        while k < size and _is_upper(token[k]):
            k += 1
        if k == size or not _is_letter(token[k]):
            return k
        if k - begin > 1:
            return k - 1
    while k < size and _is_letter(token[k]) and not _is_upper(token[k]):
        k += 1
    return k


cdef inline bint _is_digit(unsigned char c) noexcept:
    return b"0" <= c <= b"9"


cdef inline bint _is_upper(unsigned char c) noexcept:
    return b"A" <= c <= b"Z"


cdef inline bint _is_letter(unsigned char c) noexcept:
    return b"a" <= c <= b"z" or b"A" <= c <= b"Z"


cdef inline unsigned char _lower(unsigned char c) noexcept:
    return c | 0x20 if _is_upper(c) else c


def element_sums(
    Ints parent, Ints tag, int n_tags, Ints slots, Ints first, const float[::1] weights
):
    """Per element the weights of what is known of it, summed and scaled.

    Each slot on the way from the root counts once, tags as well; those of the element
    and of its parent count once more for standing there. The sum is over the square
    root of how many there are.
    """
    cdef int n = parent.shape[0], i, top = -1, count
    cdef double total
    result, stack_array = np.empty(n, np.float32), np.empty(n, np.int32)
    way_array, number_array = np.empty(n, np.float64), np.empty(n, np.int32)
    cdef float[::1] out = result
    cdef int32_t[::1] stack = stack_array
    cdef double[::1] way = way_array
    cdef int32_t[::1] number = number_array
    for i in range(n):
        while top >= 0 and stack[top] != parent[i]:
            _leave(stack[top], tag, n_tags, slots, first)
            top -= 1
        total, count = 0, 0
        if top >= 0:
            total, count = way[stack[top]], number[stack[top]]
        _enter(i, tag, n_tags, slots, first, weights, &total, &count)
        top += 1
        stack[top], way[i], number[i] = i, total, count
        _add_salted(i, OWN_SALT, slots, first, weights, &total, &count)
        if parent[i] >= 0:
            _add_salted(parent[i], PARENT_SALT, slots, first, weights, &total, &count)
        total += weights[_pair_of(i, parent, tag, n_tags)]
        out[i] = total / sqrt(count + 1)
    while top >= 0:
        _leave(stack[top], tag, n_tags, slots, first)
        top -= 1
    return result


cdef inline int32_t _pair_of(int i, Ints parent, Ints tag, int n_tags) noexcept:
    cdef int32_t above = min(tag[parent[i]], n_tags) if parent[i] >= 0 else -1
    return _tag_pair(above, min(tag[i], n_tags))


cdef inline void _enter(
    int i, Ints tag, int n_tags, Ints slots, Ints first,
    const float[::1] weights, double* total, int* count,
) noexcept:
    cdef int k
    cdef int32_t slot
    for k in range(first[i], first[i + 1] + 1):
        if k < first[i + 1]:
            slot = slots[k]
        else:
            slot = _salted(min(tag[i], n_tags), TAG_SALT)
        if on_way[slot] == 0:
            total[0] += weights[slot]
            count[0] += 1
        on_way[slot] += 1


cdef inline void _leave(int i, Ints tag, int n_tags, Ints slots, Ints first) noexcept:
    cdef int k
    for k in range(first[i], first[i + 1]):
        on_way[slots[k]] -= 1
    on_way[_salted(min(tag[i], n_tags), TAG_SALT)] -= 1


cdef inline void _add_salted(
    int i, uint32_t salt, Ints slots, Ints first,
    const float[::1] weights, double* total, int* count,
) noexcept:
    cdef int k
    for k in range(first[i], first[i + 1]):
        total[0] += weights[_salted(slots[k], salt)]
        count[0] += 1


def slots_of(
    Ints wanted, Ints parent, Ints tag, int n_tags, Ints slots, Ints first
):
    """The slots that :func:`element_sums` adds for each of the *wanted* elements.

    Returned flat, with the place where each element's begin.
    """
    cdef int i, k, n = parent.shape[0], room = 0, used = 0, j
    sizes = np.diff(np.asarray(first)) + 1
    way = np.empty(n, np.int64)
    for i in range(n):
        way[i] = sizes[i] + (way[parent[i]] if parent[i] >= 0 else 0)
    picked = np.asarray(wanted)
    above = np.maximum(np.asarray(parent)[picked], 0)
    room = int((way[picked] + sizes[picked] + sizes[above] + 1).sum())
    result, starts = np.empty(room, np.int32), np.empty(len(picked) + 1, np.int32)
    cdef int32_t[::1] out = result
    cdef int32_t[::1] begin = starts
    for j in range(wanted.shape[0]):
        begin[j] = used
        i = wanted[j]
        while i >= 0:
            for k in range(first[i], first[i + 1] + 1):
                out[used] = (
                    slots[k] if k < first[i + 1] else _salted(min(tag[i], n_tags), TAG_SALT)
                )
                if on_way[out[used]] == 0:
                    on_way[out[used]] = 1
                    used += 1
            i = parent[i]
        for k in range(begin[j], used):
            on_way[out[k]] = 0
        i = wanted[j]
        for k in range(first[i], first[i + 1]):
            out[used] = _salted(slots[k], OWN_SALT)
            used += 1
        if parent[i] >= 0:
            for k in range(first[parent[i]], first[parent[i] + 1]):
                out[used] = _salted(slots[k], PARENT_SALT)
                used += 1
        out[used] = _pair_of(i, parent, tag, n_tags)
        used += 1
    begin[wanted.shape[0]] = used
    return result[:used], starts
