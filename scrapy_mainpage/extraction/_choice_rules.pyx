"""Rules on the chosen blocks, for what a page says of itself beside its text.

Each is sure where it applies, and rare; the model knows the rest. A lede that is the
declared description is main content (``LEDE``). Other pages below a heading that says so
(``OTHER_PAGES``), second copies of a section (``COPIES``), and breadcrumbs, dialogs and
single lines of the frame (``LINES``) are not.
"""

from os import urandom

import numpy as np

from cpython.unicode cimport Py_UNICODE_ISALNUM, Py_UNICODE_TOLOWER
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp

from ..text._chars cimport character_at, next_character
from ..text._hashing cimport fnv_start, fnv_step, mixed
from .document._schema cimport HEADING_SHIFT, HIDDEN, PRE, Tables, read_tables

from .document.schema import Context
from .document.tags import ATTRIBUTE_CODES, CODES, TAGS
from .vocabulary import read_phrases

cpdef enum:
    LEDE = 1
    OTHER_PAGES = 2
    COPIES = 4
    LINES = 8
    ALL_RULES = 15

cdef enum:
    # From a lede down to the first paragraph there are a byline, a date, buttons, a caption.
    MAX_LEDE_BLOCKS = 12
    MIN_LEDE_LETTERS = 20
    # Bytes of a lede that the text says again: some papers begin with it.
    SAID_BYTES = 60
    MAX_DESCRIPTIONS = 4
    MIN_PARAGRAPH_WORDS = 10
    MAX_PHRASE_BYTES = 96
    MAX_BOX_LEVELS = 12
    MIN_COPY_WORDS = 12
    # One word in so many may be in breadcrumbs.
    MIN_CRUMBS_PARTS = 5

# Less likely blocks above the text are no ledes, whatever they say.
cdef float MIN_LEDE = 0.1

cdef int ATTR_PROPERTY = ATTRIBUTE_CODES["property"], ATTR_NAME = ATTRIBUTE_CODES["name"]
cdef int ATTR_CONTENT = ATTRIBUTE_CODES["content"]
cdef int DIALOG = int(Context.DIALOG)
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
    """Hashes of short texts, by their letters and digits."""

    cdef frozenset known

    def __init__(self, phrases):
        cdef bytes text
        found = []
        for phrase in phrases:
            text = phrase.encode()
            found.append(letters_hash(text, 0, len(text)))
        self.known = frozenset(found)

    cdef bint has(self, const unsigned char* text, int start, int end) except -1:
        return 0 < end - start <= MAX_PHRASE_BYTES and letters_hash(text, start, end) in self.known


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


_PHRASES = read_phrases("frame_lines")
cdef PhraseSet HEADS_OTHERS = PhraseSet(_PHRASES["other_pages"])
cdef PhraseSet FRAME_LINES = PhraseSet(_PHRASES["line"])
cdef PhraseSet OPENINGS = PhraseSet(_PHRASES["opening"])


