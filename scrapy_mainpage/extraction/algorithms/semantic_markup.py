"""Semantic markup: the zone of the first ``article`` or ``main`` tag.

The baseline of section 4 of A. R. Rae, J. Kim, D. Le, G. R. Thoma: "Main Content
Detection in HTML Journal Articles", DocEng 2018.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..document.schema import Context
from .algorithm import Algorithm, check_choice, words_within
from .segmentation.line_breaks import (
    breaking_elements,
    count_around,
    default_blocks,
    elements_with,
    text_runs,
    zone_root,
)
from .segmentation.zones import find_breaks

if TYPE_CHECKING:
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
        check_choice("tag", self.tag, TAGS)

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """The share of a block's words in the zone, without hidden ones."""
        breaks, shown = find_line_breaks(document, layout)
        zone = self.find_zone(document, breaks, shown)
        if zone is None:
            return np.zeros(document.n_blocks, np.float32)
        inside = np.zeros(len(shown), bool)
        inside[document.elements.first_run[zone] : document.elements.end_run[zone]] = 1
        return words_within(document, inside & shown)

    def find_zone(self, document: Document, breaks: Mask, shown: Mask) -> int | None:
        """The element whose zone is the main content; ``None`` without the tag.

        Elements without visible text are in no zone (section 3.1).
        """
        tagged = document.elements_with_tag(self.tag)
        tagged = tagged[elements_with(document, shown)[tagged]]
        if not len(tagged):
            return None
        # A zone is as deep as the elements around it that break lines.
        depth = (count_around(document, breaks) - breaks)[tagged]
        return zone_root(document, breaks, int(tagged[np.argmin(depth)]))


def find_line_breaks(document: Document, layout: Layout | None) -> tuple[Mask, Mask]:
    """The elements that break lines and the runs of visible text.

    On the screen, or without a *layout* by the default display of the tags.
    """
    if layout is not None:
        found = find_breaks(document, layout)
        return found.breaks, found.seen
    texts = text_runs(document)
    hidden = (document.elements.flags & Context.HIDDEN) != 0
    holder = np.arange(document.n_elements, dtype=np.int32)
    seen = default_blocks(document), elements_with(document, texts), texts
    return breaking_elements(document, *seen, hidden=hidden, holder=holder), texts
