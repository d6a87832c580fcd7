"""Entries: what a list of definitions or a table describes one by one, with anchors.

A ``dt`` or ``tr`` that a fragment leads to is an entry, such as a function or a setting
of a reference. It ends with its descriptions or its row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..document.tags import CODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document
    from .anchors import Anchors

MAX_NAME_WORDS: Final = 60
MAX_CELL_WORDS: Final = 12
"""Words of an entry's ``dt``, and of the first cell of its row."""

_DT, _TR = CODES["dt"], CODES["tr"]
_CELLS: Final = (CODES["td"], CODES["th"])


class Entry(NamedTuple):
    """An entry: its element, the one with its name, and ends, as numbers of blocks."""

    element: int
    start: int
    body: int
    end: int


class Span(NamedTuple):
    """Blocks of an entry, or (``None``) of the section around; *depth* of nesting."""

    entry: Entry | None
    start: int
    end: int
    depth: int


def find_entries(document: Document, anchors: Anchors) -> list[Entry]:
    """The entries of a document in its order."""
    elements = document.elements
    before = np.concatenate(([0], np.cumsum(document.blocks.words)))
    found = []
    for element in np.flatnonzero(document.are_tagged((_DT, _TR))).tolist():
        head = (
            element if elements.tag[element] == _DT else _first_cell(document, element)
        )
        if head < 0 or not anchors.is_target(element, int(elements.end[head])):
            continue
        start, body = int(elements.first_block[head]), int(elements.end_block[head])
        limit = MAX_NAME_WORDS if head == element else MAX_CELL_WORDS
        if 0 < before[body] - before[start] <= limit:
            found.append(Entry(element, start, body, _end(document, element)))
    return found


def _first_cell(document: Document, row: int) -> int:
    elements = document.elements
    cell = row + 1
    is_cell = cell < elements.end[row] and elements.tag[cell] in _CELLS
    return cell if is_cell else -1


def _end(document: Document, element: int) -> int:
    """The end of the blocks: of the row, or those before the next ``dt`` beside it."""
    elements = document.elements
    if elements.tag[element] == _TR:
        return int(elements.end_block[element])
    parent = int(elements.parent[element])
    last = int(elements.end[parent]) if parent >= 0 else len(elements.tag)
    sibling = int(elements.end[element])
    while sibling < last and elements.tag[sibling] != _DT:
        sibling = int(elements.end[sibling])
    if sibling < last:
        return int(elements.first_block[sibling])
    return int(elements.end_block[parent]) if parent >= 0 else document.n_blocks


def divide(entries: list[Entry], start: int, end: int) -> Iterator[Span]:
    """The blocks from *start* to *end* by the *entries* that begin there.

    What follows an entry is again of the one around it. The first span is of none.
    """
    if not entries:
        yield Span(None, start, end, 0)
        return
    stack: list[Entry] = []
    place = start
    for entry in (*entries, None):
        while stack and (entry is None or stack[-1].end <= entry.start):
            last = stack.pop()
            if last.end > place:
                yield Span(last, place, last.end, len(stack) + 1)
                place = last.end
        if entry is None:
            break
        if entry.start > place or not (stack or place > start):
            yield Span(stack[-1] if stack else None, place, entry.start, len(stack))
        place = entry.start
        limit = min(stack[-1].end if stack else end, end)
        stack.append(entry._replace(end=min(entry.end, limit)))
    if place < end:
        yield Span(None, place, end, 0)
