"""Rules from corrected pages: the fewest and most robust selectors that fit them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from .candidates import PageIndex, Selector
from .site_rules import SiteRules
from .texts import find_text_selectors

if TYPE_CHECKING:
    import numpy.typing as npt

    Mask = npt.NDArray[np.bool_]
    Floats = npt.NDArray[np.float64]

COST_WEIGHT: Final = 0.002
"""The word F1 that a selector of cost 1 has to gain: a long or frail one more."""

MAX_MISSING_FACTOR: Final = 3.0
"""The cost of a selector that is on none of the pages, by that of one on all."""

MIN_CONTENT_SHARE: Final = 0.2
"""Of main content in the elements that a selector for content finds."""

MAX_DROPPED_SHARE: Final = 0.02
"""Of main content in the elements that a selector for what to drop finds."""

MAX_CANDIDATES: Final = 1500
"""Selectors of either kind that are tried, those of the lowest costs."""

MAX_STARTS: Final = 16
MAX_SELECTORS: Final = 24
"""First selectors that are tried, and selectors of one site."""


@dataclass(frozen=True)
class CorrectedPage:
    """A page as its user sees it: ``main`` says which text blocks are main content.

    Blocks are counted in the order of the document; ``title``, ``author`` and ``date``
    are the numbers of the blocks with these texts.
    """

    url: str
    html: bytes
    main: Sequence[bool]
    title: int | None = None
    author: int | None = None
    date: int | None = None


def learn_rules(
    pages: Sequence[CorrectedPage], others: Sequence[tuple[str, bytes]] = ()
) -> SiteRules:
    """Learn the rules of a site from corrected pages.

    *others* are URL and HTML of more pages of the site: selectors that find nothing on
    them are avoided. Raises ``ValueError`` without a page with main content, and for a
    page whose ``main`` has another number of blocks.
    """
    labelled = [_Page(page) for page in pages]
    if not any(page.main.any() for page in labelled):
        raise ValueError("no page with main content to learn from")
    indexes = [PageIndex(html) for _, html in others]
    search = _Search(labelled, indexes)
    content, drop = search.run()
    return SiteRules(
        content=tuple(each.css for each in content),
        drop=tuple(each.css for each in drop),
        title=find_text_selectors([(p.index, p.page.title) for p in labelled]),
        author=find_text_selectors([(p.index, p.page.author) for p in labelled]),
        date=find_text_selectors([(p.index, p.page.date) for p in labelled]),
    )


class _Page:
    """A corrected page, indexed, with the weight of each of its blocks."""

    def __init__(self, page: CorrectedPage) -> None:
        self.page = page
        self.index = PageIndex(page.html)
        self.main = np.array(page.main, bool)
        n_blocks = self.index.document.n_blocks
        if len(self.main) != n_blocks:
            message = f"{len(self.main)} corrected blocks of {n_blocks}: {page.url}"
            raise ValueError(message)
        # Short blocks count too: a user has corrected them one by one.
        words = self.index.document.blocks.words.astype(np.float64)
        self.weights: Floats = words + 1

    def score(self, chosen: Mask) -> Floats:
        """The F1 of weighted blocks, for each row of *chosen*."""
        found = chosen @ self.weights
        right = chosen @ (self.weights * self.main)
        total = found + self.weights[self.main].sum()
        scores: Floats = np.where(total > 0, 2 * right / np.maximum(total, 1), 1.0)
        return scores

    def selectors(self, *, main: bool) -> Iterable[Selector]:
        """Selectors of elements with main content, or of elements without any."""
        elements = self.index.document.elements
        blocks = np.concatenate([[0], np.cumsum(self.main)])
        inside = blocks[elements.end_block] - blocks[elements.first_block]
        has_text = elements.end_block > elements.first_block
        wanted = has_text & ((inside > 0) == main)
        for number in np.flatnonzero(wanted).tolist():
            yield from self.index.selectors(number)


class _Candidates:
    """Selectors, with the blocks of each page that they cover and their costs."""

    def __init__(
        self,
        selectors: Iterable[Selector],
        pages: Sequence[_Page],
        others: Sequence[PageIndex],
        shares: tuple[float, float],
    ) -> None:
        best: dict[bytes, tuple[float, Selector]] = {}
        for selector in set(selectors):
            masks = [page.index.cover(selector) for page in pages]
            if not shares[0] <= _main_share(pages, masks) <= shares[1]:
                continue
            cost = selector.cost * _missing_factor(selector, masks, others)
            key = b"|".join(mask.tobytes() for mask in masks)
            best[key] = min(best.get(key, (cost, selector)), (cost, selector))
        kept = sorted(best.values())[:MAX_CANDIDATES]
        self.selectors = [selector for _, selector in kept]
        self.costs = np.array([cost for cost, _ in kept])
        self.masks = [self._cover(page) for page in pages]

    def _cover(self, page: _Page) -> Mask:
        """A row for each selector, a column for each block of the page."""
        rows = [page.index.cover(each) for each in self.selectors]
        return np.array(rows, bool).reshape(len(rows), len(page.main))

    def union(self, chosen: list[int]) -> list[Mask]:
        """The blocks of each page that *chosen* selectors cover."""
        return [np.asarray(masks[chosen].any(axis=0)) for masks in self.masks]


def _main_share(pages: Sequence[_Page], masks: Sequence[Mask]) -> float:
    """The share of main content in covered blocks; -1 for none."""
    pairs = list(zip(pages, masks, strict=True))
    size = sum(float(page.weights[mask].sum()) for page, mask in pairs)
    main = sum(float(page.weights[mask & page.main].sum()) for page, mask in pairs)
    return main / size if size else -1


def _missing_factor(
    selector: Selector, masks: Sequence[Mask], others: Sequence[PageIndex]
) -> float:
    """How much dearer a selector is for the pages that it finds nothing on."""
    found = [bool(mask.any()) for mask in masks]
    missing = [not each for each in found]
    missing += [not index.find(selector) for index in others]
    return 1 + (MAX_MISSING_FACTOR - 1) * sum(missing) / len(missing)


class _Search:
    """Greedy search: from each of the best selectors, add the next best."""

    def __init__(self, pages: Sequence[_Page], others: Sequence[PageIndex]) -> None:
        self.pages = pages
        content = (each for page in pages for each in page.selectors(main=True))
        drop = (each for page in pages for each in page.selectors(main=False))
        self.content = _Candidates(content, pages, others, (MIN_CONTENT_SHARE, 1.0))
        self.drop = _Candidates(drop, pages, others, (0.0, MAX_DROPPED_SHARE))

    def run(self) -> tuple[list[Selector], list[Selector]]:
        """The selectors of content, and of what to drop."""
        found = [self._grow(start) for start in self._starts()]
        if not found:
            return [], []
        _, content, drop = max(found, key=lambda each: each[0])
        return (
            [self.content.selectors[k] for k in content],
            [self.drop.selectors[k] for k in drop],
        )

    def _starts(self) -> list[int]:
        """The most promising first selectors: alone, or with the right ones dropped."""
        alone = self._score(self.content.masks) - COST_WEIGHT * self.content.costs
        parts = zip(self.content.masks, self.pages, strict=True)
        ideal = self._score([masks & page.main for masks, page in parts])
        ideal -= COST_WEIGHT * self.content.costs
        half = MAX_STARTS // 2
        best = [*np.argsort(-alone)[:half], *np.argsort(-(alone + ideal))[:half]]
        return [int(k) for k in dict.fromkeys(best)]

    def _score(self, masks: Sequence[Mask]) -> Floats:
        pairs = zip(self.pages, masks, strict=True)
        scores: Floats = np.mean([page.score(mask) for page, mask in pairs], axis=0)
        return scores

    def _value(self, content: list[int], drop: list[int]) -> float:
        """The score of chosen selectors, less their costs."""
        pairs = zip(self.content.union(content), self.drop.union(drop), strict=True)
        score = self._score([(kept & ~left)[None] for kept, left in pairs])
        return float(score[0]) - self._cost(content, drop)

    def _cost(self, content: list[int], drop: list[int]) -> float:
        costs = self.content.costs[content].sum() + self.drop.costs[drop].sum()
        return COST_WEIGHT * float(costs)

    def _grow(self, start: int) -> tuple[float, list[int], list[int]]:
        content, drop = [start], list[int]()
        value = self._value(content, drop)
        while len(content) + len(drop) < MAX_SELECTORS:
            more, less = self._try_each(content, drop)
            best = max(more.max(initial=-1), less.max(initial=-1))
            if best <= value:
                break
            if more.max(initial=-1) == best:
                content.append(int(more.argmax()))
            else:
                drop.append(int(less.argmax()))
            value = self._prune(content, drop, float(best))
        return value, content, drop

    def _try_each(self, content: list[int], drop: list[int]) -> tuple[Floats, Floats]:
        """The value with each selector of content more, and of what to drop."""
        kept, left = self.content.union(content), self.drop.union(drop)
        parts = list(zip(kept, left, self.content.masks, self.drop.masks, strict=True))
        more = self._score([(new | old) & ~out for old, out, new, _ in parts])
        less = self._score([old & ~(new | out) for old, out, _, new in parts])
        cost = self._cost(content, drop)
        return (
            more - COST_WEIGHT * self.content.costs - cost,
            less - COST_WEIGHT * self.drop.costs - cost,
        )

    def _prune(self, content: list[int], drop: list[int], value: float) -> float:
        """Take out selectors that others have made superfluous."""
        for chosen in (content, drop):
            for k in list(chosen):
                if chosen is content and len(content) == 1:
                    break
                place = chosen.index(k)
                chosen.remove(k)
                without = self._value(content, drop)
                if without >= value:
                    value = without
                else:
                    chosen.insert(place, k)
        return value


__all__ = ["CorrectedPage", "learn_rules"]
