"""The constants of the hash FNV-1a, and what spreads the bits of a number."""

from libc.stdint cimport uint64_t

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
