"""Templates: which elements of a page were written by the same piece of markup."""

from os import urandom

import numpy as np

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from libc.stdint cimport int32_t, uint64_t

from ...text._hashing cimport folded_hash, mixed
from ._schema cimport Tables, read_tables

from .tags import ATTRIBUTE_CODES

cdef enum:
    # Of a token; the rest of a longer one does not count.
    MAX_TOKEN_BYTES = 100
    N_STATES = 12
    N_KEPT = 512

cdef int ATTR_CLASS = ATTRIBUTE_CODES["class"]

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
