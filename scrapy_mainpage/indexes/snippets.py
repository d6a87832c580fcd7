"""The part of a text that a hit shows, for engines that do not make it themselves."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from .folding import fold, is_dropped
from .text import is_segmented, segment, unsegment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .query import Query, Term

#: Around matches inside the engines; :func:`.segment` takes them out of documents.
START: Final = "\x02"
END: Final = "\x03"

#: What stands where text is left out.
ELLIPSIS: Final = "…"

#: Characters of a snippet; of a text that was parted every other one is a space.
LENGTH: Final = 240
PARTED_LENGTH: Final = 128

#: Matches of one phrase that are looked at; the best part is among the first.
_MAX_MATCHES: Final = 5_000

_MARKS = re.compile(f"[{START}{END}]")


class Phrase(NamedTuple):
    """Folded words that match side by side; with ``prefix`` the last may go on."""

    words: tuple[str, ...]
    prefix: bool = False


class Match(NamedTuple):
    """From where to where in a folded text which phrase stands."""

    start: int
    end: int
    phrase: int


def phrases_of(terms: Iterable[Term]) -> list[Phrase]:
    """The terms as folded words, without those that have none."""
    phrases = (
        Phrase(tuple(fold(segment(term.text)).split()), term.prefix) for term in terms
    )
    return [phrase for phrase in phrases if phrase.words]


def snippet_for(query: Query, text: str) -> str:
    """What a hit of the query shows of its text, which :func:`.segment` returned."""
    is_parted = any(is_segmented(segment(term.text)) for term in query.wanted)
    length = PARTED_LENGTH if is_parted else LENGTH
    return marked(snippet(text, phrases_of(query.wanted), length), query.highlight)


def snippet(text: str, phrases: Sequence[Phrase], length: int) -> str:
    """The part of the text, about ``length`` characters, that fits the phrases best.

    The text is one that :func:`.segment` returned, as is the snippet: the matches are
    between ``START`` and ``END``; see :func:`marked`.
    """
    folded = fold(text)
    matches = sorted(
        match
        for number, phrase in enumerate(phrases)
        for match in islice(_matches(folded, phrase, number), _MAX_MATCHES)
    )
    first, end = _window(folded, matches, length)
    spans = [
        (match.start, match.end)
        for match in matches
        if first <= match.start and match.end <= end
    ]
    places = _Places(text, folded)
    start, stop = places.span(first, end)
    parts = [ELLIPSIS if folded[:first].strip() else ""]
    for begin, over in _merged(spans):
        begin, over = places.span(begin, over)
        parts += (text[start:begin], START, text[begin:over], END)
        start = over
    parts += (text[start:stop], ELLIPSIS if folded[end:].strip() else "")
    return "".join(parts)


def marked(segmented: str, highlight: tuple[str, str]) -> str:
    """A snippet on one line as it is shown, with the caller's marks."""
    start, end = highlight
    line = " ".join(unsegment(segmented).split())
    return _MARKS.sub(lambda match: start if match[0] == START else end, line)


class _Places:
    """Where in a text the characters of the folded text were."""

    def __init__(self, text: str, folded: str):
        self._text = text
        self._origins: Sequence[int] = range(len(text))
        if len(text) != len(folded):  # diacritics that stand apart have gone
            self._origins = [
                place for place, char in enumerate(text) if not is_dropped(char)
            ]

    def span(self, first: int, end: int) -> tuple[int, int]:
        """The part of the text that became that of the folded one."""
        return self._origin(first) if first else 0, self._origin(end)

    def _origin(self, place: int) -> int:
        is_inside = place < len(self._origins)
        return self._origins[place] if is_inside else len(self._text)


def _matches(folded: str, phrase: Phrase, number: int) -> Iterator[Match]:
    """Where the phrase stands, in the order of the text."""
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
    """Where the most phrases match, and then the most often; whole words."""
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


def _merged(spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans with those that overlap as one."""
    last: tuple[int, int] | None = None
    for span in spans:
        if last and span[0] < last[1]:
            last = (last[0], max(last[1], span[1]))
            continue
        if last:
            yield last
        last = span
    if last:
        yield last
