"""Reading a page for the features of roles: names, phrases, and sums over the blocks."""

import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint64_t

from ..document._schema cimport HEADING_SHIFT, find_larger, read_tables

from ..document.tags import CODES
from .phrases import Topic
from . import NAMED

cdef int N_TOPICS = len(Topic), N_NAMED = len(NAMED), TAG_BUTTON = CODES["button"]
assert len(NAMED) <= MAX_NAMED and len(Topic) <= MAX_TOPICS

cdef int[MAX_NAMED] NAMED_BITS
for place, bit in enumerate(NAMED.values()):
    NAMED_BITS[place] = bit


cdef class RolePage:

    def __init__(self, document, const uint64_t[::1] bits, phrases, const uint8_t[::1] main,
                 int title, bint forum):
        self.document, self.title, self.forum = document, title, forum
        read_tables(document, &self.t)
        self.n, self.text = self.t.n_blocks, <bytes>document.text
        self.opening, self.word_sums, self.slots = phrases.opening, phrases.word_sums, phrases.slots
        self.read, self.numbers, self.separators = phrases.words, phrases.numbers, phrases.separators
        self.up = np.empty(self.t.n_elements, np.int32)
        find_larger(
            self.t.elements.parent, self.t.elements.first_block, self.t.elements.end_block,
            self.t.n_elements, &self.up[0],
        )
        self._read_names(bits, np.count_nonzero(bits))
        self._read_topics(phrases.counts)
        self._sum_blocks(main)
        self._find_nearest(main)

    cdef int _read_names(self, const uint64_t[::1] bits, int count) except -1:
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
                    if bits[e] >> NAMED_BITS[k] & 1:
                        known[used].blocks[k] = self.t.elements.end_block[e] - self.t.elements.first_block[e]
                        known[used].depth[k] = self.t.elements.depth[e]

    cdef int _read_topics(self, const int32_t[:, ::1] counts) except -1:
        cdef int i, k
        self.share = np.empty((self.n, MAX_TOPICS), np.float32)
        self.shares_before = np.zeros((self.n + 1, MAX_TOPICS), np.float32)
        for i in range(self.n):
            for k in range(N_TOPICS):
                self.share[i, k] = <float>counts[k, i] / max(self.read[i], 1)
                self.shares_before[i + 1, k] = self.shares_before[i, k] + self.share[i, k]

    cdef int _sum_blocks(self, const uint8_t[::1] main) except -1:
        cdef int i
        cdef Sums* own
        self.sums = np.zeros((self.n + 1, sizeof(Sums) // sizeof(int32_t)), np.int32)
        own = sums_before(self, 0)
        for i in range(self.n):
            own[1] = own[0]
            own += 1
            own.words += self.t.blocks.words[i]
            own.linked += self.t.blocks.linked_words[i]
            own.headings += self.t.blocks.flags[i] >> HEADING_SHIFT > 0
            own.buttons += self.t.elements.tag[self.t.blocks.element[i]] == TAG_BUTTON
            own.main_words += max(self.t.blocks.words[i], 1) if main[i] else 0
            own.main += main[i]
        self.main_words = max(own.main_words, 1)

    cdef int _find_nearest(self, const uint8_t[::1] main) except -1:
        cdef int i, heading = -1, main_before = -1, main_after = -1
        cdef Nearest* near
        self.nearest = np.empty((self.n, sizeof(Nearest) // sizeof(int32_t)), np.int32)
        near = nearest_to(self, 0)
        for i in range(self.n):
            main_before = i if main[i] else main_before
            near[i].heading, near[i].main_before = heading, main_before
            if self.t.blocks.flags[i] >> HEADING_SHIFT > 0:
                heading = i
        for i in range(self.n - 1, -1, -1):
            main_after = i if main[i] else main_after
            near[i].main_after = main_after
        # Of a page without main content: behind its last block.
        self.first_main = main_after if main_after >= 0 else self.n
        self.last_main = main_before if main_before >= 0 else self.n
