from libc.stdint cimport int32_t, uint64_t

from ...document._bytekinds cimport Kinds
from ...document._schema cimport Column

cdef enum:
    # Ancestors of a block that features look at: each holds more blocks than the one below.
    LEVELS = 7
    # A block with more words is likely a sentence or more.
    LONG_BLOCK_WORDS = 15
    # Blocks; distances are cut off there.
    MAX_BLOCK_DISTANCE = 300


cdef struct Groups:
    int32_t* group      # of each key, numbered as they come
    int32_t* rank       # how many keys of its group come before it
    int32_t* size       # of each group
    int count


cdef struct Chunk:
    # Header of a piece of memory; the full pieces before it.
    Chunk* below
    size_t size, used, unused


cdef struct Mark:
    Chunk* chunk
    size_t used


ctypedef int32_t* Numbers
ctypedef uint64_t* Hashes


cdef class View:
    # Keeps the columns alive.
    cdef object document
    cdef int n, n_elements, n_runs, n_attributes, n_tokens, n_lines, n_values
    # Elements
    cdef Column tag, parent, depth, end, link, first_block, end_block
    cdef Column first_attribute
    # Text blocks
    cdef Column element, first_run, end_run, start, stop, flags, chars, words
    cdef Column item, cell, cjk, linked, strong, sentences, commas, digits, capitals, line
    cdef Column place, end_place
    # Runs, attributes, tokens, lines
    cdef Column run_kind, run_element, run_block, run_start, run_end, attribute
    cdef Column attribute_element, attribute_start, attribute_end, token_attribute
    cdef Column token_element, token_start, token_end, line_text, line_code
    cdef const unsigned char* text
    cdef const unsigned char* values
    # Kinds of the bytes of the text.
    cdef Kinds byte_kinds
    # A byte for each of the longer one of both.
    cdef unsigned char* room_for_text
    # Made once for all: words (an ideograph is half of one), the share of them in
    # links, the level of the heading around, and the sum of the words, at least 1.
    cdef double* weight
    cdef double* density
    cdef int32_t* heading
    cdef double total
    # Per level, each block's element, then the next ancestor with more blocks.
    cdef int32_t* ancestors
    # Of all elements before each one how many of some kinds (_containers.pyx).
    cdef int32_t* kinds
    # Per element hashes of it and of paths that end in it (_places.pyx).
    cdef Hashes every, own, two, three, four
    # Per element its template, and how many there are.
    cdef Column template
    cdef int n_templates
    # The blocks' texts, equal ones alike.
    cdef Groups texts
    # The tokens of attributes: the first one at its place in the values, and its
    # number, equal ones alike; the count of each, and one of each.
    cdef Numbers same_token, token_group, token_times, one_token
    cdef int token_count
    # Room for the features; the match of each block with the title.
    cdef float* features
    cdef float* title_match
    cdef Chunk* chunk
    # Released pieces, to be used again.
    cdef Chunk* spare
    cdef int32_t* table
    cdef int room

    cdef int _read_kinds(self, size_t size) except -1
    cdef int _weigh(self) except -1
    cdef void* take(self, size_t size) except NULL
    cdef Chunk* _grow(self, size_t size) except NULL
    cdef Chunk* _spare_chunk(self, size_t size) noexcept
    cdef Mark mark(self) noexcept
    cdef void release(self, Mark mark) noexcept
    cdef void* zeros(self, size_t size) except NULL
    cdef float* columns(self, size_t rows) except NULL
    cdef double* doubles(self, size_t n) except NULL
    cdef double* zero_doubles(self, size_t n) except NULL
    cdef int32_t* ints(self, size_t n) except NULL
    cdef int32_t* zero_ints(self, size_t n) except NULL
    cdef uint64_t* keys(self, size_t n) except NULL
    cdef uint64_t* zero_keys(self, size_t n) except NULL
    cdef Groups number(self, const uint64_t* keys, int n) except *


cdef inline double at_least(double value, double least) noexcept:
    return value if value > least else least
