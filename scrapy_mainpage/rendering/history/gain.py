"""Share of main content that rendering added to a page.

The static page is gone when the rendered one arrives, so a sketch of its text travels
with the request: a bitmap of its word shingles (a Bloom filter with one hash function),
small and of plain integers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np

from ...extraction.embedded.prose import split_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from ...page import Block, Page

MIN_GAIN: Final = 0.1
"""Share of new main text from which rendering was worth it, with ..."""

MIN_NEW_WORDS: Final = 20
"""... so many new words: a quote or a date that differs at each visit has fewer."""

MIN_LARGE_GAIN: Final = 0.5
"""Share from which :data:`MIN_NEW_WORDS_OF_LARGE` suffice: the page was empty."""

MIN_NEW_WORDS_OF_LARGE: Final = 5

SHINGLE_WORDS: Final = 3
MAX_TEXT_CHARS: Final = 2_000_000
"""Characters of a page that are read, from its beginning."""

_CELLS: Final = 63
_CELL_BITS: Final = 64
_ALL: Final = 1 << 32
_FACTORS: Final = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)


def make_sketch(page: Page) -> list[int]:
    """Return a sketch of the text of a static *page*, boilerplate included.

    64 integers from 0 to 2**64 - 1, the same in every process; empty for a page without
    words. The first is the sampling limit of the shingles (2**32 keeps all of them: up
    to some 4,000 different ones), the others are the bitmap.
    """
    shingles = _hash_shingles(_texts(page.blocks))
    if not shingles.size:
        return []
    # A bitmap is most precise with about as many shingles as bits.
    limit = min(_ALL, _ALL * _CELLS * _CELL_BITS // shingles.size)
    places = _places(_sample(shingles, limit), _CELLS)
    cells = np.zeros(_CELLS, np.uint64)
    bits = np.left_shift(np.uint64(1), places % np.uint64(_CELL_BITS))
    np.bitwise_or.at(cells, (places // np.uint64(_CELL_BITS)).astype(np.intp), bits)
    return [limit, *cells.tolist()]


def estimate_gain(sketch: Sequence[int], rendered: Page) -> float:
    """Estimate the share of the main text of *rendered* that the static page lacked.

    From 0 to 1: exactly 0 if nothing is new, else with an error of about 0.02 for a
    page of 600 words. 1 if the static page had no words; 0 if the rendered page has no
    main content, or too little against a huge static page for a shingle in the sample.
    """
    shingles = _hash_shingles(_texts(rendered.blocks, main=True))
    if not shingles.size or not sketch:
        return float(shingles.size > 0)
    limit, *cells = sketch
    sample = _sample(shingles, limit)
    if not sample.size:
        return 0.0
    unseen = 1 - _lookup(cells, _places(sample, len(cells))).mean()
    # New shingles fall on set bits, too: divide by the share of free bits.
    free = 1 - sum(cell.bit_count() for cell in cells) / (len(cells) * _CELL_BITS)
    return float(min(unseen / free, 1.0)) if free else 0.0


def is_gain(share: float, rendered: Page) -> bool:
    """Whether rendering was worth it; *share* is the estimated gain of *rendered*."""
    new_words = share * rendered.words
    return (share >= MIN_GAIN and new_words >= MIN_NEW_WORDS) or (
        share >= MIN_LARGE_GAIN and new_words >= MIN_NEW_WORDS_OF_LARGE
    )


def _texts(blocks: Iterable[Block], *, main: bool = False) -> Iterator[str]:
    """Yield the texts of all blocks, or of the main ones, up to the size limit.

    The limit counts all blocks in both cases: the same part of both versions is read.
    """
    room = MAX_TEXT_CHARS
    for block in blocks:
        if block.is_main or not main:
            yield block.text[:room]
        room -= len(block.text)
        if room <= 0:
            return


def _hash_shingles(texts: Iterable[str]) -> NDArray[np.uint64]:
    """Return the hash of each different shingle; one begins at each word.

    Shingles end with their text, so the order of blocks does not matter.
    """
    numbers: list[int] = []
    for text in texts:
        numbers += map(_hash_word, split_words(text))
        numbers += (0,) * (SHINGLE_WORDS - 1)
    words = np.array(numbers, np.uint64)
    count = max(len(words) - SHINGLE_WORDS + 1, 0)
    mixed = np.zeros(count, np.uint64)
    for offset, factor in enumerate(_FACTORS):
        mixed = _mix(mixed + words[offset : offset + count] * np.uint64(factor))
    return np.unique(mixed[words[:count] != 0])


def _hash_word(word: str) -> int:
    return crc32(word.encode("utf-8", "surrogatepass")) or 1


def _mix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Let every bit depend on every other."""
    numbers = (numbers ^ (numbers >> np.uint64(29))) * np.uint64(_FACTORS[1])
    return numbers ^ (numbers >> np.uint64(32))


def _sample(shingles: NDArray[np.uint64], limit: int) -> NDArray[np.uint64]:
    return shingles[(shingles >> np.uint64(32)) < np.uint64(limit)]


def _places(shingles: NDArray[np.uint64], cells: int) -> NDArray[np.uint64]:
    """Return the bit of each shingle, by its lower half: the upper one samples."""
    lower = shingles & np.uint64(_ALL - 1)
    return np.asarray(lower % np.uint64(cells * _CELL_BITS), np.uint64)


def _lookup(cells: Sequence[int], places: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return for each place whether its bit is set: 1 or 0."""
    width = np.uint64(_CELL_BITS)
    chosen = np.array(cells, np.uint64)[(places // width).astype(np.intp)]
    return np.asarray((chosen >> (places % width)) & np.uint64(1), np.uint64)


__all__ = ["estimate_gain", "is_gain", "make_sketch"]
