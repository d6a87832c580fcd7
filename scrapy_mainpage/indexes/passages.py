"""Splitting a text into passages: small enough to be quoted or embedded."""

from __future__ import annotations

import re
from collections import Counter
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from ..text.words import WORD, count_words
from .documents import Passage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..page import Section

TINY: Final = 5
"""A section is tiny if it has less than this part of the words of a passage."""

_BLANK_LINES: Final = re.compile(r"(?:[^\S\n]*\n)+")
_PARAGRAPH_END: Final = re.compile(r"\n(?:[^\S\n]*\n)+")

# A mark of the Latin kind ends a sentence before a blank, one of the Chinese anywhere;
# quotation marks and brackets may close after it. As the blanks are what is looked
# for, no text takes longer than its length.
_MARK: Final = "[.!?…؟۔।॥։።]"
_CLOSING: Final = "[\"')\\]»”’›]"
_SENTENCE_END: Final = re.compile(
    rf"(?:(?<={_MARK})|(?<={_MARK}{_CLOSING})|(?<={_MARK}{_CLOSING}{_CLOSING}))\s+"
    r"|[。！？．｡]+[\"')\]»”’›）」』】]*\s*"
    r"|\n+"
)


class _Span(NamedTuple):
    """A part of a text that is not divided, and its number of words."""

    start: int
    end: int
    words: int


class PassageSplitter:
    """Splits the sections of a text into passages of at most so many *words*.

    A passage never reaches from one section into another, but for tiny sections: one
    with less than a fifth of the words is joined by the sections that follow as long
    as they are on its level or below, and there is room; their headings are then part
    of the text. Within a section paragraphs stay whole where they can, else sentences.

    From the second on, a section's passages begin with the end of the one before: the
    whole sentences among its last *overlap* words, or these words themselves if the
    last sentence has more. The overlap is half of the words at most.
    """

    def __init__(self, words: int, overlap: int = 0):
        if words < 1 or overlap < 0:
            raise ValueError(f"passages of {words} words that share {overlap}")
        self.words = words
        self.overlap = min(overlap, words // 2)

    def split(self, url: str, sections: Iterable[Section]) -> tuple[Passage, ...]:
        """The passages of the document with that URL, in order.

        A passage's id is made of the URL, its heading and its text: it changes with
        these and with nothing else. Of equal passages the first has that id, and the
        others count on.
        """
        seen: Counter[str] = Counter()
        passages: list[Passage] = []
        for group in self._groups(sections):
            first = next((part for part in group if part.heading), group[0])
            for text in self._texts(group):
                key = "\0".join((url, first.heading, text))
                name = _hashed(f"{key}\0{seen[key]}")
                seen[key] += 1
                place = len(passages)
                heading = first.heading or None
                passages.append(Passage(name, place, text, heading, first.anchor))
        return tuple(passages)

    def _groups(self, sections: Iterable[Section]) -> Iterator[list[Section]]:
        """The sections with a text, tiny ones with those that join them."""
        group: list[Section] = []
        words = 0
        for section in sections:
            own = count_words(section.text)
            more = own + count_words(section.heading)
            if group and not self._joins(section, group[0], words, more):
                yield _with_text(group)
                group = []
            if group:
                group.append(section)
                words += more
            elif section.text.strip():
                group, words = [section], own
        if group:
            yield _with_text(group)

    def _joins(self, section: Section, first: Section, words: int, more: int) -> bool:
        tiny = words * TINY < self.words
        return tiny and section.level >= first.level and words + more <= self.words

    def _texts(self, group: Sequence[Section]) -> Iterator[str]:
        """The texts of the passages of a group; of several sections it is one."""
        if len(group) == 1:
            yield from self._split_text(group[0].text)
            return
        parts = [group[0].text]
        for section in group[1:]:
            parts += (section.heading, section.text)
        yield "\n\n".join(filter(None, (part.strip() for part in parts)))

    def _split_text(self, text: str) -> Iterator[str]:
        start, end, words, room = 0, 0, 0, self.words
        for span in self._atoms(text):
            if words + span.words > room:
                yield _trimmed(text[start:end])
                start = end - _overlap(text[start:end], self.overlap)
                words, room = 0, self.words - self.overlap
            words += span.words
            end = span.end
        if text[start:end].strip():
            yield _trimmed(text[start:end])

    def _atoms(self, text: str) -> Iterator[_Span]:
        """Paragraphs; sentences of those that are too long; runs of words of these."""
        most = self.words - self.overlap
        for paragraph in _spans(text, _Span(0, len(text), 0), _PARAGRAPH_END):
            if paragraph.words <= most:
                yield paragraph
                continue
            for sentence in _spans(text, paragraph, _SENTENCE_END):
                if sentence.words <= most:
                    yield sentence
                else:
                    yield from _runs(text, sentence, most)


def _trimmed(text: str) -> str:
    """The text without blanks around it, but with what indents its first line."""
    blank = _BLANK_LINES.match(text)
    return text[blank.end() if blank else 0 :].rstrip()


def _spans(text: str, whole: _Span, border: re.Pattern[str]) -> Iterator[_Span]:
    """The parts that end with a *border*; nothing of the text is between them."""
    start = whole.start
    for match in border.finditer(text, whole.start, whole.end):
        yield _Span(start, match.end(), _words(text, start, match.end()))
        start = match.end()
    if start < whole.end:
        yield _Span(start, whole.end, _words(text, start, whole.end))


def _words(text: str, start: int, end: int) -> int:
    return len(WORD.findall(text, start, end))


def _runs(text: str, whole: _Span, most: int) -> Iterator[_Span]:
    """Parts with as many words each."""
    starts = [match.start() for match in WORD.finditer(text, whole.start, whole.end)]
    borders = [whole.start, *starts[most::most], whole.end]
    for start, end in pairwise(borders):
        yield _Span(start, end, _words(text, start, end))


def _overlap(text: str, words: int) -> int:
    """How many characters of the end of *text* the next passage begins with."""
    starts = [match.start() for match in WORD.finditer(text)]
    if not words or not starts:
        return 0
    if len(starts) <= words:
        return len(text)
    before, first, last = starts[-words - 1], starts[-words], starts[-1]
    ends = (match.end() for match in _SENTENCE_END.finditer(text, before))
    return len(text) - next((end for end in ends if end <= last), first)


def _with_text(group: list[Section]) -> list[Section]:
    """The group up to its last section that has a text."""
    while not group[-1].text.strip():
        group.pop()
    return group


def _hashed(key: str) -> str:
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


__all__ = ["PassageSplitter"]