cdef class Choice:
    """A document and its chosen blocks, which the rules change."""

    cdef Tables t
    cdef bytes text, values
    cdef uint8_t[::1] main
    cdef bytearray memory
    cdef int32_t* words_before  # main words before each block, at the start

    def __init__(self, document, uint8_t[::1] main):
        cdef int i
        read_tables(document, &self.t)
        if main.shape[0] != self.t.n_blocks:
            raise ValueError("a mask of all blocks")
        self.text, self.values, self.main = document.text, document.values, main
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

    cdef int find_lede(self, int title) except -2:
        cdef int first = self.first_paragraph(), i, k, n = 0, content
        cdef int[MAX_DESCRIPTIONS] found
        for k in range(self.t.n_attributes):
            if n < MAX_DESCRIPTIONS and self.names_description(k):
                content = self.content_of(self.t.attributes.element[k])
                if content >= 0:
                    found[n] = content
                    n += 1
        for i in range(first - 1, max(title, first - MAX_LEDE_BLOCKS - 1, -1), -1):
            if self.main[i] or self.t.blocks.flags[i] & HIDDEN or self.t.blocks.flags[i] >> HEADING_SHIFT:
                continue
            for k in range(n):
                if self.begins(found[k], i) and not self.is_said_again(i):
                    return i
        return -1

    cdef bint names_description(self, int k) noexcept:
        cdef int name = self.t.attributes.name[k], start = self.t.attributes.start[k]
        cdef int size = self.t.attributes.end[k] - start, at
        if name != ATTR_PROPERTY and name != ATTR_NAME:
            return False
        at = 11 if size == 11 else 14 if size == 14 else 19 if size == 19 else 0
        if not at:
            return False
        return is_spelled(self.values, start, size, (
            b"description" if size == 11 else b"og:description" if size == 14 else b"twitter:description"
        ))

    cdef int content_of(self, int element) noexcept:
        """The attribute with the content of a `meta` element, or -1."""
        cdef int k = self.t.elements.first_attribute[element]
        while k < self.t.n_attributes and self.t.attributes.element[k] == element:
            if self.t.attributes.name[k] == ATTR_CONTENT:
                return k
            k += 1
        return -1

    cdef bint begins(self, int attribute, int block) noexcept:
        """Whether a block is all of a description, or its beginning, by letters."""
        cdef int at = self.t.attributes.start[attribute], end = self.t.attributes.end[attribute]
        cdef int k = self.t.blocks.start[block], stop = self.t.blocks.end[block], count = 0
        cdef const unsigned char* values = self.values
        cdef const unsigned char* text = self.text
        cdef uint32_t c
        while True:
            c = next_letter(text, &k, stop)
            if not c:
                return count >= MIN_LEDE_LETTERS
            if c != next_letter(values, &at, end):
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

    # Other pages

    cdef int drop_other_pages(self) except -1:
        """Drop boxes that begin with a heading for other pages, below more of the text."""
        cdef int i, box, parent, end = 0
        for i in range(self.t.n_blocks):
            if i < end or not self.t.blocks.flags[i] >> HEADING_SHIFT:
                continue
            if not HEADS_OTHERS.has(self.text, self.t.blocks.start[i], self.t.blocks.end[i]):
                continue
            box = self.t.blocks.element[i]
            for _ in range(MAX_BOX_LEVELS):
                parent = self.t.elements.parent[box]
                if parent < 0 or self.t.elements.first_block[parent] < i:
                    break
                box = parent
            if box == self.t.blocks.element[i]:
                continue
            end = self.t.elements.end_block[box]
            if self.words(i, end) <= self.words(0, i):
                self.drop(i, end)

    # Copies

    cdef int drop_copies(self) except -1:
        """Of equal sections beside each other keep the first, with what is chosen of either."""
        cdef int n = self.t.n_blocks, i, first, end, size, room = 16
        cdef bytearray hash_memory = bytearray(16 * (n + 1)), table_memory
        cdef uint64_t* sums = <uint64_t*><char*>hash_memory  # of the hashes before a block
        cdef uint64_t* powers = sums + n + 1
        cdef uint64_t key
        cdef int32_t* seen
        cdef uint64_t* keys
        cdef const unsigned char* text = self.text
        powers[0] = 1
        for i in range(n):
            powers[i + 1] = powers[i] * SALT
            sums[i + 1] = sums[i] * SALT + mixed(
                letters_hash(text, self.t.blocks.start[i], self.t.blocks.end[i]) ^ SALT
            )
        while room < 2 * self.t.n_elements:
            room *= 2
        table_memory = bytearray(12 * room)
        keys = <uint64_t*><char*>table_memory
        seen = <int32_t*>(keys + room)
        for i in range(self.t.n_elements):
            if self.t.elements.tag[i] >= N_TAGS or not IS_SECTION[self.t.elements.tag[i]]:
                continue
            first, end = self.t.elements.first_block[i], self.t.elements.end_block[i]
            if self.words(first, end) < 1 or self.count_words(first, end) < MIN_COPY_WORDS:
                continue
            key = mixed((sums[end] - sums[first] * powers[end - first]) ^ SALT)
            key = mixed(key ^ <uint64_t>(self.t.elements.parent[i] + 1)) | 1
            size = <int>(key >> 32 & (room - 1))
            while keys[size] and keys[size] != key:
                size = (size + 1) & (room - 1)
            if keys[size]:
                self.keep_one(seen[size], i)
            else:
                keys[size], seen[size] = key, i

    cdef bint count_words(self, int first, int end) noexcept:
        cdef int words = 0
        while first < end and words < MIN_COPY_WORDS:
            words += self.t.blocks.words[first]
            first += 1
        return words

    cdef int keep_one(self, int kept, int copy) noexcept:
        cdef int first = self.t.elements.first_block[kept], other = self.t.elements.first_block[copy], k
        if self.t.blocks.flags[first] & HIDDEN and not self.t.blocks.flags[other] & HIDDEN:
            first, other = other, first
        for k in range(self.t.elements.end_block[kept] - self.t.elements.first_block[kept]):
            self.main[first + k] |= self.main[other + k]
            self.main[other + k] = 0

    # The frame

    cdef int drop_lines(self) except -1:
        cdef int i, k, start, end, last = -1, dialogs = 0, total = self.words(0, self.t.n_blocks)
        for k in range(self.t.n_tokens):
            if self.t.tokens.element[k] != last and self.names_breadcrumb(k):
                last = self.t.tokens.element[k]
                start, end = self.t.elements.first_block[last], self.t.elements.end_block[last]
                if MIN_CRUMBS_PARTS * self.words(start, end) <= total:
                    for i in range(start, end):
                        self.main[i] &= self.t.blocks.flags[i] >> HEADING_SHIFT > 0
        for i in range(self.t.n_blocks):
            if self.main[i] and self.t.blocks.flags[i] & DIALOG:
                dialogs += self.t.blocks.words[i]
        for i in range(self.t.n_blocks):
            if self.main[i] and (
                (self.t.blocks.flags[i] & DIALOG and 2 * dialogs <= total) or self.is_line(i)
            ):
                self.main[i] = 0

    cdef bint names_breadcrumb(self, int k) noexcept:
        cdef int at
        for at in range(self.t.tokens.start[k], self.t.tokens.end[k] - 9):
            if is_spelled(self.values, at, 10, b"breadcrumb"):
                return True
        return False

    cdef bint is_line(self, int i) except -1:
        cdef const unsigned char* text = self.text
        cdef int start = self.t.blocks.start[i], end = self.t.blocks.end[i], k = start
        if self.t.blocks.flags[i] >> HEADING_SHIFT or self.t.blocks.flags[i] & PRE:
            return False
        if self.t.blocks.cell[i] >= 0:
            return False
        if FRAME_LINES.has(text, start, end):
            return True
        if 2 * self.t.blocks.linked_words[i] < self.t.blocks.words[i] or not self.t.blocks.linked_words[i]:
            return False
        while k < end and text[k] != b":":
            k += 1
        return k < end and OPENINGS.has(text, start, k)


