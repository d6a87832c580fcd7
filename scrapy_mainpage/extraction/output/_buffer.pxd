"""A growing buffer of bytes, and what the writers ask of UTF-8 text. All inline."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.stdint cimport uint32_t
from libc.string cimport memcpy, strlen


cdef struct Buffer:
    unsigned char* bytes
    Py_ssize_t size
    Py_ssize_t room


cdef inline int reserve(Buffer* buffer, Py_ssize_t more) except -1:
    cdef Py_ssize_t room = 2 * (buffer.size + more) + 64
    cdef void* larger
    if buffer.size + more > buffer.room:
        larger = PyMem_Realloc(buffer.bytes, room)
        if not larger:
            raise MemoryError
        buffer.bytes = <unsigned char*>larger
        buffer.room = room
    return 0


cdef inline int put(Buffer* buffer, unsigned char byte) except -1:
    reserve(buffer, 1)
    buffer.bytes[buffer.size] = byte
    buffer.size += 1
    return 0


cdef inline int put_bytes(Buffer* buffer, const unsigned char* s, Py_ssize_t size) except -1:
    if not size:  # there may be no memory yet, on either side
        return 0
    reserve(buffer, size)
    memcpy(buffer.bytes + buffer.size, s, size)
    buffer.size += size
    return 0


cdef inline int put_string(Buffer* buffer, const char* s) except -1:
    return put_bytes(buffer, <const unsigned char*>s, strlen(s))


cdef inline int put_number(Buffer* buffer, int number) except -1:
    cdef unsigned char[12] digits
    cdef int k = 12
    while True:
        k -= 1
        digits[k] = <unsigned char>(48 + number % 10)
        number //= 10
        if not number:
            return put_bytes(buffer, digits + k, 12 - k)


cdef inline object as_text(Buffer* buffer):
    cdef bytes data = PyBytes_FromStringAndSize(<char*>buffer.bytes, buffer.size)
    return data.decode("utf-8", "replace")


cdef inline void release(Buffer* buffer) noexcept:
    PyMem_Free(buffer.bytes)
    buffer.bytes = NULL
    buffer.size = buffer.room = 0


cdef inline bint is_blank(unsigned char c) noexcept:
    return c == 32 or c == 10 or c == 9 or c == 13 or c == 12


cdef inline bint is_letter_or_digit(unsigned char c) noexcept:
    return 48 <= c <= 57 or 65 <= c <= 90 or 97 <= c <= 122


cdef inline bint is_ascii_punctuation(unsigned char c) noexcept:
    return 33 <= c < 127 and not is_letter_or_digit(c)


cdef inline uint32_t character_at(const unsigned char* s, Py_ssize_t k, Py_ssize_t end) noexcept:
    """The character that begins at `k`; U+FFFD for a broken one."""
    cdef unsigned char c = s[k]
    if c < 0x80:
        return c
    if c >= 0xF0 and k + 3 < end:
        return (c & 7) << 18 | (s[k + 1] & 63) << 12 | (s[k + 2] & 63) << 6 | (s[k + 3] & 63)
    if c >= 0xE0 and k + 2 < end:
        return (c & 15) << 12 | (s[k + 1] & 63) << 6 | (s[k + 2] & 63)
    if c >= 0xC0 and k + 1 < end:
        return (c & 31) << 6 | (s[k + 1] & 63)
    return 0xFFFD


cdef inline Py_ssize_t next_character(const unsigned char* s, Py_ssize_t k, Py_ssize_t end) noexcept:
    k += 1
    while k < end and s[k] & 0xC0 == 0x80:
        k += 1
    return k


cdef inline Py_ssize_t previous_character(const unsigned char* s, Py_ssize_t k, Py_ssize_t start) noexcept:
    k -= 1
    while k > start and s[k] & 0xC0 == 0x80:
        k -= 1
    return k
