# Loops over the blocks of a document that has been read.

ctypedef const int32_t[::1] Ints


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


def last_characters(const unsigned char[::1] text, Ints start, Ints end):
    """The end of each block: 1 a sentence mark, 2 a colon, 3 an ellipsis, else 0."""
    cdef int i
    result = np.zeros(start.shape[0], np.uint8)
    cdef uint8_t[::1] out = result
    for i in range(start.shape[0]):
        out[i] = last_character(&text[0], start[i], end[i])
    return result


def shared_words(
    const unsigned char[::1] text, Ints start, Ints end, const unsigned char[::1] title
):
    """Per block the number of its words, and of its words in the *title*.

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
        value = word_hash(&title[0], &k, <int>title.shape[0])
        if value:
            known[n_known] = value
            n_known += 1
    for i in range(start.shape[0]):
        k = start[i]
        while k < end[i]:
            value = word_hash(&text[0], &k, end[i])
            if value:
                out[0, i] += 1
                for j in range(n_known):
                    if known[j] == value:
                        out[1, i] += 1
                        break
    return counts[0], counts[1], n_known
