"""The lists of a page whose records are its entries, by boosted trees; or none.

The trees (``weights/entries.npz``) say of each candidate how well its records are the
entries of the page: how many of them are, and how many of those that its links lead to
they have. They were trained on lists that people marked, and on pages without any.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ..learned._forest import predict_trees
from ..learned.page_types import TREE_ARRAYS
from ..repeats.candidates import (
    Candidates,
    Links,
    find_candidates,
    find_links,
    hrefs_of,
)
from .list_features import Listing, Measures

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.schema import Floats
    from .targets import Targets

MIN_ODDS: Final = -2.0
"""Logarithm of the odds of the best list below which a page has none: in
cross-validation 1.2% of articles, documentation and services have more."""

MIN_SHARE: Final = 0.6
"""Of the score of the best list, for others beside it: of .4, .6, .8 and none the best
in cross-validation by site."""

MAX_OVERLAP: Final = 0.3
"""Share of the records of a list that may be in those of better ones."""


class Record(NamedTuple):
    """What belongs to a link: its runs, and the text blocks that are wholly in them."""

    link: int
    href: bytes
    first_run: int
    end_run: int
    first: int
    end: int


class Lists(NamedTuple):
    """The links of a page, and its candidates with a row of numbers for each."""

    links: Links
    candidates: Candidates
    rows: Floats


def find_lists(page: Listing, targets: Targets) -> Lists | None:
    """All candidates for lists of links to other pages; ``None`` without any."""
    document = page.document
    links = document.once(find_links)
    hrefs = hrefs_of(document, links)
    wanted = targets.lead(hrefs)
    if not wanted.any() or not document.n_blocks:
        return None
    candidates = find_candidates(document, links, wanted)
    if not len(candidates.kind):
        return None
    return Lists(links, candidates, Measures(page, links, candidates).rows())


@cache
def load_trees() -> dict[str, Any]:
    """The trees as :func:`predict_trees` takes them."""
    path = Path(__file__).parents[1] / "weights" / "entries.npz"
    with np.load(path) as data:
        return {name: data[name].astype(kind) for name, kind in TREE_ARRAYS.items()}


def choose_lists(lists: Lists) -> list[int]:
    """The best candidate, and others nearly as good with other records; or none."""
    candidates, odds = lists.candidates, predict_trees(lists.rows, **load_trees())
    scores = 1 / (1 + np.exp(-odds))
    if odds.max() < MIN_ODDS:
        return []
    chosen: list[int] = []
    taken = np.zeros(int(candidates.end.max()) + 1, bool)
    for number in np.argsort(-scores, kind="stable").tolist():
        if chosen and scores[number] < MIN_SHARE * scores[chosen[0]]:
            break
        part = slice(*candidates.bounds[number : number + 2])
        first = candidates.first[part]
        end = np.maximum(candidates.end[part], first + 1)
        sums = np.concatenate([[0], np.cumsum(taken)])
        is_taken = sums[np.minimum(end, len(taken))] > sums[first]
        if is_taken.mean() > MAX_OVERLAP:
            continue
        if len(np.unique(lists.links.target[candidates.link[part]])) < 2:
            continue
        chosen.append(number)
        # Other links in the same records are their authors, sections, comments.
        for own in map(slice, first.tolist(), end.tolist()):
            taken[own] = True
    return chosen


def read_records(document: Document, lists: Lists, number: int) -> list[Record]:
    """The records of a candidate in document order."""
    candidates = lists.candidates
    part = slice(*candidates.bounds[number : number + 2])
    link = candidates.link[part]
    first, end = candidates.first[part], candidates.end[part]
    hrefs, blocks = hrefs_of(document, lists.links), document.blocks
    begin = np.searchsorted(blocks.first_run, first)
    stop = np.maximum(np.searchsorted(blocks.end_run, end, side="right"), begin)
    columns = (lists.links.element[link], link, first, end, begin, stop)
    return [
        Record(element, hrefs[own], *rest)
        for element, own, *rest in zip(*(c.tolist() for c in columns), strict=True)
    ]
