"""Strings of embedded data: as HTML, prose or not, on the page already or not."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final

from ...text.words import CJK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MIN_PROSE_WORDS: Final = 12
"""A shorter text may be anything."""

MAX_SEEN_CHARACTERS: Final = 1_000_000
"""Characters of all seen texts together; later ones count as new."""

TEXT_WORK: Final = 10
"""Of a character that is searched for markup, sentences and words."""

_SEQUENCE_WORDS: Final = 4
_SENTENCE: Final = re.compile(r"[.!?…。！？।؟][\"'”’»)\]]*(?:\s|$|<)|[。！？]")
# Takes milliseconds to compile, so that this is left to its first use.
_WORD: Final = rf"[{CJK}]|[^\W_{CJK}]+"
_SAMPLE_CHARACTERS: Final = 2000
_TAG: Final = re.compile(r"</?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]{0,2000}|/)?>")


def is_html(text: str) -> bool:
    """Whether *text* has a tag."""
    return "<" in text and _TAG.search(text) is not None


def as_html(text: str) -> str:
    """*text* as HTML: unchanged, or its lines as paragraphs.

    >>> as_html("One & two.\\n\\nThree.")
    '<p>One &amp; two.</p><p>Three.</p>'
    >>> as_html("&lt;b&gt;One&lt;/b&gt;")
    '<b>One</b>'
    """
    text = resolve_entities(text)
    if is_html(text):
        return text
    lines = filter(None, map(str.strip, text.split("\n")))
    return "".join(f"<p>{html.escape(line, quote=False)}</p>" for line in lines)


def as_inline_html(text: str) -> str:
    """*text* as HTML without paragraphs."""
    text = resolve_entities(text)
    return text if is_html(text) else html.escape(text, quote=False)


def resolve_entities(text: str) -> str:
    """*text* with its entities resolved, unless its tags need them."""
    return html.unescape(text) if "&" in text and not is_html(text) else text


def plain_text(text: str) -> str:
    """*text* without tags and entities."""
    text = resolve_entities(text)
    return html.unescape(_TAG.sub(" ", text)) if "<" in text else text


def is_prose(text: str) -> bool:
    """Whether *text*, HTML or not, is sentences made for people.

    >>> is_prose("The kettle boils at noon. Bring a cup, and be on time, all.")
    True
    >>> is_prose("width: 100px; color: red; margin: 0 auto; padding: 1px 2px 3px")
    False
    """
    plain = plain_text(text)
    sample = plain[:_SAMPLE_CHARACTERS]
    if not _SENTENCE.search(sample) and not is_html(text):
        return False
    words = count_words(sample)
    return words >= MIN_PROSE_WORDS and len(sample) < 15 * words


def split_words(text: str) -> list[str]:
    """The words of *text* in one case; each CJK character is one."""
    return re.findall(_WORD, text.casefold())


def count_words(text: str) -> int:
    """The number of words in *text*."""
    return len(split_words(text))


class SeenText:
    """The text that a page has already, as hashes of its sequences of four words.

    A text shorter than a sequence is one of its own.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._hashes: set[int] = set()
        self._room = MAX_SEEN_CHARACTERS
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Add *text*."""
        self._hashes.update(_sequences(text[: self._room]))
        self._room = max(self._room - len(text), 0)

    def share(self, text: str) -> float:
        """The share of *text* that was added before; 1 for a text without words."""
        seen = [number in self._hashes for number in _sequences(text)]
        return sum(seen) / len(seen) if seen else 1.0


def _sequences(text: str) -> Iterator[int]:
    """Hashes of the sequences of words in *text*."""
    words = split_words(text)
    if 0 < len(words) < _SEQUENCE_WORDS:
        return iter([hash(tuple(words))])
    return map(hash, zip(*(words[k:] for k in range(_SEQUENCE_WORDS)), strict=False))
