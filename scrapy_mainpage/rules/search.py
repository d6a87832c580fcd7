"""The search for the selectors of a site: greedy, with a price for each selector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from .candidates import IndexedPage, Selector, item_names, main_share, score_rows

if TYPE_CHECKING:
    from ..extraction.document.schema import Doubles, Mask


COST_WEIGHT: Final = 0.002
"""The word F1 that a selector of cost 1 has to gain: a long or frail one more."""

FINE: Final = 0.05
"""Share of a selector's cost that counts where it makes a corrected page exact."""

MISSING_CONTENT: Final = 2.0
MISSING_DROP: Final = 0.5
"""Added cost of a selector that most pages do not have."""

DOUBT_WEIGHT: Final = 0.5
"""Cost of main content of other pages that a selector gets wrong."""

GUESS_WEIGHT: Final = 0.1
"""Cost of the algorithm's expected errors, where the content is left to it."""

MIN_TRUST: Final = 0.5
"""The least confidence of the algorithm that speaks against a selector."""

MAX_TOLERATED: Final = 0.15
"""Share of main content that a selector may miss on other pages without a doubt."""

MAX_DIFFERENCE: Final = 0.1
"""Difference (1 less F1) of all selectors from the algorithm's selection."""

MIN_CONTENT_SHARE: Final = 0.2
"""Share of main content in the elements that a selector for content finds."""

MAX_DROPPED_SHARE: Final = 0.02
"""Share of main content in the elements that a selector to drop finds."""

MAX_CANDIDATES: Final = 1500
"""Selectors of either kind that are tried, those of the lowest costs."""

MAX_UNSEEN: Final = 8
"""Selectors to drop of what no corrected page has."""

MAX_WRONG: Final = 0.005
"""Share of main content that the algorithm may leave out to be followed elsewhere."""

MAX_STARTS: Final = 16
MAX_SELECTORS: Final = 24
"""First selectors that are tried, and selectors of one site."""


class Candidates:
    """Selectors, with the blocks of each page that they cover and their costs.

    *costs* has two of each: by how long and frail it is, and by what speaks against it.
    """

    def __init__(
        self,
        pages: Sequence[IndexedPage],
        costs: Mapping[Selector, tuple[float, float]],
    ) -> None:
        best: dict[bytes, tuple[float, Selector]] = {}
        for selector, cost in costs.items():
            masks = (page.index.cover(selector).tobytes() for page in pages)
            key = b"|".join(masks)
            own = (sum(cost), selector)
            best[key] = min(best.get(key, own), own)
        kept = sorted(best.values())[:MAX_CANDIDATES]
        self.selectors = [selector for _, selector in kept]
        parts = np.array([costs[each] for each in self.selectors]).reshape(-1, 2)
        self.full: Doubles = parts.sum(axis=1)
        self.fine: Doubles = FINE * parts[:, 0] + parts[:, 1]
        self.costs = self.full
        structural = [each.is_structural for each in self.selectors]
        self.is_structural = np.array(structural, bool)
        self.masks = [self._cover(page) for page in pages]

    def _cover(self, page: IndexedPage) -> Mask:
        """A row for each selector, a column for each block of the page."""
        rows = [page.index.cover(each) for each in self.selectors]
        return np.array(rows, bool).reshape(len(rows), len(page.main))

    def union(self, chosen: list[int]) -> list[Mask]:
        """The blocks of each page that *chosen* selectors cover."""
        return [np.asarray(masks[chosen].any(axis=0)) for masks in self.masks]


class Blocks:
    """The blocks of a page, those together that all candidates cover alike."""

    def __init__(self, page: IndexedPage, content: Mask, drop: Mask) -> None:
        rows = np.vstack([content, drop, page.main, page.guess])
        packed = np.ascontiguousarray(np.packbits(rows, axis=0).T)
        keys = packed.view(f"V{packed.shape[1]}").ravel()
        _, self.first, groups = np.unique(keys, return_index=True, return_inverse=True)
        self.weights: Doubles = np.bincount(groups.ravel(), page.weights).astype(float)
        self.main: Mask = page.main[self.first]
        self.guess: Mask = page.guess[self.first]


