# The words of a block and of its neighbours as slots of a table of learned weights.
#
# Feature hashing: a slot is a row of the table, with a weight for each role. A word has one
# slot anywhere in its block, others as its first or last word and in the blocks beside it;
# short texts have one as a whole, and so has the number of words.

cdef enum:
    WORD_SLOT_BITS = 16
    MAX_ROLES = 16
    MAX_OWN_WORDS = 16
    MAX_NEAR_WORDS = 6
    MAX_WHOLE_WORDS = 4
    MAX_WORD_COUNT = 8
    # First word, last word, whole text, number of words.
    MAX_OWN_SLOTS = MAX_OWN_WORDS + 4

cdef enum:
    ANYWHERE, FIRST, LAST, WHOLE, COUNT, BEFORE, AFTER

WORD_SLOTS = 1 << WORD_SLOT_BITS


cdef inline int32_t _slot(uint64_t word, uint64_t place) noexcept:
    cdef uint64_t value = (word + place) * 0x9E3779B97F4A7C15ull
    value = (value ^ value >> 32) * 0xD6E8FEB86659FD93ull
    return <int32_t>(value >> (64 - WORD_SLOT_BITS))


cdef int _own_slots(const uint64_t* words, int n, int32_t* slots) noexcept:
    """Write the slots of a block's own *words*; how many they are."""
    cdef int k, used = 0
    cdef uint64_t whole = FNV_OFFSET
    for k in range(min(n, MAX_OWN_WORDS)):
        slots[used] = _slot(words[k], ANYWHERE)
        used += 1
    if n:
        slots[used], slots[used + 1] = _slot(words[0], FIRST), _slot(words[n - 1], LAST)
        used += 2
    if 0 < n <= MAX_WHOLE_WORDS:
        for k in range(n):
            whole = (whole ^ words[k]) * FNV_PRIME
        slots[used] = _slot(whole, WHOLE)
        used += 1
    slots[used] = _slot(min(n, MAX_WORD_COUNT), COUNT)
    return used + 1


cdef int _near_slots(const uint64_t* words, int n, uint64_t place, int32_t* slots) noexcept:
    """Write the slots that a block's *words* are in the block beside it."""
    cdef int k
    for k in range(min(n, MAX_NEAR_WORDS)):
        slots[k] = _slot(words[k], place)
    return min(n, MAX_NEAR_WORDS)


cdef inline void _add_weights(
    const int8_t[:, ::1] weights, const int32_t* slots, int n, int16_t* sums, int32_t* count
) noexcept:
    cdef const int8_t* row
    cdef int j, k
    for k in range(n):
        row = &weights[slots[k], 0]
        for j in range(MAX_ROLES):
            sums[j] += row[j]
    count[0] += n


cdef void _weigh_words(
    const int8_t[:, ::1] weights, const uint64_t* words, int n_words, int i,
    const uint8_t[::1] main, int16_t[:, ::1] sums, int32_t[::1] counts,
) noexcept:
    """Add the weights of the words of block *i* to its sums and those beside it."""
    cdef int32_t[MAX_OWN_SLOTS] slots
    cdef int used
    if not main[i]:
        used = _own_slots(words, n_words, slots)
        _add_weights(weights, slots, used, &sums[i, 0], &counts[i])
    if i + 1 < main.shape[0] and not main[i + 1]:
        used = _near_slots(words, n_words, BEFORE, slots)
        _add_weights(weights, slots, used, &sums[i + 1, 0], &counts[i + 1])
    if i and not main[i - 1]:
        used = _near_slots(words, n_words, AFTER, slots)
        _add_weights(weights, slots, used, &sums[i - 1, 0], &counts[i - 1])


def word_slots(const unsigned char[::1] text, Ints start, Ints end):
    """The slots of each block (rows), those of its neighbours' words included; -1 for none."""
    cdef int n = start.shape[0], i, numbers = 0, separators = 0, n_words
    cdef uint64_t[MAX_WORDS] words
    result = np.full((n, MAX_OWN_SLOTS + 2 * MAX_NEAR_WORDS), -1, np.int32)
    cdef int32_t[:, ::1] slots = result
    for i in range(n):
        n_words = _words(&text[0], start[i], end[i], words, &numbers, &separators)
        _own_slots(words, n_words, &slots[i, 0])
        if i + 1 < n:
            _near_slots(words, n_words, BEFORE, &slots[i + 1, MAX_OWN_SLOTS])
        if i:
            _near_slots(words, n_words, AFTER, &slots[i - 1, MAX_OWN_SLOTS + MAX_NEAR_WORDS])
    return result
