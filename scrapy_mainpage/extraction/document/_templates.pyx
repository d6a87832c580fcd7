"""Templates: which elements of a page were written by the same piece of markup."""

from os import urandom

import numpy as np

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, uint64_t

from ...text._hashing cimport folded_hash, mixed
from ._schema cimport Tables, read_tables

from .tags import ATTRIBUTE_CODES, CODES

cdef enum:
    # What an element shares with others of its number.
    TEMPLATES
    KINDS
    NESTED
    # Of a token; the rest of a longer one does not count.
    MAX_TOKEN_BYTES = 100
    N_STATES = 12
    N_KEPT = 512
    MIN_ALIKE = 4
    # Elements around a record, or classes before one, among which another is searched.
    N_NEAR = 8

cdef int ATTR_CLASS = ATTRIBUTE_CODES["class"]
cdef int TAG_A = CODES["a"]
cdef int TAG_TD = CODES["td"]

# Drawn per process, so that no page can be written whose paths all collide.
cdef uint64_t SALT = int.from_bytes(urandom(8), "little")

# Classes of the place or the state of a record among the others of its template.
STATES = b"active alt alternate current even first last new odd selected sticky unread".split()
cdef uint64_t[N_STATES] STATE_HASHES


cdef uint64_t _token_hash(const unsigned char* text, int start, int end) noexcept:
    cdef unsigned char[MAX_TOKEN_BYTES + 1] room
    return folded_hash(text, start, min(end, start + MAX_TOKEN_BYTES), room)


cdef bytes state
for k, state in enumerate(STATES):
    STATE_HASHES[k] = _token_hash(state, 0, len(state))


cdef uint64_t _class_key(const unsigned char* values, int start, int end) noexcept:
    """The key of a class; 0 for that of a place or a state."""
    cdef uint64_t key = _token_hash(values, start, end)
    cdef int k
    for k in range(N_STATES):
        if key == STATE_HASHES[k]:
            return 0
    return mixed(key)


def number_templates(document):
    """The template of each element as a number (int32), from 0, in document order.

    Elements of a template have the same tags and classes on the whole way from the root,
    digits in classes and those of a place or state (``odd``, ``active``) apart.
    """
    return _number_ways(document, TEMPLATES)


def number_kinds(document, bint is_nested=False):
    """The kind of each element as a number (int32), from 0, in document order.

    Kinds are templates without the classes of single records. Of four and more elements
    with a parent of the same kind and the same tag, other than links, those classes of
    each count that most of them have: ``post`` of ``class="post post-7 category-news"``.
    Cells of a table are of the kind of their column. With *is_nested* records inside of
    others, replies below a comment, are of the kind of these.
    """
    return _number_ways(document, NESTED if is_nested else KINDS)


cdef _number_ways(document, int mode):
    cdef Tables t
    cdef bytes kept = document.values
    read_tables(document, &t)
    result = np.empty(t.n_elements, np.int32)
    if not t.n_elements:
        return result
    cdef int32_t[::1] out = result
    # Parents stand before their children in either order.
    depth = document.elements.depth
    by_level = np.arange(t.n_elements) if mode == TEMPLATES else np.argsort(depth, kind="stable")
    cdef int32_t[::1] order = by_level.astype(np.int32)
    cdef Counts counts, found
    cdef uint64_t* keys = <uint64_t*>PyMem_Calloc(t.n_elements, sizeof(uint64_t))
    cdef uint64_t* leads = <uint64_t*>PyMem_Calloc(t.n_elements, sizeof(uint64_t))
    cdef uint64_t* classes = <uint64_t*>PyMem_Calloc(t.n_tokens + 1, sizeof(uint64_t))
    cdef int32_t* before = <int32_t*>PyMem_Calloc(t.n_elements, sizeof(int32_t))
    counts.keys = found.keys = NULL
    counts.numbers = found.numbers = NULL
    try:
        if not keys or not classes or not leads or not before:
            raise MemoryError
        _make_room(&counts, 0 if mode == TEMPLATES else t.n_elements + t.n_tokens)
        _make_room(&found, t.n_elements)
        _read_classes(&t, kept, classes)
        _follow_levels(&t, &order[0], classes, keys, leads, before, &counts, mode)
        _number(keys, t.n_elements, &found, &out[0])
    finally:
        PyMem_Free(keys)
        PyMem_Free(leads)
        PyMem_Free(classes)
        PyMem_Free(before)
        PyMem_Free(counts.keys)
        PyMem_Free(counts.numbers)
        PyMem_Free(found.keys)
        PyMem_Free(found.numbers)
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
        classes[i] = kept[start & (N_KEPT - 1)]


