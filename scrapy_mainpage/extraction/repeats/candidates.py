"""Lists of a page: links of one kind, each with the record that belongs to it.

Cards, rows and teasers are written by one template, so the links to what they name have
one path of tags (Miao et al., "Extracting data records from the Web using tag path
clustering", 2009). What belongs to such a link is one of the repeated elements around
it, the first of which is the link itself (Liu, Grossman and Zhai, "Mining data records
in Web pages", 2003), alone or with all that follows until the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ..document.schema import RunKind
from ..document.tags import ATTRIBUTE_CODES
from ._records import find_records, hash_ranges

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document
    from ..document.schema import Bits, Doubles, Ints, Longs, Mask

    Numbers = npt.NDArray[Any]

MAX_LINKS: Final = 20_000
MAX_AROUND: Final = 8
"""Repeated elements, one in the other, around a link."""

MIN_SAME: Final = 3
MIN_SHARE: Final = 0.25
"""Links, and their share of a kind, with one text that make a kind of their own."""


_MIX: Final = np.uint64(0x9E3779B97F4A7C15)


class Links(NamedTuple):
    """The links of a page, in document order."""

    element: Ints
    target: Bits
    """A hash of the address as it is written."""
    start: Ints
    end: Ints
    """The bytes of the address in the document's values."""
    text: Bits
    """A hash of what the link says; 0 for pictures."""


class Candidates(NamedTuple):
    """Candidates for lists: those records of each follow each other.

    ``bounds`` are where the records of each begin, and the end of the last. A record
    goes from run ``first`` to before run ``end`` and has its first ``link``.
    """

    bounds: Longs
    top: Ints
    link: Longs
    first: Ints
    end: Ints
    kind: Ints
    """Of each candidate, the kind of its links."""
    n_links: Longs
    """Of each candidate, all links of the kind, not only the first of each record."""

    @property
    def sizes(self) -> Longs:
        """The number of records of each candidate."""
        return np.diff(self.bounds)


def find_links(document: Document) -> Links:
    """The links with an address."""
    attributes = document.attributes
    is_link = document.elements.link == np.arange(document.n_elements)
    rows = np.flatnonzero(attributes.name == ATTRIBUTE_CODES["href"])
    rows = rows[is_link[attributes.element[rows]]]
    rows = rows[attributes.end[rows] > attributes.start[rows]]
    rows = rows[np.unique(attributes.element[rows], return_index=True)[1]][:MAX_LINKS]
    element, start, end = (
        np.ascontiguousarray(column[rows])
        for column in (attributes.element, attributes.start, attributes.end)
    )
    target = hash_ranges(document.values, start, end)
    columns = document.elements.first_run, document.elements.end_run
    ranges = (document.places[each[element]] for each in columns)
    text = hash_ranges(document.text, *ranges)
    return Links(element, target, start, end, text)


def hrefs_of(document: Document, links: Links) -> list[bytes]:
    """The addresses of the *links* as they are written."""
    values = document.values
    pairs = zip(links.start.tolist(), links.end.tolist(), strict=True)
    return [values[start:end] for start, end in pairs]


def find_candidates(document: Document, links: Links, wanted: Mask) -> Candidates:
    """Each kind of the *wanted* links with each repeated element around them.

    Of those with the same links the one with the longest records.
    """
    columns = document.elements.parent, document.elements.first_run
    around: Numbers = find_records(document.kinds, *columns, document.elements.end_run)
    anchors, places = links.element, np.flatnonzero(wanted)
    top: Numbers = anchors[places]
    kind: Numbers = _kinds(document.kinds[top], links.text[places])
    tops = [top]
    for _ in range(MAX_AROUND):
        top = np.where(top >= 0, around[top], -1)
        tops.append(top)
    top = np.concatenate(tops)
    kind, place = (np.tile(each, len(tops)) for each in (kind, places))
    levels = np.repeat(np.arange(len(tops)), len(places))
    top, kind, place, levels = (v[top >= 0] for v in (top, kind, place, levels))
    order = np.lexsort((place, top, levels, kind))
    top, kind, place, levels = (each[order] for each in (top, kind, place, levels))
    group = kind.astype(np.int64) * (MAX_AROUND + 1) + levels
    is_first = np.append(True, (np.diff(top) != 0) | (np.diff(group) != 0))
    n_links = np.unique(group, return_counts=True)[1]
    top, place, group, kind = (v[is_first] for v in (top, place, group, kind))
    bounds = np.flatnonzero(np.diff(group, prepend=-1, append=-1))
    elements, begins, sizes = document.elements, bounds[:-1], np.diff(bounds)
    closed = elements.first_run[top], elements.end_run[top]
    opened = _opened(document, top, closed[1], bounds)
    narrow, wide = (end - first for first, end in (closed, opened))
    is_inside = (top <= anchors[place]) & (anchors[place] < elements.end[top])
    # Where the link is in what follows an element, and not in it, only opened ones.
    whole = np.logical_and.reduceat(is_inside, begins) & (sizes > 1)
    wider = (np.add.reduceat(wide > narrow, begins) * 2 >= sizes) & (sizes > 1)
    number = np.concatenate([np.flatnonzero(whole), np.flatnonzero(wider)])
    is_open = np.arange(len(number)) >= whole.sum()
    length = np.where(
        is_open, *(np.add.reduceat(v, begins)[number] for v in (wide, narrow))
    )
    best = _longest(place, begins, kind[begins], number, length)
    number, is_open = number[best], is_open[best]
    counts = sizes[number]
    ends = np.cumsum(counts)
    row = np.arange(counts.sum()) + np.repeat(begins[number] - ends + counts, counts)
    wide = np.repeat(is_open, counts)
    first, end = (np.where(wide, opened[k][row], closed[k][row]) for k in range(2))
    return Candidates(
        np.append(0, ends), top[row], place[row], first, end,
        kind[begins[number]].astype(np.int32), n_links[number],
    )  # fmt: skip


