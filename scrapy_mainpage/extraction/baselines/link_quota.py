"""LQF: text without the elements that are mostly links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..algorithms.algorithm import check_number
from ..document.tags import codes
from .baseline import Baseline, linked_runs, runs_below, text_lengths, within

if TYPE_CHECKING:
    from ..document.document import Document
    from .baseline import Floats


@dataclass(frozen=True)
class LinkQuotaFilter(Baseline):
    """All text but that of block-level elements whose share of linked text is high.

    C. Mantratzis, M. Orgun, S. Cassidy: "Separating XHTML Content from Navigation
    Clutter using DOM-structure Block Analysis", Hypertext 2005; as a filter in T.
    Gottron: "Evaluating Content Extraction on HTML Documents", ITA 2007. An element
    with more than ``quota`` of its characters in links is removed with all its content.

    Chosen here: a quota of one half, every block-level element but ``html`` and
    ``body``, and links as ``a`` with an address.
    """

    name: ClassVar[str] = "lqf"

    quota: float = 0.5

    def __post_init__(self) -> None:
        check_number("quota", self.quota, 0, 1)

    def choose(self, document: Document) -> Floats:
        """1 for the texts outside of elements over the quota."""
        elements, own = document.elements, np.arange(document.n_elements)
        chars = text_lengths(document)
        linked = within(document, np.where(linked_runs(document), chars, 0))
        whole = np.isin(elements.tag, np.array(sorted(codes("html body"))))
        over = linked > self.quota * within(document, chars)
        removed = over & (elements.owner == own) & ~whole
        return np.where(runs_below(document, removed), 0.0, 1.0)
