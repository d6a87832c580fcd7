"""One hash of words: those of texts and those in class names, looked up in rows.

A text is cut at what is no letter or digit, and a name at capitals, too. A row of words
(a phrase, a compound name) has bits in a table. Learned weights of words have slots.
"""

import numpy as np

from cpython.unicode cimport (
    Py_UNICODE_ISALNUM, Py_UNICODE_ISDIGIT, Py_UNICODE_ISLOWER, Py_UNICODE_ISUPPER,
    Py_UNICODE_TOLOWER,
)
from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint32_t, uint64_t

from ...text._chars cimport decode
from ...text._hashing cimport fnv_start, fnv_step, word_hash
from ..learned.features._slots cimport is_letter, lower, part_end

from . import MAX_ROLES as N_ROLES
from . import NETWORK, Region

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
    MAX_WORDS = 96          # of a text
    MAX_NAME_BYTES = 80
    # A longer name with a social network in it may be about anything.
    MAX_NETWORK_WORDS = 2
    # Names that a program makes up have short "words" by chance, between capitals.
    MIN_CAMEL_LETTERS = 4
    # A long id is the heading of its section: only its ends count.
    MIN_LONG_ID_PIECES = 4

cdef enum:
    # How an attribute is read: not at all, as words, as an id; else by whole values.
    SKIPPED, AS_WORDS, AS_ID

cdef enum:
    # Of a word: anywhere in its text, first, last; all of a short text, their number; the
    # words of the text before and after.
    ANYWHERE, FIRST, LAST, WHOLE, COUNT, BEFORE, AFTER

cdef enum:
    WORD_SLOT_BITS = 16
    MAX_ROLES = 16
    MAX_OWN_WORDS = 16
    MAX_NEAR_WORDS = 6
    MAX_WHOLE_WORDS = 4
    MAX_WORD_COUNT = 8
    MAX_OWN_SLOTS = MAX_OWN_WORDS + 4

WORD_SLOTS = 1 << WORD_SLOT_BITS
assert N_ROLES == MAX_ROLES

cdef uint64_t NETWORK_BIT = 1ull << NETWORK, SHARE_BIT = Region.SHARE.bit


cdef struct Words:
    uint64_t[MAX_WORDS] hash
    int n, numbers, separators


