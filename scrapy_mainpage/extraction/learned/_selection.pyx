"""From the sums of the trees to the set of blocks with the highest expected F-measure.

The steps are explained in learned.py.
"""

from os import urandom

import numpy as np

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from libc.math cimport exp, log
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from ...text._hashing cimport mixed
from ..document._schema cimport HIDDEN, Tables, read_tables
from ._together cimport keep_headings, keep_prices, keep_units

# Drawn per process, so that no page can be written whose texts all collide in the table.
cdef uint64_t TEXT_SALT = int.from_bytes(urandom(8), "little")

cdef enum:
    N_SHIFTS = 7

cpdef enum:
    # Words; longer texts that repeat an earlier one are copies.
    MIN_COPY_WORDS = 10

# A page with few main words expected has some if they are this share of its words, or if
# those chosen are likely.
cdef double MIN_EXPECTED_SHARE = 0.4
cdef double MIN_LIKELY = 0.07
# Of a page's log odds: a normal spread, found by cross-validation.
cdef double[N_SHIFTS] SHIFTS = [-2.4, -1.5, -0.75, 0.0, 0.75, 1.5, 2.4]
# Slope of the log odds given the shift, so that their mean stays as predicted.
cdef double STEEPNESS = 1.2
cdef double TINY = 1e-9
# Margin for rounding errors.
cdef double PRUNE_FACTOR = 1 - 1e-9

ctypedef const int32_t[::1] Ints


def calibrate(document, const double[::1] odds):
    """The probability of each block, given its log odds.

    Hidden blocks get half of it: they are rarely meant to be read, and training pages
    have too few of them for the trees to learn that. Those that no control can open get
    nothing.
    """
    scores = np.empty(odds.shape[0], np.float32)
    cdef float[::1] out = scores
    cdef Tables t
    cdef double likely
    cdef int i
    read_tables(document, &t)
    for i in range(odds.shape[0]):
        likely = 1 / (1 + exp(-odds[i]))
        if t.blocks.flags[i] & HIDDEN:
            likely = 0 if _is_nameless(&t, t.blocks.element[i]) else 0.5 * likely
        out[i] = <float>likely
    return scores


cdef bint _is_nameless(const Tables* t, int i) noexcept:
    """Whether the outermost hidden element around one has no name for scripts to find it."""
    while t.elements.parent[i] >= 0 and t.elements.flags[t.elements.parent[i]] & HIDDEN:
        i = t.elements.parent[i]
    return t.elements.parent[i] > 0 and i + 1 < t.n_elements and (
        t.elements.first_token[i] == t.elements.first_token[i + 1]
        and t.elements.first_attribute[i] == t.elements.first_attribute[i + 1]
    )


def select_blocks(
    document, const float[::1] scores, double beta, double min_words
):
    """The best set of blocks as a mask, and the F1 that is expected of it.

    A heading whose text is taken is taken, too, and so is a unit in a text that is
    (_together.pyx). A page with
    fewer than *min_words* main words expected, a small part of its words, and none of them
    likely, has no main content.
    """
    cdef Tables t
    cdef int n = scores.shape[0], i, count
    cdef double right = 0, expected = 0, total = 0
    cdef uint32_t bits
    cdef float likely
    mask, keys = np.zeros(n, np.uint8), np.empty(n, np.uint64)
    cdef uint8_t[::1] out = mask
    cdef uint64_t[::1] key = keys
    if not n:
        return mask.view(bool), 0.0
    read_tables(document, &t)
    cdef double* weight = <double*>PyMem_Malloc(n * sizeof(double))
    if not weight:
        raise MemoryError
    try:
        for i in range(n):
            weight[i] = t.blocks.words[i] - t.blocks.cjk[i] * 0.5
            right += scores[i] * weight[i]
            total += weight[i]
            # The likeliest first; of equal ones the first. Bits of numbers that are not
            # negative are in the order of the numbers.
            likely = scores[i]
            memcpy(&bits, &likely, 4)
            key[i] = <uint64_t>(~bits) << 32 | <uint64_t>i
        if right > 0:
            keys.sort()
            count = _best_prefix(scores, weight, &key[0], n, beta, &expected)
            for i in range(count):
                out[<int>(key[i] & 0xFFFFFFFF)] = 1
        if right < min_words and right < MIN_EXPECTED_SHARE * total:
            if _mean_chosen(scores, weight, out) < MIN_LIKELY:
                # Right if the page has no main content: the surer, the fewer are expected.
                mask[:] = 0
                return mask.view(bool), 1 - right / min_words
        keep_units(document, &t, &scores[0], &out[0])
        keep_headings(&t, &scores[0], &out[0])
        keep_prices(document, &t, &scores[0], &out[0])
        return mask.view(bool), expected
    finally:
        PyMem_Free(weight)


