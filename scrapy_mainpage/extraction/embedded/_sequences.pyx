"""Words and sequences of words, counted and compared without an object for each."""

from os import urandom

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from cpython.unicode cimport Py_UNICODE_ISALNUM
from libc.stdint cimport uint64_t

from ...text._hashing cimport mixed

cdef enum:
    LENGTH = 4
    FEWEST_SLOTS = 1024

# Nobody can make texts whose sequences share a slot.
cdef uint64_t SECRET = int.from_bytes(urandom(8), "little") | 1

# Hashes of the last words, and the state of the word that is being read.
cdef struct Words:
    uint64_t[LENGTH] last
    uint64_t word
    Py_ssize_t count
    bint inside


cdef inline bint is_ideograph(Py_UCS4 c) noexcept:
    """Whether *c* is Chinese, Japanese or Korean, and so a word of its own."""
    return 0x3040 <= c and (
        c <= 0x30FF
        or 0x3400 <= c <= 0x9FFF
        or 0xAC00 <= c <= 0xD7A3
        or 0xF900 <= c <= 0xFAFF
    )


cdef inline bint is_letter(Py_UCS4 c) noexcept:
    """Whether *c* is a letter or a digit."""
    if c < 0x80:
        return 97 <= <int>c | 0x20 <= 122 or 48 <= <int>c <= 57
    return Py_UNICODE_ISALNUM(c)


cdef inline bint end_word(Words* words) noexcept:
    """End the word that is being read; whether there was one."""
    if not words.inside:
        return False
    words.last[words.count % LENGTH] = mixed(words.word)
    words.count += 1
    words.word, words.inside = SECRET, False
    return True


cdef inline uint64_t sequence(const Words* words, int length) noexcept:
    """A number for the last words, so many of them; never 0."""
    cdef uint64_t number = length
    cdef int k
    for k in range(length, 0, -1):
        number = number * SECRET + words.last[(words.count - k) % LENGTH]
    return mixed(number) | 1


def count_words(str text not None):
    """The number of words in *text*; each CJK character is one."""
    cdef Py_ssize_t count = 0
    cdef bint inside = False
    cdef Py_UCS4 c
    for c in text.casefold():
        if is_ideograph(c):
            count += 1
            inside = False
        elif is_letter(c):
            count += not inside
            inside = True
        else:
            inside = False
    return count


cdef class Sequences:
    """The sequences of words of all texts that were added.

    A text that is shorter than a sequence is one itself.
    """

    cdef uint64_t* slots
    cdef Py_ssize_t size, used
    # Of the text that was read last.
    cdef Py_ssize_t total, known

    def __dealloc__(self):
        PyMem_Free(self.slots)

    def add(self, str text not None):
        """Take note of the sequences in *text*."""
        self._read(text, True)

    def share(self, str text not None):
        """The share of the sequences in *text* that were added; 1 if it has none."""
        self._read(text, False)
        return self.known / <double>self.total if self.total else 1.0

    cdef int _read(self, str text, bint adds) except -1:
        cdef Words words
        cdef Py_UCS4 c
        words.word, words.count, words.inside = SECRET, 0, False
        if not self.slots:
            self._make(FEWEST_SLOTS)
        self.total = self.known = 0
        for c in text.casefold():
            if is_letter(c) and not is_ideograph(c):
                words.word = (words.word ^ <uint64_t>c) * 0x9E3779B97F4A7C15ull
                words.word ^= words.word >> 32
                words.inside = True
                continue
            if end_word(&words):
                self._end(&words, adds)
            if is_ideograph(c):
                words.word, words.inside = SECRET ^ <uint64_t>c, True
                end_word(&words)
                self._end(&words, adds)
        if end_word(&words):
            self._end(&words, adds)
        if 0 < words.count < LENGTH:
            self._note(sequence(&words, <int>words.count), adds)
        return 0

    cdef int _end(self, const Words* words, bint adds) except -1:
        """Note the sequence that the last word has ended, if it has."""
        if words.count >= LENGTH:
            self._note(sequence(words, LENGTH), adds)
        return 0

    cdef int _note(self, uint64_t number, bint adds) except -1:
        """Count a sequence, and add it if it shall be."""
        cdef Py_ssize_t slot = self._slot(number)
        self.total += 1
        self.known += self.slots[slot] != 0
        if adds and not self.slots[slot]:
            self.slots[slot] = number
            self.used += 1
            if 2 * self.used > self.size:
                self._grow()
        return 0

    cdef Py_ssize_t _slot(self, uint64_t number) noexcept:
        """Where *number* is, or would be."""
        cdef Py_ssize_t slot = <Py_ssize_t>(number >> 1) & (self.size - 1)
        while self.slots[slot] and self.slots[slot] != number:
            slot = (slot + 1) & (self.size - 1)
        return slot

    cdef int _make(self, Py_ssize_t size) except -1:
        cdef uint64_t* slots = <uint64_t*>PyMem_Calloc(size, sizeof(uint64_t))
        if not slots:
            raise MemoryError
        self.slots, self.size, self.used = slots, size, 0
        return 0

    cdef int _grow(self) except -1:
        cdef uint64_t* old = self.slots
        cdef Py_ssize_t size = self.size, k
        cdef Py_ssize_t used = self.used
        self._make(4 * size)
        for k in range(size):
            if old[k]:
                self.slots[self._slot(old[k])] = old[k]
        self.used = used
        PyMem_Free(old)
        return 0