class Search:
    """Greedy search: from each of the best selectors, add the next best."""

    def __init__(
        self, pages: Sequence[IndexedPage], others: Sequence[IndexedPage]
    ) -> None:
        self.pages, self.others = pages, others
        every = [*pages, *others]
        self.named = named = item_names([page.index for page in every])
        content = {each for page in pages for each in page.selectors(main=True)}
        drop = {each for page in pages for each in page.selectors(main=False)}
        self.content = Candidates(
            pages,
            {
                each: (
                    self._base_cost(each, MISSING_CONTENT),
                    self._content_doubt(each),
                )
                for each in content
                if named.isdisjoint(each.names)
                and main_share(pages, each, guessed=False) >= MIN_CONTENT_SHARE
            },
        )
        self.drop = Candidates(
            pages,
            {
                each: (self._base_cost(each, MISSING_DROP), self._drop_doubt(each))
                for each in drop
                if not each.is_unit
                and named.isdisjoint(each.names)
                and 0 <= main_share(pages, each, guessed=False) <= MAX_DROPPED_SHARE
            },
        )
        masks = zip(pages, self.content.masks, self.drop.masks, strict=True)
        self.blocks = [Blocks(*each) for each in masks]
        for kind in (self.content, self.drop):
            pairs = zip(kind.masks, self.blocks, strict=True)
            kind.masks = [masks[:, blocks.first] for masks, blocks in pairs]
        pages = others or pages
        expected = sum(page.trust for page in pages) / len(pages)
        self._guess_cost = GUESS_WEIGHT * (1 - expected)

    def _base_cost(self, selector: Selector, factor: float) -> float:
        """The cost by length and robustness, higher for pages without a match."""
        pages = [*self.pages, *self.others]
        missing = sum(not page.index.find(selector) for page in pages) / len(pages)
        return COST_WEIGHT * selector.cost * (1 + factor * missing)

    def _content_doubt(self, selector: Selector) -> float:
        """What a selector covers less of other pages than of the corrected ones."""
        recall = sum(page.recall(selector) for page in self.pages) / len(self.pages)
        doubts = [
            page.trust * (recall - page.recall(selector))
            for page in self.others
            if page.trust >= MIN_TRUST and page.index.find(selector)
        ]
        return DOUBT_WEIGHT * max(max(doubts, default=0) - MAX_TOLERATED, 0)

    def _drop_doubt(self, selector: Selector) -> float:
        """What a selector drops of the likely main content of other pages.

        Where the algorithm takes the same for main content on the corrected pages, it
        does not count, unless the selector says little of what it finds.
        """
        doubts = [page.trust * page.recall(selector) for page in self.others]
        if selector.is_structural:
            return DOUBT_WEIGHT * max(doubts, default=0)
        known = main_share(self.pages, selector, guessed=True)
        doubt = max(main_share(self.others, selector, guessed=True) - max(known, 0), 0)
        return DOUBT_WEIGHT * doubt * sum(doubts) / max(len(doubts), 1)

    def run(self) -> tuple[list[Selector], list[Selector]]:
        """The selectors of content, and of what to drop.

        Without content, what to drop is left out of the algorithm's own selection. None
        where the algorithm alone fits better than selectors that fit badly.
        """
        found = [self._refine(*self._grow(start)) for start in ([], *self._starts())]
        found = [each for each in found if each[1] or each[2]]
        best = max(found, key=self._rank, default=(0.0, [], []))
        if self._exact(*best[1:]) < len(self.pages):
            best = max(best, (self._value([], []), [], []), key=self._rank)
        content = [self.content.selectors[k] for k in best[1]]
        drop = [self.drop.selectors[k] for k in best[2]]
        return content, drop + self._find_unseen(content, drop)

    def _find_unseen(
        self, content: list[Selector], drop: list[Selector]
    ) -> list[Selector]:
        """What else to drop: of other pages alone, where the algorithm leaves it out.

        The corrected pages say nothing about it; and there it left out no more than
        they do.
        """
        wrong = sum(page.weigh(page.main & ~page.guess) for page in self.pages)
        if not content or wrong > MAX_WRONG * sum(page.size for page in self.pages):
            return []
        pages = [page for page in self.others if page.trust >= MIN_TRUST]
        kept = [page.cover(content) & ~page.cover(drop) for page in pages]
        pairs = list(zip(pages, kept, strict=True))
        pairs = [each for each in pairs if (each[1] & ~each[0].main).any()]
        candidates = {each for page, _ in pairs for each in page.selectors(main=False)}
        known = {
            each
            for each in candidates
            if not each.is_structural
            and self.named.isdisjoint(each.names)
            and not any(page.index.find(each) for page in self.pages)
            and main_share(self.others, each, guessed=True) <= MAX_DROPPED_SHARE
        }
        found: list[Selector] = []
        while known and len(found) < MAX_UNSEEN:
            gains = {
                each: sum(
                    page.weigh(page.index.cover(each) & mask) for page, mask in pairs
                )
                for each in known
            }
            best = max(
                known, key=lambda each: (gains[each] > 0, gains[each], -each.cost, each)
            )
            if not gains[best]:
                break
            found.append(best)
            known.discard(best)
            pairs = [(page, mask & ~page.index.cover(best)) for page, mask in pairs]
        return found

    def _refine(
        self, value: float, content: list[int], drop: list[int]
    ) -> tuple[float, list[int], list[int]]:
        """The same with more selectors, if these make more corrected pages exact."""
        exact = self._exact(content, drop)
        if exact == len(self.pages):
            return value, content, drop
        kinds = (self.content, self.drop)
        for kind in kinds:
            kind.costs = kind.fine
        _, more, less = self._grow([*content], [*drop])
        for kind in kinds:
            kind.costs = kind.full
        if self._exact(more, less) <= exact:
            return value, content, drop
        return self._value(more, less), more, less

    def _exact(self, content: list[int], drop: list[int]) -> int:
        """The number of corrected pages that chosen selectors give as they are."""
        pairs = zip(
            self.blocks, self._kept(content), self.drop.union(drop), strict=True
        )
        return sum(
            bool(((kept & ~left) == blocks.main).all()) for blocks, kept, left in pairs
        )

    def _rank(self, found: tuple[float, list[int], list[int]]) -> tuple[int, float]:
        return self._exact(*found[1:]), found[0] - self._doubt(*found)

    def _doubt(self, value: float, content: list[int], drop: list[int]) -> float:
        """How far selectors of content are from the algorithm on other pages.

        And from the corrected pages: what they cannot fit will go wrong elsewhere.
        """
        if not content:
            return 0.0
        misfit = 1 - value - self._cost(content, drop)
        kept = [self.content.selectors[k] for k in content]
        left = [self.drop.selectors[k] for k in drop]
        difference = find_difference(self.others, kept, left)
        return DOUBT_WEIGHT * (misfit + max(difference - MAX_DIFFERENCE, 0))

    def _starts(self) -> list[list[int]]:
        """The most promising first selectors: alone, or with the right ones dropped."""
        alone = self._score(self.content.masks) - self.content.costs
        parts = zip(self.content.masks, self.blocks, strict=True)
        ideal = self._score([masks & blocks.main for masks, blocks in parts])
        ideal -= self.content.costs
        half = MAX_STARTS // 2
        best = [*np.argsort(-alone)[:half], *np.argsort(-(alone + ideal))[:half]]
        return [[int(k)] for k in dict.fromkeys(best)]

    def _score(self, masks: Sequence[Mask]) -> Doubles:
        pairs = zip(self.blocks, masks, strict=True)
        found = [score_rows(mask, b.main, b.weights) for b, mask in pairs]
        scores: Doubles = np.mean(found, axis=0)
        return scores

    def _value(self, content: list[int], drop: list[int]) -> float:
        """The score of chosen selectors, less their costs."""
        pairs = zip(self._kept(content), self.drop.union(drop), strict=True)
        score = self._score([(kept & ~left)[None] for kept, left in pairs])
        return float(score[0]) - self._cost(content, drop)

    def _kept(self, content: list[int]) -> list[Mask]:
        if not content:
            return [blocks.guess for blocks in self.blocks]
        return self.content.union(content)

    def _cost(self, content: list[int], drop: list[int]) -> float:
        costs = self.content.costs[content].sum() + self.drop.costs[drop].sum()
        if not content:
            costs += self._guess_cost
        return float(costs)

    def _grow(
        self, content: list[int], drop: Sequence[int] = ()
    ) -> tuple[float, list[int], list[int]]:
        """Add selectors as long as they gain more than they cost.

        Those by structure alone come last: they cover more than a name does.
        """
        drop = [*drop]
        value = self._value(content, drop)
        for named in (True, False):
            while len(content) + len(drop) < MAX_SELECTORS:
                more, less = self._try_each(content, drop)
                if named:
                    more[self.content.is_structural] = -1
                    less[self.drop.is_structural] = -1
                best = max(more.max(initial=-1), less.max(initial=-1))
                if best <= value:
                    break
                if more.max(initial=-1) == best:
                    content.append(int(more.argmax()))
                else:
                    drop.append(int(less.argmax()))
                value = self._prune(content, drop, float(best))
        return value, content, drop

    def _try_each(self, content: list[int], drop: list[int]) -> tuple[Doubles, Doubles]:
        """The value with each selector of content more, and of what to drop."""
        kept, left = self._kept(content), self.drop.union(drop)
        parts = list(zip(kept, left, self.content.masks, self.drop.masks, strict=True))
        more = self._score([(new | old) & ~out for old, out, new, _ in parts])
        if not content:
            more[:] = -1
        less = self._score([old & ~(new | out) for old, out, _, new in parts])
        cost = self._cost(content, drop)
        return (
            more - self.content.costs - cost,
            less - self.drop.costs - cost,
        )

    def _prune(self, content: list[int], drop: list[int], value: float) -> float:
        """Take out selectors that others have made superfluous."""
        for chosen in (content, drop):
            for k in list(chosen):
                if chosen is content and len(content) <= 1:
                    break
                place = chosen.index(k)
                chosen.remove(k)
                without = self._value(content, drop)
                if without >= value:
                    value = without
                else:
                    chosen.insert(place, k)
        return value


def find_difference(
    pages: Sequence[IndexedPage], content: list[Selector], drop: list[Selector]
) -> float:
    """1 less the F1 of selectors by the algorithm's selection: the mean of *pages*.

    Pages without a match do not count, nor those that the algorithm is unsure of.
    """
    differences = []
    for page in pages:
        covered = page.cover(content)
        if page.trust >= MIN_TRUST and covered.any():
            kept = covered & ~page.cover(drop)
            differences.append(page.trust * page.difference(kept))
    return sum(differences) / max(len(differences), 1)
