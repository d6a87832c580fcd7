"""Selectors of the elements that hold one text: a title, an author, a date."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .candidates import PageIndex, Selector


def find_text_selectors(
    places: Sequence[tuple[PageIndex, int | None]],
) -> tuple[str, ...]:
    """The best selector whose first element holds the text block of each page.

    *places* are pages and the numbers of blocks, ``None`` for a page without one.
    """
    found = [_selectors(index, block) for index, block in places if block is not None]
    if common := set[Selector]().union(*found).intersection(*found):
        return (min(common).css,)
    best = (min(selectors) for selectors in found if selectors)
    return tuple(dict.fromkeys(each.css for each in best))


def _selectors(index: PageIndex, block: int) -> set[Selector]:
    """The selectors whose first element holds the block and no other text."""
    elements, blocks = index.document.elements, index.document.blocks
    holds = elements.end_block - elements.first_block == 1
    holds &= elements.first_run <= blocks.first_run[block]
    holds &= elements.end_run >= blocks.end_run[block]
    numbers = np.flatnonzero(holds).tolist()
    selectors = {each for number in numbers for each in index.selectors(number)}
    return {each for each in selectors if holds[index.find(each)[0]]}
