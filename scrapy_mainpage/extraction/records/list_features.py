"""What tells the lists of entries from other repeats: numbers of each candidate."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ..document.schema import HEADING_SHIFT, Context, RunKind
from ..repeats._records import find_signs, measure_addresses, shared_starts
from ..repeats.candidates import share_distinct

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from ..document.document import Document
    from ..document.schema import Doubles, Floats, Longs, Mask
    from ..repeats.candidates import Candidates, Links

    Numbers = npt.NDArray[Any]

_CONTEXTS: Final = {
    "nav": Context.NAVIGATION, "header": Context.HEADER, "inside": Context.MAIN,
}  # fmt: skip
_OF_ADDRESS: Final = ("queries", "long", "files", "slashes", "digits")
_TYPES: Final = ("article", "forum", "product", "documentation", "service")
LISTINGS: Final = ("listing", "collection")
"""The types of pages that list others."""

MAX_ODDS: Final = 3.0


class Listing(NamedTuple):
    """What is known of a page: its document, main content and types."""

    document: Document
    main: Mask
    page_types: Mapping[str, float]


class Measures:
    """The candidates of a page in numbers."""

    def __init__(self, page: Listing, links: Links, candidates: Candidates) -> None:
        self.page = page
        self.document = document = page.document
        self.links = links
        self.candidates = candidates
        self.main = np.asarray(page.main, bool)
        self.columns: dict[str, Numbers] = {}
        self.words = np.where(
            document.runs.kind == RunKind.TEXT, document.runs.words, 0
        ).astype(np.int64)
        self.sizes = candidates.sizes

    def mean(self, values: Numbers) -> Doubles:
        """The mean of the records' *values* in each candidate."""
        starts = self.candidates.bounds[:-1]
        found: Doubles = np.add.reduceat(values.astype(np.float64), starts) / self.sizes
        return found

    def inside(self, values: Numbers) -> Longs:
        """The sum of the runs' *values* in each record."""
        sums = np.concatenate([[0], np.cumsum(values, dtype=np.int64)])
        found: Longs = sums[self.candidates.end] - sums[self.candidates.first]
        return found

    def rows(self) -> Floats:
        """A row of numbers for each candidate."""
        self._records()
        self._link_texts()
        self._surroundings()
        self._page()
        self._ranks()
        self._declared()
        found = np.empty((len(self.sizes), len(self.columns)), np.float32)
        for place, column in enumerate(self.columns.values()):
            found[:, place] = column
        return found

    def _records(self) -> None:
        document, candidates, add = self.document, self.candidates, self.columns
        elements, top = document.elements, candidates.top
        record = self.inside(self.words)
        self.mean_words = np.maximum(self.mean(record), 0.01)
        is_linked = elements.link[document.runs.element] >= 0
        add["size"] = np.log(self.sizes)
        add["words"] = np.log(self.mean_words)
        deviation = self.mean(record.astype(np.float64) ** 2) - self.mean_words**2
        add["varied"] = np.sqrt(np.maximum(deviation, 0)) / self.mean_words
        add["free"] = np.log1p(self.mean(self.inside(~is_linked * self.words)))
        add["long_texts"] = self.mean(self.inside((self.words >= 15) & ~is_linked))
        add["images"] = self.mean(self.inside(document.runs.kind == RunKind.IMAGE) > 0)
        start, end = document.runs.start, document.runs.end
        is_text = document.runs.kind == RunKind.TEXT
        signs = find_signs(document.text, start, np.where(is_text, end, start))
        for name, marked in zip(("years", "prices"), signs, strict=True):
            add[name] = self.mean(self.inside(marked) > 0)
        inside = self._links_until(candidates.end)
        add["links"] = np.log(np.maximum(self.mean(inside), 0.5))
        link = self.links.element[candidates.link]
        before = self._links_until(elements.first_run[link])
        add["links_before"] = np.log1p(self.mean(np.maximum(before, 0)))
        add["titles"] = self.mean(elements.flags[link] >> HEADING_SHIFT > 0)
        starts = candidates.bounds[:-1]
        add["depth"] = elements.depth[top[starts]]
        parents = elements.parent[top]
        is_new = np.append(True, parents[1:] != parents[:-1])
        is_new[starts] = True
        add["parents"] = np.add.reduceat(is_new, starts) / self.sizes
        repeated = np.bincount(document.kinds)
        add["filled"] = self.sizes / np.maximum(
            repeated[document.kinds[top[starts]]], 1
        )
        add["firsts"] = self.sizes / candidates.n_links

    def _links_until(self, end: Numbers) -> Longs:
        """The number of links in the runs of each record before *end*."""
        first = np.sort(self.document.elements.first_run[self.links.element])
        spans = end, self.candidates.first
        found: Longs = np.subtract(*np.searchsorted(first, spans))
        return found

    def _link_texts(self) -> None:
        document, candidates, add = self.document, self.candidates, self.columns
        elements, links = document.elements, self.links
        first, end = (
            column[links.element] for column in (elements.first_run, elements.end_run)
        )
        sums = np.concatenate([[0], np.cumsum(self.words)])
        own = (sums[end] - sums[first])[candidates.link]
        add["link_words"] = np.log1p(self.mean(own))
        add["one_word"] = self.mean(own == 1)
        add["longest"] = self.mean(
            own >= self._most_words(first, sums[end] - sums[first])
        )
        last = max(len(document.runs.start) - 1, 0)
        number = np.repeat(np.arange(len(self.sizes)), self.sizes)
        add["texts"] = share_distinct(number, links.text[candidates.link])
        add["targets"] = share_distinct(number, links.target[candidates.link])
        run = np.minimum(first, last)
        block = document.runs.block[run]
        inline = sums[run] - sums[document.blocks.first_run[block]]
        inline = np.where((block >= 0) & (first < end), inline, 0)
        behind = sums[document.blocks.end_run[block]] - sums[end]
        behind = np.where((block >= 0) & (first < end), behind, 0)
        for name, texts in (("text_before", inline), ("text_behind", behind)):
            add[name] = np.log1p(self.mean(np.maximum(texts, 0)[candidates.link]))
        self._hrefs()

    def _most_words(self, first: Numbers, words: Numbers) -> Numbers:
        """The words of the longest link in each record; *first* are the links' runs."""
        order = np.argsort(first, kind="stable")
        spans = self.candidates.first, self.candidates.end
        at = np.searchsorted(first[order], np.stack(spans, 1).ravel())
        most: Numbers = np.maximum.reduceat(np.append(words[order], 0), at)[::2]
        return most

    def _hrefs(self) -> None:
        """What the addresses of a candidate are like, and how much they share."""
        links, values, add = self.links, self.document.values, self.columns
        own = self.candidates.link
        counts = measure_addresses(values, links.start, links.end)
        for name, each in zip(_OF_ADDRESS, counts, strict=True):
            add[f"href:{name}"] = self.mean(each[own])
        columns = links.start[own], links.end[own], self.candidates.bounds
        shared = shared_starts(values, *columns)
        add["href:shared"] = shared / np.maximum(add["href:long"], 1)

    def _surroundings(self) -> None:
        add = self.columns
        own = np.append(self.main, False)[self.document.runs.block]
        add["main"] = self.mean(self.inside(own * self.words)) / self.mean_words
        starts = self.candidates.bounds[:-1]
        flags = self.document.elements.flags[self.candidates.top]
        for context, flag in _CONTEXTS.items():
            add[context] = self.mean(flags & int(flag) > 0)
        linked = self.document.elements.link[self.document.runs.element] >= 0
        prose = np.concatenate([[0], np.cumsum(self.words * own * ~linked)])
        self.prose = prose
        firsts = np.minimum.reduceat(self.candidates.first, starts)
        ends = np.maximum.reduceat(self.candidates.end, starts)
        add["prose_before"] = np.log1p(prose[firsts])
        add["prose_inside"] = np.log1p(prose[ends] - prose[firsts])
        sums = np.concatenate([[0], np.cumsum(self.words)])
        total = max(int(sums[-1]), 1)
        add["place"] = sums[firsts] / total
        add["spread"] = (sums[ends] - sums[firsts]) / total
        add["covered"] = self.mean_words * self.sizes / total
        held = self.mean(self.inside(self.words * own * ~linked)) * self.sizes
        add["prose_left"] = np.log1p(np.maximum(prose[-1] - held, 0))

    def _page(self) -> None:
        document, add = self.document, self.columns
        words = document.blocks.words
        free = words - document.blocks.linked_words
        add["page_words"] = np.log1p(words.sum())
        add["page_links"] = np.log1p(len(self.links.element))
        add["page_prose"] = np.log1p(free.sum(where=self.main))
        add["page_long"] = np.log1p((free >= 40).sum())
        add["page_free"] = free.sum() / max(int(words.sum()), 1)

    def _ranks(self) -> None:
        """Shares of the best of the page in what tells most."""
        add = self.columns
        for name in ("covered", "size", "link_words"):
            column = np.asarray(add[name], np.float64)
            add[f"{name}:rank"] = column / max(float(column.max()), 1e-6)

    def _declared(self) -> None:
        """The types of the page that are likely."""
        types, add = self.page.page_types, self.columns
        add["listing_odds"] = np.asarray(type_odds(types))
        for name in _TYPES:
            add[f"type:{name}"] = np.asarray(types.get(name, 0.0))


def type_odds(types: Mapping[str, float]) -> float:
    """The logarithm of the odds that a page of these types is a listing; 0 for none."""
    chance = sum(types.get(name, 0.0) for name in LISTINGS)
    odds = math.log((chance + 0.01) / (1.01 - chance)) if types else 0.0
    return min(max(odds, -MAX_ODDS), MAX_ODDS)
