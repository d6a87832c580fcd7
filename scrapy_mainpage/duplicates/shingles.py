"""What texts are compared by: hashes of their words, and of pairs of words.

Case, punctuation, white space and Unicode form do not matter. Where a script puts no
blanks between words, short runs of characters stand for them: one Han character, two
of kana, three of Thai, Lao, Khmer or Burmese. Everything is computed on arrays; the
hashes are the same in every process and on every machine.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

_SEPARATOR, _WORD, _HAN, _KANA, _SPACELESS, _IGNORED = range(6)
#: How many characters make up for a word, by class.
_WIDTHS: Final = {_HAN: 1, _KANA: 2, _SPACELESS: 3}
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
_LETTERS: Final = 0x20000
"""From here on there are but Han characters, and what is ignored."""

_BASE: Final = 0x9E3779B97F4A7C15  # odd: it has an inverse
_PIECE: Final = 1 << 16
"""Characters that are read at once: of a text of a million, the arrays would take more
memory than all else that a crawl does with its page."""

_SHORT: Final = 1 << 17
"""For texts up to this length, the powers of the base are kept: 2 MB."""

_FIRST: Final = np.uint64(0xC2B2AE3D27D4EB4F)
_SECOND: Final = np.uint64(0x165667B19E3779F9)
_REPEATED: Final = np.uint64(0xD6E8FEB86659FD93)


def read_words(text: str) -> Hashes:
    """Return the hashes of the text's words, in their order.

    >>> list(read_words("It works.")) == list(read_words("IT -- works"))
    True
    """
    return read_numbers(text)[0]


def read_numbers(text: str) -> tuple[Hashes, Hashes]:
    """Return the hashes of the text's words, and of those that begin with a digit.

    >>> words, numbers = read_numbers("On May 5th it was 17 °C in Łódź.")
    >>> len(words), len(numbers)
    (9, 2)
    """
    parts = [_read_piece(piece) for piece in _pieces(text)]
    if len(parts) == 1:
        return parts[0]
    words, numbers = zip(*parts, strict=True)
    return np.concatenate(words), np.concatenate(numbers)


def _pieces(text: str) -> Iterator[str]:
    """The text in parts; each but the first begins with a blank, so no word is cut."""
    start = 0
    while len(text) - start > _PIECE:
        end = _last_blank(text, start + 1, start + _PIECE)
        if end < 0:
            end = _first_blank(text, start + _PIECE)
        if end < 0:
            break
        yield text[start:end]
        start = end
    yield text[start:]


def _last_blank(text: str, start: int, end: int) -> int:
    return max(text.rfind(" ", start, end), text.rfind("\n", start, end))


def _first_blank(text: str, start: int) -> int:
    found = (text.find(" ", start), text.find("\n", start))
    return min((place for place in found if place >= 0), default=-1)


def _read_piece(text: str) -> tuple[Hashes, Hashes]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    codes: NDArray[Any] = np.frombuffer(
        folded.encode(f"utf-32-{sys.byteorder[0]}e", "surrogatepass"), np.uint32
    )
    classes = _class_table()[codes]
    if (ignored := classes == _IGNORED).any():
        codes, classes = codes[~ignored], classes[~ignored]
    starts, ends = _spans(classes)
    words = _mixed(_segments(codes, starts, ends))
    return words, words[_digit_table()[codes[starts]]]


def pairs(words: Hashes) -> Hashes:
    """Return the hashes of neighbouring words; of a single word, its own.

    >>> len(pairs(read_words("one two three")))
    2
    """
    if len(words) < 2:
        return words
    return _mixed(words[:-1] * _FIRST + words[1:] * _SECOND)


def counted(words: Hashes) -> Hashes:
    """Return the hashes sorted, each repetition of a word as a word of its own.

    So a set of them says how often each word occurs.

    >>> len(set(counted(read_words("no, no, no"))))
    3
    """
    words = np.sort(words)
    places = np.arange(len(words), dtype=np.uint64)
    is_new = np.ones(len(words), dtype=bool)
    is_new[1:] = words[1:] != words[:-1]
    occurrence = places - np.maximum.accumulate(np.where(is_new, places, 0))
    return np.sort(_mixed(words + occurrence.astype(np.uint64) * _REPEATED))


def _spans(classes: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where words begin and end: runs of letters, and what stands for words."""
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
    """Polynomial hashes of the stretches of the text, from sums over all before."""
    powers, inverses = _powers(len(codes))
    terms = (codes.astype(np.uint64) + np.uint64(1)) * powers[: len(codes)]
    sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(terms, dtype=np.uint64)))
    return (sums[ends] - sums[starts]) * inverses[starts]


def _powers(length: int) -> tuple[Hashes, Hashes]:
    """Powers of the base and of its inverse for a text of that length."""
    most = _SHORT if length <= _SHORT else 1 << length.bit_length()
    return _kept_powers(most) if most == _SHORT else _new_powers(most)


def _new_powers(count: int) -> tuple[Hashes, Hashes]:
    inverse = pow(_BASE, -1, 1 << 64)
    one = np.ones(1, np.uint64)
    powers, inverses = (
        np.concatenate((one, np.full(count, base, np.uint64).cumprod(dtype=np.uint64)))
        for base in (_BASE, inverse)
    )
    return powers, inverses


_kept_powers = lru_cache(maxsize=1)(_new_powers)


def _mixed(hashes: Hashes) -> Hashes:
    """Each bit of the result depends on all bits: any of them may stand for all."""
    hashes = (hashes ^ (hashes >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    hashes = (hashes ^ (hashes >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return hashes ^ (hashes >> np.uint64(31))


@lru_cache(maxsize=1)
def _class_table() -> NDArray[np.uint8]:
    """The class of every character; made once, in about 30 ms."""
    table = np.zeros(sys.maxunicode + 1, np.uint8)
    first = {"L": _WORD, "N": _WORD}
    exact = {"Mn": _IGNORED, "Me": _IGNORED, "Mc": _WORD, "Cf": _IGNORED}
    names = map(unicodedata.category, map(chr, range(_LETTERS)))
    table[:_LETTERS] = [exact.get(n) or first.get(n[0], _SEPARATOR) for n in names]
    table[0xE0000:0xE01F0] = _IGNORED  # tags and variation selectors
    for kind, begin, end in _RANGES:
        part = table[begin : end + 1]
        part[(part == _WORD) | (begin >= _LETTERS)] = kind
    return table


@lru_cache(maxsize=1)
def _digit_table() -> NDArray[np.bool_]:
    """Of every character, whether it is a digit, in any script."""
    table = np.zeros(sys.maxunicode + 1, bool)
    table[:_LETTERS] = [chr(code).isdecimal() for code in range(_LETTERS)]
    return table
