"""Hashes of 64 bits: the constants of FNV-1a, and mixing of eight bytes at a time."""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

cdef extern from *:
    """
    #define FNV_OFFSET 14695981039346656037ull
    #define FNV_PRIME 1099511628211ull
    """
    const uint64_t FNV_OFFSET
    const uint64_t FNV_PRIME


cdef inline uint64_t mixed(uint64_t value) noexcept:
    value = (value ^ (value >> 31)) * 0x9E3779B97F4A7C15ull
    return value ^ (value >> 29)


cdef inline uint64_t bytes_hash(const unsigned char* s, int size, uint64_t salt) noexcept:
    """Return the hash of bytes, read eight at a time."""
    cdef uint64_t value = mixed(FNV_OFFSET ^ salt ^ <uint64_t>size), eight
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
