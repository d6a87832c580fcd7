# From the sums of the trees to the set of blocks with the highest expected F-measure.
#
# The steps are explained in learned.py.

# Drawn per process, so that no page can be written whose texts all collide in the table.
cdef uint64_t TEXT_SALT = int.from_bytes(urandom(8), "little")

cdef enum:
    N_SHIFTS = 7

cpdef enum:
    # Words; longer texts that repeat an earlier one are left out.
    MIN_COPY_WORDS = 10

# Of a page's log odds: a normal spread, found by cross-validation.
cdef double[N_SHIFTS] SHIFTS = [-2.4, -1.5, -0.75, 0.0, 0.75, 1.5, 2.4]
# Slope of the log odds given the shift, so that their mean stays as predicted.
cdef double STEEPNESS = 1.2
cdef double TINY = 1e-9
# Margin for rounding errors.
cdef double PRUNE_FACTOR = 1 - 1e-9

ctypedef const int32_t[::1] Ints


def calibrate(const double[::1] total, double slope, double offset, Ints flags):
    """The probability of each block, given the sum over its trees.

    Hidden blocks get half of it: they are rarely meant to be read, and training pages
    have too few of them for the trees to learn that.
    """
    scores = np.empty(total.shape[0], np.float32)
    cdef float[::1] out = scores
    cdef double likely
    cdef int i
    for i in range(total.shape[0]):
        likely = 1 / (1 + exp(-(slope * total[i] + offset)))
        out[i] = <float>(likely * 0.5 if flags[i] & HIDDEN else likely)
    return scores


def select_blocks(
    document, const float[::1] scores, const uint8_t[::1] repeats, double beta, double min_words
):
    """The best set of blocks as a mask, and the F1 that is expected of it.

    Of texts that the page has more than once, digits apart (*repeats*, a mask), only the
    first is taken. With fewer than *min_words* main words expected the page has none.
    """
    cdef Ints words = document.blocks.words, cjk = document.blocks.cjk
    cdef int n = scores.shape[0], i, count
    cdef double few = 0, expected = 0, right = 0
    cdef uint32_t bits
    cdef float likely
    mask, keys = np.zeros(n, np.uint8), np.empty(n, np.uint64)
    cdef uint8_t[::1] out = mask
    cdef uint64_t[::1] key = keys
    cdef bint copies = False
    if not n:
        return mask.view(bool), 0.0
    cdef double* once = <double*>PyMem_Malloc(2 * n * sizeof(double))
    if not once:
        raise MemoryError
    cdef double* weight = once + n
    for i in range(n):
        weight[i], once[i] = words[i] - cjk[i] * 0.5, scores[i]
        few += once[i] * weight[i]
        out[i] = repeats[i] and weight[i] >= MIN_COPY_WORDS
        copies |= out[i]
    try:
        if copies:
            blocks = document.blocks
            keep_copies(document.text, blocks.start, blocks.end, mask)
        for i in range(n):
            once[i] = 0 if out[i] else once[i]
            right += once[i] * weight[i]
            out[i] = 0
            # The likeliest first; of equal ones the first. Bits of numbers that are not
            # negative are in the order of the numbers.
            likely = <float>once[i]
            memcpy(&bits, &likely, 4)
            key[i] = <uint64_t>(~bits) << 32 | <uint64_t>i
        if few < min_words:
            # Right if the page has no main content: the surer, the fewer are expected.
            return mask.view(bool), 1 - few / min_words
        if right > 0:
            keys.sort()
            count = _best_prefix(once, weight, &key[0], n, beta, &expected)
            for i in range(count):
                out[<int>(key[i] & 0xFFFFFFFF)] = 1
        return mask.view(bool), expected
    finally:
        PyMem_Free(once)


def best_prefix(
    const double[::1] probability, const double[::1] words, const int64_t[::1] order, double beta
):
    """How many of the likeliest blocks to take, and the F1 that is expected of them.

    *order* are the blocks from the likeliest on; *words* their weights.
    """
    cdef double f1 = 0
    if not order.shape[0]:
        return 0, f1
    cdef const uint64_t* blocks = <const uint64_t*>&order[0]
    count = _best_prefix(&probability[0], &words[0], blocks, <int>order.shape[0], beta, &f1)
    return count, f1


cdef int _best_prefix(
    const double* probability, const double* words, const uint64_t* order, int n,
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
    """Of the *chosen* blocks (a mask, changed in place) keep the texts that came before.

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
