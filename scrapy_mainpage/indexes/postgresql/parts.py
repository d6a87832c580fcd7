"""Long texts in parts that a text search vector has room for.

A vector has 16,383 positions, a megabyte for all words, and keeps the first 255
positions of each word only: beyond them phrases would not be found.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from .tsvectors import Text, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..documents import IndexDocument

#: Words of a part that are in the next part, too: a phrase is whole in one of them.
#: A query has at most half as many words as characters.
OVERLAP: Final = 600

#: A long word counts as several: each part has less than a megabyte of words.
_LONG_WORD: Final = 30

#: What texts are cut between: it ends between words, where the text has spaces.
_BLOCK: Final = re.compile(r"(?s).{1,60}(?=\s|$)|.{1,60}")


class Limits(NamedTuple):
    """How many words a text may have in one part, and how often one of them."""

    words: int
    repeats: int


#: All together they are less than what a vector holds.
LIMITS: Final = {
    "title": Limits(1_000, 10),
    "headings": Limits(2_000, 25),
    "description": Limits(1_000, 15),
    "text": Limits(8_000, 140),
    "comments": Limits(3_500, 65),
}
_MOST_REPEATS: Final = 250


class Piece(NamedTuple):
    """A part of a text, from the character ``start`` on, without ``stop``."""

    start: int
    stop: int


class Part(NamedTuple):
    """The pieces of the fields that are together in one part, in their order."""

    pieces: tuple[Piece, ...]
    texts: tuple[Text, ...]

    @property
    def main(self) -> Piece:
        """The piece of the main text."""
        return self.pieces[_MAIN]


_MAIN: Final = list(LIMITS).index("text")
_EMPTY: Final = Piece(0, 0)


def parts_of(document: IndexDocument) -> list[Part]:
    """The document's texts in one part, or if they are too long in several."""
    texts = [getattr(document, name) or "" for name in LIMITS]
    whole = tuple(map(Text.of, texts))
    if _fits(whole):
        return [Part(tuple(Piece(0, len(text)) for text in texts), whole)]
    limits = LIMITS.values()
    cut = [pieces_of(text, most) for text, most in zip(texts, limits, strict=True)]
    return [
        Part(pieces, tuple(map(Text.of, map(_cut, texts, pieces))))
        for pieces in zip_longest(*cut, fillvalue=_EMPTY)
    ]


def pieces_of(text: str, most: Limits) -> list[Piece]:
    """Cut the text where it is more than a part holds; the pieces overlap."""
    small = [Piece(*match.span()) for match in _BLOCK.finditer(text)]
    found = [words(_cut(text, block)) for block in small]
    pieces = []
    room = _Room(most)
    first = 0
    for number, block in enumerate(found):
        if not room.take(block) and number > first + 1:
            pieces.append(Piece(small[first].start, small[number - 1].stop))
            first = _back(found, first, number)
            room = _Room(most)
            for each in found[first : number + 1]:
                room.take(each)
    return [*pieces, Piece(small[first].start, len(text))] if small else [_EMPTY]


def _cut(text: str, piece: Piece) -> str:
    return text[piece.start : piece.stop]


class _Room:
    """What a part has taken of one text."""

    def __init__(self, most: Limits):
        self._most = most
        self._size = 0
        self._repeats: Counter[str] = Counter()

    def take(self, block: Sequence[str]) -> bool:
        """Add the words; return whether there was room for all of them."""
        self._size += _size(block)
        self._repeats.update(block)
        most = self._most
        return self._size <= most.words and all(
            self._repeats[word] <= most.repeats for word in block
        )


def _fits(texts: Sequence[Text]) -> bool:
    sizes = [_size(text.words) for text in texts]
    limits = LIMITS.values()
    if any(size > most.words for size, most in zip(sizes, limits, strict=True)):
        return False
    repeats = Counter(word for text in texts for word in text.words)
    return max(repeats.values(), default=0) <= _MOST_REPEATS


def _size(found: Sequence[str]) -> int:
    return len(found) + sum(map(len, found)) // _LONG_WORD


def _back(found: Sequence[Sequence[str]], first: int, number: int) -> int:
    """The block that the next piece begins with, where one from ``first`` ended."""
    middle = (first + number + 1) // 2
    start = number - 1
    overlap = len(found[start])
    while start > middle and overlap < OVERLAP:
        start -= 1
        overlap += len(found[start])
    return start
