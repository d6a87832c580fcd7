"""Features of text blocks for their roles: names and phrases around them, and their place.

The work per block does not depend on the page: sums over all blocks are made before.
"""

import numpy as np

from libc.math cimport sqrt
from libc.stdint cimport int16_t, int32_t, uint32_t, uint64_t

from ..document._schema cimport HEADING_SHIFT, Tables, find_larger, last_character, read_tables

from ...label import Label
from ..document.schema import Context
from ..document.tags import CODES
from . import NAMED
from ._words import sum_weights
from .phrases import Topic, load_word_weights

ctypedef const int32_t[::1] Ints

TAGS = ("li", "p", "div", "button", "a", "span", "td", "th", "label", "legend", "dt", "dd",
        "section", "aside", "form", "header", "footer", "nav", "body", "time", "figcaption")
ROLE_NAMES = [str(label) for label in Label if not label.is_main]

NAMES = (
    # Of the innermost element around with a name: its share of blocks, and how far up.
    *(f"{kind}_{name}" for name in NAMED for kind in ("near", "above")),
    # Shares of words in phrases: of the block, whether they open it; of the heading above; of
    # the next two larger elements around, and of their first blocks; of the blocks beside.
    *(
        f"{kind}_{topic.name.lower()}" for topic in Topic
        for kind in "say open heading in1 first1 in2 first2 next previous".split()
    ),
    "read_words", "numbers", "separators",
    *"heading_distance from_main_start from_main_end since_main until_main main_before".split(),
    *"from_title main_share words characters_per_word link_density digit_share".split(),
    *"capital_share strong_share sentences commas heading_level last_character".split(),
    *"place blocks forum previous_words previous_link_density next_words".split(),
    "next_link_density",
    *(
        f"{kind}{level}" for level in (1, 2, 3)
        for kind in "main blocks words_per_block links headings buttons place".split()
    ),
    *(f"in_{context.name.lower()}" for context in Context),
    *(f"tag_{tag}" for tag in TAGS),
    *(f"words_{role}" for role in ROLE_NAMES),
)

cdef enum:
    MAX_FEATURES = 400
    MAX_NAMED = 24
    LEVELS = 3
    # Blocks; distances are cut off there.
    MAX_DISTANCE = 300
    # Distance from the title of a page without one.
    TITLE_MISSING = 999

cdef int N_FEATURES = len(NAMES), N_NAMED = len(NAMED), N_TOPICS = len(Topic)
cdef int N_CONTEXTS = len(Context), N_TAGS = len(TAGS), N_ROLES = len(ROLE_NAMES)
assert N_FEATURES <= MAX_FEATURES and N_NAMED <= MAX_NAMED

cdef int[MAX_NAMED] NAME_BITS
for place, bit in enumerate(NAMED.values()):
    NAME_BITS[place] = bit
cdef int32_t[::1] TAG_CODES = np.array([CODES[tag] for tag in TAGS], np.int32)


cdef struct Naming:
    # Per name: the blocks of the innermost element around that has it, and its depth.
    int32_t[MAX_NAMED] blocks, depth


cdef struct Sums:
    # Over the blocks before each.
    int32_t words, linked, headings, buttons, main_words