cdef double _mean_chosen(
    const float[::1] p, const double* words, const uint8_t[::1] chosen
) noexcept:
    cdef double right = 0, total = 0
    cdef int i
    for i in range(chosen.shape[0]):
        if chosen[i]:
            right += p[i] * words[i]
            total += words[i]
    return right / total if total else 0


cdef int _best_prefix(
    const float[::1] probability, const double* words, const uint64_t* order, int n,
    double beta, double* f1,
) except -1:
    """The expectation is the mean over shifts, each time the ratio of expectations.

    The lower half of each number in *order* is a block.
    """
    cdef int i, k, block, best = 0
    cdef double square = beta * beta, taken = 0, expected, highest = -1, odds, p
    cdef double[N_SHIFTS] wanted, right, factor
    cdef double* found = <double*>PyMem_Malloc(n * N_SHIFTS * sizeof(double))
    if not found:
        raise MemoryError
    for k in range(N_SHIFTS):
        right[k], factor[k] = 0, exp(-SHIFTS[k])
    for i in range(n):
        block = <int>(order[i] & 0xFFFFFFFF)
        p = probability[block]
        if p > 0:
            odds = exp(-STEEPNESS * log(max(p, TINY) / max(1 - p, TINY)))
            for k in range(N_SHIFTS):
                right[k] += words[block] / (1 + odds * factor[k])
        for k in range(N_SHIFTS):
            found[i * N_SHIFTS + k] = right[k]
    wanted = right
    for i in range(n):
        if i & 15 == 15:
            # Upper bound of the rest: all wanted words found; it falls with every block.
            expected = 0
            for k in range(N_SHIFTS):
                expected += wanted[k] / max(taken + square * wanted[k], TINY)
            if expected < highest * PRUNE_FACTOR:
                break
        taken += words[<int>(order[i] & 0xFFFFFFFF)]
        expected = 0
        for k in range(N_SHIFTS):
            expected += found[i * N_SHIFTS + k] / max(taken + square * wanted[k], TINY)
        if expected > highest:
            highest, best, f1[0] = expected, i, 0
            for k in range(N_SHIFTS):
                f1[0] += 2 * found[i * N_SHIFTS + k] / max(taken + wanted[k], TINY) / N_SHIFTS
    PyMem_Free(found)
    return best + 1


def keep_copies(const unsigned char[::1] text, Ints start, Ints end, uint8_t[::1] chosen):
    """Keep, among the *chosen* blocks (a mask, changed in place), texts that came before.

    Letter case and blanks do not count.
    """
    cdef size_t room = 16, at
    cdef int i
    cdef uint64_t value
    while room < 2 * <size_t>chosen.shape[0]:
        room *= 2
    # An open table of hashes; 0 for none.
    cdef uint64_t* seen = <uint64_t*>PyMem_Calloc(room, sizeof(uint64_t))
    if not seen:
        raise MemoryError
    for i in range(chosen.shape[0]):
        if chosen[i]:
            value = _hash(&text[0], start[i], end[i])
            at = value & (room - 1)
            while seen[at] and seen[at] != value:
                at = (at + 1) & (room - 1)
            chosen[i] = seen[at] == value
            seen[at] = value
    PyMem_Free(seen)


cdef uint64_t _hash(const unsigned char* text, int k, int end) noexcept:
    cdef uint64_t value = TEXT_SALT, eight = 0
    cdef int count = 0
    cdef unsigned char c
    for k in range(k, end):
        c = text[k]
        if c == b" " or 9 <= c <= 13:
            continue
        eight = eight << 8 | <uint64_t>(c | (<unsigned char>(c - 65) < 26) << 5)
        count += 1
        if count & 7 == 0:
            value = mixed(value ^ eight)
            eight = 0
    return mixed(value ^ eight) | 1
