"""The main content in sections: each heading with what stands under it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ...page import Label, Section
from ..document.document import HEADING_SHIFT
from ..document.tags import HEADING_CODES
from ..labels import CODE
from ._text import join_blocks
from .anchors import Anchors
from .text import find_separators

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from ..document.document import Document
    from ..result import Extraction

    Ints = npt.NDArray[np.int64]

MOST_HEADING_WORDS: Final = 60
"""A heading with more words is one that was not closed."""

DEEPEST: Final = 6
_BELOW: Final = 7
"""For a level: one below the last heading's."""

#: A pilcrow, a chain (also as an icon font has it), or a sign that stands alone.
_LINK_SIGN: Final = re.compile(
    "\\s*[¶🔗\ue000-\uf8ff]+\ufe0f?\\s*$|\\s+[#§]\\s*$|^\\s*[#§¶🔗]\ufe0f?\\s+"
)


class _Headings(NamedTuple):
    """Per block of the main content: its heading's element (-1: none) and level."""

    element: Ints
    level: Ints


def all_sections(content: Extraction) -> tuple[Section, ...]:
    """The sections of the main content; at the end those of what was added."""
    place = content.document.n_blocks
    found = [*_sections(content, np.arange(place), Anchors(content.document))]
    for supplement in content.supplements:
        main = supplement.content.main
        # What is added is nowhere in the page: no link leads to its headings.
        found += _sections(supplement.content, place + np.cumsum(main) - main, None)
        place += int(main.sum())
    return tuple(found)


def _sections(
    content: Extraction, places: Ints, anchors: Anchors | None
) -> Iterator[Section]:
    """The sections of a document whose blocks have these *places* in the page."""
    document, chosen = content.document, np.flatnonzero(content.main)
    if not len(chosen):
        return
    separators = find_separators(document, chosen)
    headings = _find_headings(content, chosen)
    level = 0
    for start, body, end in _spans(headings.element):
        element = int(headings.element[start])
        if element >= 0:
            given = int(headings.level[start])
            level = given if given < _BELOW else min(level + 1, DEEPEST)
        yield Section(
            heading=_heading_text(document, chosen[start:body]),
            level=level,
            anchor=_anchor(document, anchors, element),
            text=join_blocks(
                document.text,
                document.blocks.start,
                document.blocks.end,
                chosen[body:end],
                separators[body:end],
            ),
            first_block=int(places[chosen[start]]),
            end_block=int(places[chosen[end - 1]]) + 1,
        )


def _find_headings(content: Extraction, chosen: Ints) -> _Headings:
    """The headings, the title and the buttons that open text among the blocks."""
    document, labels = content.document, content.main_labels[chosen]
    element = document.blocks.element[chosen].astype(np.int64)
    level = (document.blocks.flags[chosen] >> HEADING_SHIFT).astype(np.int64)
    own = level > 0
    element[own] = _heading_elements(document, element[own])
    level[~own & (labels == CODE[Label.TITLE])] = 1
    level[~own & (labels == CODE[Label.HEADING])] = _BELOW
    words = np.bincount(element, document.blocks.words[chosen], document.n_elements)
    level[words[element] > MOST_HEADING_WORDS] = 0
    return _Headings(np.where(level > 0, element, -1), level)


def _heading_elements(document: Document, element: Ints) -> Ints:
    """The nearest ``h1`` to ``h6`` around each element, itself included."""
    is_heading = np.isin(document.elements.tag, HEADING_CODES)
    while len(inside := np.flatnonzero(~is_heading[element])):
        element[inside] = document.elements.parent[element[inside]]
    return element


def _spans(heading: Ints) -> Iterator[tuple[int, int, int]]:
    """Of each section the first block, the first after its heading, and the end."""
    changes = np.ones(len(heading), bool)
    changes[1:] = heading[1:] != heading[:-1]
    steps = [*np.flatnonzero(changes).tolist(), len(heading)]
    at = 0
    while at < len(steps) - 1:
        start = body = steps[at]
        if heading[start] >= 0:
            at += 1
            body = steps[at]
        if at < len(steps) - 1 and heading[body] < 0:
            at += 1
        yield start, body, steps[at]


def _heading_text(document: Document, blocks: Ints) -> str:
    """The heading on one line, without the sign that links to it."""
    text = " ".join(map(document.block_text, blocks.tolist()))
    return " ".join((_LINK_SIGN.sub("", text) or text).split())


def _anchor(document: Document, anchors: Anchors | None, element: int) -> str | None:
    if anchors is None or element < 0:
        return None
    elements = document.elements
    alone = elements.end_block[element] - elements.first_block[element] == 1
    is_heading = alone or elements.tag[element] in HEADING_CODES
    return anchors.of(element) if is_heading else None
