"""FeatureExtractor and K-FeatureExtractor: blocks whose strongest feature is text.

S. Debnath, P. Mitra, N. Pal, C. L. Giles: "Automatic Identification of Informative
Sections of Web Pages", IEEE TKDE 17 (9), 2005, pages 1233-1246.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from scrapy_mainpage.extraction.algorithms.algorithm import check_whole
from scrapy_mainpage.extraction.algorithms.segmentation.line_breaks import last_of_chain
from scrapy_mainpage.extraction.document.tags import CODES, codes

from .baseline import Baseline, k_means, linked_runs, text_lengths

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document

    from .baseline import Floats, Ints, Mask

BLOCK_TAGS: Final = "table tr td th hr ul ol p div span"
"""The tags that cut a page into blocks (the choice is ours)."""

TAG_FEATURES: Final = {
    "image": "img picture svg map",
    "list": "li dt dd",
    "table": "td th",
    "form": "form input button select textarea",
    "object": "object applet embed video audio iframe canvas",
}
FEATURES: Final = ("text", "link", *TAG_FEATURES)


@dataclass(frozen=True)
class FeatureExtractor(Baseline):
    """FE: the one block in which the text outweighs all other features the most.

    A block is what has the same nearest element of :data:`BLOCK_TAGS`. The value of a
    feature is its share of the feature in the whole page; its probability in a block is
    its value by the sum of all values there.

    Chosen here: text as characters outside of links, links as characters in links, the
    other features as elements; a block wins if the probability of text is over one
    half; of equal winners the one with the most text is taken.
    """

    name: ClassVar[str] = "fe"

    def choose(self, document: Document) -> Floats:
        """1 for the texts of the chosen blocks."""
        owner = block_of(document)
        values = feature_values(document, owner)
        probability = values / np.maximum(values.sum(axis=1, keepdims=True), 1e-12)
        winners = np.flatnonzero(probability[:, 0] > 0.5)
        chosen = np.zeros(len(values), bool)
        if len(winners):
            chosen[self.winners(winners, probability, values)] = True
        return chosen[owner[document.runs.element]].astype(np.float64)

    def winners(self, winners: Ints, probability: Floats, values: Floats) -> Ints:
        """The blocks to take of the *winners*."""
        order = np.lexsort((-values[winners, 0], -probability[winners, 0]))
        return winners[order[:1]]


@dataclass(frozen=True)
class KFeatureExtractor(FeatureExtractor):
    """K-FE: of the winners those in the cluster with the most text.

    ``k``: the clusters of k-means over the probabilities and values of text.

    Chosen here: two clusters, which begin at the winners with the least and the most
    text.
    """

    name: ClassVar[str] = "k-fe"

    k: int = 2

    def __post_init__(self) -> None:
        check_whole("k", self.k, 1)

    def winners(self, winners: Ints, probability: Floats, values: Floats) -> Ints:
        """The blocks to take of the *winners*."""
        text = values[winners, 0]
        points = np.stack([probability[winners, 0], text / text.max()], axis=1)
        return winners[top_cluster(points, self.k)]


def top_cluster(points: Floats, k: int) -> Mask:
    """Which *points* are in the cluster of k-means with the largest second value."""
    seeds = np.linspace(0, len(points) - 1, min(k, len(points))).astype(int)
    centres = points[np.argsort(points[:, 1], kind="stable")[seeds]]
    nearest, centres = k_means(points, centres)
    taken = np.unique(nearest)
    best = taken[np.argmax(centres[taken, 1])]
    return np.asarray(nearest == best)


def block_of(document: Document) -> Ints:
    """The block of each element: the nearest element of :data:`BLOCK_TAGS`, or 0."""
    elements = document.elements
    cuts = np.isin(elements.tag, np.array(sorted(codes(BLOCK_TAGS))))
    own = np.arange(document.n_elements)
    return last_of_chain(np.where(cuts, own, np.maximum(elements.parent, 0)))


def feature_values(document: Document, owner: Ints) -> Floats:
    """Per element, as a block, its share of each of :data:`FEATURES` in the page."""
    n, tag = document.n_elements, document.elements.tag
    chars = np.where(document.runs.block >= 0, text_lengths(document), 0)
    blocks, linked = owner[document.runs.element], linked_runs(document)
    counts: list[npt.NDArray[Any]] = [
        np.bincount(blocks, np.where(linked, 0, chars), n),
        np.bincount(blocks, np.where(linked, chars, 0), n),
    ]
    for names in TAG_FEATURES.values():
        own = np.isin(tag, np.array([CODES[name] for name in names.split()]))
        counts.append(np.bincount(owner[own], minlength=n))
    values = np.stack(counts, axis=1)
    return np.asarray(values / np.maximum(values.sum(axis=0), 1), np.float64)
