"""The bits of names in attributes."""

import numpy as np

from cpython.unicode cimport Py_UNICODE_ISALNUM, Py_UNICODE_ISDECIMAL, Py_UNICODE_TOLOWER
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from ...text._chars cimport decode, is_ascii_blank
from ...text._hashing cimport fnv_start, fnv_step

from . import NETWORK, Region

ctypedef const int32_t[::1] Ints

cdef enum:
    MAX_NAME_CHARACTERS = 80
    # A longer name with a social network in it may be about anything.
    MAX_NETWORK_WORDS = 2
    # Names that a program makes up have short "words" by chance, between capitals.
    MIN_CAMEL_LETTERS = 4
    # A long id is the heading of its section: only its ends count.
    MIN_LONG_ID_PIECES = 4

cdef enum:
    # How an attribute is read: not at all, as words, as an id, or by whole values.
    SKIPPED, AS_WORDS, AS_ID, AS_VALUES

cdef enum:
    IS_OTHER, IS_UNDERSCORE, IS_NUMBER, IS_SMALL, IS_CAPITAL, IS_LETTER

cdef uint64_t NETWORK_BIT = 1ull << NETWORK
cdef uint64_t SHARE_BIT = Region.SHARE.bit


cdef struct NameWord:
    int start, end  # of its characters
    uint64_t hash


cdef struct Name:
    uint32_t[MAX_NAME_CHARACTERS] letters  # lower case
    uint8_t[MAX_NAME_CHARACTERS] kind
    NameWord[MAX_NAME_CHARACTERS] words
    int size, n_words


cdef class NameTable:
    """Bits by word: ``{(of, word): (bits, length)}``.

    *of* is 0 for words of names, or the attribute whose whole value the word is, plus 1;
    *length* is that of the longest row of words that begins with the word. *reading*
    says how each attribute is read.
    """

    cdef uint64_t[::1] keys, bits
    cdef uint8_t[::1] lengths
    cdef const uint8_t[::1] reading
    cdef uint64_t mask

    def __init__(self, dict entries, const uint8_t[::1] reading):
        cdef uint64_t key, at
        size = 1 << (4 * len(entries)).bit_length()
        self.keys, self.bits = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
        self.lengths, self.mask, self.reading = np.zeros(size, np.uint8), size - 1, reading
        for (of, word), (bits, length) in entries.items():
            key = _begin_key(of)
            for letter in word:
                key = fnv_step(key, ord(letter))
            at = key & self.mask
            while self.keys[at]:
                at = (at + 1) & self.mask
            self.keys[at], self.bits[at], self.lengths[at] = key, bits, length

    cdef uint64_t find(self, uint64_t key, int* length) noexcept:
        cdef uint64_t at = key & self.mask
        while self.keys[at]:
            if self.keys[at] == key:
                length[0] = self.lengths[at]
                return self.bits[at]
            at = (at + 1) & self.mask
        length[0] = 0
        return 0

    cdef uint64_t read(self, int attribute, const unsigned char* text, int end) noexcept:
        """The bits of the value of an attribute (its code)."""
        cdef Name name
        cdef int reading = self.reading[attribute]
        if reading == SKIPPED:
            return 0
        if reading == AS_VALUES:
            return self.read_values(attribute, text, end)
        _read_letters(&name, text, end)
        return self.read_words(&name, reading == AS_ID)

    cdef uint64_t read_values(self, int attribute, const unsigned char* text, int end) noexcept:
        """The bits of values that blanks separate; of an address, those of its end."""
        cdef uint64_t bits = 0, key = _begin_key(attribute + 1)
        cdef int k, length, count = 0
        for k in range(end + 1):
            if k == end or is_ascii_blank(text[k]):
                if count:
                    bits |= self.find(key, &length)
            elif text[k] != b"/":
                key, count = fnv_step(key, text[k] | 0x20 if 65 <= text[k] <= 90 else text[k]), count + 1
                continue
            key, count = _begin_key(attribute + 1), 0
        return bits

    cdef uint64_t read_words(self, Name* name, bint is_id) noexcept:
        cdef int k, start = 0, pieces = 1, first_end = name.size, last_start = 0
        cdef uint64_t bits = 0
        name.n_words = 0
        for k in range(name.size):
            if name.kind[k] <= IS_UNDERSCORE and (k == 0 or name.kind[k] != name.kind[k - 1]):
                first_end = k if pieces == 1 else first_end
                pieces += 1
            if name.kind[k] <= IS_UNDERSCORE:
                last_start = k + 1
        if is_id and pieces >= MIN_LONG_ID_PIECES:
            bits |= self.read_piece(name, 0, first_end)
            bits |= self.read_piece(name, last_start, name.size)
        else:
            for k in range(name.size + 1):
                if k == name.size or name.kind[k] <= IS_UNDERSCORE:
                    bits |= self.read_piece(name, start, k)
                    start = k + 1
        return bits | self.read_networks(name) | self.read_rows(name)

    cdef uint64_t read_piece(self, Name* name, int start, int end) noexcept:
        """Add the words of a piece; the bits of each, and of all as one."""
        cdef int first = name.n_words, k, length
        cdef uint64_t bits = 0, key = _begin_key(0)
        cdef NameWord* word
        _cut_words(name, start, end)
        for k in range(first, name.n_words):
            word = &name.words[k]
            key = _add_letters(key, name, word)
            word.hash = _add_letters(_begin_key(0), name, word)
            if name.n_words == first + 1 or word.end - word.start >= MIN_CAMEL_LETTERS:
                bits |= self.find(word.hash, &length)
        return (bits | self.find(key, &length)) & ~NETWORK_BIT

    cdef uint64_t read_networks(self, Name* name) noexcept:
        cdef int k, length
        if name.n_words <= MAX_NETWORK_WORDS:
            for k in range(name.n_words):
                if self.find(name.words[k].hash, &length) & NETWORK_BIT:
                    return SHARE_BIT
        return 0

    cdef uint64_t read_rows(self, Name* name) noexcept:
        """The bits of several words in a row."""
        cdef int first, k, longest, length
        cdef uint64_t bits = 0, key
        for first in range(name.n_words):
            self.find(name.words[first].hash, &longest)
            key = name.words[first].hash
            for k in range(first + 1, min(first + longest, name.n_words)):
                key = _add_letters(fnv_step(key, 45), name, &name.words[k])
                bits |= self.find(key, &length)
        return bits & ~NETWORK_BIT


