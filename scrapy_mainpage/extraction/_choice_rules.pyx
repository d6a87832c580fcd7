"""Rules on the chosen blocks, for what a page says of itself beside its text.

Each is sure where it applies, and rare; the model knows the rest. A lede that is the
declared description is main content, or one directly below the title: of 134 of these that
cross-validation leaves out, nine in ten are. Second copies of a section, breadcrumbs, single lines
of the frame, and the title said twice are not. Without the last, one page in fifty says its
title twice.
"""

from os import urandom

import numpy as np

from cpython.unicode cimport Py_UNICODE_ISALNUM, Py_UNICODE_TOLOWER
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

from ..text._chars cimport character_at, next_character
from ..text._hashing cimport fnv_start, fnv_step, mixed
from .document._schema cimport BlockColumns, HEADING_SHIFT, HIDDEN, PRE, Tables, read_tables

from .document.schema import Context
from .document.tags import CODES, TAGS
from .vocabulary import read_phrases

cdef enum:
    # Bytes of a lede that the text says again: some papers begin with it.
    SAID_BYTES = 60
    # From a lede down to the first paragraph there are a byline, a date, buttons, a caption.
    MAX_LEDE_BLOCKS = 12
    MIN_LEDE_LETTERS = 20
    MAX_DESCRIPTIONS = 4
    MIN_PARAGRAPH_WORDS = 10
    # Of a lede; bylines with a date have more digits.
    MIN_LETTERS_PER_DIGIT = 20
    MAX_PHRASE_BYTES = 96
    MAX_LINE_WORDS = 16
    MIN_COPY_WORDS = 12
    # One word in so many may be in breadcrumbs.
    MIN_CRUMBS_PARTS = 5

# Less likely blocks above the text are no ledes, whatever they say.
cdef float MIN_LEDE = 0.05

cdef int FOOTER = int(Context.FOOTER)
cdef bytes COPYRIGHT = "©".encode()
# Drawn per process, so that no page can be written whose sections collide.
cdef uint64_t SALT = int.from_bytes(urandom(8), "little") | 1

# By tag, whether copies of an element are sections: not rows, items and paragraphs, which
# say the same for a reason.
cdef bytearray SECTIONS = bytearray(len(TAGS) + 1)
for _name in "div section article aside blockquote figure main center form span".split():
    SECTIONS[CODES[_name]] = 1
cdef const uint8_t* IS_SECTION = <const uint8_t*><char*>SECTIONS
cdef int N_TAGS = len(TAGS)


cdef class PhraseSet:
    """Hashes of short texts, by their letters and digits, in an open table."""

    cdef bytearray memory
    cdef uint64_t* table
    cdef uint64_t mask

    def __init__(self, phrases):
        cdef uint64_t key, at
        cdef bytes text
        self.mask = (1 << (4 * len(phrases)).bit_length()) - 1
        self.memory = bytearray(8 * (self.mask + 1))
        self.table = <uint64_t*><char*>self.memory
        for phrase in phrases:
            text = phrase.encode()
            key = letters_hash(text, 0, len(text))
            at = key & self.mask
            while self.table[at]:
                at = (at + 1) & self.mask
            self.table[at] = key

    cdef bint has(self, const unsigned char* text, int start, int end) noexcept:
        cdef uint64_t key, at
        if not 0 < end - start <= MAX_PHRASE_BYTES:
            return False
        key = letters_hash(text, start, end)
        at = key & self.mask
        while self.table[at]:
            if self.table[at] == key:
                return True
            at = (at + 1) & self.mask
        return False


cdef uint32_t next_letter(const unsigned char* text, int* at, int end) noexcept:
    """The letter or digit at or after *at*, in lower case; *at* moves behind it; or 0."""
    cdef uint32_t c
    while at[0] < end:
        c = character_at(text, at[0], end)
        at[0] = next_character(text, at[0], end)
        if c < 0x80:
            if 65 <= c <= 90:
                return c | 0x20
            if 97 <= c <= 122 or 48 <= c <= 57:
                return c
        elif Py_UNICODE_ISALNUM(c):
            return <uint32_t>Py_UNICODE_TOLOWER(c)
    return 0


