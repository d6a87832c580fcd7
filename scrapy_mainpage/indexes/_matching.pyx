"""Where the words of a query stand in texts: one walk over a text finds all of them."""

from cpython cimport array
from libc.stdint cimport uint32_t

import array

from .tokens import FOLDED, folded_code

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t place)

cdef enum:
    BUCKETS = 256
    LONGEST = 64             # words of a phrase, whose progress is the bits of an integer
    BLANK = 32
    FIRST_MARK = 0x300       # combining diacritics, which are not there for a search
    LAST_MARK = 0x36F

cdef uint32_t[::1] TABLE = FOLDED


cdef class Matcher:
    """Finds phrases, each a list of folded words, in segmented texts.

    The last word of one with ``True`` beside it may be the beginning of a word.
    """

    cdef array.array letters, starts, following, is_prefix, masks, sizes, progress, fits
    cdef int buckets[BUCKETS]
    cdef int longest

    def __init__(self, phrases):
        cdef int bucket
        words = {}
        for bucket in range(BUCKETS):
            self.buckets[bucket] = -1
        phrases = [(parts[:LONGEST], len(parts) - 1 if prefix else -1) for parts, prefix in phrases]
        for parts, last in phrases:
            for place, word in enumerate(parts):
                words.setdefault((word, place == last), len(words))
        self.longest = max((len(word) for word, _ in words), default=0)
        self.sizes = array.array("i", [len(parts) for parts, _ in phrases])
        self.progress = array.array("Q", [0]) * len(phrases)
        self.fits = array.array("Q", [0]) * len(phrases)
        self.masks = array.array("Q", [0]) * (len(phrases) * len(words))
        self.letters = array.array("I", [ord(letter) for word, _ in words for letter in word])
        self.is_prefix = array.array("i", [prefix for _, prefix in words])
        self.starts, self.following = array.array("i", [0]), array.array("i")
        for word, _ in words:
            bucket = ord(word[0]) % BUCKETS
            self.starts.append(self.starts[len(self.following)] + len(word))
            self.following.append(self.buckets[bucket])
            self.buckets[bucket] = len(self.following) - 1
        for number, (parts, last) in enumerate(phrases):
            for place, word in enumerate(parts):
                row = words[word, place == last] * len(phrases)
                self.masks[row + number] |= 1 << place

    def find(self, str text not None):
        """Return start, end and number of each match, one after another, by their ends."""
        cdef array.array found = array.array("i"), read = array.array("I", [0]) * (self.longest + 1)
        cdef uint32_t* word = read.data.as_uints
        cdef int kind = PyUnicode_KIND(text), start = 0, length = 0, number = 0
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t size = len(text), place
        cdef uint32_t code
        cdef uint32_t* table = &TABLE[0]
        cdef int[LONGEST] begins
        cdef bint is_begun = False
        for place in range(size + 1):
            code = PyUnicode_READ(kind, data, place) if place < size else BLANK
            if FIRST_MARK <= code <= LAST_MARK:
                continue
            if not table[code]:
                table[code] = folded_code(code)
            code = table[code]
            if code != BLANK:
                if not length:
                    start = <int>place
                if length <= self.longest:  # a longer one is no word, but begins as one
                    word[length] = code
                    length += 1
            elif length:
                begins[number % LONGEST] = start
                if self.buckets[word[0] % BUCKETS] >= 0 and self.has(word, length):
                    self.go_on(begins, number, <int>place, found)
                    is_begun = True
                elif is_begun:
                    array.zero(self.progress)
                    is_begun = False
                number += 1
                length = 0
        array.zero(self.progress)
        return found

    cdef bint has(self, uint32_t* read, int length):
        """Whether a word is one of the phrases'; ``fits`` has its places in them."""
        cdef int word = self.buckets[read[0] % BUCKETS], n = len(self.sizes), size, k
        cdef uint32_t* letters
        cdef bint is_there = False
        while word >= 0:
            letters = self.letters.data.as_uints + self.starts.data.as_ints[word]
            size = self.starts.data.as_ints[word + 1] - self.starts.data.as_ints[word]
            if size == length or (size < length and self.is_prefix.data.as_ints[word]):
                k = 0
                while k < size and letters[k] == read[k]:
                    k += 1
                if k == size:
                    is_there = True
                    for k in range(n):
                        self.fits.data.as_ulonglongs[k] |= self.masks.data.as_ulonglongs[word * n + k]
            word = self.following.data.as_ints[word]
        return is_there

    cdef int go_on(self, int* begins, int number, int end, array.array found) except -1:
        """Go on with the phrases that a word continues, and note those that it ends."""
        cdef unsigned long long* progress = self.progress.data.as_ulonglongs
        cdef int[3] match
        cdef int k, size
        for k in range(len(self.sizes)):
            progress[k] = (progress[k] << 1 | 1) & self.fits.data.as_ulonglongs[k]
            self.fits.data.as_ulonglongs[k] = 0
            size = self.sizes.data.as_ints[k]
            if progress[k] >> (size - 1) & 1:
                match[0], match[1], match[2] = begins[(number - size + 1) % LONGEST], end, k
                array.extend_buffer(found, <char*>match, 3)
        return 0
