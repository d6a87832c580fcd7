"""Longest common subsequences of two word sequences, in bounded memory.

The bit-parallel algorithm of Hyyrö (2004), as RapidFuzz has it, is exact; its matrix
takes a bit per pair of words. Pairs of sequences beyond :data:`MAX_CELLS` are cut at
n-grams that both hold once, in the same order, and the parts are aligned; the common
subsequence found then is as long or a little shorter.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

import numpy as np
from rapidfuzz.distance import LCSseq

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from ..extraction.document.schema import Longs, Mask

    Part = tuple[slice, slice]

MAX_CELLS: Final = 2**31
"""Word pairs that are aligned at once: 256 MB, or 45,000 words of each."""

_ANCHOR: Final = 4


def align(a: Longs, b: Longs, max_cells: int = MAX_CELLS) -> Mask:
    """Which of the words *a* stand in the longest common subsequence with *b*.

    Words are numbers from 0; a negative one in *a* is a word that *b* does not have.

    >>> align(np.array([7, 1, -1, 2, 3]), np.array([1, 2, 9, 3])).tolist()
    [False, True, False, True, True]
    """
    matched = np.zeros(len(a), bool)
    matched[_common(a, b, max_cells)[0]] = True
    return matched


def pair(
    a: Sequence[str], b: Sequence[str], max_cells: int = MAX_CELLS
) -> tuple[list[int], list[int]]:
    """The places in *a* and in *b* of a longest common subsequence, in order."""
    number = {word: i for i, word in enumerate(dict.fromkeys(b))}
    words = np.array([number.get(word, -1) for word in a], np.int64)
    others = np.array([number[word] for word in b], np.int64)
    i, j = _common(words, others, max_cells)
    return i.tolist(), j.tolist()


def _common(a: Longs, b: Longs, max_cells: int) -> tuple[Longs, Longs]:
    known, wanted = np.flatnonzero(np.isin(a, b)), np.flatnonzero(np.isin(b, a))
    words, others = a[known], b[wanted]
    i, j = [known[:0]], [wanted[:0]]
    for left, right in _parts(words, others, max_cells):
        source, target = words[left].tolist(), others[right].tolist()
        for tag, start, end, begin, stop in LCSseq.opcodes(source, target):
            if tag == "equal":
                i.append(known[left][start:end])
                j.append(wanted[right][begin:stop])
    return np.concatenate(i), np.concatenate(j)


def _parts(a: Longs, b: Longs, max_cells: int) -> Iterator[Part]:
    """Slices of both, in order, each pair small enough to be aligned at once."""
    todo = [(0, len(a), 0, len(b))]
    while todo:
        i, end_i, j, end_j = todo.pop()
        if (end_i - i) * (end_j - j) <= max_cells:
            yield slice(i, end_i), slice(j, end_j)
            continue
        middle = ((end_i - i) // 2, (end_j - j) // 2)
        anchors = _anchors(a[i:end_i], b[j:end_j])
        x, y = anchors[len(anchors) // 2] if len(anchors) > 1 else middle
        todo += [(i + x, end_i, j + y, end_j), (i, i + x, j, j + y)]


def _anchors(a: Longs, b: Longs) -> list[tuple[int, int]]:
    """Places of n-grams that each holds once: the longest row that rises in both."""
    once_a, once_b = _once(a), _once(b)
    _, i, j = np.intersect1d(
        once_a[0], once_b[0], assume_unique=True, return_indices=True
    )
    left, right = once_a[1][i], once_b[1][j]
    order = np.argsort(left)
    left, right = left[order], right[order]
    rising = _rising(right.tolist())
    return list(zip(left[rising].tolist(), right[rising].tolist(), strict=True))


def _once(words: Longs) -> tuple[npt.NDArray[np.uint64], Longs]:
    grams = ngrams(words, _ANCHOR)
    values, first, counts = np.unique(grams, return_index=True, return_counts=True)
    return values[counts == 1], first[counts == 1]


def ngrams(words: Longs, n: int) -> npt.NDArray[np.uint64]:
    """A hash of the *n* words from each place on where there are that many."""
    size = max(len(words) - n + 1, 0)
    grams = np.zeros(size, np.uint64)
    for k in range(n):
        grams *= np.uint64(0x9E3779B97F4A7C15)
        grams ^= grams >> np.uint64(29)
        grams += words[k : k + size].astype(np.uint64) + np.uint64(1)
    return grams


def _rising(values: list[int]) -> list[int]:
    """The places of a longest rising subsequence."""
    tails: list[int] = []
    places: list[int] = []
    before = [-1] * len(values)
    for place, value in enumerate(values):
        length = bisect_left(tails, value)
        before[place] = places[length - 1] if length else -1
        tails[length : length + 1] = [value]
        places[length : length + 1] = [place]
    chain = [places[-1]] if places else []
    while chain and before[chain[-1]] >= 0:
        chain.append(before[chain[-1]])
    return chain[::-1]
