"""The fewest elements that say which text of a page is main content."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from ..extraction.document.document import RunKind

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..extraction.document.document import Document

    Mask = npt.NDArray[np.bool_]
    Floats = npt.NDArray[np.float64]

MAX_ELEMENTS: Final = 1000
"""More paths would be a label that nobody reads, and slow to evaluate."""


def cover_blocks(document: Document, main: Mask) -> tuple[str, str] | None:
    """The XPaths of the elements that hold the *main* blocks, and of parts to drop.

    Of all pairs one with the fewest elements; of equal ones the inner elements to hold,
    and the outer ones to drop. ``None`` where elements cannot tell: an element has main
    and other text of its own, there is no main content, or too many elements are
    needed.
    """
    cover = _Cover(document, main)
    if not main.any() or not cover.is_possible:
        return None
    content, drop = cover.choose()
    if len(content) + len(drop) > MAX_ELEMENTS:
        return None
    paths = (" | ".join(map(document.xpath, found)) for found in (content, drop))
    return next(paths), next(paths)


class _Cover:
    """The least number of elements to name below each element, from the leaves up.

    Text is outside of the content, inside of it, or dropped from it for good.
    """

    def __init__(self, document: Document, main: Mask) -> None:
        self.parent = document.elements.parent.tolist()
        own_main, own_other = (_count_runs(document, mask) for mask in (main, ~main))
        has_main = own_main > 0
        self.outside: list[float] = np.where(has_main, math.inf, 0.0).tolist()
        self.inside: list[float] = np.where(own_other > 0, math.inf, 0.0).tolist()
        self.has_main: list[bool] = has_main.tolist()
        for element in range(document.n_elements - 1, 0, -1):
            above = self.parent[element]
            self.outside[above] += self._outside(element)
            self.inside[above] += self._inside(element)
            self.has_main[above] |= self.has_main[element]

    def _outside(self, element: int) -> float:
        """The cost of an element whose parent is outside of the content."""
        return min(self.outside[element], 1 + self.inside[element])

    def _inside(self, element: int) -> float:
        """The cost of an element whose parent is inside of the content."""
        return 1.0 if self._is_droppable(element) else self.inside[element]

    def _is_droppable(self, element: int) -> bool:
        """Whether the element has nothing but other text."""
        return self.inside[element] > 0 and not self.has_main[element]

    @property
    def is_possible(self) -> bool:
        return self._outside(0) < math.inf

    def choose(self) -> tuple[list[int], list[int]]:
        """The elements of the content, and those to drop, in document order."""
        content: list[int] = []
        drop: list[int] = []
        states: list[str] = []
        for element, above in enumerate(self.parent):
            state = states[above] if above >= 0 else "outside"
            if state == "outside" and 1 + self.inside[element] < self.outside[element]:
                content.append(element)
                state = "inside"
            elif state == "inside" and self._is_droppable(element):
                drop.append(element)
                state = "dropped"
            states.append(state)
        return content, drop


def _count_runs(document: Document, mask: Mask) -> npt.NDArray[np.intp]:
    """Per element the runs of its own text that lie in blocks of the *mask*."""
    runs = document.runs
    counted = (runs.kind == RunKind.TEXT) & (runs.block >= 0) & (runs.end > runs.start)
    counted[counted] = mask[runs.block[counted]]
    return np.bincount(runs.element[counted], minlength=document.n_elements)
