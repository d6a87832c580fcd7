"""Reading a document's columns, weighing its blocks, and memory in chunks."""

from os import urandom

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memset

from ....text._hashing cimport mixed
from ...document._bytekinds cimport Kinds, read_kinds
from ...document._schema cimport HEADING_SHIFT, Tables, read_tables

cdef enum:
    CHUNK_BYTES = 1 << 18

# Drawn per process, so that no page can be written whose texts all collide in a table.
# The numbers that texts get do not depend on it.
cdef uint64_t SALT = int.from_bytes(urandom(8), "little")


cdef class View:

    def __cinit__(self, document):
        self.document = document
        cdef Tables t
        cdef int k
        read_tables(document, &t)
        self.n, self.n_elements, self.n_runs = t.n_blocks, t.n_elements, t.n_runs
        self.n_attributes, self.n_tokens, self.n_lines = t.n_attributes, t.n_tokens, t.n_lines
        self.tag, self.parent, self.depth = t.elements.tag, t.elements.parent, t.elements.depth
        self.end, self.link = t.elements.end, t.elements.link
        self.first_block, self.end_block = t.elements.first_block, t.elements.end_block
        self.first_attribute = t.elements.first_attribute
        self.element, self.flags = t.blocks.element, t.blocks.flags
        self.first_run, self.end_run = t.blocks.first_run, t.blocks.end_run
        self.start, self.stop = t.blocks.start, t.blocks.end
        self.chars, self.words, self.cjk = t.blocks.chars, t.blocks.words, t.blocks.cjk
        self.item, self.cell = t.blocks.item, t.blocks.cell
        self.linked, self.strong = t.blocks.linked_words, t.blocks.strong_words
        self.sentences, self.commas = t.blocks.sentences, t.blocks.commas
        self.digits, self.capitals = t.blocks.digits, t.blocks.capitals
        self.line, self.place, self.end_place = t.blocks.line, t.blocks.place, t.blocks.end_place
        self.run_kind, self.run_element, self.run_block = t.runs.kind, t.runs.element, t.runs.block
        self.run_start, self.run_end = t.runs.start, t.runs.end
        self.attribute, self.attribute_element = t.attributes.name, t.attributes.element
        self.attribute_start, self.attribute_end = t.attributes.start, t.attributes.end
        self.token_attribute, self.token_element = t.tokens.attribute, t.tokens.element
        self.token_start, self.token_end = t.tokens.start, t.tokens.end
        self.line_text, self.line_code = t.lines.text, t.lines.code
        cdef bytes text = document.text, values = document.values
        self.text, self.values, self.n_values = text, values, len(values)
        self.room_for_text = <unsigned char*>self.take(max(len(text), len(values)) + 1)
        cdef const int32_t[::1] templates = document.templates
        self.template = &templates[0] if self.n_elements else NULL
        self.n_templates = 1
        for k in range(self.n_elements):
            self.n_templates = max(self.n_templates, self.template[k] + 1)
        self._weigh()
        self._read_kinds(len(text))

    def __dealloc__(self):
        cdef Chunk* below
        while self.chunk:
            below = self.chunk.below
            PyMem_Free(self.chunk)
            self.chunk = below
        while self.spare:
            below = self.spare.below
            PyMem_Free(self.spare)
            self.spare = below
        PyMem_Free(self.table)

    cdef int _read_kinds(self, size_t size) except -1:
        cdef unsigned char[64] rest
        cdef size_t at, full = size // 64
        self.byte_kinds = Kinds(
            self.keys(full + 1), self.keys(full + 1), self.keys(full + 1),
            self.keys(full + 1),
        )
        for at in range(full):
            read_kinds(self.text + 64 * at, &self.byte_kinds, at)
        memset(rest, 0, 64)
        memcpy(rest, self.text + 64 * full, size - 64 * full)
        read_kinds(rest, &self.byte_kinds, full)

    cdef int _weigh(self) except -1:
        cdef int i
        cdef double total = 0
        self.weight, self.density = self.doubles(self.n), self.doubles(self.n)
        self.heading = self.ints(self.n)
        for i in range(self.n):
            self.weight[i] = self.words[i] - self.cjk[i] * 0.5
            self.density[i] = self.linked[i] / <double>max(self.words[i], 1)
            self.heading[i] = self.flags[i] >> HEADING_SHIFT
            total += self.weight[i]
        self.total = at_least(total, 1)

    cdef void* take(self, size_t size) except NULL:
        """Memory of *size* bytes, until an earlier mark is released."""
        cdef Chunk* chunk = self.chunk
        size = (size + 15) & ~<size_t>15
        if not chunk or chunk.size - chunk.used < size:
            chunk = self._grow(size)
        chunk.used += size
        return <char*>(chunk + 1) + chunk.used - size

    cdef Chunk* _grow(self, size_t size) except NULL:
        cdef size_t room = max(size, <size_t>CHUNK_BYTES)
        cdef Chunk* chunk = self._spare_chunk(size)
        if not chunk:
            chunk = <Chunk*>PyMem_Malloc(sizeof(Chunk) + room)
            if not chunk:
                raise MemoryError
            chunk.size = room
        chunk.below, chunk.used = self.chunk, 0
        self.chunk = chunk
        return chunk

    cdef Chunk* _spare_chunk(self, size_t size) noexcept:
        """The first chunk that was given back and has room for *size* bytes."""
        cdef Chunk** place = &self.spare
        cdef Chunk* chunk
        while place[0] and place[0].size < size:
            place = &place[0].below
        chunk = place[0]
        if chunk:
            place[0] = chunk.below
        return chunk

    cdef Mark mark(self) noexcept:
        """The state of the memory now."""
        return Mark(self.chunk, self.chunk.used if self.chunk else 0)

    cdef void release(self, Mark mark) noexcept:
        """Give back all memory taken since the *mark*, to be reused while it is cached."""
        cdef Chunk* below
        while self.chunk != mark.chunk:
            below = self.chunk.below
            self.chunk.below, self.spare = self.spare, self.chunk
            self.chunk = below
        if self.chunk:
            self.chunk.used = mark.used

    cdef void* zeros(self, size_t size) except NULL:
        """The same, all 0."""
        return memset(self.take(size), 0, size)

    cdef float* columns(self, size_t rows) except NULL:
        """Room for so many rows with a number per block."""
        return <float*>self.take(rows * self.n * sizeof(float))

    cdef double* doubles(self, size_t n) except NULL:
        return <double*>self.take(n * sizeof(double))

    cdef double* zero_doubles(self, size_t n) except NULL:
        return <double*>self.zeros(n * sizeof(double))

    cdef int32_t* ints(self, size_t n) except NULL:
        return <int32_t*>self.take(n * sizeof(int32_t))

    cdef int32_t* zero_ints(self, size_t n) except NULL:
        return <int32_t*>self.zeros(n * sizeof(int32_t))

    cdef uint64_t* keys(self, size_t n) except NULL:
        return <uint64_t*>self.take(n * sizeof(uint64_t))

    cdef uint64_t* zero_keys(self, size_t n) except NULL:
        return <uint64_t*>self.zeros(n * sizeof(uint64_t))

    cdef Groups number(self, const uint64_t* keys, int n) except *:
        """The groups of equal *keys*."""
        cdef int64_t room = 16, at
        cdef int i, found = 0
        while room < 2 * n:
            room *= 2
        if room > self.room:
            PyMem_Free(self.table)
            self.room = 0
            self.table = <int32_t*>PyMem_Malloc(room * sizeof(int32_t))
            if not self.table:
                raise MemoryError
            self.room = <int>room
        cdef int32_t* table = self.table
        cdef uint64_t* known = self.keys(n)
        cdef Groups groups = Groups(self.ints(n), self.ints(n), self.ints(n), 0)
        memset(table, 0xFF, room * sizeof(int32_t))
        for i in range(n):
            at = <int64_t>(mixed(keys[i] ^ SALT) & <uint64_t>(room - 1))
            while table[at] >= 0 and known[table[at]] != keys[i]:
                at = (at + 1) & (room - 1)
            if table[at] < 0:
                table[at] = found
                known[found] = keys[i]
                groups.size[found] = 0
                found += 1
            groups.group[i] = table[at]
            groups.rank[i] = groups.size[table[at]]
            groups.size[table[at]] += 1
        groups.count = found
        return groups
