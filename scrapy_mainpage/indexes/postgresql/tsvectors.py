"""Text as words that PostgreSQL's parser reads one by one, whatever its locale.

The parser knows letters by the locale of the database, and makes compound words of
hyphens, slashes and points. So it is given plain words only: in lower case, parted by
blanks, without punctuation. What it might not take for a letter (emoji, vowel signs
of Indic scripts, in some locales Chinese) becomes a code: digits between two final
sigmas, which no word has otherwise, as they are folded to the common one.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ..folding import fold
from ..text import segment

#: Characters of a word that are kept: a lexeme must be shorter than 2,047 bytes.
MAX_WORD_CHARS: Final = 500

#: Parts the fields of a document, so that no phrase begins in one and ends in another.
BREAK: Final = "ς0ς"

#: Letters that every locale but C knows, and that C takes for letters, too; those of
#: the languages that PostgreSQL stems.
_LETTERS: Final = re.compile(
    "[ 0-9a-z\u00df-\u00f6\u00f8-\u0233\u0250-\u02af"  # Latin
    "\u03ac-\u03c1\u03c3-\u03ce\u0430-\u045f\u0461-\u0481\u048b-\u0527"
    "\u0561-\u0587\u05d0-\u05ea\u0620-\u063f\u0641-\u064a\u0671-\u06d3]"
)
#: The parser reads a number in what begins like 1e5, and parts it from what follows.
_EXPONENT: Final = re.compile(r"(?<!\S)([0-9]+)e")


class _Letters(dict[int, str]):
    """A character's code -> what the server is given; filled as characters come."""

    def __init__(self, *, accents: bool):
        super().__init__()
        self._accents = accents

    def __missing__(self, code: int) -> str:
        value = self[code] = self._value(chr(code))
        return value

    def _value(self, char: str) -> str:
        folded = fold(char)
        if self._accents and folded.strip() and char != "ς":
            folded = char.lower()[0]
        return "".join(
            letter if _LETTERS.match(letter) else _code(letter) for letter in folded
        )


def _code(char: str) -> str:
    """Letters for a character; no other character's begin with them."""
    return f"ς{ord(char)}ς"


_CODED_EXPONENT: Final = rf"\1{_code('e')}"
_PLAIN: Final = _Letters(accents=False)
_ACCENTED: Final = _Letters(accents=True)


class Text(NamedTuple):
    """A text as its words: without case and accents, and as stemmers want them.

    ``segmented`` is the text as :func:`.segment` returned it.
    """

    segmented: str
    words: list[str]

    @classmethod
    def of(cls, text: str) -> Text:
        """The words of the text."""
        segmented = segment(text)
        return cls(segmented, _words(segmented, _PLAIN))

    @property
    def accented(self) -> list[str] | None:
        """The words with their accents; ``None`` where that makes no difference.

        >>> Text.of("Crème").accented, Text.of("Creme").accented
        (['crème'], None)
        """
        if self.segmented.isascii():
            return None
        found = _words(self.segmented, _ACCENTED)
        return None if found == self.words else found


def words(text: str) -> list[str]:
    """The words of a text as they are searched: without case, without accents.

    >>> words("Crème-brûlée, 3.14 天气!")
    ['creme', 'brulee', '3', '14', 'ς22825ς', 'ς27668ς']
    """
    return Text.of(text).words


def _words(segmented: str, letters: _Letters) -> list[str]:
    found = _EXPONENT.sub(_CODED_EXPONENT, segmented.translate(letters)).split()
    if len(segmented) * len(BREAK) > MAX_WORD_CHARS:
        return [word[:MAX_WORD_CHARS] for word in found]
    return found