def _longest(
    link: Longs, begins: Longs, kind: Longs, number: Longs, length: Longs
) -> Longs:
    """Of candidates with the same links those with the longest records."""
    # The links of each, in any order, by a sum of hashes.
    mixed = (link.astype(np.uint64) + np.uint64(1)) * _MIX
    links = np.add.reduceat(mixed ^ (mixed >> np.uint64(29)), begins)[number]
    order = np.lexsort((-length, links, kind[number]))
    links, kind = links[order], kind[number[order]]
    is_best = (np.diff(kind, prepend=-1) != 0) | (links != np.roll(links, 1))
    return np.sort(order[is_best])


def _kinds(kind: Ints, text: Bits) -> Longs:
    """The kinds of links, where those that say the same, "PDF", are of their own."""
    own, many = np.unique(kind, return_inverse=True, return_counts=True)[1:]
    order = np.lexsort((text, own))
    is_new = (np.diff(own[order], prepend=-1) != 0) | np.append(
        True, text[order][1:] != text[order][:-1]
    )
    group = np.empty(len(kind), np.int64)
    group[order] = np.cumsum(is_new)
    count = np.bincount(group)[group]
    is_said = (count >= MIN_SAME) & (count >= MIN_SHARE * many[own])
    found: Longs = np.unique(
        np.where(is_said, len(many) + group, own), return_inverse=True
    )[1]
    return found


def _opened(
    document: Document, top: Ints, end: Ints, bounds: Longs
) -> tuple[Ints, Ints]:
    """Where records in running text begin and end.

    They begin behind the blank line before their element, or with its text block, if
    that is not in the record before; they end at the next one, or are the longest.
    """
    elements, runs = document.elements, document.runs
    parent, first = elements.parent[top], elements.first_run[top]
    last = np.zeros(len(top), bool)
    last[bounds[1:] - 1] = True
    is_beside = np.append(parent[1:] == parent[:-1], False) & ~last
    is_break = np.isin(runs.kind, (RunKind.BREAK, RunKind.RULE))
    blank = np.append(-1, np.flatnonzero(is_break[1:] & is_break[:-1]) + 2)
    blank = blank[np.searchsorted(blank, first, "right") - 1]
    block = runs.block[np.minimum(first, len(runs.block) - 1)]
    blank = np.maximum(blank, np.append(document.blocks.first_run, -1)[block])
    before = np.append(0, np.where(is_beside, end, 0)[:-1])
    is_own = (blank <= first) & (
        blank >= np.maximum(elements.first_run[parent], before)
    )
    start = np.where(is_own, blank, first)
    found = np.maximum(np.where(is_beside, np.append(start[1:], 0), 0), end)
    length = np.where(is_beside, found - start, 0)
    longest = np.maximum.reduceat(length, bounds[:-1])
    most = start + np.repeat(longest, np.diff(bounds))
    limit = np.minimum(elements.end_run[parent], most)
    found = np.where(is_beside, found, np.maximum(end, limit))
    return start.astype(np.int32), found.astype(np.int32)


def share_distinct(group: Longs, texts: Bits) -> Doubles:
    """The share of different *texts* in each group; these are numbered from 0."""
    order = np.lexsort((texts, group))
    texts, group = texts[order], group[order]
    is_new = (np.diff(group, prepend=-1) != 0) | (texts != np.roll(texts, 1))
    return np.asarray(np.bincount(group, is_new) / np.bincount(group))
