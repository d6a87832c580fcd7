"""Fingerprints of texts: what is remembered of a text to know its copies by.

A fingerprint has three parts. A digest tells exact copies. A MinHash signature of the
pairs of neighbouring words finds, through an index of its bands, the few texts of many
that may be alike. A sketch of the words, with how often each occurs, then says how
many words two texts have in common: of short texts exactly, of long ones from a sample
of 256 words. A number counts as four words: it may be all that tells the weather of
one town from that of another, while an edited copy still has most of its numbers.

The signatures and their index are those of rensa, which is compiled: for a text of
10,000 characters a signature took 27 microseconds, and datasketch's 190.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from .shingles import counted, pairs, read_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rensa import RMinHash, RMinHashLSH

BANDS: Final = 20
ROWS: Final = 3
"""How many values of a signature make a band. Texts with so many of their word pairs
in common meet in a band at least: 0.4, 73%; 0.5, 93%; 0.6, 99.2%; 0.7, 99.98%."""

SAMPLE: Final = 256
"""How many words a sketch holds at most. The standard deviation of a similarity of 0.8
between longer texts is 0.02."""

NUMBER: Final = 4
"""As how many words one counts that begins with a digit."""

_SEED: Final = 1
_AT_ONCE: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What is remembered of a text.

    ``words`` is how many words it has, a number counted as :data:`NUMBER` of them;
    ``sketch`` the lowest hashes of its words, as bytes of ascending 32-bit integers;
    ``signature`` the bytes of a MinHash signature.
    """

    digest: bytes
    words: int
    sketch: bytes
    signature: bytes

    @classmethod
    def of(cls, text: str) -> Fingerprint | None:
        """Return the fingerprint of a text; ``None`` if there is no word in it."""
        words, numbers = read_numbers(text)
        if not len(words):
            return None
        weighted = np.concatenate((words, np.repeat(numbers, NUMBER - 1)))
        lowest = counted(weighted)[:SAMPLE] >> np.uint64(32)
        return cls(
            blake2b(words.tobytes(), digest_size=16).digest(),
            len(weighted),
            lowest.astype("<u4").tobytes(),
            _signature(pairs(words)),
        )

    def minhash(self) -> RMinHash:
        """Return the signature as rensa's object."""
        minhash = _new_minhash()
        minhash.__setstate__(self.signature)
        return minhash

    def bands(self) -> list[bytes]:
        """Return the bands of the signature: what is looked up in a shared store."""
        values = np.array(self.minhash().digest(), "<u4").reshape(BANDS, ROWS)
        return [
            blake2b(band.tobytes(), digest_size=8, salt=bytes([number])).digest()
            for number, band in enumerate(values)
        ]


def similarities(one: Fingerprint, others: Sequence[Fingerprint]) -> list[float]:
    """Return how alike texts are: 0 to 1, for each of the others.

    It is the mean of two shares of common words: of the words of both texts, and of
    those of the shorter one. So it is 1 for the same words in any order, 0.9 if every
    tenth word was replaced by another, and 0.9 too if to a text a quarter was added.
    """
    ours = np.frombuffer(one.sketch, "<u4")
    return [
        _alike(_common_share(ours, np.frombuffer(other.sketch, "<u4")), one, other)
        for other in others
    ]


def _alike(share: float, one: Fingerprint, other: Fingerprint) -> float:
    """The share of both texts' words that they have in common, and what it means."""
    common = share * (one.words + other.words) / 2
    return (share + min(1.0, common / min(one.words, other.words))) / 2


def _common_share(ours: NDArray[np.uint32], theirs: NDArray[np.uint32]) -> float:
    both = np.sort(np.concatenate((ours, theirs)))
    again = both[1:] == both[:-1]
    distinct = len(both) - int(np.count_nonzero(again))
    is_cut = SAMPLE in (len(ours), len(theirs))
    if is_cut and distinct > SAMPLE:
        # Of a sketch that was cut, nothing is known beyond the lowest of both.
        number = np.cumsum(np.concatenate(([True], ~again)))
        again = again[: int(np.searchsorted(number, SAMPLE + 1)) - 1]
        distinct = SAMPLE
    common = int(np.count_nonzero(again))
    return 2 * common / (distinct + common)


def new_index() -> RMinHashLSH:
    """Return an empty index of signatures."""
    from rensa import RMinHashLSH

    return RMinHashLSH(threshold=0.5, num_perm=BANDS * ROWS, num_bands=BANDS)


def format_name() -> str:
    """Return what fingerprints must have in common to be compared with others."""
    from rensa import RMinHash

    version = RMinHash.ALGORITHM_VERSION
    return f"2-rensa{version}-{BANDS}x{ROWS}-{SAMPLE}"


def _new_minhash() -> RMinHash:
    from rensa import RMinHash

    return RMinHash(num_perm=BANDS * ROWS, seed=_SEED)


def _signature(hashes: NDArray[np.uint64]) -> bytes:
    minhash = _new_minhash()
    # Each hash becomes an object.
    for start in range(0, len(hashes), _AT_ONCE):
        minhash.update(hashes[start : start + _AT_ONCE].view("V8").tolist())
    state: bytes = minhash.__reduce__()[2]
    return state
