"""Semantic markup: the zone of the first ``article`` or ``main`` tag.

The baseline of section 4 of A. R. Rae, J. Kim, D. Le, G. R. Thoma: "Main Content
Detection in HTML Journal Articles", DocEng 2018.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..document.document import Context
from .algorithm import Algorithm
from .segmentation.line_breaks import (
    breaking_elements,
    default_blocks,
    elements_with,
    text_runs,
    zone_root,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document
    from ..document.layout import Layout
    from .algorithm import Mask, Scores

TAGS = ("article", "main")


@dataclass(frozen=True)
class SemanticMarkup(Algorithm):
    """The first zone, in breadth-first order, that holds the ``tag``.

    ``tag`` is ``article`` or ``main``. A page without the tag has no main content.
    """

    name: ClassVar[str] = "semantic-markup"

    tag: str = "article"

    def __post_init__(self) -> None:
        if self.tag not in TAGS:
            raise ValueError(f"tag must be one of {', '.join(TAGS)}")

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """1 for the visible blocks of the zone, 0 for all others."""
        scores = np.zeros(document.n_blocks, np.float32)
        zone = self.zone(document)
        if zone is not None:
            elements = document.elements
            scores[elements.first_block[zone] : elements.end_block[zone]] = 1
            scores[(document.blocks.flags & Context.HIDDEN) != 0] = 0
        return scores

    def zone(self, document: Document) -> int | None:
        """The element whose zone is the main content; ``None`` without the tag."""
        elements = document.elements
        tagged = document.elements_with_tag(self.tag)
        tagged = tagged[elements.end_block[tagged] > elements.first_block[tagged]]
        if not len(tagged):
            return None
        texts = text_runs(document)
        breaks = breaking_elements(
            document, default_blocks(document), elements_with(document, texts), texts
        )
        depth = _zone_depth(document, breaks)[tagged]
        return zone_root(document, breaks, int(tagged[np.argmin(depth)]))


def _zone_depth(document: Document, breaks: Mask) -> npt.NDArray[np.int64]:
    """The depth of each element's zone: how many of its ancestors break lines."""
    n = document.n_elements + 1
    starts = np.bincount(np.flatnonzero(breaks) + 1, minlength=n)
    ends = np.bincount(document.elements.end[breaks], minlength=n)
    depth: npt.NDArray[np.int64] = np.cumsum(starts - ends)[:-1]
    return depth
