"""Compiled loops of the labels: names in attributes, phrases in blocks, kinds of blocks.

All are linear in the number of attributes, of elements, and of the first words of blocks.
"""

import numpy as np

from cpython.unicode cimport (
    Py_UNICODE_ISALNUM, Py_UNICODE_ISDECIMAL, Py_UNICODE_ISDIGIT, Py_UNICODE_ISLOWER, Py_UNICODE_ISUPPER,
    Py_UNICODE_TOLOWER,
)
from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint32_t, uint64_t

from ...text._chars cimport decode, is_ascii_blank
from ..document._schema cimport HEADING_SHIFT, Column, Tables, read_tables

from ...label import Label
from ..document.schema import Context
from ..document.tags import CODES
from . import CODE
from .regions import CAPTION, NETWORK, PICTURE, Region

ctypedef const int32_t[::1] Ints

cdef uint64_t FNV_OFFSET = 14695981039346656037ull
cdef uint64_t FNV_PRIME = 1099511628211ull

# Of the characters below U+0080, which need no look at the tables of Unicode.
cdef enum:
    IS_WORD = 1
    IS_UPPER = 2
    IS_LOWER = 4
    IS_DIGIT = 8

cdef uint8_t[128] ASCII
for code in range(128):
    ASCII[code] = (
        IS_WORD * chr(code).isalnum() | IS_UPPER * chr(code).isupper()
        | IS_LOWER * chr(code).islower() | IS_DIGIT * chr(code).isdigit()
    )

cdef enum:
    # The words of a block that are looked at, and those of a phrase.
    MAX_WORDS = 96
    MAX_PHRASE_WORDS = 10

include "word_weights.pxi"
include "kinds.pxi"
include "name_words.pxi"


def name_bits(
    const unsigned char[::1] values,
    Ints attribute,
    Ints element,
    Ints start,
    Ints end,
    int n_elements,
    NameTable table not None,
):
    """The bits of the names in the attributes of each element."""
    result = np.zeros(n_elements, np.uint64)
    cdef uint64_t[::1] bits = result
    cdef const unsigned char* text = b""  # names may be empty, and so may all values be
    cdef int k
    if values.shape[0]:
        text = &values[0]
    for k in range(start.shape[0]):
        bits[element[k]] |= table.read(attribute[k], text + start[k], end[k] - start[k])
    return result


def bits_of_name(NameTable table not None, int attribute, bytes name not None):
    """The bits of a single name in an attribute (its code)."""
    return table.read(attribute, name, <int>len(name))


def find_larger(Ints parent, Ints first_block, Ints end_block):
    """Each element's nearest ancestor with more blocks than itself; -1 for none."""
    cdef int n = parent.shape[0], i, p
    result = np.full(n, -1, np.int32)
    cdef int32_t[::1] up = result
    for i in range(1, n):
        p = parent[i]
        if first_block[p] == first_block[i] and end_block[p] == end_block[i]:
            up[i] = up[p]
        else:
            up[i] = p
    return result


def word_hashes(str text):
    """The hashes of the words of *text*, as :func:`count_phrases` takes them."""
    cdef bytes data = text.encode()
    cdef uint64_t[MAX_WORDS] found
    cdef int numbers = 0, separators = 0
    cdef int n = _words(data, 0, <int>len(data), found, &numbers, &separators)
    return [found[k] for k in range(n)]


def step_key(uint64_t state, uint64_t word):
    """The key of the step from *state* by *word*."""
    return _key(state, word)


