# A growing buffer of bytes, and classes of UTF-8 characters.


cdef class Buffer:
    cdef unsigned char* bytes
    cdef Py_ssize_t size, room

    def __dealloc__(self):
        PyMem_Free(self.bytes)

    cdef int reserve(self, Py_ssize_t more) except -1:
        cdef Py_ssize_t room = 2 * (self.size + more) + 64
        cdef void* larger
        if self.size + more > self.room:
            larger = PyMem_Realloc(self.bytes, room)
            if not larger:
                raise MemoryError
            self.bytes = <unsigned char*>larger
            self.room = room

    cdef inline int put_byte(self, unsigned char byte) except -1:
        if self.size == self.room:
            self.reserve(1)
        self.bytes[self.size] = byte
        self.size += 1

    cdef int put_bytes(self, const unsigned char* s, Py_ssize_t size) except -1:
        if size:  # both pointers may be NULL otherwise
            self.reserve(size)
            memcpy(self.bytes + self.size, s, size)
            self.size += size

    cdef inline int put(self, const char* s) except -1:
        return self.put_bytes(<const unsigned char*>s, strlen(s))

    cdef int put_repeated(self, unsigned char c, Py_ssize_t count) except -1:
        for _ in range(count):
            self.put_byte(c)

    cdef int put_number(self, int number) except -1:
        cdef bytes digits = b"%d" % number
        return self.put_bytes(digits, len(digits))

    cdef Py_ssize_t count(self, unsigned char c) noexcept:
        cdef Py_ssize_t k, found = 0
        for k in range(self.size):
            found += self.bytes[k] == c
        return found

    cdef Py_ssize_t longest_run(self, unsigned char c) noexcept:
        cdef Py_ssize_t k, run = 0, longest = 0
        for k in range(self.size):
            run = run + 1 if self.bytes[k] == c else 0
            longest = max(longest, run)
        return longest

    cdef str text(self):
        return PyBytes_FromStringAndSize(<char*>self.bytes, self.size).decode("utf-8", "replace")


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


cdef inline int next_character(const unsigned char* s, int k, int end) noexcept:
    k += 1
    while k < end and s[k] & 0xC0 == 0x80:
        k += 1
    return k


cdef inline int previous_character(const unsigned char* s, int k, int start) noexcept:
    k -= 1
    while k > start and s[k] & 0xC0 == 0x80:
        k -= 1
    return k
