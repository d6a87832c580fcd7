"""Fingerprints of texts, by which their copies are found.

A fingerprint has three parts. A digest identifies exact copies. A MinHash signature of
the pairs of neighbouring words finds, through an index of its bands, the few texts of
many that may be alike. A sketch of the words, with how often each occurs, then gives
the share of words that two texts have in common: of short texts exactly, of long ones
from a sample of 256 words. A number counts as four words: it may be the only difference
between the weather of two towns, while an edited copy still has most of its numbers.

Pages of one site and template (a command of a reference, and its opposite) may have
nearly all words in common. They are about something else if the words of one's title
and URL, which its own text repeats, are missing from the text of the other. A copy
under another title has these words.

The signatures are those of rensa, which is compiled: for a text of 10,000 characters a
signature took 27 microseconds, and datasketch's 190.

Case, punctuation, white space and Unicode form of words do not matter. Where a script
puts no blanks between words, short runs of characters stand for them: one Han
character, two of kana, three of Thai, Lao, Khmer or Burmese. The hashes are the same in
every process and on every machine.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ..text.words import normalize
from ._words import hash_words

if TYPE_CHECKING:
    from collections.abc import Sequence

Hashes = NDArray[np.uint64]

BANDS: Final = 20
ROWS: Final = 3
"""Values of a signature in a band. Probability that texts meet in at least one band, by
their share of common word pairs: 0.4, 73%; 0.5, 93%; 0.6, 99.2%; 0.7, 99.98%."""

MAX_SKETCH_WORDS: Final = 256
"""The standard deviation of a similarity of 0.8 between longer texts is 0.02."""

NUMBER_WEIGHT: Final = 4
"""The number of words that one which begins with a digit counts as."""

MAX_SUBJECT_WORDS: Final = 24
"""Words of titles and URLs that are looked for in texts."""

MIN_SUBJECT_WORDS: Final = 3
"""Occurrences of such words in one text that must be missing from the other."""

_LACKS: Final = "lacks"
_HAS: Final = "has"
_SUBJECT: Final = np.dtype([("word", "<u8"), ("count", "u1")])
_SEED: Final = 1
_MAX_UPDATE: Final = 1 << 14  # each hash becomes an object

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_RARE_HAN: Final = "\U00020000-\U0003ffff"
_KANA: Final = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_SPACELESS: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_PLACED: Final = f"{_HAN}{_KANA}{_SPACELESS}"
#: The categories of accents of their own and of characters that are not seen.
_UNSEEN: Final = ("Mn", "Me", "Cf")

_FIRST: Final = np.uint64(0xC2B2AE3D27D4EB4F)
_SECOND: Final = np.uint64(0x165667B19E3779F9)
_REPEATED: Final = np.uint64(0xD6E8FEB86659FD93)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The digest, word count, sketch and the bands of a MinHash signature of a text.

    ``words`` counts a number as :data:`NUMBER_WEIGHT` words; ``sketch`` has the lowest
    hashes of the words, as bytes of ascending 32-bit integers. ``subject`` has the
    words of title and URL, each with the number of its occurrences in the text.
    """

    digest: bytes
    words: int
    sketch: bytes
    bands: bytes
    subject: bytes = b""

    @classmethod
    def of(cls, text: str, subject: str = "") -> Fingerprint | None:
        """Return the fingerprint of a text; ``None`` if it has no words.

        *subject* is what names the text: its title, the path of its URL.
        """
        words, numbers = read_words(text)
        if not len(words):
            return None
        weighted = np.concatenate((words, np.repeat(numbers, NUMBER_WEIGHT - 1)))
        numbered = np.sort(number_occurrences(np.sort(weighted)))
        lowest = numbered[:MAX_SKETCH_WORDS] >> np.uint64(32)
        return cls(
            blake2b(words.tobytes(), digest_size=16).digest(),
            len(weighted),
            lowest.astype("<u4").tobytes(),
            _bands(pair_words(words)),
            _count_words(subject, words),
        )


def similarities(one: Fingerprint, others: Sequence[Fingerprint]) -> list[float]:
    """Return the similarity to each of the others, from 0 to 1.

    It is the mean of two shares of common words: of the words of both texts, and of
    those of the shorter one. So it is 1 for the same words in any order, 0.9 if every
    tenth word was replaced by another, and 0.9 too if to a text a quarter was added.
    """
    ours = np.frombuffer(one.sketch, "<u4")
    found = []
    for other in others:
        share = _common_share(ours, np.frombuffer(other.sketch, "<u4"))
        common = share * (one.words + other.words) / 2
        found.append((share + min(1.0, common / min(one.words, other.words))) / 2)
    return found


def _common_share(ours: NDArray[np.uint32], theirs: NDArray[np.uint32]) -> float:
    """The share of the words of both texts that they have in common."""
    both = np.sort(np.concatenate((ours, theirs)))
    again = both[1:] == both[:-1]
    distinct = len(both) - int(np.count_nonzero(again))
    is_cut = MAX_SKETCH_WORDS in (len(ours), len(theirs))
    if is_cut and distinct > MAX_SKETCH_WORDS:
        # A sketch that was cut is complete up to the lowest hashes of both.
        number = np.cumsum(np.concatenate(([True], ~again)))
        again = again[: int(np.searchsorted(number, MAX_SKETCH_WORDS + 1)) - 1]
        distinct = MAX_SKETCH_WORDS
    common = int(np.count_nonzero(again))
    return 2 * common / (distinct + common)


