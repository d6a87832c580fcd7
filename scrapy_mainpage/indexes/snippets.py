"""Snippets of hits, for engines that do not make them."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from .tokens import ZERO_WIDTH_SPACE, fold, is_dropped, segment, unsegment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .query import Query, Term

#: Marks around matches inside the engines; :func:`.segment` removes them from texts.
START: Final = "\x02"
END: Final = "\x03"

#: Stands for text left out.
ELLIPSIS: Final = "…"

#: Characters of a snippet; in a segmented text every other one is a space.
SNIPPET_CHARS: Final = 240
SEGMENTED_SNIPPET_CHARS: Final = 128

#: Examined matches of one phrase: bounds the time for a text that repeats one word.
MAX_MATCHES: Final = 5_000

#: Between two lines of a text.
SEPARATOR: Final = " · "

_UNENDED: Final = re.compile(r"(?<=[\w)\]\"'”’»\x03])\n")
_MARKS: Final = re.compile(f"[{START}{END}]")


class Phrase(NamedTuple):
    """Consecutive folded words; with ``prefix`` the last one may be longer."""

    words: tuple[str, ...]
    prefix: bool = False


class Match(NamedTuple):
    """The span of a match in a folded text, and the number of its phrase."""

    start: int
    end: int
    phrase: int


def _phrases_of(terms: Iterable[Term]) -> list[Phrase]:
    """Return the terms as folded words, without terms that have none."""
    phrases = (
        Phrase(tuple(fold(segment(term.text)).split()), term.prefix) for term in terms
    )
    return [phrase for phrase in phrases if phrase.words]


def snippet_for(
    query: Query, text: str, forms: Iterable[str] = (), folded: str | None = None
) -> str:
    """Return the snippet of a text from :func:`.segment` with the query's marks.

    ``forms`` are further words that match, such as other forms of the query's.
    """
    phrases = _phrases_of(query.wanted)
    phrases += sorted({Phrase((form,)) for form in forms}.difference(phrases))
    segmented = any(ZERO_WIDTH_SPACE in segment(term.text) for term in query.wanted)
    length = SEGMENTED_SNIPPET_CHARS if segmented else SNIPPET_CHARS
    return mark(cut_snippet(text, phrases, length, folded), query.highlight)


def cut_snippet(
    text: str, phrases: Sequence[Phrase], length: int, folded: str | None = None
) -> str:
    """Return the part of the text, about ``length`` characters, that fits best.

    The text is from :func:`.segment`, and so is the snippet: the matches are between
    ``START`` and ``END``; see :func:`mark`. ``folded`` is the text from :func:`.fold`.
    """
    folded = fold(text) if folded is None else folded
    matches = sorted(
        match
        for number, phrase in enumerate(phrases)
        for match in islice(_matches(folded, phrase, number), MAX_MATCHES)
    )
    first, end = _window(folded, matches, length)
    spans = [
        (match.start, match.end)
        for match in matches
        if first <= match.start and match.end <= end
    ]
    origins: Sequence[int] = range(len(text))
    if len(text) != len(folded):  # combining diacritics were removed
        origins = [place for place, char in enumerate(text) if not is_dropped(char)]

    def origin(place: int) -> int:
        return origins[place] if place < len(origins) else len(text)

    start = origin(first) if first else 0
    parts = [ELLIPSIS if folded[:first].strip() else ""]
    for match_start, match_end in _merge(spans):
        begin, over = origin(match_start) if match_start else 0, origin(match_end)
        parts += (text[start:begin], START, text[begin:over], END)
        start = over
    parts += (text[start : origin(end)], ELLIPSIS if folded[end:].strip() else "")
    return "".join(parts)


def mark(segmented: str, highlight: tuple[str, str]) -> str:
    """Return a snippet as shown: on one line, with the caller's marks.

    A heading, cell or list item that ends without a full stop is kept apart from what
    follows.
    """
    start, end = highlight
    lines = (" ".join(part.split()) for part in unsegment(segmented).splitlines())
    line = _UNENDED.sub(SEPARATOR, "\n".join(filter(None, lines))).replace("\n", " ")
    return _MARKS.sub(lambda match: start if match[0] == START else end, line)


def _matches(folded: str, phrase: Phrase, number: int) -> Iterator[Match]:
    """Yield the matches of the phrase in the order of the text."""
    words = " +".join(map(re.escape, phrase.words))
    pattern = re.compile(words + ("[^ ]*" if phrase.prefix else "(?= )"))
    padded = f" {folded} "
    beginning = f" {phrase.words[0]}"
    place = padded.find(beginning)
    while place >= 0:
        if match := pattern.match(padded, place + 1):
            yield Match(match.start() - 1, match.end() - 1, number)
        place = padded.find(beginning, place + 1)


def _window(folded: str, matches: Sequence[Match], length: int) -> tuple[int, int]:
    """Return the span of whole words with the most phrases, then the most matches."""
    first, last = _densest(matches, length) if matches else (0, 0)
    around = max(0, length - (last - first))
    start = max(0, min(first - around // 2, len(folded) - length))
    end = max(last, min(len(folded), start + length))
    if start:
        space = folded.find(" ", start - 1, first)
        start = space + 1 if space >= 0 else start
    if end < len(folded):
        space = folded.rfind(" ", last, end + 1)
        end = space if space > start else end
    return start, end


def _densest(matches: Sequence[Match], length: int) -> tuple[int, int]:
    best = (0, 0)
    span = (0, 0)
    inside: Counter[int] = Counter()
    left = 0
    for right, match in enumerate(matches):
        inside[match.phrase] += 1
        while left < right and match.end - matches[left].start > length:
            inside[matches[left].phrase] -= 1
            left += 1
        value = (sum(count > 0 for count in inside.values()), right - left + 1)
        if value > best:
            best = value
            span = (matches[left].start, match.end)
    return span


def _merge(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the sorted spans with overlapping ones joined."""
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
