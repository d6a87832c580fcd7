"""Counts of the published algorithms in texts: sentences with a verb, words in lines."""

import re

import numpy as np

from libc.stdint cimport int32_t, uint32_t

from ....text._chars cimport (
    C_CAPITAL, C_CJK, C_CJK_SENTENCE, C_CLOSING, C_DIGIT, C_LETTER, C_OTHER, C_SENTENCE,
    C_SPACE, C_UNSPACED, classify, classify_ascii, decode,
)
from ._lines cimport Wrapped, wrap

# Contracted verbs: we've, they'll, you're, I'm.
CONTRACTED = frozenset((b"ve", b"ll", b"re", b"m"))
# A point behind these words, or behind a single letter, ends no sentence.
ABBREVIATIONS = frozenset(
    b"al approx ca cf dept dr ed eds eq eqs fig figs gen jr mr mrs ms prof resp sec sr st"
    b" viz vol vols vs".split()
)
WORD_PARTS = re.compile(rb"[a-z0-9\x80-\xff]+")

ctypedef const int32_t[::1] Ints


def count_sentences(
    const unsigned char[::1] text,
    Ints start,
    Ints end,
    Ints block,
    Ints zone,
    int n_zones,
    verbs,
    int least_words,
):
    """Count, per zone, the sentences of its runs that hold a verb.

    Without *verbs* (``None``) a sentence counts if it has *least_words* words. The text
    is UTF-8 with a zero byte after it; *start*, *end*, *block* and *zone* belong to the
    runs (zone -1: none). A sentence ends at a mark before a blank or the end of a
    block, at a CJK mark, and at the end of the zone, not at the point of an
    abbreviation.
    """
    result = np.zeros(n_zones, np.int32)
    cdef int32_t[::1] count = result
    cdef int run, k, size, kind, current = -1, last_block = -1, words = 0, word = -1
    cdef bint verb = False, marked = False, in_token = False, ends, shortened
    cdef uint32_t c = 0
    for run in range(start.shape[0]):
        if zone[run] < 0:
            last_block = -1  # blanks between two tags, or hidden
            continue
        ends = zone[run] != current
        if ends or (marked and block[run] != last_block):
            if current >= 0:
                count[current] += words >= least_words if verbs is None else verb
            verb, marked, words = False, False, 0
        if block[run] != last_block:
            in_token = False
        current, last_block = zone[run], block[run]
        k, word = start[run], -1
        while k < end[run]:
            kind, size = classify_ascii(text[k]), 1
            if text[k] >= 0x80:
                size = decode(&text[k], &c)
                kind = classify(c) if size else C_OTHER
                size = size or 1
            if kind == C_LETTER or kind == C_CAPITAL or kind == C_DIGIT or kind == C_UNSPACED:
                words += not in_token
                in_token = True
                word = k if word < 0 else word
                marked = False
                k += size
                continue
            shortened = text[k] == b"." and word >= 0 and _is_abbreviation(text, word, k)
            if word >= 0 and kind != C_CLOSING:
                if not verb and verbs is not None:
                    verb = _is_verb(bytes(text[word:k]), verbs)
                word = -1
            ends = kind == C_CJK_SENTENCE or (marked and kind == C_SPACE)
            if ends:
                count[current] += words >= least_words if verbs is None else verb
                verb, words = False, 0
            words += kind == C_CJK
            if kind == C_SPACE or kind == C_CJK or kind == C_CJK_SENTENCE:
                in_token = False
            marked = not ends and (
                (kind == C_SENTENCE and not shortened) or (marked and kind == C_CLOSING)
            )
            k += size
        if word >= 0 and not verb and verbs is not None:
            verb = _is_verb(bytes(text[word:k]), verbs)
    if current >= 0:
        count[current] += words >= least_words if verbs is None else verb
    return result


cdef bint _is_abbreviation(const unsigned char[::1] text, int start, int end):
    """Whether the word before a point is a single letter or a known abbreviation."""
    if end - start == 1:
        return not b"0" <= text[start] <= b"9"
    return end - start < 7 and bytes(text[start:end]).lower() in ABBREVIATIONS


cdef bint _is_verb(bytes word, verbs):
    """Whether *word*, or a part of it at an apostrophe, is a verb."""
    word = word.lower()
    if word in verbs:
        return True
    parts = WORD_PARTS.findall(word.replace(b"\xe2\x80\x99", b"'"))
    for k, part in enumerate(parts):
        if part in verbs or (k and part in CONTRACTED):
            return True
        if k and part == b"t" and parts[k - 1][-1:] == b"n" and parts[k - 1][:-1] in verbs:
            return True
    return False


def wrap_words(
    const unsigned char[::1] text,
    Ints start,
    Ints end,
    int width,
):
    """Wrap each piece of *text* (UTF-8) at *width* characters.

    Returns per piece its words, its lines, and the words of its last line.
    """
    cdef int n = start.shape[0], piece
    cdef Wrapped found
    counts = np.zeros((3, n), np.int32)
    cdef int32_t[:, ::1] out = counts
    for piece in range(n):
        found = wrap(&text[0], start[piece], end[piece], width)
        out[0, piece], out[1, piece] = found.words, found.lines
        out[2, piece] = found.last_words
    return counts[0], counts[1], counts[2]