def differ_in_subject(one: Fingerprint, other: Fingerprint) -> bool:
    """Whether one has words of its title and URL that the other's text lacks.

    A text whose own words are all in the other, with others beside them, is quoted in
    full there: a copy on a page that adds its own title and teasers.
    """
    theirs, ours = _find_subject(one, other), _find_subject(other, one)
    return _LACKS in (theirs, ours) and _HAS not in (theirs, ours)


def _find_subject(text: Fingerprint, other: Fingerprint) -> str | None:
    """Whether *text* has all of the words that the *other* is about, or lacks a third.

    The n-th occurrence of a word has a hash of its own. A text with half as many
    occurrences lacks none of the first half, and does not lack the word. A sketch that
    was cut knows only the words up to its highest hash.
    """
    theirs = np.frombuffer(other.subject, _SUBJECT)
    ours = np.frombuffer(text.subject, _SUBJECT)
    missing = theirs[~np.isin(theirs["word"], ours["word"]) & (theirs["count"] > 1)]
    if not len(missing) or not len(ours):
        return None
    sketch = np.frombuffer(text.sketch, "<u4")
    is_cut = len(sketch) == MAX_SKETCH_WORDS
    highest = int(sketch[-1]) if is_cut else 2**32 - 1
    known = lost = rare = 0
    for word, count in missing.tolist():
        words = number_occurrences(np.full(count, word, np.uint64))
        hashes = (words >> np.uint64(32)).astype("<u4")
        is_known, is_found = hashes <= highest, np.isin(hashes, sketch)
        half = is_known[: (count + 1) // 2]
        known += count if half.any() else 0
        lost += count if (half & ~is_found[: len(half)]).any() else 0
        rare += int((is_known & ~is_found).sum())
    if lost >= MIN_SUBJECT_WORDS and 3 * lost >= known:
        return _LACKS
    return _HAS if known and not rare else None


def _count_words(subject: str, words: Hashes) -> bytes:
    """The words of the subject but numbers, with their occurrences in the text."""
    names, numbers = ({*found.tolist()} for found in read_words(subject))
    named = np.array(sorted(names - numbers)[:MAX_SUBJECT_WORDS], np.uint64)
    ordered = np.sort(words)
    first, last = (np.searchsorted(ordered, named, side) for side in ("left", "right"))
    counted = np.zeros(len(named), _SUBJECT)
    counted["word"], counted["count"] = named, np.minimum(last - first, 255)
    return counted.tobytes()


def format_name() -> str:
    """Return the name of the format: fingerprints of different ones do not compare."""
    from rensa import RMinHash

    version = RMinHash.ALGORITHM_VERSION
    return f"6-rensa{version}-{BANDS}x{ROWS}-{MAX_SKETCH_WORDS}"


def _bands(hashes: Hashes) -> bytes:
    """Return eight bytes for each band of the signature of the hashes."""
    from rensa import RMinHash

    minhash = RMinHash(num_perm=BANDS * ROWS, seed=_SEED)
    for start in range(0, len(hashes), _MAX_UPDATE):
        minhash.update(hashes[start : start + _MAX_UPDATE].view("V8").tolist())
    values = np.array(minhash.digest(), "<u4").reshape(BANDS, ROWS)
    return b"".join(
        blake2b(band.tobytes(), digest_size=8, salt=bytes([number])).digest()
        for number, band in enumerate(values)
    )


# --- Words -------------------------------------------------------------------------


def read_words(text: str) -> tuple[Hashes, Hashes]:
    """Return the hashes of the text's words, and of those that begin with a digit.

    >>> words, numbers = read_words("On May 5th it was 17 °C in Łódź.")
    >>> len(words), len(numbers)
    (9, 2)
    """
    folded = normalize("NFKC", text).casefold().replace("\u00ad", "")
    is_special = False
    # Of what Western languages write, only the soft hyphen is not seen.
    if len(folded.encode("cp1252", "ignore")) < len(folded):
        kinds = {each: unicodedata.category(each) for each in sorted({*folded})}
        if unseen := [ord(each) for each, kind in kinds.items() if kind in _UNSEEN]:
            folded = folded.translate(dict.fromkeys(unseen))
        marks = "".join(each for each, kind in kinds.items() if kind == "Mc")
        late = (each.isalnum() for each in kinds if each >= _SPACELESS[0])
        is_special = bool(marks) or any(late)
        if is_special:
            found = _word_pattern(marks).finditer(folded)
            folded = " ".join(match[match.lastindex or 0] for match in found)
    hashes, is_number = hash_words(folded, is_special)
    return hashes, hashes[is_number]


@lru_cache
def _word_pattern(marks: str) -> re.Pattern[str]:
    """A word with letters and *marks*, or the characters in its place."""
    runs = ((_KANA, 2), (_SPACELESS, 3))
    in_place = (f"(?=([{each}]{{1,{width}}}))[{each}]" for each, width in runs)
    # Classes of characters are fast without those beyond the first 65,536.
    letters = rf"(?:(?![{_PLACED}_]|[{_RARE_HAN}])[\w{marks}])+"
    return re.compile("|".join((letters, f"[{_HAN}]|[{_RARE_HAN}]", *in_place)))


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
