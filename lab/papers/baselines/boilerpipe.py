"""Boilerpipe's two rule sets, which read a text segment and its two neighbours.

C. Kohlschütter, P. Fankhauser, W. Nejdl: "Boilerplate Detection using Shallow Text
Features", WSDM 2010, pages 441-450, Algorithms 1 (densities) and 2 (numbers of words).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import (
    SEGMENTATIONS,
    cut,
)

from .baseline import Baseline

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import (
        Segments,
    )
    from scrapy_mainpage.extraction.document.document import Document

    from .baseline import Floats, Mask


def _beside(values: Floats) -> tuple[Floats, Floats]:
    """The values of the segments before and after; 0 outside of the page."""
    padded = np.concatenate(([0.0], values, [0.0]))
    return padded[:-2], padded[2:]


def num_words_rules(segments: Segments) -> Mask:
    """Algorithm 2: which segments are main content by link density and word counts."""
    words = segments.words.astype(np.float64)
    words_before, words_after = _beside(words)
    links_before, _ = _beside(segments.link_density)
    after_text = (words > 16) | (words_after > 15) | (words_before > 4)
    after_links = (words > 40) | (words_after > 17)
    main: Mask = np.where(links_before <= 0.555556, after_text, after_links)
    return main & (segments.link_density <= 0.333333)


def density_rules(segments: Segments) -> Mask:
    """Algorithm 1: which segments are main content by link density and text density."""
    density = segments.word_density
    before, after = _beside(density)
    links_before, _ = _beside(segments.link_density)
    sparse = (after > 10) | (before > 4)
    after_text = np.where(density <= 9, sparse, after > 0)
    main: Mask = np.where(links_before <= 0.555556, after_text, after > 11)
    return main & (segments.link_density <= 0.333333)


@dataclass(frozen=True)
class _Rules(Baseline):
    """Text segments that the rules take.

    ``segmentation``: ``boilerpipe`` cuts the page at block-level tags, as there,
    ``paper`` at every tag but ``a``, as Kim et al. (2013) did for their comparison.
    """

    segmentation: str = "boilerpipe"

    def __post_init__(self) -> None:
        if self.segmentation not in SEGMENTATIONS:
            allowed = ", ".join(SEGMENTATIONS)
            raise ValueError(f"segmentation must be one of {allowed}")

    def choose(self, document: Document) -> Floats:
        """1 for the runs of chosen segments."""
        segments = cut(document, self.segmentation)
        chosen = np.zeros(len(document.runs.kind))
        if len(segments):
            lengths = np.diff(segments.first_run, append=len(chosen))
            chosen[segments.first_run[0] :] = np.repeat(
                _RULES[self.name](segments), lengths
            )
        return chosen


@dataclass(frozen=True)
class NumWords(_Rules):
    """Algorithm 2: rules on numbers of words and link densities."""

    name: ClassVar[str] = "boilerpipe-numwords"


@dataclass(frozen=True)
class Density(_Rules):
    """Algorithm 1: rules on text densities and link densities."""

    name: ClassVar[str] = "boilerpipe-density"


_RULES = {NumWords.name: num_words_rules, Density.name: density_rules}
