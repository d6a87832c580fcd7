"""The first words of blocks: the phrases they stand in, and slots of learned weights.

Feature hashing: a slot is a row of a table, with a weight for each role. A word has one
slot anywhere in its block, others as its first or last word and in the blocks beside it;
short texts have one as a whole, and so has the number of words.
"""

import numpy as np

from cpython.unicode cimport (
    Py_UNICODE_ISALNUM, Py_UNICODE_ISDIGIT, Py_UNICODE_ISLOWER, Py_UNICODE_ISUPPER,
    Py_UNICODE_TOLOWER,
)
from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint32_t, uint64_t

from ...text._chars cimport decode
from ...text._hashing cimport fnv_start, fnv_step

ctypedef const int32_t[::1] Ints

# Of the characters below U+0080, which need no look at the tables of Unicode.
cdef enum:
    IS_WORD = 1, IS_UPPER = 2, IS_LOWER = 4, IS_DIGIT = 8

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
    cdef uint64_t whole = fnv_start()
    for k in range(min(n, MAX_OWN_WORDS)):
        slots[used] = _slot(words[k], ANYWHERE)
        used += 1
    if n:
        slots[used], slots[used + 1] = _slot(words[0], FIRST), _slot(words[n - 1], LAST)
        used += 2
    if 0 < n <= MAX_WHOLE_WORDS:
        for k in range(n):
            whole = fnv_step(whole, words[k])
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
    cdef uint64_t key = fnv_step(word, (state + 1) * 0x9E3779B97F4A7C15ull)
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
                value, is_number = fnv_start(), True
            if kind & IS_DIGIT:
                c = 0x30
            else:
                is_number = False
            if not is_number or value == fnv_start():
                c = c | 0x20 if c < 0x80 else <uint32_t>Py_UNICODE_TOLOWER(c)
                value = fnv_step(value, c)
            continue
        if value:
            words[n], value = value, 0
            n += 1
            numbers[0] += is_number
            if n == MAX_WORDS:
                break
        if _is_ideograph(c) or c == 0xA9:
            words[n] = fnv_step(fnv_start(), c)
            n += 1
        elif _separates(c):
            separators[0] += 1
    if value and n < MAX_WORDS:
        words[n] = value
        n += 1
        numbers[0] += is_number
    return n
