"""What class and id tokens are made of, hashed: the slots of elements and of blocks.

A *slot* is a place in a table of ``SLOTS`` weights. Slots of elements come as one flat
array with the place where each element's begin. Sums of their weights are a feature
(see ``features/_markup.pyx``).
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t

ctypedef const int32_t[::1] Ints

SLOTS = 1 << BITS

# Whether a slot is on the way to the element at hand; all 0 between calls.
cdef int32_t[1 << BITS] on_way


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
    cdef int n = start.shape[0], k, size
    cdef int64_t room = 0
    for k in range(n):
        room += 2 * min(end[k] - start[k], LONGEST_TOKEN) + 1
    room = min(room, MOST_SLOTS * min(n, n_elements))
    slots_array, first_array = np.empty(room, np.int32), np.empty(n_elements + 1, np.int32)
    cdef int32_t[::1] slots = slots_array
    cdef int32_t[::1] first = first_array
    cdef int used = 0, at = 0
    cdef Own own
    for k in range(n_elements):
        first[k] = used
        if at == n or element[at] != k:
            continue
        begin_own(&own, &slots[used])
        while at < n and element[at] == k:
            size = min(end[at] - start[at], LONGEST_TOKEN)
            add_token(&own, &values[start[at]], size, attribute[at] == id_attribute)
            at += 1
        used += own.count
    first[n_elements] = used
    return slots_array[:used], first_array


def slots_of(
    Ints wanted, Ints parent, Ints tag, int n_tags, Ints slots, Ints first
):
    """The slots that count for each of the *wanted* elements.

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
                    slots[k] if k < first[i + 1] else salted(min(tag[i], n_tags), TAG_SALT)
                )
                if on_way[out[used]] == 0:
                    on_way[out[used]] = 1
                    used += 1
            i = parent[i]
        for k in range(begin[j], used):
            on_way[out[k]] = 0
        i = wanted[j]
        for k in range(first[i], first[i + 1]):
            out[used] = salted(slots[k], OWN_SALT)
            used += 1
        if parent[i] >= 0:
            for k in range(first[parent[i]], first[parent[i] + 1]):
                out[used] = salted(slots[k], PARENT_SALT)
                used += 1
        out[used] = tag_pair(
            min(tag[parent[i]], n_tags) if parent[i] >= 0 else -1, min(tag[i], n_tags)
        )
        used += 1
    begin[wanted.shape[0]] = used
    return result[:used], starts