cdef class WordTable:
    """Bits by rows of words: ``{"main menu": 4}``; a begin of a row has none."""

    cdef uint64_t[::1] keys, bits
    cdef uint64_t mask

    def __init__(self, dict rows):
        cdef Words words
        cdef bytes text
        cdef uint64_t key
        cdef int k, at
        size = 1 << (12 * len(rows)).bit_length()
        self.keys, self.bits, self.mask = np.zeros(size, np.uint64), np.zeros(size, np.uint64), size - 1
        for row, bits in rows.items():
            text, key = row.encode(), 0
            _cut_text(text, 0, <int>len(text), &words)
            for k in range(words.n):
                key = _row_key(key, words.hash[k])
                at = self.place_of(key)
                self.keys[at] = key
            self.bits[at] |= <uint64_t>bits

    cdef int place_of(self, uint64_t key) noexcept:
        cdef uint64_t at = key & self.mask
        while self.keys[at] and self.keys[at] != key:
            at = (at + 1) & self.mask
        return <int>at

    cdef uint64_t find(self, uint64_t word) noexcept:
        """The bits of a single word."""
        return self.bits[self.place_of(_row_key(0, word))]

    cdef uint64_t longest(self, const uint64_t* words, int n, int* length, uint64_t* all) noexcept:
        """The bits of the longest row that *words* begin with; adds those of each to *all*."""
        cdef uint64_t key = 0, found = 0
        cdef int k, at
        length[0] = 0
        for k in range(n):
            key = _row_key(key, words[k])
            at = self.place_of(key)
            if not self.keys[at]:
                break
            if self.bits[at]:
                found, length[0] = self.bits[at], k + 1
                all[0] |= found if k else 0
        return found

    cdef uint64_t read(self, const unsigned char* name, int size, bint is_id) noexcept:
        """The bits of the words in a name, of each piece as one word, and of rows."""
        cdef uint64_t[MAX_NAME_BYTES] words
        cdef uint64_t bits = 0, first = 0, own = 0, whole, word
        cdef int k = 0, n = 0, pieces = 0, begin, end, length
        size = min(size, MAX_NAME_BYTES)
        while k < size:
            if not _in_piece(name[k]):
                k += 1
                continue
            whole, own = fnv_start(), 0
            while k < size and _in_piece(name[k]):
                if not is_letter(name[k]):
                    k += 1
                    continue
                begin, end, word = k, part_end(name, k, size), fnv_start()
                while k < end:
                    word, whole = fnv_step(word, lower(name[k])), fnv_step(whole, lower(name[k]))
                    k += 1
                words[n] = word
                n += 1
                if end - begin >= MIN_CAMEL_LETTERS:
                    own |= self.find(word)
            own |= self.find(whole)
            pieces += 1
            first = own if pieces == 1 else first
            bits |= own
        if is_id and pieces >= MIN_LONG_ID_PIECES:
            bits = first | own
        for k in range(n - 1):
            self.longest(words + k, n - k, &length, &bits)
        bits &= ~NETWORK_BIT
        if n <= MAX_NETWORK_WORDS:
            for k in range(n):
                bits |= SHARE_BIT if self.find(words[k]) & NETWORK_BIT else 0
        return bits

    cdef uint64_t read_values(self, uint64_t attribute, const unsigned char* value, int size) noexcept:
        """The bits of each word of a value, in a row behind the attribute's name."""
        cdef uint64_t bits = 0, word
        cdef int at = 0
        while True:
            word = word_hash(value, &at, size)
            if not word:
                return bits
            bits |= self.bits[self.place_of(_row_key(_row_key(0, attribute), word))]

    def bits_of(self, bytes name not None, bint is_id=False):
        """The bits of one name."""
        return self.read(name, <int>len(name), is_id)

    def add_bits(
        self, const unsigned char[::1] values, const uint64_t[::1] reading, Ints attribute,
        Ints element, Ints start, Ints end, uint64_t[::1] bits,
    ):
        """Add the bits of the names in attributes to those of their elements.

        *reading* says of each attribute whether it is read as words (1), as an id (2), or
        by whole values: then it is the hash of the attribute's name (see `word_hashes`).
        """
        cdef const unsigned char* value
        cdef int k
        cdef uint64_t how
        for k in range(start.shape[0]):
            how = reading[attribute[k]]
            if how == SKIPPED or start[k] == end[k]:
                continue
            value = &values[start[k]]
            bits[element[k]] |= (
                self.read(value, end[k] - start[k], how == AS_ID) if how <= AS_ID
                else self.read_values(how, value, end[k] - start[k])
            )

    def count(self, const unsigned char[::1] text, Ints start, Ints end, int n_topics):
        """Per topic (a bit) and text the words that stand in rows of that topic.

        Returns these counts; the topics of the row that opens each text; its words, numbers
        and separators; and a row of slots for each text: of its own words, of those of the
        texts before and after, -1 for none. At most its first 96 words are looked at.
        """
        cdef int i, j, k, m, length, n = start.shape[0]
        cdef uint64_t found, all = 0
        cdef Words words
        counts, opening = np.zeros((n_topics, n), np.int32), np.zeros(n, np.uint32)
        totals = np.zeros((3, n), np.int32)
        all_slots = np.full((n, MAX_OWN_SLOTS + 2 * MAX_NEAR_WORDS), -1, np.int32)
        cdef int32_t[:, ::1] count = counts, total = totals, slots = all_slots
        cdef uint32_t[::1] opens = opening
        for i in range(n):
            _cut_text(&text[0], start[i], end[i], &words)
            total[0, i], total[1, i], total[2, i] = words.n, words.numbers, words.separators
            _own_slots(&words, &slots[i, 0])
            for k in range(min(words.n, MAX_NEAR_WORDS)):
                if i + 1 < n:
                    slots[i + 1, MAX_OWN_SLOTS + k] = _slot(words.hash[k], BEFORE)
                if i:
                    slots[i - 1, MAX_OWN_SLOTS + MAX_NEAR_WORDS + k] = _slot(words.hash[k], AFTER)
            j = 0
            while j < words.n:
                found = self.longest(words.hash + j, words.n - j, &length, &all)
                if found and j == 0:
                    opens[i] = <uint32_t>found
                for m in range(n_topics if found else 0):
                    count[m, i] += length if found >> m & 1 else 0
                j += max(length, 1)
        return counts, opening, totals, all_slots


