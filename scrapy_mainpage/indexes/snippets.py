"""Snippets of hits, for engines that do not make them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from .scoring import Terms
from .tokens import ZERO_WIDTH_SPACE, unsegment

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .query import Query

    #: The start and the end of a match in a text, and the number of its term.
    Match = Sequence[int]

#: Marks around matches inside the engines; :func:`.segment` removes them from texts.
START: Final = "\x02"
END: Final = "\x03"

#: Stands for text left out.
ELLIPSIS: Final = "…"

#: Characters of a snippet; where each is a word, every other one is a space.
SNIPPET_CHARS: Final = 240

#: Examined matches: bounds the time for a text that repeats one word.
MAX_MATCHES: Final = 5_000

#: Between two lines of a text.
SEPARATOR: Final = " · "

_UNENDED: Final = re.compile(r"(?<=[\w)\]\"'”’»\x03])\n")
_BORDER: Final = re.compile(rf"[\s{ZERO_WIDTH_SPACE}]")


def snippet_for(query: Query, text: str) -> str:
    """Return the snippet of a text from :func:`.segment` with the query's marks."""
    found = cut_snippet(text, Terms(query.wanted), SNIPPET_CHARS)
    return mark(found, query.highlight)


def cut_snippet(text: str, terms: Terms, length: int) -> str:
    """Return the part of the text, about ``length`` characters, that fits best.

    The text is from :func:`.segment`, and so is the snippet: the matches of the terms
    are between ``START`` and ``END``; see :func:`mark`.
    """
    matches = sorted(terms.find(text)[:MAX_MATCHES].tolist())
    first, end = _window(text, matches, length)
    inside = ((start, over) for start, over, _ in matches if first <= start)
    parts, start = [ELLIPSIS if text[:first].strip() else ""], first
    for begin, over in _merge(pair for pair in inside if pair[1] <= end):
        parts += (text[start:begin], START, text[begin:over], END)
        start = over
    parts += (text[start:end], ELLIPSIS if text[end:].strip() else "")
    return "".join(parts)


def mark(segmented: str, highlight: tuple[str, str]) -> str:
    """Return a snippet as shown: on one line, with the caller's marks.

    A heading, cell or list item that ends without a full stop is kept apart from what
    follows.
    """
    start, end = highlight
    lines = (" ".join(part.split()) for part in unsegment(segmented).splitlines())
    line = _UNENDED.sub(SEPARATOR, "\n".join(filter(None, lines))).replace("\n", " ")
    return line.translate({ord(START): start, ord(END): end})


def _window(text: str, matches: Sequence[Match], length: int) -> tuple[int, int]:
    """Return the span of whole words with the most terms, then the most matches."""
    first, last = _densest(matches, length) if matches else (0, 0)
    around = max(0, length - (last - first))
    start = max(0, min(first - around // 2, len(text) - length))
    end = max(last, min(len(text), start + length))
    if start and (border := _BORDER.search(text, start - 1, first)):
        start = border.end()
    if end < len(text):
        ends = [border.start() for border in _BORDER.finditer(text, last, end + 1)]
        end = max(ends, default=end)
    return start, end


def _densest(matches: Sequence[Match], length: int) -> tuple[int, int]:
    best = span = (0, 0)
    inside: Counter[int] = Counter()
    left = 0
    for right, (_, end, term) in enumerate(matches):
        inside[term] += 1
        while left < right and end - matches[left][0] > length:
            inside[matches[left][2]] -= 1
            left += 1
        value = (sum(count > 0 for count in inside.values()), right - left + 1)
        if value > best:
            best, span = value, (matches[left][0], end)
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
