"""The set of blocks with the highest expected F-measure (see ``learned.py``)."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.math cimport exp, log
from libc.stdint cimport int64_t

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