cdef class Page:
    cdef Tables t
    cdef int n, title, first_main, last_main, main_words
    cdef float main_share
    cdef bint forum
    cdef const unsigned char* text
    cdef int32_t[::1] larger, naming_of, heading, main_before, main_after
    cdef int32_t[:, ::1] namings, sums
    cdef const int32_t[:, ::1] totals
    cdef float[:, ::1] share, shares_before
    cdef const uint32_t[::1] opening

    def __init__(self, document, const uint64_t[::1] names, phrases, main, int title, bint forum):
        blocks, tag = document.blocks, document.elements.tag
        read_tables(document, &self.t)
        self.n, self.text, self.title, self.forum = self.t.n_blocks, document.text, title, forum
        self.opening, self.totals = phrases.opening, phrases.totals
        share = (phrases.counts / np.maximum(phrases.totals[0], 1)).astype(np.float32).T
        self.share = np.ascontiguousarray(share)
        self.shares_before = sums_before(share)
        is_heading = blocks.flags >> HEADING_SHIFT > 0
        main_words = np.where(main, np.maximum(blocks.words, 1), 0)
        is_button = tag[blocks.element] == CODES["button"]
        self.sums = sums_before(np.stack(
            (blocks.words, blocks.linked_words, is_heading, is_button, main_words), axis=1
        ).astype(np.int32))
        self.main_words = max(int(main_words.sum()), 1)
        order, held = np.arange(self.n, dtype=np.int32), np.flatnonzero(main)
        self.main_share = <float>len(held) / self.n
        # Of a page without main content: behind its last block.
        self.first_main, self.last_main = (held[0], held[len(held) - 1]) if len(held) else (self.n, self.n)
        # Of each block, itself included; far away if there is none.
        nowhere = np.int32(-MAX_DISTANCE)
        self.heading = np.maximum.accumulate(np.where(is_heading, order, nowhere))
        self.main_before = np.maximum.accumulate(np.where(main, order, nowhere))
        after = np.where(main, order, np.int32(self.n + MAX_DISTANCE))
        self.main_after = np.ascontiguousarray(np.minimum.accumulate(after[::-1])[::-1])
        self.larger = np.empty(self.t.n_elements, np.int32)
        find_larger(
            self.t.elements.parent, self.t.elements.first_block, self.t.elements.end_block,
            self.t.n_elements, &self.larger[0],
        )
        self.read_names(names, np.count_nonzero(names))

    cdef int read_names(self, const uint64_t[::1] bits, int count) except -1:
        """Elements without a name share the naming of their parent."""
        cdef Naming* known
        cdef int e, k, parent, used = 0
        self.naming_of = np.zeros(self.t.n_elements, np.int32)
        self.namings = np.zeros((count + 1, sizeof(Naming) // sizeof(int32_t)), np.int32)
        known = <Naming*>&self.namings[0, 0]
        for e in range(self.t.n_elements):
            parent = self.t.elements.parent[e]
            self.naming_of[e] = self.naming_of[parent] if parent >= 0 else 0
            if bits[e]:
                used += 1
                known[used] = known[self.naming_of[e]]
                self.naming_of[e] = used
                for k in range(N_NAMED):
                    if bits[e] >> NAME_BITS[k] & 1:
                        known[used].blocks[k] = self.t.elements.end_block[e] - self.t.elements.first_block[e]
                        known[used].depth[k] = self.t.elements.depth[e]

    cdef float* add_names(self, int b, float* out) noexcept:
        cdef int k, element = self.t.blocks.element[b]
        cdef Naming* naming = <Naming*>&self.namings[self.naming_of[element], 0]
        for k in range(N_NAMED):
            out[0] = <float>naming.blocks[k] / self.n
            out[1] = self.t.elements.depth[element] - naming.depth[k] + 1 if naming.blocks[k] else 0
            out += 2
        return out

    cdef float* add_topics(self, int b, float* out) noexcept:
        cdef int k, heading = self.heading[b - 1] if b else -1
        cdef int inner = max(self.larger[self.t.blocks.element[b]], 0), outer = max(self.larger[inner], 0)
        for k in range(N_TOPICS):
            out[0], out[1] = self.share[b, k], self.opening[b] >> k & 1
            out[2] = self.share[heading, k] if heading >= 0 else 0
            out[3], out[4] = self.share_in(inner, k), self.share[self.t.elements.first_block[inner], k]
            out[5], out[6] = self.share_in(outer, k), self.share[self.t.elements.first_block[outer], k]
            out[7] = self.share[b + 1, k] if b + 1 < self.n else 0
            out[8] = self.share[b - 1, k] if b else 0
            out += 9
        for k in range(3):
            out[k] = self.totals[k, b]
        return out + 3

    cdef inline float share_in(self, int element, int topic) noexcept:
        """The mean share over the blocks of an element."""
        cdef int first = self.t.elements.first_block[element], end = self.t.elements.end_block[element]
        return (self.shares_before[end, topic] - self.shares_before[first, topic]) / max(end - first, 1)

    cdef float* add_place(self, int b, float* out) noexcept:
        out[0] = min(b - self.heading[b - 1], MAX_DISTANCE) if b else MAX_DISTANCE
        out[1], out[2] = b - self.first_main, b - self.last_main
        out[3] = min(b - self.main_before[b], MAX_DISTANCE)
        out[4] = min(self.main_after[b] - b, MAX_DISTANCE)
        out[5] = <float>self.sums[b, 4] / self.main_words
        out[6] = b - self.title if self.title >= 0 else TITLE_MISSING
        out[7] = self.main_share
        return out + 8

    cdef float* add_text(self, int b, float* out) noexcept:
        cdef int words = max(self.t.blocks.words[b], 1), chars = max(self.t.blocks.chars[b], 1)
        out[0], out[1] = self.t.blocks.words[b], <float>self.t.blocks.chars[b] / words
        out[2] = self.link_density(b)
        out[3], out[4] = <float>self.t.blocks.digits[b] / chars, <float>self.t.blocks.capitals[b] / chars
        out[5] = <float>self.t.blocks.strong_words[b] / words
        out[6], out[7] = self.t.blocks.sentences[b], self.t.blocks.commas[b]
        out[8] = self.t.blocks.flags[b] >> HEADING_SHIFT
        out[9] = last_character(self.text, self.t.blocks.start[b], self.t.blocks.end[b])
        out[10], out[11], out[12] = <float>b / self.n, self.n, self.forum
        out[13] = out[14] = out[15] = out[16] = -1
        if b:
            out[13], out[14] = self.t.blocks.words[b - 1], self.link_density(b - 1)
        if b + 1 < self.n:
            out[15], out[16] = self.t.blocks.words[b + 1], self.link_density(b + 1)
        return out + 17

    cdef inline float link_density(self, int b) noexcept:
        return <float>self.t.blocks.linked_words[b] / max(self.t.blocks.words[b], 1)

    cdef float* add_levels(self, int b, float* out) noexcept:
        """The contents of the next larger elements around."""
        cdef int _level, first, size, words, element = self.t.blocks.element[b]
        cdef Sums* low
        cdef Sums* high
        for _level in range(LEVELS):
            element = max(self.larger[element], 0)
            first = self.t.elements.first_block[element]
            low, high = <Sums*>&self.sums[first, 0], <Sums*>&self.sums[self.t.elements.end_block[element], 0]
            size, words = max(<int>(high - low), 1), high.words - low.words
            out[0] = <float>(high.main_words - low.main_words) / self.main_words
            out[1], out[2] = size, <float>words / size
            out[3] = <float>(high.linked - low.linked) / max(words, 1)
            out[4] = <float>(high.headings - low.headings) / size
            out[5] = <float>(high.buttons - low.buttons) / size
            out[6] = <float>(b - first) / size
            out += 7
        return out

    cdef float* add_markup(self, int b, float* out) noexcept:
        """The context of the block, and the tag of its element."""
        cdef int k
        for k in range(N_CONTEXTS):
            out[k] = self.t.blocks.flags[b] >> k & 1
        for k in range(N_TAGS):
            out[N_CONTEXTS + k] = self.t.elements.tag[self.t.blocks.element[b]] == TAG_CODES[k]
        return out + N_CONTEXTS + N_TAGS


def sums_before(values):
    """Sums over the rows before each, and over all."""
    sums = np.zeros((len(values) + 1, values.shape[1]), values.dtype)
    np.cumsum(values, axis=0, out=sums[1:])
    return sums


def role_features(
    document, const uint64_t[::1] names, phrases, main, Ints wanted, int title, bint forum
):
    """A matrix (float32) with a row per feature of ``NAMES``, a column per *wanted* block.

    *names* are the bits of the elements, *phrases* those of the blocks, *main* is the mask
    of main content, *title* the block of the page's title or -1.
    """
    cdef float[MAX_FEATURES] row
    cdef float* end
    cdef int j, k, b
    cdef Page page
    result = np.empty((len(NAMES), wanted.shape[0]), np.float32)
    cdef float[:, ::1] out = result
    cdef const int16_t[:, ::1] sums
    cdef const int32_t[::1] slots
    if not wanted.shape[0]:
        return result
    page = Page(document, names, phrases, main, title, forum)
    sums, slots = sum_weights(wanted, phrases.slots, load_word_weights())
    for j in range(wanted.shape[0]):
        b = wanted[j]
        end = page.add_topics(b, page.add_names(b, row))
        end = page.add_text(b, page.add_place(b, end))
        end = page.add_markup(b, page.add_levels(b, end))
        for k in range(N_ROLES):
            end[k] = sums[j, k] / <float>sqrt(max(slots[j], 1))
        for k in range(N_FEATURES):
            out[k, j] = row[k]
    return result
