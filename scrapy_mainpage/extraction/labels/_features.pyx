"""Features of text blocks for their roles: names and phrases around them, and their place.

All are written in one pass; the work per block does not depend on the page.
"""

import numpy as np

from libc.math cimport sqrt
from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

from ..document._schema cimport HEADING_SHIFT
from ..document._structure cimport last_character
from ._match import find_larger

from ..document.schema import Context
from ..document.tags import CODES
from . import LABELS
from .phrases import Topic
from .regions import NAMED

ctypedef const int32_t[::1] Ints

TAGS = ("li", "p", "div", "button", "a", "span", "td", "th", "label", "legend", "dt", "dd",
        "section", "aside", "form", "header", "footer", "nav", "body", "time", "figcaption")

cdef enum:
    MAX_NAMED = 24
    MAX_TOPICS = 16
    N_BITS = 18
    LEVELS = 3
    MAX_DISTANCE = 300
    N_SIZES = 6

ROLE_NAMES = [str(label) for label in LABELS if not label.is_main]

cdef int N_ROLES = len(ROLE_NAMES), N_TOPICS = len(Topic), N_NAMED = len(NAMED), N_TAGS = len(TAGS)

NAMES = (
    *(f"{kind}_{name}" for name in NAMED for kind in ("near", "above")),
    *(f"{kind}_{topic.name.lower()}" for topic in Topic for kind in (
        "say", "open", "heading", "in1", "first1", "in2", "first2", "next", "previous")),
    "read_words", "numbers", "separators", "heading_distance",
    "from_main_start", "from_main_end", "since_main", "until_main", "main_before",
    "from_title", "main_share", "main1", "main2", "main3",
    "words", "characters_per_word", "link_density", "digit_share", "capital_share",
    "strong_share", "sentences", "commas", "heading_level", "last_character", "place",
    "blocks", "forum",
    "previous_words", "previous_link_density", "next_words", "next_link_density",
    *(f"{kind}{level}" for level in range(1, LEVELS + 1) for kind in (
        "blocks", "words_per_block", "links", "headings", "buttons", "place")),
    *(f"in_{context.name.lower()}" for context in Context),
    *(f"tag_{tag}" for tag in TAGS),
    *(f"words_{role}" for role in ROLE_NAMES),
)

cdef int32_t[::1] TAG_PLACE = np.full(max(CODES.values()) + 1, -1, np.int32)
for place, tag in enumerate(TAGS):
    TAG_PLACE[CODES[tag]] = place
cdef int TAG_BUTTON = CODES["button"]


cdef struct Naming:
    # Per region: the blocks of the innermost element around that names it, and its depth.
    int32_t[MAX_NAMED] blocks
    int32_t[MAX_NAMED] depth


