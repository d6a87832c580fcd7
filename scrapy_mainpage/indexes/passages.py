"""Passages: pieces of a text small enough to be quoted or embedded."""

from __future__ import annotations

import re
import sys
from collections import Counter
from hashlib import blake2b
from html import unescape
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from ..page import Section
from ..text.words import count_words, estimate_tokens, word_pattern
from .documents import Passage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: A longer heading or anchor is not the place of a passage, which would repeat it.
MAX_HEADING_CHARS: Final = 250

#: A section with fewer than 1 / TINY_DIVISOR of the words of a passage is tiny.
TINY_DIVISOR: Final = 5

_PARAGRAPH_END: Final = re.compile(r"\n\s*\n")
_LINE_END: Final = re.compile(r"\n+")

# A Western mark ends a sentence before white space, a CJK one anywhere; quotation marks
# and brackets may follow. The search is for white space: the time is linear.
_MARK: Final = "[.!?…؟۔।॥։።]"
_CLOSING: Final = "[\"')\\]»”’›]"
_SENTENCE_END: Final = re.compile(
    rf"(?:(?<={_MARK})|(?<={_MARK}{_CLOSING})|(?<={_MARK}{_CLOSING}{_CLOSING}))\s+"
    r"|[。！？．｡]+[\"')\]»”’›）」』】]*\s*"
    r"|\n+"
)
_FENCE: Final = re.compile(r"[ \t]*(`{3,}(?=[^`\n]*$)|~{3,})")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_MARKUP: Final = re.compile(
    r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s\"[^\"]*\")?\)|\\([\\`*_{}\[\]()#+.!<>|~-])"
    r"|`([^`]+)`|(&#?\w{1,31};)|</?code>|[*`]+"
)
_ENTITY: Final = re.compile(r"(\\.|`[^`]+`)|(&#?\w{1,31};)|</?code>")


class _Span(NamedTuple):
    """An undivided part of a text, with its size in words or tokens."""

    start: int
    end: int
    size: int


class Code(NamedTuple):
    """A code block: its place in a text with its fence, if that is there, and without.

    ``opening`` is the line that opens its fence, with the language.
    """

    outer_start: int
    start: int
    end: int
    outer_end: int
    opening: str

    @property
    def closing(self) -> str:
        """The line that closes the fence."""
        mark = _FENCE.match(self.opening)
        return mark[0] if mark else "```"


class Piece(NamedTuple):
    """Where a passage is: a part of the text of some sections, with code blocks."""

    sections: tuple[Section, ...]
    whole: str
    start: int
    end: int
    codes: Sequence[Code] = ()

    @property
    def is_whole(self) -> bool:
        """Whether the passage has all of the sections."""
        return not _trim(self.whole[: self.start] + self.whole[self.end :])

    @property
    def text(self) -> str:
        """The text, in which parts of code have the fence of all of it."""
        start, end, whole = self.start, self.end, self.whole
        parts = []
        for code in self.codes:
            is_outside = code.outer_end <= start or code.outer_start >= end
            is_inside = start <= code.outer_start and code.outer_end <= end
            if is_outside or (is_inside and code.outer_start < code.start):
                continue  # it is not there, or with its fence
            body = whole[max(start, code.start) : min(end, code.end)].strip("\n")
            parts.append(whole[start : max(start, code.outer_start)])
            if body.strip():
                parts.append(f"{code.opening}\n{body}\n{code.closing}\n")
            start = min(end, code.outer_end)
        return _trim("".join((*parts, whole[start:end])))


class _Part(NamedTuple):
    """A section, and its heading behind those that have no text of their own."""

    section: Section
    names: tuple[str, ...]

    @classmethod
    def of(cls, sections: Sequence[Section]) -> _Part:
        names = (part.heading for part in sections if part.heading.strip())
        return cls(sections[-1], tuple(names))


