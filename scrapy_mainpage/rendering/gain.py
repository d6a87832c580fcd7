"""How much main content rendering added to a page.

The static page is gone when the rendered one arrives, so a sketch of its text travels
with the request: a bitmap of its word shingles, small and of plain integers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np

from ..extraction.embedded.prose import split_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from ..page import Block, Page

GAINED: Final = 0.1
"""From this share of new main text on, rendering was worth it."""

NEW_WORDS: Final = 20
"""As many words of main content have to be new, unless most of it is."""

MOSTLY_NEW: Final = 0.5
"""From this share on a few new words will do: the static page had next to nothing."""

FEW_NEW_WORDS: Final = 5

LENGTH: Final = 3
"""Words of a shingle."""

MOST_CHARACTERS: Final = 2_000_000
"""Of a page's text, from its beginning; what comes after them is not looked at."""

_CELLS: Final = 63
_CELL_BITS: Final = 64
_ALL: Final = 1 << 32
_FACTORS: Final = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)


def sketch(page: Page) -> list[int]:
    """What to remember of the text of a static *page*, boilerplate included.

    Gives 64 integers from 0 to 2**64 - 1, the same in every process, or none for a page
    without words. The first is the limit that the shingles were sampled with (2**32
    for all of them: up to some 4,000 different ones), the others are the bitmap.
    """
    shingles = _shingles(_texts(page.blocks))
    if not shingles.size:
        return []
    # A bitmap tells most when it gets as many shingles as it has bits.
    limit = min(_ALL, _ALL * _CELLS * _CELL_BITS // shingles.size)
    places = _places(_sampled(shingles, limit), _CELLS)
    cells = np.zeros(_CELLS, np.uint64)
    bits = np.left_shift(np.uint64(1), places % np.uint64(_CELL_BITS))
    np.bitwise_or.at(cells, (places // np.uint64(_CELL_BITS)).astype(np.intp), bits)
    return [limit, *cells.tolist()]


def gain(sketch: Sequence[int], rendered: Page) -> float:
    """The share of the main text of *rendered* that the sketched page did not have.

    From 0 to 1, estimated: exactly 0 if nothing is new, else off by some 0.02 for a
    page of 600 words. 1 if the static page had no words; 0 if the rendered page has no
    main content, or so little against a huge static page that no shingle is sampled.
    """
    shingles = _shingles(_texts(rendered.blocks, main=True))
    if not shingles.size or not sketch:
        return float(shingles.size > 0)
    limit, *cells = sketch
    sample = _sampled(shingles, limit)
    if not sample.size:
        return 0.0
    unseen = 1 - _known(cells, _places(sample, len(cells))).mean()
    # Some of what is new falls on bits that others have set.
    free = 1 - sum(cell.bit_count() for cell in cells) / (len(cells) * _CELL_BITS)
    return float(min(unseen / free, 1.0)) if free else 0.0


def is_gain(share: float, rendered: Page) -> bool:
    """Whether rendering was worth it; *share* is the :func:`gain` of *rendered*.

    It was if at least a tenth of the main text is new and that is 20 words or more, so
    that a quote or a date which differs at each visit is none; or if at least half is
    new and that is 5 words or more.
    """
    new_words = share * rendered.words
    return (share >= GAINED and new_words >= NEW_WORDS) or (
        share >= MOSTLY_NEW and new_words >= FEW_NEW_WORDS
    )


def _texts(blocks: Iterable[Block], *, main: bool = False) -> Iterator[str]:
    """The texts of all blocks or of those of the main content, as far as they count."""
    room = MOST_CHARACTERS
    for block in blocks:
        if block.is_main or not main:
            yield block.text[:room]
        # Of all blocks either way: the same part of both versions is then looked at.
        room -= len(block.text)
        if room <= 0:
            return


def _shingles(texts: Iterable[str]) -> NDArray[np.uint64]:
    """A number for each different shingle of the texts: one begins at each word.

    None crosses the end of a text; there they are shorter. Where other blocks stand in
    between is thus of no account.
    """
    numbers: list[int] = []
    for text in texts:
        numbers += map(_number, split_words(text))
        numbers += (0,) * (LENGTH - 1)
    words = np.array(numbers, np.uint64)
    count = max(len(words) - LENGTH + 1, 0)
    mixed = np.zeros(count, np.uint64)
    for offset, factor in enumerate(_FACTORS):
        mixed = _spread(mixed + words[offset : offset + count] * np.uint64(factor))
    return np.unique(mixed[words[:count] != 0])


def _number(word: str) -> int:
    return crc32(word.encode("utf-8", "surrogatepass")) or 1


def _spread(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Let every bit depend on every other."""
    numbers = (numbers ^ (numbers >> np.uint64(29))) * np.uint64(_FACTORS[1])
    return numbers ^ (numbers >> np.uint64(32))


def _sampled(shingles: NDArray[np.uint64], limit: int) -> NDArray[np.uint64]:
    return shingles[(shingles >> np.uint64(32)) < np.uint64(limit)]


def _places(shingles: NDArray[np.uint64], cells: int) -> NDArray[np.uint64]:
    """The bits of the shingles: of their lower half, as the upper one samples."""
    lower = shingles & np.uint64(_ALL - 1)
    return np.asarray(lower % np.uint64(cells * _CELL_BITS), np.uint64)


def _known(cells: Sequence[int], places: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """For each place whether its bit is set: 1 or 0."""
    width = np.uint64(_CELL_BITS)
    chosen = np.array(cells, np.uint64)[(places // width).astype(np.intp)]
    return np.asarray((chosen >> (places % width)) & np.uint64(1), np.uint64)


__all__ = ["GAINED", "gain", "is_gain", "sketch"]
