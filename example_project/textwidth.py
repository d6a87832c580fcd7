"""Text in columns of a terminal, where a Chinese character takes two cells."""

from __future__ import annotations

import re
from unicodedata import category, east_asian_width

#: What takes no cell: marks on the letter before, and format characters.
NO_CELL = {"Mn", "Me", "Cf"}


def cells(text: str) -> int:
    """Return how many terminal cells the text takes.

    >>> cells("salt"), cells("盐场"), cells("e\\u0301")
    (4, 4, 1)
    """
    return sum(map(_cells_of, text))


def _cells_of(character: str) -> int:
    if category(character) in NO_CELL:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def printable(text: str) -> str:
    """Return the text on one line, without control characters.

    Titles come from the web: one could hold escape sequences for the terminal.

    >>> printable("a\\x1b[31m\\n b")
    'a[31m b'
    """
    kept = (c for c in " ".join(text.split()) if category(c) not in {"Cc", "Cs"})
    return "".join(kept)


def fit(text: str, width: int) -> str:
    """Cut or fill the text to exactly ``width`` cells.

    >>> fit("salt", 6) + "|", fit("saltworks", 6) + "|", fit("老盐场", 4) + "|"
    ('salt  |', 'saltw…|', '老… |')
    """
    if cells(text) > width:
        text = cut(text, width - 1) + "…"
    return text + " " * (width - cells(text))


def cut(text: str, width: int) -> str:
    """Return as much of the beginning of the text as fits into ``width`` cells."""
    for index, character in enumerate(text):
        width -= _cells_of(character)
        if width < 0:
            return text[:index]
    return text


def wrap(text: str, width: int) -> list[str]:
    """Break the text into lines of at most ``width`` cells, between words if possible.

    >>> wrap("one two three", 8), wrap("老盐场", 4)
    (['one two', 'three'], ['老盐', '场'])
    """
    lines, line = [], ""
    # A wide character is a word of its own: such scripts break anywhere.
    for word in re.findall(r"\s+|[^\s\u2e80-\uffef]+|.", text):
        if cells(line + word) > width and line:
            lines.append(line.rstrip())
            line = ""
        while cells(word) > width:
            head = cut(word, width) or word[0]
            lines.append(head)
            word = word[len(head) :]
        line = (line + word).lstrip()
    return [*lines, line.rstrip()] if line.strip() else lines
