"""Templates: which elements of a page were written by the same piece of markup."""

from os import urandom

import numpy as np

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from libc.stdint cimport int32_t, uint64_t

from ...text._hashing cimport folded_hash, mixed
from ._schema cimport Tables, read_tables

from .tags import ATTRIBUTE_CODES, CODES

cdef enum:
    # Of a token; the rest of a longer one does not count.
    MAX_TOKEN_BYTES = 100
    N_STATES = 12
    N_KEPT = 512
    MIN_ALIKE = 4

cdef int ATTR_CLASS = ATTRIBUTE_CODES["class"]
cdef int TAG_A = CODES["a"]
cdef int TAG_TD = CODES["td"]

# Drawn per process, so that no page can be written whose paths all collide.
cdef uint64_t SALT = int.from_bytes(urandom(8), "little")

# Classes of the place or the state of a record among the others of its template.
STATES = "active alt alternate current even first last new odd selected sticky unread".split()
cdef uint64_t[N_STATES] STATE_HASHES


cdef uint64_t _token_hash(const unsigned char* text, int start, int end) noexcept:
    cdef unsigned char[MAX_TOKEN_BYTES + 1] room
    return folded_hash(text, start, min(end, start + MAX_TOKEN_BYTES), room)


def _hash_states():
    cdef bytes name
    for k, word in enumerate(STATES):
        name = word.encode()
        STATE_HASHES[k] = _token_hash(name, 0, len(name))


_hash_states()


def number_templates(document):
    """The template of each element as a number (int32), from 0, in document order.

    Elements of a template have the same tags and classes on the whole way from the root,
    digits in classes and those of a place or state (``odd``, ``active``) apart.
    """
    cdef Tables t
    cdef const unsigned char* values
    cdef bytes kept = document.values
    read_tables(document, &t)
    result = np.empty(t.n_elements, np.int32)
    if not t.n_elements:
        return result
    values = kept
    cdef int32_t[::1] out = result
    cdef uint64_t* paths = <uint64_t*>PyMem_Calloc(t.n_elements, sizeof(uint64_t))
    if not paths:
        raise MemoryError
    try:
        _add_classes(&t, values, paths)
        _follow_paths(&t, paths)
        _number(paths, t.n_elements, &out[0])
    finally:
        PyMem_Free(paths)
    return result


cdef void _add_classes(const Tables* t, const unsigned char* values, uint64_t* keys) noexcept:
    """Add the keys of its classes to that of each element: their order does not count."""
    cdef int i, start
    # A repeated attribute has the tokens of the first: their keys by where they begin.
    cdef int[N_KEPT] places
    cdef uint64_t[N_KEPT] kept
    for i in range(N_KEPT):
        places[i] = -1
    for i in range(t.n_tokens):
        if t.tokens.attribute[i] != ATTR_CLASS:
            continue
        start = t.tokens.start[i]
        if places[start & (N_KEPT - 1)] != start:
            places[start & (N_KEPT - 1)] = start
            kept[start & (N_KEPT - 1)] = _class_key(values, start, t.tokens.end[i])
        keys[t.tokens.element[i]] += kept[start & (N_KEPT - 1)]


cdef uint64_t _class_key(const unsigned char* values, int start, int end) noexcept:
    """The key of a class; 0 for that of a place or a state."""
    cdef uint64_t key = _token_hash(values, start, end)
    cdef int k
    for k in range(N_STATES):
        if key == STATE_HASHES[k]:
            return 0
    return mixed(key)


cdef void _follow_paths(const Tables* t, uint64_t* keys) noexcept:
    """Replace the key of each element by one of the whole way to it."""
    cdef int i
    cdef uint64_t above
    for i in range(t.n_elements):
        above = keys[t.elements.parent[i]] if t.elements.parent[i] >= 0 else SALT
        keys[i] = mixed(mixed(above) ^ (keys[i] + <uint64_t>(t.elements.tag[i] + 1)))


def number_kinds(document):
    """The kind of each element as a number (int32), from 0, in document order.

    Kinds are templates without the classes of single records. Of four and more elements
    with a parent of the same kind and the same tag, other than links, those classes of
    each count that most of them have: ``post`` of ``class="post post-7 category-news"``.
    Cells of a table are of the kind of their column.
    """
    cdef Tables t
    cdef bytes kept = document.values
    read_tables(document, &t)
    result = np.empty(t.n_elements, np.int32)
    if not t.n_elements:
        return result
    cdef int32_t[::1] out = result
    cdef int32_t[::1] order = np.argsort(document.elements.depth, kind="stable").astype(np.int32)
    cdef Counts counts
    cdef uint64_t* keys = <uint64_t*>PyMem_Calloc(t.n_elements, sizeof(uint64_t))
    cdef uint64_t* classes = <uint64_t*>PyMem_Calloc(t.n_tokens + 1, sizeof(uint64_t))
    counts.keys = NULL
    counts.numbers = NULL
    try:
        if not keys or not classes:
            raise MemoryError
        _make_room(&counts, t.n_elements + t.n_tokens)
        _read_classes(&t, kept, classes)
        _follow_levels(&t, &order[0], classes, keys, &counts)
        _number(keys, t.n_elements, &out[0])
    finally:
        PyMem_Free(keys)
        PyMem_Free(classes)
        PyMem_Free(counts.keys)
        PyMem_Free(counts.numbers)
    return result


