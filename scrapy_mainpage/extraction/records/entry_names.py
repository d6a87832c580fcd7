"""Which line of the records of a list is the name: the column that tells them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..document.schema import HEADING_SHIFT, RunKind
from ..repeats._records import hash_ranges, shared_starts
from ..repeats.candidates import share_distinct

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document
    from .entry_lists import Record

    Numbers = npt.NDArray[Any]

FULL_NAME: Final = 5
"""Words of a name from which on it counts in full."""

MAX_COLUMNS: Final = 12
"""Lines of one kind in a record that are told apart."""

BEGINNING: Final = 4
"""Bytes that texts of a template have in common: "Add ... to cart"."""

LONG: Final = 20
"""Words of a text that is longer than names are."""

_BREAK: Final = ord("\n")


def name_lines(document: Document, records: list[Record]) -> list[tuple[int, int]]:
    """The range of the text of each record that is likely its name, or an empty one.

    It is a line of a text block, of which a record may be a part, without the label
    that all lines of its column have: "Case: ".
    """
    runs = document.runs
    texts = np.flatnonzero((runs.kind == RunKind.TEXT) & (runs.end > runs.start))
    found = np.zeros((len(records), 2), np.int64)
    link, first, last = np.array(
        [(each.link, each.first_run, each.end_run) for each in records]
    ).T
    begin, stop = document.places[first], document.places[last]
    starts, ends = _lines(document)
    at, until = np.searchsorted(ends, begin, "right"), np.searchsorted(starts, stop)
    counts = np.maximum(until - at, 0)
    record = np.repeat(np.arange(len(records)), counts)
    line = np.arange(len(record)) + np.repeat(at - np.cumsum(counts) + counts, counts)
    start, end = (np.clip(v[line], begin[record], stop[record]) for v in (starts, ends))
    run = texts[np.searchsorted(runs.start[texts], start, "right") - 1]
    if not len(line):
        return [(0, 0)] * len(records)
    # Lines of one kind are as many columns as a record has of them.
    column = document.kinds[runs.element[run]].astype(np.int64)
    order = np.lexsort((line, record, column))
    is_new = (np.diff(column[order], prepend=-1) != 0) | (
        np.diff(record[order], prepend=-1) != 0
    )
    place = np.arange(len(order))
    number = place - np.maximum.accumulate(np.where(is_new, place, 0))
    column[order] = column[order] * MAX_COLUMNS + np.minimum(number, MAX_COLUMNS - 1)
    column = np.unique(column, return_inverse=True)[1]
    order = np.lexsort((line, column))
    column, record, start, end, run = (
        v[order] for v in (column, record, start, end, run)
    )
    start = _unlabelled(document, column, start, end)
    spans = document.elements.first_run, document.elements.end_run
    first, last = (document.places[span[link]][record] for span in spans)
    is_own = (start < last) & (end > first)
    is_title = document.blocks.flags[runs.block[run]] >> HEADING_SHIFT > 0
    scores = _rate(document, column, start, end, len(records))
    scores *= 1 + 0.6 * _mean(column, is_title)
    scores = (scores * (1 + _mean(column, is_own)))[column]
    best = np.lexsort((start, -scores, record))
    best = best[np.diff(record[best], prepend=-1) != 0]
    best = best[scores[best] > 0]
    found[record[best]] = np.stack((start[best], end[best]), 1)
    return [(first, last) for first, last in found.tolist()]


def _lines(document: Document) -> tuple[Numbers, Numbers]:
    """Where the lines of all text blocks begin and end, without empty ones."""
    text = np.frombuffer(document.text, np.uint8)
    breaks = np.flatnonzero(text == _BREAK)
    starts = np.sort(np.concatenate([document.blocks.start, breaks + 1]))
    ends = np.sort(np.concatenate([document.blocks.end, breaks]))
    return starts[ends > starts], ends[ends > starts]


def _mean(column: Numbers, values: Numbers) -> Numbers:
    return np.asarray(np.bincount(column, values) / np.bincount(column))


def _unlabelled(
    document: Document, column: Numbers, start: Numbers, end: Numbers
) -> Numbers:
    """The starts behind a label, ending in a colon, that all lines of a column have."""
    bounds = np.flatnonzero(np.diff(column, prepend=-1, append=-1)).astype(np.int64)
    ranges = start.astype(np.int32), end.astype(np.int32)
    shared = shared_starts(document.text, *ranges, bounds)
    label = np.zeros(len(shared), np.int64)
    many = np.flatnonzero((np.diff(bounds) > 1) & (shared > 1))
    for k in many.tolist():  # a few columns
        first = int(start[bounds[k]])
        label[k] = document.text.rfind(b":", first, first + int(shared[k])) + 1 - first
    return np.asarray(np.minimum(start + np.maximum(label, 0)[column], end))


def _rate(
    document: Document, column: Numbers, start: Numbers, end: Numbers, size: int
) -> Numbers:
    """How likely the lines of each *column* are the names of records."""
    text = np.frombuffer(document.text, np.uint8)

    def count(found: Numbers) -> Numbers:
        sums = np.concatenate([[0], np.cumsum(found)])
        return np.asarray(sums[end] - sums[start])

    def distinct(end: Numbers) -> Numbers:
        ranges = start.astype(np.int32), end.astype(np.int32)
        return share_distinct(column, hash_ranges(document.text, *ranges))

    is_blank = text <= ord(" ")
    words = _mean(column, count(~is_blank & np.append(True, is_blank[:-1])))
    digits = count((text >= ord("0")) & (text <= ord("9")))
    beginnings = distinct(np.minimum(start + BEGINNING, end))
    score = np.minimum(words, FULL_NAME) / FULL_NAME * np.bincount(column) / size
    score *= distinct(end) ** 2
    score *= 0.3 + np.minimum(2 * beginnings, 0.7)
    score *= np.where(words > LONG, 0.3, 1)
    share = _mean(column, digits / np.maximum(end - start, 1))
    return np.asarray(score * (1 - np.minimum(2 * share, 0.9)))
