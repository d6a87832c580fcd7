"""Hashes of the words of a text, and of pairs of words.

Case, punctuation, white space and Unicode form do not matter. Where a script puts no
blanks between words, short runs of characters stand for them: one Han character, two
of kana, three of Thai, Lao, Khmer or Burmese. The hashes are the same in every process
and on every machine.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..text.words import normalize

Hashes = NDArray[np.uint64]

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_RARE_HAN: Final = "\U00020000-\U0003ffff"
_KANA: Final = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_SPACELESS: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"

#: Words whose hashes are kept: a site has the same ones on all of its pages.
_CACHED: Final = 1 << 16

_FIRST: Final = np.uint64(0xC2B2AE3D27D4EB4F)
_SECOND: Final = np.uint64(0x165667B19E3779F9)
_REPEATED: Final = np.uint64(0xD6E8FEB86659FD93)


def read_words(text: str) -> tuple[Hashes, Hashes]:
    """Return the hashes of the text's words, and of those that begin with a digit.

    >>> words, numbers = read_words("On May 5th it was 17 °C in Łódź.")
    >>> len(words), len(numbers)
    (9, 2)
    """
    folded = normalize("NFKC", text).casefold()
    if folded.isascii() or not _patterns()[0].search(folded):
        words = re.findall(r"[^\W_]+", folded)
    else:
        folded = folded.translate(_ignored())
        found = _patterns()[1].finditer(folded)
        words = [match[match.lastindex or 0] for match in found]
    hashes = np.fromiter(map(_hash, words), np.uint64, len(words))
    is_number = np.fromiter((word[0].isdecimal() for word in words), bool, len(words))
    return hashes, hashes[is_number]


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What only some scripts have; and a word, or the characters in its place."""
    runs = ((_KANA, 2), (_SPACELESS, 3))
    in_place = (f"(?=([{each}]{{1,{width}}}))[{each}]" for each, width in runs)
    placed, marks = f"{_HAN}{_KANA}{_SPACELESS}", _of_category("Mc")
    # Classes of characters are fast without those beyond the first 65,536.
    letters = rf"(?:(?![{placed}_]|[{_RARE_HAN}])[\w{marks}])+"
    special = _of_category("Mn", "Me", "Cf")
    return (
        re.compile(f"[{placed}{marks}{special}]|[\U00010000-\U0010ffff]"),
        re.compile("|".join((letters, f"[{_HAN}]|[{_RARE_HAN}]", *in_place))),
    )


@lru_cache(maxsize=1)
def _ignored() -> dict[int, None]:
    """Accents of their own, and characters that are not seen."""
    return dict.fromkeys(map(ord, _of_category("Mn", "Me", "Cf")))


def _of_category(*names: str) -> str:
    every = map(chr, range(1 << 16))
    return "".join(each for each in every if unicodedata.category(each) in names)


@lru_cache(maxsize=_CACHED)
def _hash(word: str) -> int:
    data = word.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")


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


def _mix(hashes: Hashes) -> Hashes:
    """Make each bit of the hashes depend on all bits (the finalizer of splitmix64)."""
    hashes = (hashes ^ (hashes >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    hashes = (hashes ^ (hashes >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return hashes ^ (hashes >> np.uint64(31))
