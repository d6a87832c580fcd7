"""Passages: pieces of a text small enough to be quoted or embedded."""

from __future__ import annotations

import re
from collections import Counter
from hashlib import blake2b
from html import unescape
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from ..page import Section
from ..text.words import count_words, word_pattern
from .documents import Passage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from typing_extensions import Self

#: A longer heading or anchor is not the place of a passage, which would repeat it.
MAX_HEADING_CHARS: Final = 250

#: Share of the words of a passage that the next one may repeat.
OVERLAP: Final = 0.15

#: A section with fewer than 1 / TINY_DIVISOR of the words of a passage is tiny.
TINY_DIVISOR: Final = 5

# Without a repeated group, which takes 140 bytes of memory each time.
_BLANK_LINES: Final = re.compile(r"\s*\n")
_PARAGRAPH_END: Final = re.compile(r"\n\s*\n")

# A Western mark ends a sentence before white space, a CJK one anywhere; quotation marks
# and brackets may follow. The search is for white space: the time is linear.
_MARK: Final = "[.!?…؟۔।॥։።]"
_CLOSING: Final = "[\"')\\]»”’›]"
_SENTENCE_END: Final = re.compile(
    rf"(?:(?<={_MARK})|(?<={_MARK}{_CLOSING})|(?<={_MARK}{_CLOSING}{_CLOSING}))\s+"
    r"|[。！？．｡]+[\"')\]»”’›）」』】]*\s*"
    r"|\n+"
)
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_MARKUP: Final = re.compile(
    r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s\"[^\"]*\")?\)|\\([\\`*_{}\[\]()#+.!<>|~-])"
    r"|`([^`]+)`|(&#?\w{1,31};)|</?code>|[*`]+"
)
_ENTITY: Final = re.compile(r"(\\.|`[^`]+`)|(&#?\w{1,31};)|</?code>")


class _Span(NamedTuple):
    """An undivided part of a text, with its number of words."""

    start: int
    end: int
    words: int