class PassageSplitter:
    """Splits the sections of a text into passages of at most so many words.

    With *tokens* the limit is of tokens as ``estimate_tokens`` estimates them.

    A passage stays within one section, except for tiny sections: one with less than a
    fifth of the limit is joined with the following sections on its level or below
    while there is room; their headings become part of the text. So do headings without
    a text of their own, such as the terms that share a description. Within a section,
    paragraphs stay whole where possible, else sentences.

    Where sections are Markdown, code is cut between lines, and each part of it has the
    fence, with the language.
    """

    def __init__(self, limit: int, *, tokens: bool = False):
        if limit < 1:
            raise ValueError(f"passages of {limit} {'tokens' if tokens else 'words'}")
        self._count = estimate_tokens if tokens else count_words
        self.limit = limit

    def split(
        self, url: str, sections: Iterable[Section], *, is_markdown: bool = False
    ) -> tuple[Passage, ...]:
        """Return the passages of the document with that URL, in order.

        A passage's id is a hash of the URL, the first characters of its heading and the
        text, and changes only with these. Of equal passages the first has that id; a
        counter in the hash distinguishes the others.
        """
        seen: Counter[str] = Counter()
        passages: list[Passage] = []
        for piece in self.pieces(sections, is_markdown=is_markdown):
            parts = piece.sections
            first = next((part for part in parts if part.heading), parts[0])
            text = piece.text
            key = "\0".join((url, first.heading[:MAX_HEADING_CHARS], text))
            numbered = f"{key}\0{seen[key]}".encode("utf-8", "surrogatepass")
            name = blake2b(numbered, digest_size=16).hexdigest()
            seen[key] += 1
            place = len(passages)
            heading, anchor = map(_bounded, (first.heading, first.anchor))
            path = tuple(filter(None, map(_bounded, first.path)))
            passages.append(Passage(name, place, text, heading, anchor, path))
        return tuple(passages)

    def pieces(
        self, sections: Iterable[Section], *, is_markdown: bool = False
    ) -> Iterator[Piece]:
        """Yield where the passages of :meth:`split` are."""
        for group in self._groups(_parts(sections)):
            parts, text = tuple(each.section for each in group), _text_of(group)
            codes = self._fenced(text) if is_markdown else None
            for start, end in self._split_text(text, codes):
                yield Piece(parts, text, start, end, codes or ())

    def _fenced(self, text: str) -> list[Code]:
        """The code blocks in a text, if a passage has room for their fences."""
        codes = find_code(text)
        return codes if 2 * self._fences(codes) < self.limit else []

    def _fences(self, codes: Sequence[Code]) -> int:
        """The size of the fences that a passage may get: at its start, and its end."""
        lines = (f"{code.opening}\n{code.closing}\n" for code in codes)
        return 2 * max(map(self._count, lines), default=0)

    def _groups(self, parts: Iterable[_Part]) -> Iterator[list[_Part]]:
        """Yield each section, and a tiny one with those that it is joined by."""
        group: list[_Part] = []
        size = 0
        for part in parts:
            own = self._count(part.section.text)
            more = own + sum(self._count(f"{name}\n\n") for name in part.names)
            if group and not self._joins(part.section, group[0].section, size, more):
                yield group
                group, size = [], 0
            size += more if group else own
            group.append(part)
        if group:
            yield group

    def _joins(self, section: Section, first: Section, size: int, more: int) -> bool:
        tiny = size * TINY_DIVISOR < self.limit
        return tiny and section.level >= first.level and size + more <= self.limit

    def _split_text(
        self, text: str, codes: Sequence[Code] | None
    ) -> Iterator[tuple[int, int]]:
        """Yield the starts and ends of passages; without *codes* it is no Markdown."""
        room = self.limit - self._fences(codes or ())
        start, end, size = 0, 0, 0
        for span in self._atoms(text, room, codes):
            if size + span.size > room:
                yield start, end
                start, size = end, 0
            size += span.size
            end = span.end
        if text[start:end].strip():
            yield start, end

    def _atoms(
        self, text: str, limit: int, codes: Sequence[Code] | None
    ) -> Iterator[_Span]:
        """Yield paragraphs; of long ones lines, sentences, and runs of words.

        Lines of Markdown end nothing, but those of code.
        """
        whole = _Span(0, len(text), 0)
        for paragraph in self._spans(text, whole, _PARAGRAPH_END):
            is_code = codes is None or any(
                each.outer_start < paragraph.end and paragraph.start < each.outer_end
                for each in codes
            )
            borders = (_LINE_END, _SENTENCE_END) if is_code else (_SENTENCE_END,)
            yield from self._divided(text, paragraph, limit, borders)

    def _divided(
        self, text: str, span: _Span, limit: int, borders: Sequence[re.Pattern[str]]
    ) -> Iterator[_Span]:
        if span.size <= limit:
            yield span
        elif not borders:
            yield from self._words(text, span)
        else:
            for part in self._spans(text, span, borders[0]):
                yield from self._divided(text, part, limit, borders[1:])

    def _spans(
        self, text: str, whole: _Span, border: re.Pattern[str], side: int = 1
    ) -> Iterator[_Span]:
        """Yield adjacent parts, tiny ones together, cut at one *side* of a *border*."""
        start, tiny = whole.start, self.limit // TINY_DIVISOR
        found = border.finditer(text, start, whole.end)
        ends = [match.span()[side] for match in found]
        for end, following in pairwise((*ends, whole.end, sys.maxsize)):
            if start < end and following - start > tiny:
                yield _Span(start, end, self._count(text[start:end]))
                start = end

    def _words(self, text: str, whole: _Span) -> Iterator[_Span]:
        """Yield the words, each with what follows it; too long ones in pieces."""
        for word in self._spans(text, whole, word_pattern(), side=0):
            step = word.end - word.start if word.size <= self.limit else self.limit
            for place in range(word.start, word.end, step):
                stop = min(place + step, word.end)
                yield _Span(place, stop, self._count(text[place:stop]))


