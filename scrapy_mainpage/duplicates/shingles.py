"""Hashes of the words of a text, and of pairs of words.

Case, punctuation, white space and Unicode form do not matter. Where a script puts no
blanks between words, short runs of characters stand for them: one Han character, two
of kana, three of Thai, Lao, Khmer or Burmese. Everything is computed on arrays; the
hashes are the same in every process and on every machine.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..text.words import normalize

Hashes = NDArray[np.uint64]

_SEPARATOR, _WORD, _HAN, _KANA, _SPACELESS, _IGNORED = range(6)
_WIDTHS: Final = {_HAN: 1, _KANA: 2, _SPACELESS: 3}
"""Characters that stand for a word, by class."""

_RANGES: Final = (
    (_SPACELESS, 0x0E00, 0x0EFF),  # Thai, Lao
    (_SPACELESS, 0x1000, 0x109F),  # Burmese
    (_SPACELESS, 0x1780, 0x17FF),  # Khmer
    (_KANA, 0x3040, 0x30FF),
    (_KANA, 0x31F0, 0x31FF),
    (_HAN, 0x3400, 0x9FFF),
    (_HAN, 0xF900, 0xFAFF),
    (_HAN, 0x20000, 0x3FFFF),
)
_FIRST_SUPPLEMENTARY_HAN: Final = 0x20000
"""From here on all characters are Han or ignored."""

_BASE: Final = 0x9E3779B97F4A7C15  # odd: it has an inverse
_MIN_POWERS: Final = 1 << 17  # 2 MB

# Long texts are read in pieces that end at a blank: the arrays of a text of a million
# characters would take more memory than the rest of its page's extraction.
_PIECE: Final = re.compile(r".{1,65536}(?:\s|\Z)|.+?(?:\s|\Z)", re.DOTALL)

_FIRST: Final = np.uint64(0xC2B2AE3D27D4EB4F)
_SECOND: Final = np.uint64(0x165667B19E3779F9)
_REPEATED: Final = np.uint64(0xD6E8FEB86659FD93)


def read_words(text: str) -> tuple[Hashes, Hashes]:
    """Return the hashes of the text's words, and of those that begin with a digit.

    >>> words, numbers = read_words("On May 5th it was 17 °C in Łódź.")
    >>> len(words), len(numbers)
    (9, 2)
    """
    pieces = _PIECE.findall(text) or [text]
    words, numbers = zip(*map(_read_piece, pieces), strict=True)
    return np.concatenate(words), np.concatenate(numbers)


def _read_piece(text: str) -> tuple[Hashes, Hashes]:
    folded = normalize("NFKC", text).casefold()
    codes: NDArray[Any] = np.frombuffer(
        folded.encode(f"utf-32-{sys.byteorder[0]}e", "surrogatepass"), np.uint32
    )
    classes = _class_table()[codes]
    if (ignored := classes == _IGNORED).any():
        codes, classes = codes[~ignored], classes[~ignored]
    starts, ends = _spans(classes)
    words = _mix(_segments(codes, starts, ends))
    return words, words[_digit_table()[codes[starts]]]


def pair_words(words: Hashes) -> Hashes:
    """Return the hashes of neighbouring words; of a single word, its own.

    >>> len(pair_words(read_words("one two three")[0]))
    2
    """
    if len(words) < 2:
        return words
    return _mix(words[:-1] * _FIRST + words[1:] * _SECOND)


def number_occurrences(words: Hashes) -> Hashes:
    """Return the hashes of sorted words, each repetition of one as its own word.

    >>> len(set(number_occurrences(read_words("no, no, no")[0])))
    3
    """
    places = np.arange(len(words), dtype=np.uint64)
    is_new = np.ones(len(words), dtype=bool)
    is_new[1:] = words[1:] != words[:-1]
    occurrence = places - np.maximum.accumulate(np.where(is_new, places, 0))
    return _mix(words + occurrence.astype(np.uint64) * _REPEATED)


def _spans(classes: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The starts and ends of words: runs of letters, or characters in their place."""
    edges = np.flatnonzero(np.diff(classes, prepend=np.uint8(_SEPARATOR)))
    ends = np.append(edges[1:], len(classes))
    kinds = classes[edges]
    begin, end = edges[kinds == _WORD], ends[kinds == _WORD]
    if kinds.max(initial=_SEPARATOR) <= _WORD:
        return begin, end
    begins, stops = [begin], [end]
    lengths = ends - edges
    for kind, width in _WIDTHS.items():
        ours = kinds == kind
        inside = np.flatnonzero(classes == kind)
        begins.append(inside)
        stops.append(np.minimum(inside + width, np.repeat(ends[ours], lengths[ours])))
    begin, end = np.concatenate(begins), np.concatenate(stops)
    order = np.argsort(begin, kind="stable")
    return begin[order], end[order]


def _segments(
    codes: NDArray[Any], starts: NDArray[np.intp], ends: NDArray[np.intp]
) -> Hashes:
    """Polynomial hashes of stretches of the text, as differences of running sums."""
    powers, inverses = _powers(max(_MIN_POWERS, 1 << len(codes).bit_length()))
    terms = (codes.astype(np.uint64) + np.uint64(1)) * powers[: len(codes)]
    sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(terms, dtype=np.uint64)))
    return (sums[ends] - sums[starts]) * inverses[starts]


@lru_cache(maxsize=1)
def _powers(length: int) -> tuple[Hashes, Hashes]:
    """The powers of the base, and those of its inverse."""
    ones = np.ones(1, np.uint64)
    powers, inverses = (
        np.concatenate(
            (ones, np.full(length, base, np.uint64).cumprod(dtype=np.uint64))
        )
        for base in (_BASE, pow(_BASE, -1, 1 << 64))
    )
    return powers, inverses


def _mix(hashes: Hashes) -> Hashes:
    """Make each bit of the hashes depend on all bits (the finalizer of splitmix64)."""
    hashes = (hashes ^ (hashes >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    hashes = (hashes ^ (hashes >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return hashes ^ (hashes >> np.uint64(31))


@lru_cache(maxsize=1)
def _class_table() -> NDArray[np.uint8]:
    """The class of every character; takes about 30 ms."""
    table = np.zeros(sys.maxunicode + 1, np.uint8)
    first = {"L": _WORD, "N": _WORD}
    exact = {"Mn": _IGNORED, "Me": _IGNORED, "Mc": _WORD, "Cf": _IGNORED}
    names = map(unicodedata.category, map(chr, range(_FIRST_SUPPLEMENTARY_HAN)))
    table[:_FIRST_SUPPLEMENTARY_HAN] = [
        exact.get(n) or first.get(n[0], _SEPARATOR) for n in names
    ]
    table[0xE0000:0xE01F0] = _IGNORED  # tags and variation selectors
    for kind, begin, end in _RANGES:
        part = table[begin : end + 1]
        part[(part == _WORD) | (begin >= _FIRST_SUPPLEMENTARY_HAN)] = kind
    return table


@lru_cache(maxsize=1)
def _digit_table() -> NDArray[np.bool_]:
    """Whether a character is a decimal digit, in any script."""
    table = np.zeros(sys.maxunicode + 1, bool)
    table[:_FIRST_SUPPLEMENTARY_HAN] = [
        chr(code).isdecimal() for code in range(_FIRST_SUPPLEMENTARY_HAN)
    ]
    return table