cdef uint64_t letters_hash(const unsigned char* text, int start, int end) noexcept:
    cdef uint64_t value = fnv_start()
    cdef uint32_t c = next_letter(text, &start, end)
    while c:
        value = fnv_step(value, c)
        c = next_letter(text, &start, end)
    return value


cdef PhraseSet FRAME_LINES = PhraseSet(read_phrases("frame_lines")["line"])
cdef PhraseSet UNSUBSCRIBE = PhraseSet(read_phrases("frame_lines")["unsubscribe"])


cdef class Choice:
    """A document and its chosen blocks, which the rules change."""

    cdef Tables t
    cdef bytes text
    cdef const unsigned char* letters
    cdef const unsigned char* values
    cdef object document
    cdef uint8_t[::1] main
    cdef bytearray memory
    cdef int32_t* words_before  # main words before each block, at the start

    def __init__(self, document, uint8_t[::1] main):
        cdef int i
        read_tables(document, &self.t)
        if main.shape[0] != self.t.n_blocks:
            raise ValueError("a mask of all blocks")
        self.document, self.text, self.main = document, document.text, main
        self.letters, self.values = self.text, <bytes>document.values
        self.memory = bytearray(4 * (self.t.n_blocks + 1))
        self.words_before = <int32_t*><char*>self.memory
        for i in range(self.t.n_blocks):
            self.words_before[i + 1] = self.words_before[i] + main[i] * self.t.blocks.words[i]

    cdef int words(self, int first, int end) noexcept:
        return self.words_before[end] - self.words_before[first]

    cdef int drop(self, int first, int end) noexcept:
        for first in range(first, end):
            self.main[first] = 0

    # Ledes

    cdef int first_paragraph(self) noexcept:
        """The first chosen block of some words that is no heading, or the last chosen one."""
        cdef int i, last = -1
        for i in range(self.t.n_blocks):
            if self.main[i]:
                last = i
                if self.t.blocks.words[i] >= MIN_PARAGRAPH_WORDS and not (
                    self.t.blocks.flags[i] >> HEADING_SHIFT
                ):
                    break
        return last

    cdef int find_lede(self, int title, const float[::1] scores, describe) except -2:
        """What stands between the title and the text and begins as a description does, or below
        the title; or -1. *describe* gives the descriptions: it reads what the page declares."""
        cdef int first = self.first_paragraph(), i
        cdef list texts = None
        cdef bytes said
        for i in range(first - 1, max(title, first - MAX_LEDE_BLOCKS - 1, -1), -1):
            if not (self.main[i] or self.t.blocks.flags[i] & HIDDEN) and scores[i] >= MIN_LEDE:
                if texts is None:
                    texts = [text.encode("utf-8", "replace") for text in describe()[:MAX_DESCRIPTIONS]]
                for said in texts:
                    if self.begins(said, i) and not self.is_said_again(i):
                        return i
        i = self.find_below(title, first)
        return -1 if i < 0 or self.is_said_again(i) else i

    cdef int find_below(self, int title, int first) noexcept:
        """The sentence directly below a title, in a header without the *first* paragraph, or -1.

        A line with many digits is a date.
        """
        cdef int i = title + 1, at
        cdef BlockColumns* b = &self.t.blocks
        while i < first and b.flags[i] & HIDDEN:
            i += 1
        if title < 0 or i >= first or self.main[i] or b.words[i] < MIN_PARAGRAPH_WORDS or (
            2 * b.linked_words[i] > b.words[i] or MIN_LETTERS_PER_DIGIT * b.digits[i] > b.chars[i]
        ):
            return -1
        at = b.element[title]
        while at >= 0 and self.t.elements.end_block[at] <= i:
            at = self.t.elements.parent[at]
        return i if at >= 0 and self.t.elements.end_block[at] <= first else -1

    cdef bint begins(self, bytes said, int block) noexcept:
        """Whether a block is all of a description, or its beginning, by letters."""
        cdef const unsigned char* letters = said
        cdef int at = 0, end = <int>len(said), count = 0
        cdef int k = self.t.blocks.start[block], stop = self.t.blocks.end[block]
        cdef uint32_t c
        while True:
            c = next_letter(self.letters, &k, stop)
            if not c:
                return count >= MIN_LEDE_LETTERS
            if c != next_letter(letters, &at, end):
                return False
            count += 1

    cdef bint is_said_again(self, int block) except -1:
        """Whether chosen blocks below hold the beginning of a block's text."""
        cdef int start = self.t.blocks.start[block], i
        cdef bytes said = self.text[start:min(start + SAID_BYTES, self.t.blocks.end[block])]
        for i in range(block + 1, self.t.n_blocks):
            if self.main[i] and self.text.find(said, self.t.blocks.start[i], self.t.blocks.end[i]) >= 0:
                return True
        return False

    # Copies

    cdef int drop_copies(self) except -1:
        """Of equal sections beside each other keep the first, with what is chosen of either.

        The table has the first section of each parent, length, beginning and end.
        """
        cdef int i, first, end, room = 16, at
        cdef bytearray memory
        cdef uint64_t key
        cdef uint64_t* keys
        cdef int32_t* seen
        while room < 2 * self.t.n_elements:
            room *= 2
        memory = bytearray(12 * room)
        keys = <uint64_t*><char*>memory
        seen = <int32_t*>(keys + room)
        for i in range(self.t.n_elements):
            first, end = self.t.elements.first_block[i], self.t.elements.end_block[i]
            if self.words(first, end) < 1 or not self.is_section(i, first, end):
                continue
            key = self.outline(i, first, end)
            at = <int>(key >> 32 & (room - 1))
            while keys[at] and keys[at] != key:
                at = (at + 1) & (room - 1)
            if not keys[at]:
                keys[at], seen[at] = key, i
            elif self.is_same(seen[at], i):
                self.keep_one(seen[at], i)

    cdef bint is_section(self, int i, int first, int end) noexcept:
        """Whether copies of an element may be dropped: no code, which is shown again."""
        cdef int words = 0
        if self.t.elements.tag[i] >= N_TAGS or not IS_SECTION[self.t.elements.tag[i]]:
            return False
        if (self.t.blocks.flags[first] | self.t.blocks.flags[end - 1]) & PRE:
            return False
        while first < end and words < MIN_COPY_WORDS:
            words += self.t.blocks.words[first]
            first += 1
        return words >= MIN_COPY_WORDS

    cdef uint64_t outline(self, int i, int first, int end) noexcept:
        """A number that equal elements of one parent share; never 0."""
        cdef int start = self.t.blocks.start[first], stop = self.t.blocks.end[end - 1]
        cdef uint64_t key = mixed(SALT ^ <uint64_t>(self.t.elements.parent[i] + 1)), eight = 0
        key = mixed(key ^ <uint64_t>(stop - start) << 32 ^ <uint64_t>(end - first))
        memcpy(&eight, self.letters + start, 8)  # 12 words have more bytes
        key = mixed(key ^ eight)
        memcpy(&eight, self.letters + stop - 8, 8)
        return mixed(key ^ eight) | 1

    cdef bint is_same(self, int i, int other) noexcept:
        """Whether the blocks of two elements with as many say the same."""
        cdef int first = self.t.elements.first_block[i], step = self.t.elements.first_block[other] - first, k
        cdef int size
        for k in range(first, self.t.elements.end_block[i]):
            size = self.t.blocks.end[k] - self.t.blocks.start[k]
            if size != self.t.blocks.end[k + step] - self.t.blocks.start[k + step] or memcmp(
                self.letters + self.t.blocks.start[k], self.letters + self.t.blocks.start[k + step], size
            ):
                return False
        return True

    cdef int keep_one(self, int kept, int copy) noexcept:
        cdef int first = self.t.elements.first_block[kept], other = self.t.elements.first_block[copy], k
        if self.t.blocks.flags[first] & HIDDEN and not self.t.blocks.flags[other] & HIDDEN:
            first, other = other, first
        for k in range(self.t.elements.end_block[kept] - self.t.elements.first_block[kept]):
            self.main[first + k] |= self.main[other + k]
            self.main[other + k] = 0

    # The frame

    cdef int drop_lines(self) except -1:
        cdef int i, k, start, end, last = -1, done = 0, total = self.words(0, self.t.n_blocks)
        for k in range(self.t.n_tokens):
            if self.t.tokens.element[k] != last and self.names_breadcrumb(k):
                last = self.t.tokens.element[k]
                start, end = self.t.elements.first_block[last], self.t.elements.end_block[last]
                if end > done and MIN_CRUMBS_PARTS * self.words(start, end) <= total:
                    done = end
                    for i in range(start, end):
                        self.main[i] &= self.t.blocks.flags[i] >> HEADING_SHIFT > 0
        for i in range(self.t.n_blocks):
            if self.main[i] and self.is_line(i):
                self.main[i] = 0

    cdef int drop_second_title(self, int title) noexcept:
        """Drop what says the title again: above it, and headings above the first paragraph."""
        cdef int i, first = self.first_paragraph(), flags
        cdef uint64_t key
        if title < 0 or not self.main[title]:
            return 0
        key = letters_hash(self.letters, self.t.blocks.start[title], self.t.blocks.end[title])
        for i in range(max(first, title)):
            flags = self.t.blocks.flags[i]
            if self.main[i] and (
                i < title and self.t.blocks.item[i] < 0 or i > title and flags >> HEADING_SHIFT
            ) and key == letters_hash(
                self.letters, self.t.blocks.start[i], self.t.blocks.end[i]
            ):
                self.main[i] = 0

    cdef bint names_breadcrumb(self, int k) noexcept:
        cdef int at
        for at in range(self.t.tokens.start[k], self.t.tokens.end[k] - 9):
            if self.values[at] | 0x20 == b"b" and is_spelled(self.values + at, 10, "breadcrumb"):
                return True
        return False

    cdef bint is_line(self, int i) except -1:
        """Whether a short block is a line of the frame: not among cells, no heading, no code.

        In a footer a line that begins with the copyright sign is one, too: small pages.
        """
        cdef int start = self.t.blocks.start[i], end = self.t.blocks.end[i]
        if self.t.blocks.flags[i] >> HEADING_SHIFT or self.t.blocks.flags[i] & PRE or (
            self.is_beside(self.t.blocks.cell[i]) or self.t.blocks.words[i] > MAX_LINE_WORDS
        ):
            return False
        return FRAME_LINES.has(self.letters, start, end) or self.unsubscribes(i) or (
            self.t.blocks.flags[i] & FOOTER and self.text.startswith(COPYRIGHT, start, end)
        )

    cdef bint is_beside(self, int cell) noexcept:
        """Whether a cell is not all of its row, as it is in tables that lay out a letter."""
        cdef int row = self.t.elements.parent[cell] if cell >= 0 else -1
        return row >= 0 and (row < cell - 1 or self.t.elements.end[cell] < self.t.elements.end[row])

    cdef bint unsubscribes(self, int i) noexcept:
        """Whether a link in a block ends the subscription of a letter."""
        cdef int k
        for k in range(self.t.blocks.first_run[i], self.t.blocks.end_run[i]):
            if self.t.elements.link[self.t.runs.element[k]] >= 0 and UNSUBSCRIBE.has(
                self.letters, self.t.runs.start[k], self.t.runs.end[k]
            ):
                return True
        return False


cdef bint is_spelled(const unsigned char* s, int size, const char* name) noexcept:
    """Whether *size* bytes are a name, letter case apart."""
    cdef int k
    for k in range(size):
        if (s[k] | 0x20 if 65 <= s[k] <= 90 else s[k]) != <unsigned char>name[k]:
            return False
    return True


def mend_choice(document, main, const float[::1] scores, int title, describe=list):
    """The chosen blocks by the rules: a new mask.

    *main* is the mask of the blocks chosen by their *scores*; *title* the block that is the
    page's title, or -1, *describe* gives the descriptions that the page declares. A page does
    not lose all of its text.
    """
    cdef uint8_t[::1] own
    cdef Choice choice
    cdef int lede
    result = np.array(main, np.uint8)
    if not result.any():
        return result.view(bool)
    own = result
    choice = Choice(document, own)
    lede = choice.find_lede(title, scores, describe)
    if lede >= 0 and scores[lede] >= MIN_LEDE:
        own[lede] = 1
    choice.drop_copies()
    choice.drop_lines()
    choice.drop_second_title(title)
    return (result if result.any() else np.array(main, np.uint8)).view(bool)
