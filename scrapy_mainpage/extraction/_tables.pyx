"""Tables and bytes that grow while a tree is read, and the codes of names.

The walk fills records (all fields of one element together, as it meets them); a
document has a column for each field. Both sizes double as needed, so that reading
stays linear in the size of the tree.
"""

import numpy as np

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Realloc
from libc.stdint cimport int32_t, uintptr_t
from libc.string cimport memcpy

cdef enum:
    MOST_ROWS = 1 << 29
    MOST_BYTES = 0x7FFFFFFF
    PIECE = 256


cdef void* _resized(void* memory, size_t size) except NULL:
    cdef void* larger = PyMem_Realloc(memory, size)
    if not larger:
        raise MemoryError
    return larger


cdef class Table:
    def __init__(self, int fields, int room):
        self.fields = fields
        self.grow(room)

    def __dealloc__(self):
        PyMem_Free(self.data)

    cdef int grow(self, int more) except -1:
        """Make room for *more* records, and for as many again."""
        if self.rows > MOST_ROWS - more:
            raise ValueError("the tree has too many nodes")
        cdef size_t room = 2 * <size_t>(self.rows + more)
        self.data = <int32_t*>_resized(self.data, room * self.fields * sizeof(int32_t))
        self.room = <int>room
        return 0

    cdef object columns(self):
        """A new array with a row for each field."""
        array = np.empty((self.fields, self.rows), np.int32)
        cdef int32_t[:, ::1] view = array
        cdef int32_t* record
        cdef int begin, i, field
        # Piece by piece: what is read again for the next field is still at hand.
        for begin in range(0, self.rows, PIECE):
            for field in range(self.fields):
                record = self.data + <size_t>begin * self.fields + field
                for i in range(begin, min(begin + PIECE, self.rows)):
                    view[field, i] = record[0]
                    record += self.fields
        return array


cdef class Buffer:
    def __init__(self, size_t room):
        self.grow(room)

    def __dealloc__(self):
        PyMem_Free(self.data)

    cdef int grow(self, size_t more) except -1:
        """Make room for *more* bytes, and for as many again."""
        if more > MOST_BYTES - <size_t>self.used:
            raise ValueError("the tree holds more than 2 GiB of text")
        cdef size_t room = 2 * (self.used + more)
        # Beyond 2 GiB the numbers in the tables end.
        room = min(room, <size_t>MOST_BYTES)
        self.data = <unsigned char*>_resized(self.data, room)
        self.room = room
        return 0

    cdef void append(self, const unsigned char* s, size_t size) noexcept:
        """Add *size* bytes, for which room has been made."""
        memcpy(self.data + self.used, s, size)
        self.used += <int>size

    cdef bytes contents(self):
        return PyBytes_FromStringAndSize(<char*>self.data, self.used)


cdef class Names:
    """A document's names are interned by the parser: one address is one name.

    (A name that stands at two addresses is merely looked up twice.) The first sight of
    an address asks the dictionary *known*, which gets new names if *adds*. ``plain``
    tells that no name had to be lowered to be known.
    """

    def __init__(self, dict known, bint adds):
        self.known = known
        self.adds = adds
        self.plain = True
        self._allocate(256)

    def __dealloc__(self):
        PyMem_Free(self.keys)
        PyMem_Free(self.codes)

    cdef int _allocate(self, int size) except -1:
        self.codes = <int*>PyMem_Calloc(size, sizeof(int))
        self.keys = <uintptr_t*>PyMem_Calloc(size, sizeof(uintptr_t))
        if not self.keys or not self.codes:
            raise MemoryError
        self.size = size
        self.used = 0
        return 0

    cdef int _grow(self) except -1:
        cdef uintptr_t* keys = self.keys
        cdef int* codes = self.codes
        cdef int size = self.size, i
        try:
            self._allocate(size * 2)
            for i in range(size):
                if keys[i]:
                    self._put(keys[i], codes[i])
        finally:
            PyMem_Free(keys)
            PyMem_Free(codes)
        return 0

    cdef void _put(self, uintptr_t key, int code) noexcept:
        cdef int slot = slot_of(self, key)
        self.keys[slot] = key
        self.codes[slot] = code
        self.used += 1

    cdef int _learn(self, const unsigned char* name) except -2:
        text = (<const char*>name).decode("utf-8", "replace")
        code = self.known.get(text)
        if code is None:
            code = self.known.get(text.lower(), -1)
            self.plain = self.plain and code == -1
        if code == -1 and self.adds:
            code = self.known[text] = len(self.known)
        if self.used * 2 >= self.size:
            self._grow()
        self._put(<uintptr_t>name, code)
        return code
