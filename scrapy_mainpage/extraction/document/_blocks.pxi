# Loops over the blocks of a document that has been read.

ctypedef const int32_t[::1] Ints


def last_characters(const unsigned char[::1] text, Ints start, Ints end):
    """The end of each block: 1 a sentence mark, 2 a colon, 3 an ellipsis, else 0."""
    cdef int i
    result = np.zeros(start.shape[0], np.uint8)
    cdef uint8_t[::1] out = result
    for i in range(start.shape[0]):
        out[i] = last_character(&text[0], start[i], end[i])
    return result


def find_headings(Ints flags):
    """The blocks of headings by their *flags*, each with its level."""
    cdef int i
    cdef list found = []
    for i in range(flags.shape[0]):
        if flags[i] >> HEADING_SHIFT:
            found.append((i, flags[i] >> HEADING_SHIFT))
    return found
