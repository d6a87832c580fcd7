"""CETR: lines of the source with many characters per tag.

T. Weninger, W. H. Hsu, J. Han: "CETR: Content Extraction via Tag Ratios", WWW 2010,
pages 971-980.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from scrapy_mainpage.extraction.algorithms.algorithm import check_number, check_whole
from scrapy_mainpage.extraction.document.tags import BLOCK_TAGS, CODES, VOID_TAGS

from .baseline import Baseline, gaussian, k_means

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.document import Document

    from .baseline import Floats, Ints, Mask

METHODS: Final = ("2d", "km", "tm")
CLUSTERS: Final = 3

_BLOCKS: Final = np.array([CODES[tag] for tag in BLOCK_TAGS])
_VOID: Final = np.array([CODES[tag] for tag in VOID_TAGS])


@dataclass(frozen=True)
class ContentExtractionViaTagRatios(Baseline):
    """The lines in clusters that are not at the origin.

    ``method``: ``2d`` clusters smoothed tag ratios and their smoothed derivatives, with
    one cluster fixed at the origin (CETR); ``km`` the ratios alone (CETR-KM); ``tm``
    takes ratios from ``coefficient`` standard deviations on (CETR-TM). ``radius``: of
    the Gaussian that smooths; ``alpha``: the following lines whose mean a line is
    compared with for its derivative.

    Chosen here: a line ends at each block-level tag, since the line breaks of today's
    sources say nothing; the clusters of k-means begin at the origin, at half of the
    largest values, and at the largest values, so that equal pages give equal results.
    """

    name: ClassVar[str] = "cetr"

    method: str = "2d"
    radius: int = 1
    alpha: int = 3
    coefficient: float = 1.0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}")
        check_whole("radius", self.radius, 1)
        check_whole("alpha", self.alpha, 1)
        check_number("coefficient", self.coefficient, 0)

    def choose(self, document: Document) -> Floats:
        """1 for the texts of chosen lines."""
        lines = self.lines(tag_ratios(document))
        block = document.runs.block
        inside = np.flatnonzero(block >= 0)
        chosen = np.zeros(len(block))
        chosen[inside] = lines[document.blocks.line[block[inside]]]
        return chosen

    def lines(self, ratios: Floats) -> Mask:
        """The lines of main content by their tag *ratios*."""
        smooth = self.smooth(ratios)
        if self.method == "tm":
            least = self.coefficient * float(smooth.std())
            return np.asarray((smooth >= least) & (smooth > 0))
        points = smooth[:, None]
        if self.method == "2d":
            slopes = self.smooth(derivatives(smooth, self.alpha))
            points = np.stack([slopes, smooth], 1)
        return cluster(points, fixed=self.method == "2d") > 0

    def smooth(self, values: Floats) -> Floats:
        """The values after a convolution with a Gaussian; zeros outside of the page."""
        if not len(values):
            return values
        weights = gaussian(self.radius, self.radius)
        smoothed = np.convolve(values, weights)
        return smoothed[self.radius : self.radius + len(values)]


def tag_ratios(document: Document) -> Floats:
    """Per line the characters of text by the tags, by 1 without a tag."""
    tags = np.ones(len(document.lines.text))
    # The block-level tag that begins a line, and the inline tags in its text.
    tags[document.blocks.line] += _inline_tags(document)
    return document.lines.text / tags


def _inline_tags(document: Document) -> Ints:
    """Per block the start and end tags of inline elements in it."""
    elements, blocks, n = document.elements, document.blocks, len(document.runs.kind)
    inline = ~np.isin(elements.tag, _BLOCKS)
    closed = inline & ~np.isin(elements.tag, _VOID)
    starts = np.bincount(elements.first_run[inline], minlength=n + 1)
    ends = np.bincount(elements.end_run[closed], minlength=n + 1)
    starts, ends = (np.concatenate(([0], np.cumsum(x))) for x in (starts, ends))
    # A start tag stands before its first run, an end tag behind its last one.
    inside = starts[blocks.end_run] - starts[blocks.first_run]
    after = ends[blocks.end_run + 1] - ends[blocks.first_run + 1]
    return np.asarray(inside + after)


def derivatives(values: Floats, alpha: int) -> Floats:
    """How far the mean of the next *alpha* values is from each value."""
    padded = np.concatenate((values, np.zeros(alpha)))
    total = np.concatenate(([0], np.cumsum(padded)))
    place = np.arange(len(values)) + 1
    return np.abs((total[place + alpha] - total[place]) / alpha - values)


def cluster(points: Floats, *, fixed: bool) -> Ints:
    """K-means with three clusters; 0 is the one nearest to the origin.

    *fixed*: the centre of cluster 0 stays at the origin.
    """
    if not len(points):
        return np.zeros(0, np.int64)
    centres = points.max(axis=0) * np.linspace(0, 1, CLUSTERS)[:, None]
    return k_means(points, centres, int(fixed))[0]
