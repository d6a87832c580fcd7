"""Words in the names of classes and ids, told apart and looked up.

``roles/names.py`` says what is a word of a name. This does the same for the names
that are ASCII, which nearly all are.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from libc.stdint cimport uint64_t

cdef enum:
    # Of longer names no more is read.
    LONGEST = 80
    # More pieces, or words, cannot be in so many characters.
    MOST = LONGEST + 1


cdef inline bint _is_upper(unsigned char c) noexcept:
    return 65 <= c <= 90


cdef inline bint _is_lower(unsigned char c) noexcept:
    return 97 <= c <= 122


cdef inline bint _is_word(unsigned char c) noexcept:
    return _is_upper(c) or _is_lower(c) or 48 <= c <= 57


cdef class NameReader:
    """Reads names. *bits_of* has the bits of words, and of words joined with "-".

    A row of words has at most *longest_row* of them. *network_bits* are those of a name
    of at most *most_with_network* words with one of *networks* among them. An id of
    *long_id* pieces counts by its first and last; in a piece of several words single
    ones count from *least_camel* letters on.
    """

    cdef dict bits_of, networks
    cdef int longest_row, most_with_network, long_id, least_camel
    cdef uint64_t network_bits

    def __init__(
        self,
        dict bits_of,
        networks,
        uint64_t network_bits,
        *,
        int longest_row,
        int most_with_network,
        int long_id,
        int least_camel,
    ):
        self.bits_of = {word.encode(): bits for word, bits in bits_of.items()}
        self.networks = {word.encode(): True for word in networks}
        self.network_bits = network_bits
        self.longest_row, self.most_with_network = longest_row, most_with_network
        self.long_id, self.least_camel = long_id, least_camel

    def read(self, bytes name, bint is_id):
        """The bits of a name; ``None`` if it is not ASCII."""
        cdef int size = min(<int>len(name), LONGEST), k
        cdef const unsigned char* text = name
        for k in range(size):
            if text[k] >= 128:
                return None
        return self._read(text, size, is_id)

    cdef uint64_t _read(self, const unsigned char* text, int size, bint is_id) except? 0:
        # The words in lower case, with "-" behind each, and where they begin.
        cdef char[2 * LONGEST + 2] row
        cdef int[MOST + 1] at
        cdef int[MOST] piece_start
        cdef int[MOST] piece_end
        cdef int n_pieces = _pieces(text, size, piece_start, piece_end)
        cdef int words = 0, k, first, last
        cdef uint64_t bits = 0
        at[0] = 0
        for k in range(n_pieces):
            if is_id and n_pieces >= self.long_id and 0 < k < n_pieces - 1:
                continue
            first = words
            words = _parts(text, piece_start[k], piece_end[k], row, at, words)
            bits |= self._of_piece(row, at, first, words)
        if words <= self.most_with_network:
            for k in range(words):
                word = PyBytes_FromStringAndSize(row + at[k], at[k + 1] - at[k] - 1)
                if PyDict_GetItem(self.networks, word) is not NULL:
                    bits |= self.network_bits
        for k in range(words - 1):
            last = min(k + self.longest_row, words)
            for first in range(k + 2, last + 1):
                bits |= self._look_up(row + at[k], at[first] - at[k] - 1)
        return bits

    cdef uint64_t _of_piece(
        self, const char* row, const int* at, int first, int end
    ) except? 0:
        """The bits of the words of one piece, and of them without "-" between them."""
        cdef char[LONGEST] joined
        cdef int k, j, size = 0, least = self.least_camel if end - first > 1 else 0
        cdef uint64_t bits = 0
        for k in range(first, end):
            if at[k + 1] - at[k] - 1 >= least:
                bits |= self._look_up(row + at[k], at[k + 1] - at[k] - 1)
            for j in range(at[k], at[k + 1] - 1):
                joined[size] = row[j]
                size += 1
        if end - first > 1:
            bits |= self._look_up(joined, size)
        return bits

    cdef uint64_t _look_up(self, const char* word, int size) except? 0:
        cdef bytes key = PyBytes_FromStringAndSize(word, size)
        cdef PyObject* found = PyDict_GetItem(self.bits_of, key)
        return <uint64_t>(<object>found) if found is not NULL else 0


cdef int _pieces(const unsigned char* text, int size, int* start, int* end) noexcept:
    """What runs of other characters, and runs of underscores, stand between."""
    cdef int n = 0, k = 0, begin = 0
    cdef bint is_line
    while k < size:
        if _is_word(text[k]):
            k += 1
            continue
        start[n], end[n] = begin, k
        n += 1
        is_line = text[k] == 95
        while k < size and not _is_word(text[k]) and (text[k] == 95) == is_line:
            k += 1
        begin = k
    start[n], end[n] = begin, size
    return n + 1


cdef int _parts(
    const unsigned char* text, int start, int end, char* row, int* at, int words
) noexcept:
    """Add the words of a piece: each capital begins one, and digits end one."""
    cdef int k = start, stop, j, out
    while k < end:
        stop = k
        while stop < end and _is_upper(text[stop]):
            stop += 1
        if stop - k > 1 and stop < end and _is_lower(text[stop]):
            stop -= 1  # the last capital begins the next word
        elif stop - k <= 1:
            while stop < end and _is_lower(text[stop]):
                stop += 1
        if stop == k:
            k += 1  # a digit
            continue
        out = at[words]
        for j in range(k, stop):
            row[out] = text[j] | 32
            out += 1
        row[out] = 45
        words += 1
        at[words] = out + 1
        k = stop
    return words