class PassageSplitter:
    """Splits the sections of a text into passages of at most so many *words*.

    A passage stays within one section, except for tiny sections: one with less than a
    fifth of the words is joined with the following sections on its level or below
    while there is room; their headings become part of the text. Within a section,
    paragraphs stay whole where possible, else sentences.

    From the second on, a section's passages begin with the end of the one before: the
    whole sentences among its last *overlap* words, or these words themselves if the
    last sentence has more. The overlap is half of the words at most.
    """

    def __init__(self, words: int, overlap: int = 0):
        if words < 1 or overlap < 0:
            raise ValueError(f"passages of {words} words that share {overlap}")
        self.words = words
        self.overlap = min(overlap, words // 2)

    @classmethod
    def overlapping(cls, words: int) -> Self:
        """Return the splitter whose passages share a fixed part of their words."""
        return cls(words, round(words * OVERLAP))

    def split(self, url: str, sections: Iterable[Section]) -> tuple[Passage, ...]:
        """Return the passages of the document with that URL, in order.

        A passage's id is a hash of the URL, the first characters of its heading and the
        text, and changes only with these. Of equal passages the first has that id; a
        counter in the hash distinguishes the others.
        """
        seen: Counter[str] = Counter()
        passages: list[Passage] = []
        for group in self._groups(sections):
            first = next((part for part in group if part.heading), group[0])
            for text in self._texts(group):
                key = "\0".join((url, first.heading[:MAX_HEADING_CHARS], text))
                numbered = f"{key}\0{seen[key]}".encode("utf-8", "surrogatepass")
                name = blake2b(numbered, digest_size=16).hexdigest()
                seen[key] += 1
                place = len(passages)
                heading, anchor = map(_bounded, (first.heading, first.anchor))
                path = tuple(filter(None, map(_bounded, first.path)))
                passages.append(Passage(name, place, text, heading, anchor, path))
        return tuple(passages)

    def _groups(self, sections: Iterable[Section]) -> Iterator[list[Section]]:
        """Yield the sections with a text, tiny ones with those joined to them."""
        group: list[Section] = []
        words = 0
        for section in sections:
            own = count_words(section.text)
            more = own + count_words(section.heading)
            if group and not self._joins(section, group[0], words, more):
                yield _strip_empty(group)
                group = []
            if group:
                group.append(section)
                words += more
            elif section.text.strip():
                group, words = [section], own
        if group:
            yield _strip_empty(group)

    def _joins(self, section: Section, first: Section, words: int, more: int) -> bool:
        tiny = words * TINY_DIVISOR < self.words
        return tiny and section.level >= first.level and words + more <= self.words

    def _texts(self, group: Sequence[Section]) -> Iterator[str]:
        """Yield the texts of a group's passages; several sections make one."""
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
                yield _trim(text[start:end])
                start = end - _overlap(text[start:end], self.overlap)
                words, room = 0, self.words - self.overlap
            words += span.words
            end = span.end
        if text[start:end].strip():
            yield _trim(text[start:end])

    def _atoms(self, text: str) -> Iterator[_Span]:
        """Yield paragraphs; of long ones sentences; of long sentences runs of words."""
        limit = self.words - self.overlap
        for paragraph in _spans(text, _Span(0, len(text), 0), _PARAGRAPH_END):
            if paragraph.words <= limit:
                yield paragraph
                continue
            for sentence in _spans(text, paragraph, _SENTENCE_END):
                if sentence.words <= limit:
                    yield sentence
                else:
                    yield from _runs(text, sentence, limit)


def _bounded(text: str | None) -> str | None:
    return text if text and len(text) <= MAX_HEADING_CHARS else None


def _trim(text: str) -> str:
    """Strip white space, but keep the indentation of the first line."""
    blank = _BLANK_LINES.match(text)
    return text[blank.end() if blank else 0 :].rstrip()


def _spans(text: str, whole: _Span, border: re.Pattern[str]) -> Iterator[_Span]:
    """Yield adjacent parts that each end with a *border*."""
    start = whole.start
    for match in border.finditer(text, whole.start, whole.end):
        yield _Span(start, match.end(), _words(text, start, match.end()))
        start = match.end()
    if start < whole.end:
        yield _Span(start, whole.end, _words(text, start, whole.end))


def _words(text: str, start: int, end: int) -> int:
    return len(word_pattern().findall(text, start, end))


def _runs(text: str, whole: _Span, limit: int) -> Iterator[_Span]:
    """Yield parts of *limit* words each."""
    starts = [
        match.start() for match in word_pattern().finditer(text, whole.start, whole.end)
    ]
    borders = [whole.start, *starts[limit::limit], whole.end]
    for start, end in pairwise(borders):
        yield _Span(start, end, _words(text, start, end))


def _overlap(text: str, words: int) -> int:
    """Return the number of final characters that the next passage repeats."""
    starts = [match.start() for match in word_pattern().finditer(text)]
    if not words or not starts:
        return 0
    if len(starts) <= words:
        return len(text)
    before, first, last = starts[-words - 1], starts[-words], starts[-1]
    ends = (match.end() for match in _SENTENCE_END.finditer(text, before))
    return len(text) - next((end for end in ends if end <= last), first)


def _strip_empty(group: list[Section]) -> list[Section]:
    """Remove the last sections while they have no text."""
    while not group[-1].text.strip():
        group.pop()
    return group


def markdown_sections(markdown: str) -> Iterator[Section]:
    """Yield the sections by the headings with ``#``, without anchors.

    Their texts stay Markdown, but for entities and elements of code.

    >>> sections = markdown_sections("# A\\n\\nx\\n\\n## *B*\\n\\ny")
    >>> [(section.heading, section.level) for section in sections]
    [('A', 1), ('B', 2)]
    """
    heading, level, lines, fence = "", 0, list[str](), ""
    for line in markdown.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        found = None if fence else _HEADING.match(line[:300])
        if found is None:
            lines.append(line if fence else _ENTITY.sub(_character, line))
            continue
        if heading or any(lines):
            yield Section(heading, level, None, "\n".join(lines).strip())
        text = found[2].rstrip(" \t").rstrip("#")
        heading, level, lines = _plain(text.rstrip(" \t")), len(found[1]), []
    if heading or any(lines):
        yield Section(heading, level, None, "\n".join(lines).strip())


def _plain(text: str) -> str:
    def kept(match: re.Match[str]) -> str:
        link, escaped, code, entity = match.groups("")
        return _plain(link) if link else escaped or code or unescape(entity)

    return " ".join(_MARKUP.sub(kept, text).split())


def _character(match: re.Match[str]) -> str:
    kept, entity = match.groups("")
    return kept or unescape(entity)
