"""Elements and blocks that are alike: compiled loops for hashing and counting them."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

ctypedef const int32_t[::1] Ints

cdef uint64_t FNV_OFFSET = 14695981039346656037ull
cdef uint64_t FNV_PRIME = 1099511628211ull


cdef inline uint64_t _mixed(uint64_t value) noexcept:
    value = (value ^ (value >> 31)) * 0x9E3779B97F4A7C15ull
    return value ^ (value >> 29)


def number_groups(const uint64_t[::1] keys):
    """The group of each key, numbered as they come; the keys before it in its group.

    Returns both and the size of each group.
    """
    cdef int n = keys.shape[0], i, found = 0
    cdef int64_t room = 16, at
    while room < 2 * n:
        room *= 2
    table_array = np.full(room, -1, np.int32)
    group_array, rank_array = np.empty(n, np.int32), np.empty(n, np.int32)
    size_array, known_array = np.zeros(n, np.int32), np.empty(n, np.uint64)
    cdef int32_t[::1] table = table_array
    cdef int32_t[::1] group = group_array
    cdef int32_t[::1] rank = rank_array
    cdef int32_t[::1] size = size_array
    cdef uint64_t[::1] known = known_array
    for i in range(n):
        at = <int64_t>(_mixed(keys[i]) & <uint64_t>(room - 1))
        while table[at] >= 0 and known[table[at]] != keys[i]:
            at = (at + 1) & (room - 1)
        if table[at] < 0:
            table[at] = found
            known[found] = keys[i]
            found += 1
        group[i] = table[at]
        rank[i] = size[table[at]]
        size[table[at]] += 1
    return group_array, rank_array, size_array[:found]


def class_hashes(
    const unsigned char[::1] values, Ints attribute, Ints start, Ints end, int class_attribute
):
    """A hash per token of a class attribute, letter case and digits apart; 0 for others."""
    cdef int n = start.shape[0], k, j
    cdef uint64_t value
    cdef unsigned char c
    result = np.zeros(n, np.uint64)
    cdef uint64_t[::1] out = result
    for k in range(n):
        if attribute[k] != class_attribute:
            continue
        value = FNV_OFFSET
        for j in range(start[k], end[k]):
            c = values[j]
            if b"0" <= c <= b"9":
                continue
            if b"A" <= c <= b"Z":
                c |= 0x20
            value = (value ^ c) * FNV_PRIME
        out[k] = value | 1
    return result


def element_keys(
    Ints tag, Ints element, const uint64_t[::1] hashes, Ints group, Ints size, int least
):
    """A key per element: its tag, and those of its tokens that the page has *least* times."""
    cdef int i
    result = np.empty(tag.shape[0], np.uint64)
    cdef uint64_t[::1] out = result
    for i in range(tag.shape[0]):
        out[i] = _mixed(<uint64_t>(tag[i] + 1))
    for i in range(hashes.shape[0]):
        if hashes[i] and size[group[i]] >= least:
            out[element[i]] += _mixed(hashes[i])
    return result


def lengthened(Ints parent, const uint64_t[::1] keys, const uint64_t[::1] own):
    """Keys of paths one element longer: each element's *own* key with its parent's *keys*."""
    cdef int i, n = parent.shape[0]
    result = np.empty(n, np.uint64)
    cdef uint64_t[::1] out = result
    for i in range(n):
        out[i] = _mixed(own[i]) * 3 + (keys[parent[i]] if parent[i] >= 0 else 1)
    return result


def pair_keys(Ints first, Ints second):
    """A key per pair of numbers."""
    cdef int i
    result = np.empty(first.shape[0], np.uint64)
    cdef uint64_t[::1] out = result
    for i in range(first.shape[0]):
        out[i] = (<uint64_t><int64_t>first[i] << 32) ^ <uint64_t><int64_t>second[i]
    return result


def nearest_marked(Ints parent, const uint8_t[::1] marked):
    """The nearest marked ancestor of each element, itself included; -1 for none."""
    cdef int i, n = parent.shape[0]
    result = np.empty(n, np.int32)
    cdef int32_t[::1] out = result
    for i in range(n):
        if marked[i]:
            out[i] = i
        else:
            out[i] = out[parent[i]] if parent[i] >= 0 else -1
    return result