cdef inline uint64_t _begin_key(int of) noexcept:
    return fnv_start() ^ <uint64_t>of << 32


cdef uint64_t _add_letters(uint64_t key, Name* name, NameWord* word) noexcept:
    cdef int k
    for k in range(word.start, word.end):
        key = fnv_step(key, name.letters[k])
    return key


cdef int _read_letters(Name* name, const unsigned char* text, int end) noexcept:
    """Decode the first characters, and find the kind of each."""
    cdef int at = 0, size
    cdef uint32_t c
    name.size = 0
    while at < end and name.size < MAX_NAME_CHARACTERS:
        c, size = text[at], 1
        if c >= 0x80:
            size = decode(&text[at], &c)
            if size == 0:
                c, size = 0x20, 1
        at += size
        name.kind[name.size] = _letter_kind(c)
        if name.kind[name.size] == IS_CAPITAL:
            c |= 0x20
        elif c >= 0x80:
            c = <uint32_t>Py_UNICODE_TOLOWER(c)
        name.letters[name.size] = c
        name.size += 1


cdef int _letter_kind(uint32_t c) noexcept:
    if c < 0x80:
        if b"A" <= c <= b"Z":
            return IS_CAPITAL
        if b"a" <= c <= b"z":
            return IS_SMALL
        if b"0" <= c <= b"9":
            return IS_NUMBER
        return IS_UNDERSCORE if c == b"_" else IS_OTHER
    if not Py_UNICODE_ISALNUM(c):
        return IS_OTHER
    return IS_NUMBER if Py_UNICODE_ISDECIMAL(c) else IS_LETTER


cdef int _cut_words(Name* name, int at, int end) noexcept:
    """Cut a piece into words: a capital begins one, and so does the last of several."""
    cdef int start, kind
    while at < end:
        start, kind = at, name.kind[at]
        at += 1
        while at < end and name.kind[at] == kind:
            at += 1
        if kind == IS_NUMBER:
            continue
        if kind == IS_CAPITAL and at < end and name.kind[at] == IS_SMALL:
            if at - start > 1:  # the last capital is that of the next word
                at -= 1
            else:
                while at < end and name.kind[at] == IS_SMALL:
                    at += 1
        name.words[name.n_words].start, name.words[name.n_words].end = start, at
        name.n_words += 1


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