def count_phrases(
    const unsigned char[::1] text,
    Ints start,
    Ints end,
    const uint64_t[::1] keys,
    const int32_t[::1] following,
    const uint32_t[::1] topic,
    int n_topics,
    const int8_t[:, ::1] weights not None,
    const uint8_t[::1] main not None,
):
    """Per topic and block the words that stand in phrases of that topic.

    *keys* and *following* are an open hash table, a power of two in size, of the steps
    from state to state (see :func:`step_key`; state 0 is the start, following -1 an
    empty place), *topic* has the bits of each state. Returns the counts, the topics
    of the phrase that opens each block, its words, numbers, and separators; then for each
    block and role the sum of the *weights* of its slots (see :func:`word_slots`), and how
    many slots these are; blocks of *main* content, which have no role, get none. At most
    the first 96 words of a block are looked at.
    """
    cdef int n = start.shape[0], i, j, k, m, state, longest
    cdef int mask = <int>keys.shape[0] - 1
    cdef uint64_t[MAX_WORDS] words
    cdef uint32_t found
    if weights.shape[0] != WORD_SLOTS or weights.shape[1] != MAX_ROLES:
        raise ValueError("a row of weights for each slot, with a number for each role")
    if main.shape[0] != n:
        raise ValueError("a mark for each block")
    counts = np.zeros((n_topics, n), np.int32)
    opening = np.zeros(n, np.uint32)
    totals = np.zeros((3, n), np.int32)
    word_sums, slot_counts = np.zeros((n, MAX_ROLES), np.int16), np.zeros(n, np.int32)
    cdef int16_t[:, ::1] sums = word_sums
    cdef int32_t[::1] slots = slot_counts
    cdef int32_t[:, ::1] count = counts
    cdef int32_t[:, ::1] total = totals
    cdef uint32_t[::1] opens = opening
    cdef int n_words, numbers, separators
    for i in range(n):
        numbers, separators = 0, 0
        n_words = _words(&text[0], start[i], end[i], words, &numbers, &separators)
        total[0, i], total[1, i], total[2, i] = n_words, numbers, separators
        _weigh_words(weights, words, n_words, i, main, sums, slots)
        j = 0
        while j < n_words:
            state, longest, found = 0, 0, 0
            for k in range(j, min(j + MAX_PHRASE_WORDS, n_words)):
                state = _step(keys, following, mask, state, words[k])
                if state < 0:
                    break
                if topic[state]:
                    longest, found = k - j + 1, topic[state]
            if found:
                if j == 0:
                    opens[i] = found
                for m in range(n_topics):
                    if found >> m & 1:
                        count[m, i] += longest
                j += longest
            else:
                j += 1
    return counts, opening, totals[0], totals[1], totals[2], word_sums, slot_counts


cdef inline uint64_t _key(uint64_t state, uint64_t word) noexcept:
    cdef uint64_t key = (word ^ (state + 1) * 0x9E3779B97F4A7C15ull) * FNV_PRIME
    return key ^ key >> 29


cdef inline int _step(
    const uint64_t[::1] keys, Ints following, int mask, int state, uint64_t word
) noexcept:
    cdef uint64_t key = _key(state, word)
    cdef int at = <int>(key & <uint64_t>mask)
    while following[at] >= 0:
        if keys[at] == key:
            return following[at]
        at = (at + 1) & mask
    return -1


cdef inline bint _is_ideograph(uint32_t c) noexcept:
    return 0x3040 <= c <= 0x30FF or 0x3400 <= c <= 0x9FFF


cdef int _kind_of(uint32_t c) noexcept:
    """As in ``ASCII``; ideographs are words of their own."""
    if _is_ideograph(c) or not Py_UNICODE_ISALNUM(c):
        return 0
    return (
        IS_WORD | (IS_UPPER if Py_UNICODE_ISUPPER(c) else 0)
        | (IS_LOWER if Py_UNICODE_ISLOWER(c) else 0) | (IS_DIGIT if Py_UNICODE_ISDIGIT(c) else 0)
    )


cdef inline bint _separates(uint32_t c) noexcept:
    """Marks that stand between the steps of a trail."""
    return c in (0x3E, 0x2F, 0xBB, 0x203A, 0x2192, 0x25B8, 0x25BA, 0x25B6, 0xFF1E)


cdef int _words(
    const unsigned char* text, int at, int end, uint64_t* words, int* numbers, int* separators
) noexcept:
    """The hashes of the first words from *at* to *end*; counts numbers and separators.

    A word is a run of letters and digits in lower case, an ideograph, or the copyright
    sign; all runs of digits are alike. A capital after a small letter begins a word, as
    where links stand side by side.
    """
    cdef int n = 0, size, kind
    cdef uint32_t c
    cdef uint64_t value = 0
    cdef bint is_number = True, was_lower = False
    while at < end and n < MAX_WORDS:
        c = text[at]
        size = 1
        if c >= 0x80:
            size = decode(&text[at], &c)
            if size == 0:
                c, size = 0x20, 1
        at += size
        kind = ASCII[c] if c < 0x80 else _kind_of(c)
        if kind & IS_WORD:
            if value and was_lower and kind & IS_UPPER:
                words[n], value = value, 0
                n += 1
                if n == MAX_WORDS:
                    break
            was_lower = kind & IS_LOWER != 0
            if value == 0:
                value, is_number = FNV_OFFSET, True
            if kind & IS_DIGIT:
                c = 0x30
            else:
                is_number = False
            if not is_number or value == FNV_OFFSET:
                c = c | 0x20 if c < 0x80 else <uint32_t>Py_UNICODE_TOLOWER(c)
                value = (value ^ c) * FNV_PRIME
            continue
        if value:
            words[n], value = value, 0
            n += 1
            numbers[0] += is_number
            if n == MAX_WORDS:
                break
        if _is_ideograph(c) or c == 0xA9:
            words[n] = (FNV_OFFSET ^ c) * FNV_PRIME
            n += 1
        elif _separates(c):
            separators[0] += 1
    if value and n < MAX_WORDS:
        words[n] = value
        n += 1
        numbers[0] += is_number
    return n
