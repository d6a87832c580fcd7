"""What blocks inherit from the tree around them: compiled loops over elements.

Elements come in document order, so a parent's value is there before its children's.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

ctypedef const int32_t[::1] Ints

cdef uint64_t FNV_OFFSET = 14695981039346656037ull
cdef uint64_t FNV_PRIME = 1099511628211ull


def next_larger(Ints parent, Ints first_block, Ints end_block):
    """Each element's nearest ancestor with more blocks than itself; -1 for none."""
    cdef int n = parent.shape[0], i, p
    result = np.full(n, -1, np.int32)
    cdef int32_t[::1] up = result
    for i in range(1, n):
        p = parent[i]
        if first_block[p] == first_block[i] and end_block[p] == end_block[i]:
            up[i] = up[p]
        else:
            up[i] = p
    return result


def path_hashes(Ints parent, Ints tag, const uint64_t[::1] classes):
    """Hashes of the path of tags, and of tags and classes, down to each element."""
    cdef int n = parent.shape[0], i
    cdef uint64_t above
    tags_array, both_array = np.empty(n, np.uint64), np.empty(n, np.uint64)
    cdef uint64_t[::1] tags = tags_array
    cdef uint64_t[::1] both = both_array
    for i in range(n):
        above = tags[parent[i]] if parent[i] >= 0 else FNV_OFFSET
        tags[i] = (above ^ <uint64_t>(tag[i] + 1)) * FNV_PRIME
        above = both[parent[i]] if parent[i] >= 0 else FNV_OFFSET
        both[i] = ((above ^ <uint64_t>(tag[i] + 1)) * FNV_PRIME ^ classes[i]) * FNV_PRIME
    return tags_array, both_array


def text_hashes(const unsigned char[::1] text, Ints start, Ints end):
    """A hash per block of its text, letters in lower case, digits and blanks left out."""
    cdef int n = start.shape[0], i, k
    cdef uint64_t value
    cdef unsigned char c
    result = np.empty(n, np.uint64)
    cdef uint64_t[::1] out = result
    for i in range(n):
        value = FNV_OFFSET
        for k in range(start[i], end[i]):
            c = text[k]
            if c <= 32 or b"0" <= c <= b"9":
                continue
            if b"A" <= c <= b"Z":
                c |= 0x20
            value = (value ^ c) * FNV_PRIME
        out[i] = value
    return result


def heaviest_path(Ints parent, const double[::1] weight, double share):
    """The way from the root to the child that weighs most, while that keeps *share*.

    Returns the elements of the path; the last one is the heaviest container.
    """
    cdef int n = parent.shape[0], i, node = 0
    best_array = np.full(n, -1, np.int32)
    cdef int32_t[::1] best = best_array
    for i in range(1, n):
        if best[parent[i]] < 0 or weight[i] > weight[best[parent[i]]]:
            best[parent[i]] = i
    path = [0]
    while best[node] >= 0 and weight[best[node]] > 0 and weight[best[node]] >= share * weight[node]:
        node = best[node]
        path.append(node)
    return path


def last_characters(const unsigned char[::1] text, Ints start, Ints end):
    """How each block ends: 1 a sentence mark, 2 a colon, 3 an ellipsis, else 0."""
    cdef int n = start.shape[0], i, k
    cdef unsigned char c
    result = np.zeros(n, np.uint8)
    cdef uint8_t[::1] out = result
    for i in range(n):
        k = end[i] - 1
        while k > start[i] and (text[k] == b'"' or text[k] == b")" or text[k] == b"'" or text[k] == b"]"):
            k -= 1
        # Closing quotation marks of three bytes.
        if k - 2 > start[i] and text[k - 2] == 0xE2 and text[k - 1] == 0x80 and text[k] in (0x99, 0x9D):
            k -= 3
        c = text[k]
        if c == b"." or c == b"!" or c == b"?":
            out[i] = 3 if k > start[i] and text[k - 1] == b"." and c == b"." else 1
        elif c == b":":
            out[i] = 2
        elif k > start[i] and (
            text[k - 1] == 0xD8 and c == 0x9F or text[k - 1] == 0xDB and c == 0x94
        ):
            out[i] = 1
        elif k - 2 >= start[i]:
            if text[k - 2] == 0xE2 and text[k - 1] == 0x80 and c == 0xA6:
                out[i] = 3
            elif text[k - 2] == 0xE3 and text[k - 1] == 0x80 and c == 0x82:
                out[i] = 1
            elif text[k - 2] == 0xEF and text[k - 1] == 0xBC:
                out[i] = 1 if c == 0x81 or c == 0x9F else 2 if c == 0x9A else 0
    return result


def shared_words(
    const unsigned char[::1] text, Ints start, Ints end, const unsigned char[::1] title
):
    """Per block the number of its words, and of those that the *title* has too.

    A word is a run of letters and digits, or of bytes beyond ASCII; ASCII letters are
    taken in lower case. At most 64 words of the title count.
    """
    cdef uint64_t[64] known
    cdef int n_known = 0, i, k, j
    cdef uint64_t value
    counts = np.zeros((2, start.shape[0]), np.int32)
    cdef int32_t[:, ::1] out = counts
    k = 0
    while k < title.shape[0] and n_known < 64:
        value = _word_hash(title, &k, <int>title.shape[0])
        if value:
            known[n_known] = value
            n_known += 1
    for i in range(start.shape[0]):
        k = start[i]
        while k < end[i]:
            value = _word_hash(text, &k, end[i])
            if value:
                out[0, i] += 1
                for j in range(n_known):
                    if known[j] == value:
                        out[1, i] += 1
                        break
    return counts[0], counts[1], n_known


cdef uint64_t _word_hash(const unsigned char[::1] text, int* at, int end) noexcept:
    """The hash of the word at or after *at*, which moves behind it; 0 for none."""
    cdef uint64_t value = FNV_OFFSET
    cdef unsigned char c
    while at[0] < end and not _in_word(text[at[0]]):
        at[0] += 1
    if at[0] == end:
        return 0
    while at[0] < end and _in_word(text[at[0]]):
        c = text[at[0]]
        if b"A" <= c <= b"Z":
            c |= 0x20
        value = (value ^ c) * FNV_PRIME
        at[0] += 1
    return value


cdef inline bint _in_word(unsigned char c) noexcept:
    return c >= 0x80 or b"a" <= c <= b"z" or b"A" <= c <= b"Z" or b"0" <= c <= b"9"
