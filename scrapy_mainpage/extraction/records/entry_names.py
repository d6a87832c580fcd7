"""Which text of the records of a list is the name: the column that tells them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..document.schema import HEADING_SHIFT
from ..repeats._records import hash_ranges

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document
    from .entry_lists import Record

    Numbers = npt.NDArray[Any]

FULL_NAME: Final = 5
"""Words of a name from which on it counts in full."""

MAX_COLUMNS: Final = 12
"""Texts of one kind in a record that are told apart."""

BEGINNING: Final = 4
"""Bytes that texts of a template have in common: "Date: ", "Add ... to cart"."""

LONG: Final = 20
"""Words of a text that is longer than names are."""


def name_blocks(document: Document, records: list[Record]) -> list[int]:
    """The text block of each record that is likely its name, or -1."""
    first = np.array([record.first for record in records])
    counts = np.array([record.end for record in records]) - first
    found: Numbers = np.full(len(records), -1)
    if not counts.any():
        return [*map(int, found)]
    record = np.repeat(np.arange(len(records)), counts)
    starts = np.repeat(np.cumsum(counts) - counts, counts)
    block = np.repeat(first, counts) + np.arange(len(record)) - starts
    links = np.array([each.link for each in records])[record]
    blocks = document.blocks
    column = np.unique(document.kinds[blocks.element[block]], return_inverse=True)[1]
    # Texts of one kind are as many columns as a record has of them.
    order = np.lexsort((block, record, column))
    column, record, block, links = (v[order] for v in (column, record, block, links))
    is_first = np.append(True, (np.diff(column) != 0) | (np.diff(record) != 0))
    begin = np.flatnonzero(is_first)
    number = np.arange(len(block)) - np.repeat(
        begin, np.diff(np.append(begin, len(block)))
    )
    column = column * MAX_COLUMNS + np.minimum(number, MAX_COLUMNS - 1)
    column = np.unique(column, return_inverse=True)[1]
    order = np.lexsort((block, column))
    column, record, block, links = (v[order] for v in (column, record, block, links))
    scores = _rate(document, column, block, links, len(records))
    best = np.lexsort((block, -scores[column], record))
    is_best = np.append(True, np.diff(record[best]) != 0)
    rows = best[is_best]
    rows = rows[scores[column[rows]] > 0]
    found[record[rows]] = block[rows]
    return [*map(int, found)]


def _rate(
    document: Document, column: Numbers, block: Numbers, links: Numbers, size: int
) -> Numbers:
    """How likely the texts of each *column* of *blocks* are the names of records."""
    blocks, elements = document.blocks, document.elements
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    count = np.diff(np.append(starts, len(column)))

    def mean(values: Numbers) -> Numbers:
        found: Numbers = np.add.reduceat(values.astype(float), starts) / count
        return found

    def distinct(end: Numbers) -> Numbers:
        texts = hash_ranges(document.text, blocks.start[block], end)
        order = np.lexsort((texts, column))
        is_new = np.append(True, np.diff(texts[order].view(np.int64)) != 0)
        is_new[starts] = True
        found: Numbers = np.add.reduceat(is_new, starts) / count
        return found

    ends = blocks.end[block]
    beginnings = distinct(np.minimum(blocks.start[block] + BEGINNING, ends))
    words = mean(blocks.words[block])
    score = (
        np.minimum(words, FULL_NAME) / FULL_NAME * distinct(ends) ** 2 * count / size
    )
    score *= 0.3 + np.minimum(2 * beginnings, 0.7)
    score *= np.where(words > LONG, 0.3, 1)
    score *= 1 - np.minimum(
        2 * mean(blocks.digits[block] / np.maximum(blocks.chars[block], 1)), 1
    )
    score *= 1 + 0.6 * mean(blocks.flags[block] >> HEADING_SHIFT > 0)
    run, end = elements.first_run[links], elements.end_run[links]
    is_own = (blocks.first_run[block] < end) & (blocks.end_run[block] > run)
    return np.asarray(score * (1 + mean(is_own)))