cdef inline uint64_t _row_key(uint64_t row, uint64_t word) noexcept:
    cdef uint64_t key = fnv_step(word, (row + 1) * 0x9E3779B97F4A7C15ull)
    return (key ^ key >> 29) | 1


cdef inline bint _in_piece(unsigned char c) noexcept:
    return is_letter(c) or 48 <= c <= 57 or c >= 0x80


def word_hashes(str text):
    """The hashes of the words of *text*."""
    cdef bytes data = text.encode()
    cdef Words words
    _cut_text(data, 0, <int>len(data), &words)
    return [words.hash[k] for k in range(words.n)]


cdef int _cut_text(const unsigned char* text, int at, int end, Words* words) noexcept:
    """Read the first words from *at* to *end*; count numbers, and marks between steps.

    A word is a run of letters and digits in lower case, an ideograph, or the copyright
    sign; all runs of digits are alike. A capital after a small letter begins a word, as
    where links stand side by side.
    """
    cdef uint64_t value = 0
    cdef uint32_t c = 0
    cdef int size, kind
    cdef bint is_number = True, was_lower = False
    words.n = words.numbers = words.separators = 0
    while at <= end and words.n < MAX_WORDS:
        c, size = 0x20 if at == end else text[at], 1
        if c >= 0x80:
            size = decode(&text[at], &c)
            if size == 0:
                c, size = 0x20, 1
        at += size
        kind = ASCII[c] if c < 0x80 else _kind_of(c)
        if value and (not kind & IS_WORD or was_lower and kind & IS_UPPER):
            words.hash[words.n], value = value, 0
            words.n += 1
            words.numbers += is_number
            if words.n == MAX_WORDS:
                break
        if kind & IS_WORD:
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
        elif _is_ideograph(c) or c == 0xA9:
            words.hash[words.n] = fnv_step(fnv_start(), c)
            words.n += 1
        elif c in (0x3E, 0x2F, 0xBB, 0x203A, 0x2192, 0x25B8, 0x25BA, 0x25B6, 0xFF1E):
            words.separators += 1


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


cdef inline int32_t _slot(uint64_t word, uint64_t place) noexcept:
    cdef uint64_t value = (word + place) * 0x9E3779B97F4A7C15ull
    value = (value ^ value >> 32) * 0xD6E8FEB86659FD93ull
    return <int32_t>(value >> (64 - WORD_SLOT_BITS))


cdef int _own_slots(const Words* words, int32_t* slots) noexcept:
    """Write the slots of a text's own *words*; how many they are."""
    cdef int k, used = min(words.n, MAX_OWN_WORDS), n = words.n
    cdef uint64_t whole = fnv_start()
    for k in range(used):
        slots[k] = _slot(words.hash[k], ANYWHERE)
    if n:
        slots[used], slots[used + 1] = _slot(words.hash[0], FIRST), _slot(words.hash[n - 1], LAST)
        used += 2
    if 0 < n <= MAX_WHOLE_WORDS:
        for k in range(n):
            whole = fnv_step(whole, words.hash[k])
        slots[used] = _slot(whole, WHOLE)
        used += 1
    slots[used] = _slot(min(n, MAX_WORD_COUNT), COUNT)
    return used + 1


def sum_weights(Ints wanted, const int32_t[:, ::1] slots, const int8_t[:, ::1] weights):
    """For each *wanted* text and role the sum of the *weights* of its slots, and their number."""
    cdef int i, j, k
    cdef const int32_t* own
    cdef const int8_t* row
    sums = np.zeros((wanted.shape[0], MAX_ROLES), np.int16)
    number = np.zeros(wanted.shape[0], np.int32)
    cdef int16_t[:, ::1] total = sums
    cdef int32_t[::1] count = number
    for i in range(wanted.shape[0]):
        own = &slots[wanted[i], 0]
        for k in range(MAX_OWN_SLOTS + 2 * MAX_NEAR_WORDS):
            if own[k] >= 0:
                row = &weights[own[k], 0]
                count[i] += 1
                for j in range(MAX_ROLES):
                    total[i, j] += row[j]
    return sums, number
