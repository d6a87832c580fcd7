"""The part of a text that a hit shows, for engines that do not make it themselves."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from .segmentation import unsegment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Around matches inside the engines; :func:`.segment` takes them out of documents.
START: Final = "\x02"
END: Final = "\x03"

#: What stands where text is left out.
ELLIPSIS: Final = "…"

#: Words in a snippet; more of them where each character is a word. FTS5 allows 64.
WORDS: Final = 32
CHARACTERS: Final = 64

#: A snippet is no longer, except for one match that is: words have no limit.
_MAX_LENGTH: Final = 800

_MARKS = re.compile(f"[{START}{END}]")


class Word(NamedTuple):
    """A word of a text: as it is searched for, and from where to where it stands."""

    text: str
    start: int
    end: int


class Phrase(NamedTuple):
    """Words that match where they stand side by side; the last may be a beginning."""

    words: tuple[str, ...]
    prefix: bool = False


class Match(NamedTuple):
    """Words of a text, from the first to the one before ``end``, that match."""

    first: int
    end: int
    phrase: int


def snippet(
    text: str, words: Sequence[Word], phrases: Sequence[Phrase], length: int
) -> str:
    """The part of the text, ``length`` words, that has the most of the phrases.

    The text is one that :func:`.segment` returned, as is the snippet: the matches are
    between ``START`` and ``END``; see :func:`marked`.
    """
    matches = list(_matches(words, phrases))
    first, end = _window(matches, len(words), length)
    start = words[first].start if first else 0
    stop = words[end - 1].end if end < len(words) else len(text)
    spans = [
        (words[match.first].start, words[match.end - 1].end)
        for match in matches
        if first <= match.first and match.end <= end
    ]
    start, stop = _shortened(start, stop, spans)
    return (
        (ELLIPSIS if start else "")
        + _with_marks(text, start, stop, spans)
        + (ELLIPSIS if stop < len(text) else "")
    )


def marked(segmented: str, highlight: tuple[str, str]) -> str:
    """A snippet on one line as it is shown, with the caller's marks."""
    start, end = highlight
    line = " ".join(unsegment(segmented).split())
    return _MARKS.sub(lambda match: start if match[0] == START else end, line)


def _matches(words: Sequence[Word], phrases: Sequence[Phrase]) -> Iterator[Match]:
    """Where the phrases stand, in the order of the text."""
    beginnings: dict[str, list[int]] = {}
    prefixes: list[int] = []
    for number, phrase in enumerate(phrases):
        if phrase.prefix and len(phrase.words) == 1:
            prefixes.append(number)
        else:
            beginnings.setdefault(phrase.words[0], []).append(number)
    for first, word in enumerate(words):
        for number in (*beginnings.get(word.text, ()), *prefixes):
            phrase = phrases[number]
            if _stands_at(phrase, words, first):
                yield Match(first, first + len(phrase.words), number)


def _stands_at(phrase: Phrase, words: Sequence[Word], first: int) -> bool:
    last = first + len(phrase.words) - 1
    if last >= len(words):
        return False
    *others, end = phrase.words
    if any(words[first + n].text != other for n, other in enumerate(others)):
        return False
    word = words[last].text
    return word.startswith(end) if phrase.prefix else word == end


def _window(matches: Sequence[Match], count: int, length: int) -> tuple[int, int]:
    """From which word to which the most phrases match, and then the most often."""
    best = (0, 0)
    window = (0, min(length, count))
    inside: Counter[int] = Counter()
    left = 0
    for right, match in enumerate(matches):
        inside[match.phrase] += 1
        while left < right and match.end - matches[left].first > length:
            inside[matches[left].phrase] -= 1
            left += 1
        value = (sum(map(bool, inside.values())), right - left)
        if value > best:
            best = value
            first, end = matches[left].first, match.end
            around = max(0, length - (end - first))
            first = max(0, min(first - around // 2, count - length))
            window = (first, min(count, max(end, first + length)))
    return window


def _shortened(
    start: int, stop: int, spans: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    """The part without most of what is around the first match, if it is too long."""
    if stop - start <= _MAX_LENGTH:
        return start, stop
    first, end = spans[0] if spans else (start, start)
    start = max(start, first - _MAX_LENGTH // 4)
    return start, min(stop, max(end, start + _MAX_LENGTH))


def _with_marks(
    text: str, start: int, stop: int, spans: Sequence[tuple[int, int]]
) -> str:
    """The part of the text with marks around the spans."""
    parts: list[str] = []
    done = start
    for first, end in _merged(spans):
        if start <= first and end <= stop:
            parts += (text[done:first], START, text[first:end], END)
            done = end
    return "".join([*parts, text[done:stop]])


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
