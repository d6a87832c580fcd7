"""A document's columns as plain pointers, and memory to work in."""

from libc.stdint cimport int32_t, uint64_t

from ...document._bytekinds cimport Kinds


cdef struct Groups:
    int32_t* group      # of each key, numbered as they come
    int32_t* rank       # how many keys of its group come before it
    int32_t* size       # of each group
    int count


cdef struct Chunk:
    # Memory to give out, behind this; and what was full before it.
    Chunk* below
    size_t size, used, unused


cdef struct Mark:
    Chunk* chunk
    size_t used


cdef class View:
    # Keeps the columns alive.
    cdef object document
    cdef int n, n_elements, n_runs, n_attributes, n_tokens, n_lines, n_values
    # Elements
    cdef const int32_t *tag
    cdef const int32_t *parent
    cdef const int32_t *depth
    cdef const int32_t *end
    cdef const int32_t *link
    cdef const int32_t *first_block
    cdef const int32_t *end_block
    cdef const int32_t *first_attribute
    # Text blocks
    cdef const int32_t *element
    cdef const int32_t *first_run
    cdef const int32_t *end_run
    cdef const int32_t *start
    cdef const int32_t *stop
    cdef const int32_t *flags
    cdef const int32_t *chars
    cdef const int32_t *words
    cdef const int32_t *cjk
    cdef const int32_t *linked
    cdef const int32_t *strong
    cdef const int32_t *sentences
    cdef const int32_t *commas
    cdef const int32_t *digits
    cdef const int32_t *capitals
    cdef const int32_t *line
    cdef const int32_t *place
    cdef const int32_t *end_place
    # Runs, attributes, tokens, lines
    cdef const int32_t *run_kind
    cdef const int32_t *run_element
    cdef const int32_t *run_block
    cdef const int32_t *run_start
    cdef const int32_t *run_end
    cdef const int32_t *attribute
    cdef const int32_t *attribute_element
    cdef const int32_t *attribute_start
    cdef const int32_t *attribute_end
    cdef const int32_t *token_attribute
    cdef const int32_t *token_element
    cdef const int32_t *token_start
    cdef const int32_t *token_end
    cdef const int32_t *line_text
    cdef const int32_t *line_code
    cdef const unsigned char* text
    cdef const unsigned char* values
    # What the bytes of the text are.
    cdef Kinds byte_kinds
    # A byte for each of the longer one of both.
    cdef unsigned char* room_for_text
    # Made once for all: words (an ideograph is half of one), the share of them in
    # links, the level of the heading around, and the sum of the words, at least 1.
    cdef double* weight
    cdef double* density
    cdef int32_t* heading
    cdef double total
    # Per level, each block's element and what adds a block to the one before.
    cdef int32_t* ancestors
    # Of all elements before each one how many of some kinds (see _containers.pyx).
    cdef int32_t* kinds
    # Per element hashes of it and of paths that end in it (see _places.pyx).
    cdef uint64_t *every
    cdef uint64_t *own
    cdef uint64_t *two
    cdef uint64_t *three
    cdef uint64_t *four
    # The blocks' texts, equal ones alike.
    cdef Groups texts
    # The tokens of attributes: the first one at its place in the values, and its
    # number, equal ones alike; how often there is each, and one of each.
    cdef int32_t* same_token
    cdef int32_t* token_group
    cdef int32_t* token_times
    cdef int32_t* one_token
    cdef int token_count
    # The first feature of the first block; how much each block says what the title says.
    cdef float* features
    cdef float* title_match
    cdef Chunk* chunk
    # What was given back, to be given out again.
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
