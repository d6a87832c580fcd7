"""Plain text of the main content, as a whole and in sections.

Blank lines stand between paragraphs, a line per list item or table row.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import numpy as np

from ...label import Label
from ...page import Section
from ..document.schema import HEADING_SHIFT
from ..document.tags import HEADING_CODES
from ..labels import CODE
from ..parsing.tree import LARGE
from ._signs import Signs, title_blocks_of_boxes
from ._text import TextWriter
from .anchors import Anchors
from .entries import divide, find_entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..document.document import Document
    from ..document.schema import Bytes, Longs, Mask

Found = tuple[str, int, str | None, str, int, int]
"""A section before it has a path and an id: what is first of :class:`.Section`."""

MAX_HEADING_WORDS: Final = 60
"""A longer heading was not closed in the source."""

MAX_LEVEL: Final = 6
_BELOW: Final = 7
"""Level of a heading without one of its own: one below the last heading's."""


def write_text(document: Document, main: Mask) -> str:
    """The text of the *main* blocks.

    Cells of a table row are separated by tabs, items of ordered lists have their
    number. Items and cells of several blocks are laid out as paragraphs. Permalinks and
    line numbers are left out (``_signs.pyx``).
    """
    signs = document.once(Signs)
    chosen = np.flatnonzero(main & ~signs.silent_blocks)
    return TextWriter(signs, chosen).text(0, len(chosen))


def make_writer(document: Document) -> TextWriter:
    """A writer of single blocks, by their numbers."""
    return TextWriter(document.once(Signs), np.empty(0, np.int64))


def find_sections(
    document: Document, main: Mask, labels: Bytes, added_from: int | None = None
) -> Iterator[Found]:
    """The sections of the *main* blocks; *labels* are indices into ``LABELS``.

    With *added_from* the document was added to a page: its main blocks are numbered
    from there on, and no anchor leads to its headings.
    """
    signs = document.once(Signs)
    chosen = np.flatnonzero(main & ~signs.silent_blocks)
    if not len(chosen):
        return
    anchors = Anchors(document)
    writer = TextWriter(signs, chosen)
    headings, level_of = _find_headings(document, chosen, labels[chosen], signs)
    heads, levels, blocks = headings.tolist(), level_of.tolist(), chosen.tolist()
    # Anchors are those of headings, and of elements that are no more than one.
    elements = document.elements
    alone = elements.end_block[headings] - elements.first_block[headings] == 1
    named_by = alone | document.are_tagged(HEADING_CODES)[headings]
    anchored = ((headings >= 0) & named_by).tolist()
    numbers = (
        blocks if added_from is None else range(added_from, added_from + len(blocks))
    )
    entries = find_entries(document, anchors)
    starts = [entry.start for entry in entries]
    level = 0
    for start, body, end in document.budget.each(_spans(headings)):
        element = heads[start]
        if element >= 0:
            given = levels[start]
            level = given if given < _BELOW else min(level + 1, MAX_LEVEL)
        last = blocks[end - 1] + 1
        first = blocks[body] if body < end else last
        own = entries[bisect_left(starts, first) : bisect_left(starts, last)]
        for span in divide(own, first, last):
            low, high, entry = body, end, span.entry
            if own:
                low = bisect_left(blocks, span.start)
                high = bisect_left(blocks, span.end, low)
            if low == high and (entry or span.start > first):
                continue  # the entry is not part of the main content
            if entry is None:
                named, middle = slice(start, body), low
                anchor = anchors.of(element) if anchored[start] else None
            else:
                ends = (entry.start, entry.body)
                named = slice(*(bisect_left(blocks, each) for each in ends))
                middle = max(low, named.stop)
                anchor = anchors.in_element(entry.element)
            words = " ".join(map(writer.block_text, blocks[named])).split()
            begin = start if span.start == first and entry is None else low
            yield (
                " ".join(words),
                level + span.depth,
                anchor if added_from is None else None,
                writer.text(middle, max(high, middle)).lstrip("\t"),
                numbers[begin],
                numbers[max(high, begin + 1) - 1] + 1,
            )


def place_sections(
    sections: Iterable[Found], title: str | None, document: Document
) -> Iterator[Section]:
    """Add the paths, from the page's *title* on, and ids that depend on them alone.

    Where the paths would outgrow the *document*, those of the others have no other
    headings.
    """
    room = document.output_budget
    above: list[Found] = []
    seen: Counter[tuple[str, ...]] = Counter()
    for section in sections:
        heading, level, *_ = section
        while above and above[-1][1] >= level:
            above.pop()
        if heading:
            above.append(section)
        path = tuple([part[0] for part in above])
        if title and path[:1] != (title,):
            path = (title, *path)
        room -= sum(map(len, path))
        if room < 0:
            path = path[-1:]
            document.budget.note(LARGE)
        key = "\0".join((*path, str(seen[path])))
        seen[path] += 1
        name = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        yield Section(*section, path, name)


def head_section(title: str, first: list[Found]) -> list[Found]:
    """The page's title as a section: the *first* one, if it has no heading."""
    if first and not first[0][1]:
        return [(title, 1, *first[0][2:])]
    place = first[0][4] if first else 0
    return [(title, 1, None, "", place, place), *first]


def _find_headings(
    document: Document, chosen: Longs, labels: Bytes, signs: Signs
) -> tuple[Longs, Longs]:
    """Per block the element of its heading, -1 for none, and the heading's level.

    The title and buttons that open text are headings, too; those that head a box are
    not: what follows the box is not theirs.
    """
    element = document.blocks.element[chosen].astype(np.int64)
    level = (document.blocks.flags[chosen] >> HEADING_SHIFT).astype(np.int64)
    own = level > 0
    element[own] = _heading_elements(document, element[own])
    level[~own & (labels == CODE[Label.TITLE])] = 1
    level[~own & (labels == CODE[Label.HEADING])] = _BELOW
    of_boxes = np.zeros(document.n_blocks, bool)
    of_boxes[title_blocks_of_boxes(signs)] = True
    level[of_boxes[chosen]] = 0
    own_words = np.where(level > 0, document.blocks.words[chosen], 0)
    words = np.bincount(element, own_words, document.n_elements)
    level[words[element] > MAX_HEADING_WORDS] = 0
    return np.where(level > 0, element, -1), level


def _heading_elements(document: Document, element: Longs) -> Longs:
    """The nearest ``h1`` to ``h6`` around each element, itself included."""
    is_heading = document.are_tagged(HEADING_CODES)
    while len(inside := np.flatnonzero(~is_heading[element])):
        element[inside] = document.elements.parent[element[inside]]
    return element


def _spans(heading: Longs) -> Iterator[tuple[int, int, int]]:
    """Per section the first block, the first after its heading, and the end."""
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
