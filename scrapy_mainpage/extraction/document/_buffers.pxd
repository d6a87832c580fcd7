"""Growing tables and buffers, and the codes of names.

The walk fills records (all fields of one element together, as it meets them); a
document has a column for each field. Room doubles as needed, so that reading stays
linear in the size of the tree.
"""

from cpython.mem cimport PyMem_Realloc
from libc.stdint cimport int32_t, uint64_t, uintptr_t


cdef inline void* resize(void* memory, size_t size) except NULL:
    cdef void* larger = PyMem_Realloc(memory, size)
    if not larger:
        raise MemoryError
    return larger


cdef class Table:
    cdef int32_t* data
    cdef int fields, rows, room

    cdef int grow(self, int more) except -1
    cdef object columns(self)


cdef class Buffer:
    cdef unsigned char* data
    cdef size_t room
    cdef int used

    cdef int grow(self, size_t more) except -1
    cdef void append(self, const unsigned char* s, size_t size) noexcept
    cdef bytes contents(self)


cdef struct Known:
    # A value: its hash, its bytes in the buffer, and the tokens split from it.
    uint64_t key
    int32_t start, end, first, count
    int32_t formula             # what it says of formulas


cdef class KnownValues:
    cdef Known* table
    cdef int room, used

    cdef int _allocate(self, int room) except -1
    cdef int _grow(self) except -1
    cdef Known* entry(self, Buffer values, const unsigned char* s, size_t size) except NULL


cdef struct Name:
    # The name's address, its code, and its characters.
    uintptr_t key
    int32_t code, length


cdef class Names:
    cdef Name* table
    cdef int size, used
    cdef dict known
    cdef bint adds
    cdef readonly bint plain

    cdef int _allocate(self, int size) except -1
    cdef int _grow(self) except -1
    cdef object codes(self)
    cdef Name* _learn(self, const unsigned char* name) except NULL


cdef inline int reserve_rows(Table table, int more) except -1:
    """Make room for *more* records."""
    if table.rows + more > table.room:
        table.grow(more)


cdef inline int reserve_bytes(Buffer buffer, size_t more) except -1:
    """Make room for *more* bytes."""
    if buffer.used + more > buffer.room:
        buffer.grow(more)


cdef inline Name* find_slot(Names names, uintptr_t key) noexcept:
    """The slot of *key*, or the free slot where it belongs."""
    cdef int slot = <int>((key >> 3) * 2654435761u >> 15) & (names.size - 1)
    while names.table[slot].key and names.table[slot].key != key:
        slot = (slot + 1) & (names.size - 1)
    return names.table + slot


cdef inline Name* look_up(Names names, const unsigned char* name) except NULL:
    """The entry of *name*; a new one gets the next code, or -1.

    The pointer is valid until the next call.
    """
    cdef Name* found = find_slot(names, <uintptr_t>name)
    return found if found.key else names._learn(name)
