"""Longest common subsequences of two word sequences.

By the bit-parallel algorithm of Hyyrö (2004), as RapidFuzz has it; its matrix takes a
bit per pair of words: 256 MB for 45,000 words of each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import LCSseq

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.schema import Longs, Mask


def align(a: Longs, b: Longs) -> Mask:
    """Which of the words *a* stand in the longest common subsequence with *b*.

    Words are numbers from 0; a negative one in *a* is a word that *b* does not have.

    >>> align(np.array([7, 1, -1, 2, 3]), np.array([1, 2, 9, 3])).tolist()
    [False, True, False, True, True]
    """
    matched = np.zeros(len(a), bool)
    matched[_common(a, b)[0]] = True
    return matched


def pair(a: Sequence[str], b: Sequence[str]) -> tuple[list[int], list[int]]:
    """The places in *a* and in *b* of a longest common subsequence, in order."""
    number = {word: i for i, word in enumerate(dict.fromkeys(b))}
    words = np.array([number.get(word, -1) for word in a], np.int64)
    others = np.array([number[word] for word in b], np.int64)
    i, j = _common(words, others)
    return i.tolist(), j.tolist()


def _common(a: Longs, b: Longs) -> tuple[Longs, Longs]:
    known, wanted = np.flatnonzero(np.isin(a, b)), np.flatnonzero(np.isin(b, a))
    i, j = [known[:0]], [wanted[:0]]
    for tag, start, end, begin, stop in LCSseq.opcodes(
        a[known].tolist(), b[wanted].tolist()
    ):
        if tag == "equal":
            i.append(known[start:end])
            j.append(wanted[begin:stop])
    return np.concatenate(i), np.concatenate(j)


def ngrams(words: Longs, n: int) -> npt.NDArray[np.uint64]:
    """A hash of the *n* words from each place on where there are that many."""
    size = max(len(words) - n + 1, 0)
    grams = np.zeros(size, np.uint64)
    for k in range(n):
        grams *= np.uint64(0x9E3779B97F4A7C15)
        grams ^= grams >> np.uint64(29)
        grams += words[k : k + size].astype(np.uint64) + np.uint64(1)
    return grams
