"""Hashes of 64 bits: FNV-1a, and mixing of eight bytes at a time."""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy


cdef inline uint64_t fnv_start() noexcept:
    return 14695981039346656037ull


cdef inline uint64_t fnv_step(uint64_t value, uint64_t more) noexcept:
    return (value ^ more) * 1099511628211ull


cdef inline uint64_t mixed(uint64_t value) noexcept:
    value = (value ^ (value >> 31)) * 0x9E3779B97F4A7C15ull
    return value ^ (value >> 29)


cdef inline uint64_t bytes_hash(const unsigned char* s, int size, uint64_t salt) noexcept:
    """Return the hash of bytes, read eight at a time."""
    cdef uint64_t value = mixed(fnv_start() ^ salt ^ <uint64_t>size), eight
    while size >= 8:
        memcpy(&eight, s, 8)
        value = mixed(value ^ eight)
        s += 8
        size -= 8
    eight = 0
    memcpy(&eight, s, size)
    return mixed(value ^ eight)


cdef inline uint64_t folded_hash(
    const unsigned char* text, int start, int stop, unsigned char* room
) noexcept:
    """Return the hash of a text without ASCII case, digits and blanks; never 0.

    *room* is a buffer with one byte more than the text. Writing to it first takes no
    branch, and blanks cannot be predicted.
    """
    cdef int k, count = 0
    cdef unsigned char c
    for k in range(start, stop):
        c = text[k]
        room[count] = c | (<unsigned char>(c - 65) < 26) << 5
        count += (c > 32) & (<unsigned char>(c - 48) >= 10)
    return bytes_hash(room, count, 0) | 1


cdef inline uint64_t word_hash(const unsigned char* text, int* at, int end) noexcept:
    """The hash of the word at or after *at*, which moves behind it; 0 for none.

    A word is a run of letters and digits, or of bytes beyond ASCII; ASCII letters are
    taken in lower case.
    """
    cdef uint64_t value = fnv_start()
    cdef unsigned char c
    while at[0] < end and not in_word(text[at[0]]):
        at[0] += 1
    if at[0] == end:
        return 0
    while at[0] < end and in_word(text[at[0]]):
        c = text[at[0]]
        if b"A" <= c <= b"Z":
            c |= 0x20
        value = fnv_step(value, c)
        at[0] += 1
    return value


cdef inline bint in_word(unsigned char c) noexcept:
    return c >= 0x80 or <unsigned char>((c | 0x20) - 97) < 26 or <unsigned char>(c - 48) < 10