cdef bint is_spelled(bytes values, int start, int size, bytes name) noexcept:
    """Whether *size* bytes are a name in lower case."""
    cdef const unsigned char* s = values
    cdef const unsigned char* t = name
    cdef int k
    for k in range(size):
        if (s[start + k] | 0x20 if 65 <= s[start + k] <= 90 else s[start + k]) != t[k]:
            return False
    return True


def mend_choice(document, main, const float[::1] scores, int title, int rules=ALL_RULES):
    """The chosen blocks by the *rules*: a new mask.

    *main* is the mask of the blocks chosen by their *scores*; *title* the block that is the
    page's title, or -1. A page does not lose all of its text.
    """
    cdef uint8_t[::1] own
    cdef Choice choice
    cdef int lede
    result = np.array(main, np.uint8)
    if not result.any():
        return result.view(bool)
    own = result
    choice = Choice(document, own)
    if rules & LEDE:
        lede = choice.find_lede(title)
        if lede >= 0 and scores[lede] >= MIN_LEDE:
            own[lede] = 1
    if rules & OTHER_PAGES:
        choice.drop_other_pages()
    if rules & COPIES:
        choice.drop_copies()
    if rules & LINES:
        choice.drop_lines()
    return (result if result.any() else np.array(main, np.uint8)).view(bool)
