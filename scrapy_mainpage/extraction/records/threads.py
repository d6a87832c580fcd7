"""The posts of a thread as ranges of text blocks, found by dates that repeat.

Each post shows its date in the same way. So the dates of one kind of element divide the
thread: a post is the largest element around its date without the one before it, as in
the search for data records by Liu, Grossman and Zhai (2003) with a date as the anchor.
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import chain, groupby
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..document._templates import number_kinds
from ..repeats._records import find_records as find_repeated
from .fields import find_authors
from .threadgate import Records, may_be_thread, thread_odds
from .view import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..document.document import Document
    from ..document.schema import Ints, Mask
    from .fields import Author
    from .spots import Spot
    from .view import Key, View

MAX_POSTS: Final = 1000
MIN_POSTS: Final = 2
MIN_AUTHORS: Final = 0.5
"""Share of posts with an author: records without one are no posts."""


class Thread(NamedTuple):
    """Records with their anchors, in document order."""

    spans: list[Span]
    spots: list[Spot]
    authors: list[Author]


NO_THREAD: Final = Thread([], [], [])


class Known(NamedTuple):
    """What is known of a page: its comments, and its types.

    These are ``None`` while the main content is chosen.
    """

    comments: Mask
    types: Mapping[str, float] | None = None


def find_thread(
    view: View,
    spots: Sequence[Spot],
    main: Mask,
    get_known: Callable[[], Known],
    *,
    has_authors: bool = True,
) -> Thread:
    """The posts that say most; none on pages of other kinds."""
    best, most = NO_THREAD, 0.0
    for thread, records in find_records(
        view, spots, main, get_known, has_authors, may_be_thread
    ):
        odds = thread_odds(records)
        score = _size(view, thread) / (1 + math.exp(1 - odds))
        if odds > 0 and score > most:
            best, most = thread, score
    return best


def find_records(
    view: View,
    spots: Sequence[Spot],
    main: Mask,
    get_known: Callable[[], Known],
    has_authors: bool = True,
    may_be: Callable[[Records], bool] = bool,
) -> Iterator[tuple[Thread, Records]]:
    """The records around dates of one kind, for each kind, if they *may_be* wanted.

    *main* are the blocks of the main content. *get_known* is called where there are
    any: it may take long. Most have an author, if *has_authors*.
    """
    groups: dict[object, list[Spot]] = defaultdict(list)
    kinds = view.document.once(nested_records)[0]
    names: dict[int, Key] = {}
    for spot in spots:
        key = view.key(spot.element)
        parent = view.parent[spot.element]
        name = names.setdefault(int(kinds[parent]), view.key(parent))
        groups[key[1] or (key, name)].append(spot)
    known, sums = None, {"main": _sums(view, main)}
    for thread in chain.from_iterable(divide(view, g) for g in groups.values()):
        said = [span for span in thread.spans if span.end > span.first]
        records = Records(view, said, thread.spots, sums)
        if len(said) < MIN_POSTS or not may_be(records):
            continue
        if has_authors:
            authors = find_authors(view, thread.spans, thread.spots)
            if sum(bool(a.name) for a in authors) < MIN_AUTHORS * len(authors):
                continue
            thread = thread._replace(authors=authors)
        if known is None:
            known = get_known()
            sums = {**sums, "comments": _sums(view, known.comments)}
        records.sums, records.types = sums, known.types
        records.authors = thread.authors
        yield thread, records


def _sums(view: View, mask: Mask) -> list[int]:
    """The longer words in a *mask* before each block."""
    return [0, *np.cumsum(np.where(mask, view.longer, 0)).tolist()]


def _size(view: View, thread: Thread) -> float:
    """How much the records say, below dates that are seen.

    Questions and answers say more than the remarks between them.
    """
    words = sum(view.prose_in(span.first, span.end) for span in thread.spans)
    seen = sum(bool(spot.text) for spot in thread.spots) / len(thread.spots)
    is_answer = view.is_answer(thread.spans[-1].element)
    return float(words * len(thread.spans) ** 0.5 * (1 + 0.2 * seen + 1.5 * is_answer))


def divide(view: View, group: list[Spot]) -> Iterator[Thread]:
    """The records around the dates of a *group*: of each kind that is repeated there.

    Each record has the first date that is in no record inside of it.
    """
    document = view.document
    kinds, around = document.once(nested_records)
    own: dict[int, dict[int, Spot]] = defaultdict(dict)
    named: dict[Key, int] = {}
    for spot in group:
        seen, top = set(), int(around[spot.element])
        while top >= 0:
            kind, name = int(kinds[top]), view.key(top)
            kind = named.setdefault(name, kind) if name[1] else kind
            if kind not in seen:
                own[kind].setdefault(top, spot)
                seen.add(kind)
            top = int(around[top])
    found = [
        _thread(view, group, each) for each in own.values() if len(each) >= MIN_POSTS
    ]
    found.sort(key=lambda thread: thread.spans[0].element, reverse=True)
    # Of records one in the other, with the same dates, the outer have the authors, too.
    yield from {
        tuple(day for day, _ in groupby(map(_moment, thread.spots))): thread
        for thread in found
    }.values()


def _moment(spot: Spot) -> object:
    """What another date of the same post says, too: of one with a time."""
    return spot[2:] if ":" in (spot.machine or spot.text) else spot.element


def nested_records(document: Document) -> tuple[Ints, Ints]:
    """The kinds of elements and the nearest record around each, replies among them."""
    kinds, columns = number_kinds(document, is_nested=True), document.elements
    return kinds, find_repeated(
        kinds, columns.parent, columns.first_run, columns.end_run
    )


def _thread(view: View, group: list[Spot], records: dict[int, Spot]) -> Thread:
    """The *records* with the first post or question, which may have its own markup.

    The line below the title, which has the date of the first post, is none; nor is what
    has more dates than one post.
    """
    places = sorted(records)
    spots = [records[place] for place in places]
    before = [spot for spot in group if spot.element < places[0]]
    if before and _moment(before[-1]) != _moment(spots[0]):
        lead, other = before[-1].element, before[-3].element if before[2:] else -1
        while (up := view.parent[lead]) > other and view.end[up] <= places[0]:
            lead = up
        places, spots = [lead, *places], [before[-1], *spots]
    return Thread(_spans(view, places[:MAX_POSTS]), spots[:MAX_POSTS], [])


def _spans(view: View, places: list[int]) -> list[Span]:
    """The ranges of the records: each goes on up to the next, like rows of a table."""
    starts = [view.first_block[place] for place in places]
    ends = [view.end_block[place] for place in places]
    behind = [max(0, b - a) for a, b in zip(ends, starts[1:], strict=False)]
    parent = view.parent[places[-1]]
    is_beside = view.parent[places[-2]] == parent
    last = ends[-1] + (sorted(behind)[len(behind) // 2] if is_beside else 0)
    ends = [*starts[1:], min(last, max(view.end_block[parent], ends[-1]))]
    return [
        Span(place, start, max(start, end))
        for place, start, end in zip(places, starts, ends, strict=True)
    ]