def _parts(sections: Iterable[Section]) -> Iterator[_Part]:
    """Yield the sections with a text, or the headings of some without one."""
    empty: list[Section] = []
    for section in sections:
        if empty and section.level < empty[-1].level:
            yield _Part.of(empty)
            empty = []
        empty += [section] if (section.heading + section.text).strip() else []
        if section.text.strip():
            yield _Part.of(empty)
            empty = []
    if empty:
        yield _Part.of(empty)


def _text_of(group: Sequence[_Part]) -> str:
    """The texts of sections with their headings, but for those in the first's path."""
    first, known = group[0], {*map(_bounded, group[0].section.path)}
    own = _bounded(first.section.heading)
    names = [name for name in first.names if name not in (*known, own)]
    texts = ["\n".join(names), first.section.text]
    for part in group[1:]:
        texts += ("\n\n".join(part.names), part.section.text)
    found = "\n\n".join(text.strip("\n") for text in texts if text.strip())
    return found or "\n".join(first.names)


def _bounded(text: str | None) -> str | None:
    return text if text and len(text) <= MAX_HEADING_CHARS else None


def _trim(text: str) -> str:
    """Strip white space, but keep the indentation of the first line."""
    blank = len(text) - len(text.lstrip())
    return text[text.rfind("\n", 0, blank) + 1 :].rstrip()


def find_code(markdown: str) -> list[Code]:
    """Return the code blocks of a Markdown text.

    >>> (code,) = find_code("Run:\\n\\n```sh\\nls\\n```")
    >>> code.opening, code.start, code.end
    ('```sh', 12, 14)
    """
    found: list[Code] = []
    opening, fence, place, outer, start = "", "", 0, 0, 0
    for line in markdown.splitlines(keepends=True):
        mark, after = _FENCE.match(line), place + len(line)
        if mark and not opening:
            opening, fence, outer, start = line.rstrip(), mark[1], place, after
        elif mark and _closes(line, fence):
            found.append(Code(outer, start, max(start, place - 1), after, opening))
            opening = ""
        place = after
    return found


def _closes(line: str, fence: str) -> bool:
    """Whether a line closes a fence: as many of its marks, and nothing else."""
    line = line.strip()
    return line.startswith(fence) and not line.strip(fence[0])


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
        if mark and (not fence or _closes(line, fence)):
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
