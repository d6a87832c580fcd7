"""Tables and bytes that grow while a tree is read, and the codes of names."""

from libc.stdint cimport int32_t, uintptr_t


cdef class Table:
    """Records of 32-bit integers, given back as one array with a row per field."""

    cdef int32_t* data
    cdef int fields, rows, room
    cdef int grow(self, int more) except -1
    cdef object columns(self)


cdef class Buffer:
    """Bytes, one after another."""

    cdef unsigned char* data
    cdef size_t room
    cdef int used
    cdef int grow(self, size_t more) except -1
    cdef void append(self, const unsigned char* s, size_t size) noexcept
    cdef bytes contents(self)


cdef class Names:
    """Codes of names, found by the address of the name."""

    cdef uintptr_t* keys
    cdef int* codes
    cdef int size, used
    cdef dict known
    cdef bint adds
    cdef readonly bint plain
    cdef int _allocate(self, int size) except -1
    cdef int _grow(self) except -1
    cdef void _put(self, uintptr_t key, int code) noexcept
    cdef int _learn(self, const unsigned char* name) except -2


cdef inline int reserve_rows(Table table, int more) except -1:
    """Make room for *more* records."""
    if table.rows + more > table.room:
        table.grow(more)
    return 0


cdef inline int reserve_bytes(Buffer buffer, size_t more) except -1:
    """Make room for *more* bytes."""
    if buffer.used + more > buffer.room:
        buffer.grow(more)
    return 0


cdef inline int slot_of(Names names, uintptr_t key) noexcept:
    """Where *key* stands, or the free slot where it belongs."""
    cdef int slot = <int>((key >> 3) * 2654435761u >> 15) & (names.size - 1)
    while names.keys[slot] and names.keys[slot] != key:
        slot = (slot + 1) & (names.size - 1)
    return slot


cdef inline int code_of(Names names, const unsigned char* name) except -2:
    """The code of *name*; an unknown one gets the next code, or -1."""
    cdef int slot = slot_of(names, <uintptr_t>name)
    if names.keys[slot]:
        return names.codes[slot]
    return names._learn(name)
