"""Room that doubles, and open tables of names and repeated values."""

from os import urandom

import numpy as np

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, uint64_t, uintptr_t
from libc.string cimport memcmp, memcpy, strlen

from ...text._chars cimport length_of
from ...text._hashing cimport bytes_hash

cdef enum:
    MAX_ROWS = 1 << 29
    MAX_BYTES = 0x7FFFFFFF
    ROWS_PER_PIECE = 256

# Random in each process, so that no page can aim at collisions.
cdef uint64_t SALT = int.from_bytes(urandom(8), "little")


cdef class Table:
    """Records of 32-bit integers, given back as one array with a row per field."""

    def __init__(self, int fields, int room):
        self.fields = fields
        self.grow(room)

    def __dealloc__(self):
        PyMem_Free(self.data)

    cdef int grow(self, int more) except -1:
        """Make room for *more* records, and for as many again."""
        if self.rows > MAX_ROWS - more:
            raise ValueError("the tree has too many nodes")
        cdef size_t room = 2 * <size_t>(self.rows + more)
        self.data = <int32_t*>resize(self.data, room * self.fields * sizeof(int32_t))
        self.room = <int>room

    cdef object columns(self):
        """A new array with a row for each field."""
        array = np.empty((self.fields, self.rows), np.int32)
        cdef int32_t[:, ::1] view = array
        cdef int32_t* record
        cdef int begin, i, field
        # Piece by piece: the records of a piece stay in the cache from field to field.
        for begin in range(0, self.rows, ROWS_PER_PIECE):
            for field in range(self.fields):
                record = self.data + <size_t>begin * self.fields + field
                for i in range(begin, min(begin + ROWS_PER_PIECE, self.rows)):
                    view[field, i] = record[0]
                    record += self.fields
        return array


cdef class Buffer:
    """Bytes, one after another."""

    def __init__(self, size_t room):
        self.grow(room)

    def __dealloc__(self):
        PyMem_Free(self.data)

    cdef int grow(self, size_t more) except -1:
        """Make room for *more* bytes, and for as many again."""
        if more > MAX_BYTES - <size_t>self.used:
            raise ValueError("the tree holds more than 2 GiB of text")
        cdef size_t room = 2 * (self.used + more)
        # Beyond 2 GiB the numbers in the tables end.
        room = min(room, <size_t>MAX_BYTES)
        self.data = <unsigned char*>resize(self.data, room)
        self.room = room

    cdef void append(self, const unsigned char* s, size_t size) noexcept:
        """Add *size* bytes, for which room has been made."""
        memcpy(self.data + self.used, s, size)
        self.used += <int>size

    cdef bytes contents(self):
        return PyBytes_FromStringAndSize(<char*>self.data, self.used)


cdef class KnownValues:
    """Values that a document repeats, each kept once in its buffer."""

    def __init__(self):
        self._allocate(512)

    def __dealloc__(self):
        PyMem_Free(self.table)

    cdef int _allocate(self, int room) except -1:
        self.table = <Known*>PyMem_Calloc(room, sizeof(Known))
        if not self.table:
            self.room = 0
            raise MemoryError
        self.room, self.used = room, 0

    cdef int _grow(self) except -1:
        cdef Known* table = self.table
        cdef int room = self.room, i, at
        self.table = NULL
        try:
            self._allocate(2 * room)
            for i in range(room):
                if table[i].key:
                    at = <int>(table[i].key >> 8) & (self.room - 1)
                    while self.table[at].key:
                        at = (at + 1) & (self.room - 1)
                    self.table[at] = table[i]
                    self.used += 1
        finally:
            PyMem_Free(table)

    cdef Known* entry(self, Buffer values, const unsigned char* s, size_t size) except NULL:
        """The entry of the value *s*; that of a new value has equal start and end.

        The caller fills in a new entry before the next call.
        """
        cdef uint64_t key = bytes_hash(s, <int>size, SALT) | 1
        cdef Known* known
        if 2 * self.used >= self.room:
            self._grow()
        cdef int at = <int>(key >> 8) & (self.room - 1)
        while True:
            known = self.table + at
            if not known.key:
                known.key = key
                self.used += 1
                return known
            if (
                known.key == key
                and <size_t>(known.end - known.start) == size
                and memcmp(values.data + known.start, s, size) == 0
            ):
                return known
            at = (at + 1) & (self.room - 1)


cdef class Names:
    """Codes of names, found by the address of the name.

    The parser interns names: one address is one name. (A name at two addresses is
    merely looked up twice.) A new address is looked up in the dictionary *known*, which
    gets new names if *adds*. ``plain`` says that all names were known as written.
    """

    def __init__(self, dict known, bint adds):
        self.known = known
        self.adds = adds
        self.plain = True
        self._allocate(256)

    def __dealloc__(self):
        PyMem_Free(self.table)

    cdef int _allocate(self, int size) except -1:
        self.table = <Name*>PyMem_Calloc(size, sizeof(Name))
        if not self.table:
            raise MemoryError
        self.size = size

    cdef int _grow(self) except -1:
        cdef Name* table = self.table
        cdef int size = self.size, i
        try:
            self._allocate(size * 2)
            for i in range(size):
                if table[i].key:
                    find_slot(self, table[i].key)[0] = table[i]
        finally:
            PyMem_Free(table)

    cdef object codes(self):
        """The codes of all names that were looked up."""
        cdef int i
        return frozenset([self.table[i].code for i in range(self.size) if self.table[i].key])

    cdef Name* _learn(self, const unsigned char* name) except NULL:
        cdef size_t size = strlen(<const char*>name)
        text = (<const char*>name)[:size].decode("utf-8", "replace")
        code = self.known.get(text)
        if code is None:
            code = self.known.get(text.lower(), -1)
            self.plain = self.plain and code == -1
        if code == -1 and self.adds:
            code = self.known[text] = len(self.known)
        if self.used * 2 >= self.size:
            self._grow()
        cdef Name* found = find_slot(self, <uintptr_t>name)
        found[0] = Name(<uintptr_t>name, code, length_of(name, size))
        self.used += 1
        return found