cdef struct Counts:
    # How often each key was met, by open addressing.
    uint64_t* keys
    int32_t* numbers
    size_t room


cdef int _make_room(Counts* counts, int n) except -1:
    counts.room = 16
    while counts.room < 2 * <size_t>n:
        counts.room *= 2
    counts.keys = <uint64_t*>PyMem_Calloc(counts.room, sizeof(uint64_t))
    counts.numbers = <int32_t*>PyMem_Calloc(counts.room, sizeof(int32_t))
    if not counts.keys or not counts.numbers:
        raise MemoryError
    return 0


cdef int32_t* _count_of(Counts* counts, uint64_t key) noexcept:
    cdef size_t at = key & (counts.room - 1)
    while counts.numbers[at] and counts.keys[at] != key:
        at = (at + 1) & (counts.room - 1)
    counts.keys[at] = key
    return &counts.numbers[at]


cdef void _read_classes(const Tables* t, const unsigned char* values, uint64_t* classes) noexcept:
    """The key of each token that is a class; 0 for others, and for states."""
    cdef int i
    for i in range(t.n_tokens):
        if t.tokens.attribute[i] == ATTR_CLASS:
            classes[i] = _class_key(values, t.tokens.start[i], t.tokens.end[i])


cdef void _follow_levels(
    const Tables* t, const int32_t* order, const uint64_t* classes, uint64_t* keys, Counts* counts
) noexcept:
    """The keys of the elements, level by level, as each needs the counts of its level."""
    cdef int first = 0, end, k, i, j, column = 0
    cdef uint64_t above
    cdef bint same
    while first < t.n_elements:
        end = first
        while end < t.n_elements and t.elements.depth[order[end]] == t.elements.depth[order[first]]:
            i = order[end]
            above = keys[t.elements.parent[i]] if t.elements.parent[i] >= 0 else SALT
            # Of the cells of a row those of one column are of a kind.
            same = end > first and t.elements.parent[order[end - 1]] == t.elements.parent[i]
            column = column + 1 if same else 0
            keys[i] = <uint64_t>(t.elements.tag[i] + 1)
            if t.elements.tag[i] == TAG_TD:
                keys[i] += <uint64_t>(column + 1) << 32
            keys[i] = mixed(mixed(above) ^ keys[i])
            _count_of(counts, keys[i])[0] += 1
            for j in range(t.elements.first_token[i], _last_token(t, i)):
                if classes[j]:
                    _count_of(counts, mixed(keys[i] ^ classes[j]))[0] += 1
            end += 1
        for k in range(first, end):
            i = order[k]
            keys[i] = mixed(keys[i] ^ _common_classes(t, i, classes, keys[i], counts))
        first = end


cdef inline int _last_token(const Tables* t, int element) noexcept:
    return t.elements.first_token[element + 1] if element + 1 < t.n_elements else t.n_tokens


cdef uint64_t _common_classes(
    const Tables* t, int element, const uint64_t* classes, uint64_t key, Counts* counts
) noexcept:
    """The key of the most common classes of an element; of all those of a link or of few."""
    cdef int j, count, most = 0
    cdef uint64_t common = 0
    cdef bint is_loose = t.elements.tag[element] != TAG_A and _count_of(counts, key)[0] >= MIN_ALIKE
    for j in range(t.elements.first_token[element], _last_token(t, element)):
        if not classes[j]:
            continue
        count = _count_of(counts, mixed(key ^ classes[j]))[0] if is_loose else 1
        if count > most:
            most = count
            common = 0
        if count == most:
            common += classes[j]
    return common


cdef int _number(const uint64_t* keys, int n, int32_t* numbers) except -1:
    cdef size_t room = 16, at
    cdef int i, found = 0
    while room < 2 * <size_t>n:
        room *= 2
    cdef int32_t* first = <int32_t*>PyMem_Malloc(room * sizeof(int32_t))
    if not first:
        raise MemoryError
    for at in range(room):
        first[at] = -1
    for i in range(n):
        at = keys[i] & (room - 1)
        while first[at] >= 0 and keys[first[at]] != keys[i]:
            at = (at + 1) & (room - 1)
        if first[at] < 0:
            first[at] = i
            numbers[i] = found
            found += 1
        else:
            numbers[i] = numbers[first[at]]
    PyMem_Free(first)
    return found
