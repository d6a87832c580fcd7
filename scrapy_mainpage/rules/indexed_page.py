"""A page whose main content is known or guessed, with the selectors of its elements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from .candidates import PageIndex, Selector

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..extraction.extractor import Extractor
    from ..extraction.result import Extraction

    Mask = npt.NDArray[np.bool_]
    Floats = npt.NDArray[np.float64]


class IndexedPage:
    """A page with its main content, and the weight of each of its blocks.

    ``guess`` is the main content that the default algorithm selects, ``trust`` its
    confidence; ``main`` is the corrected one, or the guess.
    """

    def __init__(
        self, html: bytes, extractor: Extractor, main: Sequence[bool] | None = None
    ) -> None:
        self.index = PageIndex(html)
        page = extractor.extract_document(self.index.document)
        self.guess: Mask = cast("Extraction", page._extraction).main
        self.trust = page.confidence or 0.0
        self.main = self.guess if main is None else np.array(main, bool)
        n_blocks = self.index.document.n_blocks
        if len(self.main) != n_blocks:
            message = f"{len(self.main)} corrected blocks on a page of {n_blocks}"
            raise ValueError(message)
        # Short blocks count too: a user has corrected them one by one.
        words = self.index.document.blocks.words.astype(np.float64)
        self.weights: Floats = words + 1
        self.size = self.weigh(self.main)

    def weigh(self, mask: Mask) -> float:
        """The weight of the blocks of a mask."""
        return float(self.weights[mask].sum())

    def recall(self, selector: Selector) -> float:
        """The share of the main content that a selector covers; 0 without any."""
        return self.weigh(self.index.cover(selector) & self.main) / max(self.size, 1)

    def cover(self, selectors: Iterable[Selector]) -> Mask:
        """The blocks that any of the selectors covers."""
        mask = np.zeros(len(self.main), bool)
        for selector in selectors:
            mask |= self.index.cover(selector)
        return mask

    def score(self, chosen: Mask) -> Floats:
        """The F1 of weighted blocks, for each row of *chosen*."""
        found = chosen @ self.weights
        right = chosen @ (self.weights * self.main)
        total = found + self.size
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


def main_share(
    pages: Sequence[IndexedPage], selector: Selector, *, guessed: bool
) -> float:
    """The share of main content, true or guessed, in covered blocks; -1 for none."""
    size = main = 0.0
    for page in pages:
        covered = page.index.cover(selector)
        size += page.weigh(covered)
        main += page.weigh(covered & (page.guess if guessed else page.main))
    return main / size if size else -1