cdef void _follow_levels(
    const Tables* t, const int32_t* order, const uint64_t* classes, uint64_t* keys,
    uint64_t* leads, int32_t* before, Counts* counts, int mode
) noexcept:
    """The keys of the elements, level by level, as each needs the counts of its level.

    *leads* are the classes by which records in others are known, *before* the siblings.
    """
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
            before[i] = order[end - 1] if same else -1
            keys[i] = <uint64_t>(t.elements.tag[i] + 1)
            if t.elements.tag[i] == TAG_TD and mode != TEMPLATES:
                keys[i] += <uint64_t>(column + 1) << 32
            keys[i] = mixed(mixed(above) ^ keys[i])
            end += 1
            if mode == TEMPLATES:
                continue
            _count_of(counts, keys[i])[0] += 1
            for j in range(t.elements.first_token[i], _last_token(t, i)):
                if classes[j] and not _is_again(classes, t.elements.first_token[i], j):
                    _count_of(counts, mixed(keys[i] ^ classes[j]))[0] += 1
        for k in range(first, end):
            i = order[k]
            keys[i] = mixed(keys[i] ^ _common_classes(t, i, classes, keys[i], counts, leads, mode))
            above = _nested_key(t, i, classes, keys, leads, before) if mode == NESTED else 0
            if above:
                keys[i] = above
        first = end


cdef uint64_t _nested_key(
    const Tables* t, int element, const uint64_t* classes, const uint64_t* keys,
    const uint64_t* leads, const int32_t* before
) noexcept:
    """The key of a record of the same tag and class, in which, or below which, one is.

    Replies stand in the comment, or in an element beside it.
    """
    cdef int above = t.elements.parent[element], _level
    for _level in range(N_NEAR):
        if above < 0:
            return 0
        if _is_alike(t, element, above, classes, leads):
            return keys[above]
        if before[above] >= 0 and _is_alike(t, element, before[above], classes, leads):
            return keys[before[above]]
        above = t.elements.parent[above]
    return 0


cdef bint _is_alike(
    const Tables* t, int element, int other, const uint64_t* classes, const uint64_t* leads
) noexcept:
    """Whether an element has the tag of the other, and the class by which that is known."""
    cdef int j
    if t.elements.tag[other] != t.elements.tag[element] or not leads[other]:
        return False
    for j in range(t.elements.first_token[element], _last_token(t, element)):
        if classes[j] == leads[other]:
            return True
    return False


cdef inline int _last_token(const Tables* t, int element) noexcept:
    return t.elements.first_token[element + 1] if element + 1 < t.n_elements else t.n_tokens


cdef inline bint _is_again(const uint64_t* classes, int first, int at) noexcept:
    """Whether a class is one before it but for digits: ``post`` and ``post-7``."""
    cdef int j
    for j in range(max(first, at - N_NEAR), at):
        if classes[j] == classes[at]:
            return True
    return False


cdef uint64_t _common_classes(
    const Tables* t, int element, const uint64_t* classes, uint64_t key, Counts* counts,
    uint64_t* leads, int mode
) noexcept:
    """The key of the most common classes of an element; of all those of a link or of few."""
    cdef int j, count, most = 0
    cdef uint64_t common = 0
    cdef int least = 2 if mode == NESTED else MIN_ALIKE
    cdef bint is_loose = mode != TEMPLATES and t.elements.tag[element] != TAG_A
    is_loose = is_loose and _count_of(counts, key)[0] >= least
    for j in range(t.elements.first_token[element], _last_token(t, element)):
        if not classes[j]:
            continue
        if mode != TEMPLATES and _is_again(classes, t.elements.first_token[element], j):
            continue
        count = _count_of(counts, mixed(key ^ classes[j]))[0] if is_loose else 1
        if count > most:
            most = count
            common = 0
            leads[element] = classes[j]
        if count == most:
            common += classes[j]
    return common


cdef void _number(const uint64_t* keys, int n, Counts* found, int32_t* numbers) noexcept:
    """Number the *keys* as they come."""
    cdef int i, known = 0
    cdef int32_t* number
    for i in range(n):
        number = _count_of(found, keys[i])
        if not number[0]:
            known += 1
            number[0] = known
        numbers[i] = number[0] - 1
