"""The set of blocks with the highest expected F-measure (see ``learned.py``)."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from libc.math cimport exp, log
from libc.stdint cimport int32_t, int64_t, uint64_t

from .._hashing cimport FNV_OFFSET, mixed

cdef enum:
    N_SHIFTS = 7

# Of a page's log odds: a normal spread, found by cross-validation.
cdef double[N_SHIFTS] SHIFTS = [-2.4, -1.5, -0.75, 0.0, 0.75, 1.5, 2.4]
# Of the log odds given the shift, so that their mean is what was predicted.
cdef double STEEPNESS = 1.2
cdef double TINY = 1e-9


def best_prefix(
    const double[::1] probability, const double[::1] words, const int64_t[::1] order, double beta
):
    """How many of the likeliest blocks to take, and the F1 that is expected of them.

    *order* are the blocks from the likeliest on; *words* their weights. The expectation
    is the mean over shifts of all log odds, each time the ratio of expectations.
    """
    cdef int n = order.shape[0], i, k, best = 0
    cdef double square = beta * beta, taken = 0, expected, highest = -1, f1 = 0, odds, p
    cdef double[N_SHIFTS] wanted, right, factor
    cdef double* found = <double*>PyMem_Malloc((n * N_SHIFTS + 1) * sizeof(double))
    if not found:
        raise MemoryError
    for k in range(N_SHIFTS):
        right[k], factor[k] = 0, exp(-SHIFTS[k])
    for i in range(n):
        p = probability[order[i]]
        if p > 0:
            odds = exp(-STEEPNESS * log(max(p, TINY) / max(1 - p, TINY)))
            for k in range(N_SHIFTS):
                right[k] += words[order[i]] / (1 + odds * factor[k])
        for k in range(N_SHIFTS):
            found[i * N_SHIFTS + k] = right[k]
    wanted = right
    for i in range(n):
        taken += words[order[i]]
        expected = 0
        for k in range(N_SHIFTS):
            expected += found[i * N_SHIFTS + k] / max(taken + square * wanted[k], TINY)
        if expected > highest:
            highest, best = expected, i
            f1 = 0
            for k in range(N_SHIFTS):
                f1 += 2 * found[i * N_SHIFTS + k] / max(taken + wanted[k], TINY)
    PyMem_Free(found)
    return (best + 1 if n else 0), f1 / N_SHIFTS


def keep_copies(
    const unsigned char[::1] text, const int32_t[::1] start, const int32_t[::1] end, chosen
):
    """Of the *chosen* blocks (a mask, changed in place) keep the texts that came before.

    Letter case and blanks do not count.
    """
    cdef unsigned char[::1] mask = chosen.view("uint8")
    cdef size_t room = 16, at
    cdef int i
    cdef uint64_t value
    while room < 2 * <size_t>mask.shape[0]:
        room *= 2
    # An open table of hashes; 0 for none.
    cdef uint64_t* seen = <uint64_t*>PyMem_Calloc(room, sizeof(uint64_t))
    if not seen:
        raise MemoryError
    for i in range(mask.shape[0]):
        if mask[i]:
            value = _hash(&text[0], start[i], end[i])
            at = value & (room - 1)
            while seen[at] and seen[at] != value:
                at = (at + 1) & (room - 1)
            mask[i] = seen[at] == value
            seen[at] = value
    PyMem_Free(seen)


cdef uint64_t _hash(const unsigned char* text, int k, int end) noexcept:
    cdef uint64_t value = FNV_OFFSET, eight = 0
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
