"""Texts as the words and parts that PostgreSQL's text search vectors can hold.

PostgreSQL's parser knows letters by the locale of the database, and makes compound
words of hyphens, slashes and points. So it gets plain words only: in lower case,
separated by spaces, without punctuation. Characters that it might not take for letters
(emoji, vowel signs of Indic scripts, in some locales Chinese) become a code: digits
between two final sigmas, which no folded word contains.

A vector has 16,383 positions, a megabyte for all words, and keeps the first 255
positions of each word only: phrases beyond them would not be found. So long texts are
split into overlapping parts with a vector each.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from ..tokens import fold, segment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..documents import IndexDocument

#: Kept characters of a word: a lexeme must be shorter than 2,047 bytes.
MAX_WORD_CHARS: Final = 500

#: Separates the fields of a document, so that no phrase spans two.
BREAK: Final = "ς0ς"

#: Letters of the languages that PostgreSQL stems. Every locale knows them as letters,
#: and C takes them for such, too.
_LETTERS: Final = re.compile(
    "[ 0-9a-z\u00df-\u00f6\u00f8-\u0233\u0250-\u02af"  # Latin
    "\u03ac-\u03c1\u03c3-\u03ce\u0430-\u045f\u0461-\u0481\u048b-\u0527"
    "\u0561-\u0587\u05d0-\u05ea\u0620-\u063f\u0641-\u064a\u0671-\u06d3]"
)
#: The parser reads 1e5 as a number and separates it from the rest of the word.
_EXPONENT: Final = re.compile(r"(?<!\S)([0-9]+)e")

#: Words repeated in the next part: every phrase is whole in one of them. A query has at
#: most half as many words as characters.
OVERLAP_WORDS: Final = 600

#: Characters after which a long word counts again: a part has less than a megabyte.
LONG_WORD_CHARS: Final = 30

#: A unit that texts are split into: it ends between words, if the text has spaces.
_UNIT: Final = re.compile(r"(?s).{1,60}(?=\s|$)|.{1,60}")


class PartLimit(NamedTuple):
    """Words of a text in one part, and repetitions of one of them, at most."""

    words: int
    repeats: int


#: Together less than the capacity of a vector.
PART_LIMITS: Final = {
    "title": PartLimit(1_000, 10),
    "headings": PartLimit(2_000, 25),
    "description": PartLimit(1_000, 15),
    "text": PartLimit(8_000, 140),
    "comments": PartLimit(3_500, 65),
}
#: Repetitions of a word in a document of one part; below the 255 positions of a word.
MAX_REPEATS: Final = 250

_MAIN: Final = list(PART_LIMITS).index("text")


class _LetterTable(dict[int, str]):
    """Code point -> what the server gets for it; filled on demand."""

    def __init__(self, *, accents: bool):
        super().__init__()
        self._accents = accents

    def __missing__(self, code: int) -> str:
        char = chr(code)
        folded = fold(char)
        if self._accents and folded.strip() and char != "ς":
            folded = char.lower()[0]
        value = self[code] = "".join(
            letter if _LETTERS.match(letter) else _code(letter) for letter in folded
        )
        return value


def _code(char: str) -> str:
    """Return letters for a character; no other character's begin with them."""
    return f"ς{ord(char)}ς"


_CODED_EXPONENT: Final = rf"\1{_code('e')}"
_PLAIN: Final = _LetterTable(accents=False)
_ACCENTED: Final = _LetterTable(accents=True)


class Text(NamedTuple):
    """A text as words, without case and accents.

    ``segmented`` is the text from :func:`.segment`.
    """

    segmented: str
    words: list[str]

    @classmethod
    def of(cls, text: str) -> Text:
        """Return the words of the text.

        >>> Text.of("Crème-brûlée, 3.14 天气!").words
        ['creme', 'brulee', '3', '14', 'ς22825ς', 'ς27668ς']
        """
        segmented = segment(text)
        return cls(segmented, _words(segmented, _PLAIN))

    @property
    def accented(self) -> list[str] | None:
        """The words with accents, as stemmers need them; ``None`` if they are equal.

        >>> Text.of("Crème").accented, Text.of("Creme").accented
        (['crème'], None)
        """
        if self.segmented.isascii():
            return None
        found = _words(self.segmented, _ACCENTED)
        return None if found == self.words else found