def role_features(
    document,
    const uint64_t[::1] bits,
    phrases,
    const uint8_t[::1] main,
    Ints wanted,
    int title,
    bint forum,
):
    """A matrix (float32) with a row per feature of ``NAMES``, a column per *wanted* block.

    *bits* are the names of the elements, *phrases* those of the blocks, *main* is the
    mask of main content, *title* the block of the page's title or -1.
    """
    elements, blocks = document.elements, document.blocks
    cdef Ints parent = elements.parent, depth = elements.depth, tag = elements.tag
    cdef Ints first = elements.first_block, end = elements.end_block
    cdef Ints element = blocks.element, words = blocks.words, linked = blocks.linked_words
    cdef Ints chars = blocks.chars, digits = blocks.digits, capitals = blocks.capitals
    cdef Ints strong = blocks.strong_words, sentences = blocks.sentences
    cdef Ints commas = blocks.commas, flags = blocks.flags
    cdef Ints start = blocks.start, stop = blocks.end
    cdef const int32_t[:, ::1] counts = phrases.counts
    cdef const uint32_t[::1] opening = phrases.opening
    cdef const int16_t[:, ::1] word_sums = phrases.word_sums
    cdef Ints slots = phrases.slots
    cdef Ints read = phrases.words, numbers = phrases.numbers, separators = phrases.separators
    cdef Ints up = find_larger(elements.parent, first, end)
    cdef const unsigned char[::1] text = document.text
    cdef int n = main.shape[0], ne = parent.shape[0], m = wanted.shape[0]
    cdef int i, j, k, f, e, a, level, previous, names_of, b, w, size
    result = np.empty((len(NAMES), m), np.float32)
    if not m:
        return result
    cdef float[:, ::1] out = result
    # The namings of elements: those without a name share their parent's.
    state_of = np.zeros(ne, np.int32)
    cdef int32_t[::1] state = state_of
    namings = np.zeros((int(np.count_nonzero(bits)) + 1, 2 * MAX_NAMED), np.int32)
    cdef int32_t[:, ::1] naming = namings
    cdef Naming* known = <Naming*>&naming[0, 0]
    cdef int32_t[MAX_NAMED] bit_of
    bits_of_named = list(NAMED.values())
    for k in range(N_NAMED):
        bit_of[k] = bits_of_named[k]
    names_of = 0
    for e in range(ne):
        state[e] = state[parent[e]] if parent[e] >= 0 else 0
        if bits[e]:
            names_of += 1
            known[names_of] = known[state[e]]
            state[e] = names_of
            for k in range(N_NAMED):
                if bits[e] >> bit_of[k] & 1:
                    known[names_of].blocks[k] = end[e] - first[e]
                    known[names_of].depth[k] = depth[e]
    # Shares of phrases and sums over the blocks before.
    shares, totals = np.empty((n, MAX_TOPICS), np.float32), np.zeros((n + 1, MAX_TOPICS), np.float32)
    sizes = np.zeros((n + 1, N_SIZES), np.int32)
    cdef float[:, ::1] share = shares, total = totals
    cdef int32_t[:, ::1] sums = sizes
    around = np.empty((3, n), np.int32)
    cdef int32_t[:, ::1] near = around
    cdef int last_main = -1, begin = n, finish = n, next_main = -1
    cdef bint heading
    previous = -1
    for i in range(n):
        heading = flags[i] >> HEADING_SHIFT > 0
        for k in range(N_TOPICS):
            share[i, k] = <float>counts[k, i] / max(read[i], 1)
            total[i + 1, k] = total[i, k] + share[i, k]
        sums[i + 1, 0] = sums[i, 0] + words[i]
        sums[i + 1, 1] = sums[i, 1] + linked[i]
        sums[i + 1, 2] = sums[i, 2] + heading
        sums[i + 1, 3] = sums[i, 3] + (tag[element[i]] == TAG_BUTTON)
        sums[i + 1, 4] = sums[i, 4] + (max(words[i], 1) if main[i] else 0)
        sums[i + 1, 5] = sums[i, 5] + main[i]
        near[0, i] = previous
        if heading:
            previous = i
        if main[i]:
            begin = min(begin, i)
            finish = last_main = i
        near[1, i] = last_main
    for i in range(n - 1, -1, -1):
        if main[i]:
            next_main = i
        near[2, i] = next_main
    cdef float all_main = max(sums[n, 4], 1)
    for j in range(m):
        b = wanted[j]
        e = element[b]
        f = 0
        for k in range(N_NAMED):
            size = known[state[e]].blocks[k]
            out[f, j] = <float>size / n
            out[f + 1, j] = depth[e] - known[state[e]].depth[k] + 1 if size else 0
            f += 2
        a = max(up[e], 0)
        w = max(up[a], 0)
        previous = near[0, b]
        for k in range(N_TOPICS):
            out[f, j] = share[b, k]
            out[f + 1, j] = opening[b] >> k & 1
            out[f + 2, j] = share[previous, k] if previous >= 0 else 0
            out[f + 3, j] = (total[end[a], k] - total[first[a], k]) / max(end[a] - first[a], 1)
            out[f + 4, j] = share[first[a], k]
            out[f + 5, j] = (total[end[w], k] - total[first[w], k]) / max(end[w] - first[w], 1)
            out[f + 6, j] = share[first[w], k]
            out[f + 7, j] = share[b + 1, k] if b + 1 < n else 0
            out[f + 8, j] = share[b - 1, k] if b else 0
            f += 9
        out[f, j] = read[b]
        out[f + 1, j] = numbers[b]
        out[f + 2, j] = separators[b]
        out[f + 3, j] = min(b - previous, MAX_DISTANCE) if previous >= 0 else MAX_DISTANCE
        out[f + 4, j] = b - begin
        out[f + 5, j] = b - finish
        out[f + 6, j] = min(b - near[1, b], MAX_DISTANCE) if near[1, b] >= 0 else MAX_DISTANCE
        out[f + 7, j] = min(near[2, b] - b, MAX_DISTANCE) if near[2, b] >= 0 else MAX_DISTANCE
        out[f + 8, j] = sums[b, 4] / all_main
        out[f + 9, j] = b - title if title >= 0 else 999
        out[f + 10, j] = <float>sums[n, 5] / n
        a = e
        for level in range(LEVELS):
            a = max(up[a], 0)
            out[f + 11 + level, j] = (sums[end[a], 4] - sums[first[a], 4]) / all_main
        f += 11 + LEVELS
        out[f, j] = words[b]
        out[f + 1, j] = <float>chars[b] / max(words[b], 1)
        out[f + 2, j] = <float>linked[b] / max(words[b], 1)
        out[f + 3, j] = <float>digits[b] / max(chars[b], 1)
        out[f + 4, j] = <float>capitals[b] / max(chars[b], 1)
        out[f + 5, j] = <float>strong[b] / max(words[b], 1)
        out[f + 6, j] = sentences[b]
        out[f + 7, j] = commas[b]
        out[f + 8, j] = flags[b] >> HEADING_SHIFT
        out[f + 9, j] = last_character(&text[0], start[b], stop[b])
        out[f + 10, j] = <float>b / n
        out[f + 11, j] = n
        out[f + 12, j] = forum
        out[f + 13, j] = words[b - 1] if b else -1
        out[f + 14, j] = <float>linked[b - 1] / max(words[b - 1], 1) if b else -1
        out[f + 15, j] = words[b + 1] if b + 1 < n else -1
        out[f + 16, j] = <float>linked[b + 1] / max(words[b + 1], 1) if b + 1 < n else -1
        f += 17
        a = e
        for level in range(LEVELS):
            a = max(up[a], 0)
            size = max(end[a] - first[a], 1)
            w = sums[end[a], 0] - sums[first[a], 0]
            out[f, j] = size
            out[f + 1, j] = <float>w / size
            out[f + 2, j] = <float>(sums[end[a], 1] - sums[first[a], 1]) / max(w, 1)
            out[f + 3, j] = <float>(sums[end[a], 2] - sums[first[a], 2]) / size
            out[f + 4, j] = <float>(sums[end[a], 3] - sums[first[a], 3]) / size
            out[f + 5, j] = <float>(b - first[a]) / size
            f += N_SIZES
        for k in range(N_BITS):
            out[f + k, j] = flags[b] >> k & 1
        f += N_BITS
        k = TAG_PLACE[tag[e]] if tag[e] < TAG_PLACE.shape[0] else -1
        for i in range(N_TAGS):
            out[f + i, j] = i == k
        f += N_TAGS
        for k in range(N_ROLES):
            out[f + k, j] = word_sums[b, k] / <float>sqrt(max(slots[b], 1))
    return result
