"""Tables and bytes that grow while a tree is read, and the codes of names."""

from libc.stdint cimport int32_t, uint64_t, uintptr_t


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


cdef struct Known:
    # A value: its hash, where it stands, and the records that were made of it.
    uint64_t key
    int32_t start, end, first, count


cdef class KnownValues:
    """Values that a document has often, each kept once in its buffer."""

    cdef Known* table
    cdef int room, used
    cdef int _allocate(self, int room) except -1
    cdef int _grow(self) except -1
    cdef Known* entry(self, Buffer values, const unsigned char* s, size_t size) except NULL


cdef struct Name:
    # Where it stands, its code, and how many characters it has.
    uintptr_t key
    int32_t code, length


cdef class Names:
    """Codes of names, found by the address of the name."""

    cdef Name* table
    cdef int size, used
    cdef dict known
    cdef bint adds
    cdef readonly bint plain
    cdef int _allocate(self, int size) except -1
    cdef int _grow(self) except -1
    cdef Name* _learn(self, const unsigned char* name) except NULL


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


cdef inline Name* place_of(Names names, uintptr_t key) noexcept:
    """Where *key* stands, or the free place where it belongs."""
    cdef int slot = <int>((key >> 3) * 2654435761u >> 15) & (names.size - 1)
    while names.table[slot].key and names.table[slot].key != key:
        slot = (slot + 1) & (names.size - 1)
    return names.table + slot


cdef inline Name* named(Names names, const unsigned char* name) except NULL:
    """What is known of *name*; an unknown one gets the next code, or -1.

    It is good until the next name is asked for.
    """
    cdef Name* found = place_of(names, <uintptr_t>name)
    return found if found.key else names._learn(name)