def _words(segmented: str, letters: _LetterTable) -> list[str]:
    found = _EXPONENT.sub(_CODED_EXPONENT, segmented.translate(letters)).split()
    if len(segmented) * len(BREAK) > MAX_WORD_CHARS:
        return [word[:MAX_WORD_CHARS] for word in found]
    return found


class Piece(NamedTuple):
    """A slice of a text, from the character ``start`` to before ``stop``."""

    start: int
    stop: int

    def of(self, text: str) -> str:
        """Return the slice."""
        return text[self.start : self.stop]


_EMPTY: Final = Piece(0, 0)


class Part(NamedTuple):
    """One piece of each field, in the order of :data:`PART_LIMITS`, with its words."""

    pieces: tuple[Piece, ...]
    texts: tuple[Text, ...]

    @property
    def main(self) -> Piece:
        """The piece of the main text."""
        return self.pieces[_MAIN]


def split_parts(document: IndexDocument) -> list[Part]:
    """Return the document's texts in one part, or in several if they are too long."""
    texts = [getattr(document, name) or "" for name in PART_LIMITS]
    whole = tuple(map(Text.of, texts))
    if _fits(whole):
        return [Part(tuple(Piece(0, len(text)) for text in texts), whole)]
    limits = PART_LIMITS.values()
    split = [split_text(text, limit) for text, limit in zip(texts, limits, strict=True)]
    return [
        Part(pieces, tuple(map(Text.of, map(Piece.of, pieces, texts))))
        for pieces in zip_longest(*split, fillvalue=_EMPTY)
    ]


def split_text(text: str, limit: PartLimit) -> list[Piece]:
    """Return the text in overlapping pieces within the limit."""
    units = [Piece(*match.span()) for match in _UNIT.finditer(text)]
    words = [Text.of(unit.of(text)).words for unit in units]
    pieces = []
    room = _Room(limit)
    first = 0
    for number, unit_words in enumerate(words):
        if not room.take(unit_words) and number > first + 1:
            pieces.append(Piece(units[first].start, units[number - 1].stop))
            first = _next_first(words, first, number)
            room = _Room(limit)
            for each in words[first : number + 1]:
                room.take(each)
    return [*pieces, Piece(units[first].start, len(text))] if units else [_EMPTY]


class _Room:
    """The words that a part has of one text."""

    def __init__(self, limit: PartLimit):
        self._limit = limit
        self._size = 0
        self._repeats: Counter[str] = Counter()

    def take(self, words: Sequence[str]) -> bool:
        """Add the words; return whether there was room for all of them."""
        self._size += _size(words)
        self._repeats.update(words)
        limit = self._limit
        return self._size <= limit.words and all(
            self._repeats[word] <= limit.repeats for word in words
        )


def _fits(texts: Sequence[Text]) -> bool:
    sizes = [_size(text.words) for text in texts]
    limits = PART_LIMITS.values()
    if any(size > limit.words for size, limit in zip(sizes, limits, strict=True)):
        return False
    repeats = Counter(word for text in texts for word in text.words)
    return max(repeats.values(), default=0) <= MAX_REPEATS


def _size(words: Sequence[str]) -> int:
    return len(words) + sum(map(len, words)) // LONG_WORD_CHARS


def _next_first(words: Sequence[Sequence[str]], first: int, number: int) -> int:
    """Return the first unit of the piece after the one from ``first``."""
    middle = (first + number + 1) // 2
    start = number - 1
    overlap = len(words[start])
    while start > middle and overlap < OVERLAP_WORDS:
        start -= 1
        overlap += len(words[start])
    return start
