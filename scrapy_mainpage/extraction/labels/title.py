"""The text block that is the page's title."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.document import HEADING_SHIFT, RunKind
from ..document.tags import CODES

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document

    Mask = npt.NDArray[np.bool_]

MAX_ELEMENT_BYTES: Final = 1000
MAX_ELEMENT_WORDS: Final = 64
"""Of a ``title`` element."""

MAX_TITLE_WORDS: Final = 60
MIN_TITLE_BYTES: Final = 8
MIN_OWN_SHARES: Final = (0.5, 0.75, 1.0)
"""Share of its words in the own title, for ``h1``, other headings, other blocks."""

MAX_REPEATED: Final = 2
"""Times the bytes of the own title, in a block of nothing but its words."""

MIN_FOUND_SHARE: Final = 0.3
"""Share of the own title's words in a block that agrees with it."""

_SEPARATOR: Final = re.compile(r"[|｜_]|\s[-–—:·•»«<>]\s")
_WORD: Final = re.compile(rb"[0-9A-Za-z\x80-\xff]+")


def find_title(document: Document, main: Mask) -> int:
    """The block that is the page's title, or -1; it need not be main content.

    It is the block that agrees best with the ``title`` element, a heading if one does;
    else the first ``h1`` of the main content, or of the page.
    """
    level = document.blocks.flags >> HEADING_SHIFT
    best = _best_match(document, main, level)
    if best >= 0:
        return best
    first = np.flatnonzero(level == 1)
    own = first[main[first]]
    return int([*own, *first, -1][0])


def _best_match(document: Document, main: Mask, level: npt.NDArray[np.int32]) -> int:
    """The heading or main block that agrees best with the ``title`` element, or -1."""
    blocks = document.blocks
    size = blocks.end - blocks.start
    short = (blocks.words <= MAX_TITLE_WORDS) & (size >= MIN_TITLE_BYTES)
    title = _own_title(document)
    plain_title = main & (size <= MAX_REPEATED * len(title))
    asked = np.flatnonzero((plain_title | (level > 0)) & short)
    if not len(asked):
        return -1
    words, shared, n_title = _shared_words(document, asked, title)
    own = shared / np.maximum(words, 1)
    found = np.minimum(shared / max(n_title, 1), 1)
    is_heading, is_first = level[asked] > 0, level[asked] == 1
    first, other, plain = MIN_OWN_SHARES
    least = np.where(is_heading, np.where(is_first, first, other), plain)
    score = found * (0.6 + 0.4 * own)
    score += 0.25 * is_first + 0.1 * is_heading + 0.05 * main[asked]
    score[(own < least) | (found < MIN_FOUND_SHARE)] = -1
    best = int(np.argmax(score))
    return int(asked[best]) if score[best] > 0 else -1


def _own_title(document: Document) -> bytes:
    """The longest part of the page's ``title`` element: the site's name is shorter."""
    runs = document.runs
    heads = np.flatnonzero(runs.kind == RunKind.HEAD)
    at = heads[document.elements.tag[runs.element[heads]] == CODES["title"]]
    if not len(at):
        return b""
    title = document.values[runs.start[at[0]] : runs.end[at[0]]][:MAX_ELEMENT_BYTES]
    return max(_SEPARATOR.split(title.decode("utf-8", "replace")), key=len).encode()


def _shared_words(
    document: Document, asked: npt.NDArray[np.intp], title: bytes
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], int]:
    """Per block its number of words and of those in *title*; the words of *title*."""
    known = _WORD.findall(title.lower())[:MAX_ELEMENT_WORDS]
    found = set(known)
    counts = []
    for start, end in zip(
        document.blocks.start[asked].tolist(),
        document.blocks.end[asked].tolist(),
        strict=True,
    ):
        words = _WORD.findall(document.text[start:end].lower())
        counts.append((len(words), sum(word in found for word in words)))
    words, shared = np.array(counts, np.intp).T
    return words, shared, len(known)
