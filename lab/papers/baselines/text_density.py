"""CETD: elements with many characters per tag.

F. Sun, D. Song, L. Liao: "DOM Based Content Extraction via Text Density", SIGIR 2011,
pages 245-254.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from scrapy_mainpage.extraction.algorithms.segmentation.line_breaks import (
    count_around,
    sums_of_elements,
    sums_of_runs,
)
from scrapy_mainpage.extraction.algorithms.segmentation.link_areas import body_of
from scrapy_mainpage.extraction.document.document import nonblank_texts
from scrapy_mainpage.extraction.document.schema import RunKind
from scrapy_mainpage.extraction.document.tags import codes

from .baseline import Baseline, gaussian, linked_runs, runs_below, text_lengths

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.document import Document

    from .baseline import Floats, Ints, Mask

VARIANTS: Final = ("CETD-DS", "CECTD-S", "CECTD-DS")

_LINKS: Final = np.array(sorted(codes("a button select")))


@dataclass(frozen=True)
class ContentExtractionViaTextDensity(Baseline):
    """Elements that are at least as dense as the way down to the main content.

    ``variant``: ``CETD-DS`` has text density and DensitySum, ``CECTD-DS`` composite
    text density and DensitySum, ``CECTD-S`` composite text density, smoothed.

    Chosen here: texts are children of their elements, with one tag; for ``CECTD-S``
    the densities of the elements with text of their own, in document order, are
    smoothed by a Gaussian of radius 1, as in CETR.
    """

    name: ClassVar[str] = "cetd"

    variant: str = "CECTD-DS"

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise ValueError(f"variant must be one of {', '.join(VARIANTS)}")

    def choose(self, document: Document) -> Floats:
        """1 for the texts in chosen elements."""
        sizes = measure(document)
        composite = self.variant != "CETD-DS"
        density = composite_density(sizes, document) if composite else density_of(sizes)
        sums = density_sums(document, sizes, density, composite=composite)
        body = body_of(document)
        best = body + int(np.argmax(sums[body : document.elements.end[body]]))
        threshold = _least_on_the_way(document, density, best)
        if self.variant == "CECTD-S":
            return _smoothed(document, density, threshold)
        dense = _dense_from(document, body, density >= threshold)
        roots = np.zeros(document.n_elements, bool)
        roots[_best_below(document, sums)[dense]] = True
        return runs_below(document, roots).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Sizes:
    """Per element the characters and tags in it, and those of links."""

    chars: Ints
    tags: Ints
    link_chars: Ints
    link_tags: Ints


def measure(document: Document) -> Sizes:
    """C, T, LC and LT."""
    elements = document.elements
    chars = text_lengths(document)
    own = np.arange(document.n_elements)
    is_link = np.isin(elements.tag, _LINKS) | (elements.link >= 0)
    return Sizes(
        chars=sums_of_runs(document, chars),
        tags=elements.end - own - 1,
        link_chars=sums_of_runs(document, np.where(linked_runs(document), chars, 0)),
        link_tags=sums_of_elements(document, is_link) - is_link,
    )


def density_of(sizes: Sizes) -> Floats:
    """Text density: characters per tag."""
    return sizes.chars / np.maximum(sizes.tags, 1)


def composite_density(sizes: Sizes, document: Document) -> Floats:
    """Composite text density; counts of 0 are taken for 1."""
    return _composite(
        (sizes.chars, sizes.tags, sizes.link_chars, sizes.link_tags),
        _page_share(sizes, document),
    )


def _composite(counts: tuple[Ints, Ints, Ints, Ints], share: float) -> Floats:
    outside = np.maximum(counts[0] - counts[2], 1)
    c, t, lc, lt = (np.maximum(count, 1).astype(np.float64) for count in counts)
    base = np.log(c / outside * lc + share * c + np.e)
    density: Floats = c / t * np.log(c / lc * t / lt) / np.log(base)
    return np.where(counts[0] > 0, density, 0.0)


def _page_share(sizes: Sizes, document: Document) -> float:
    """LC/C of the body."""
    body = body_of(document)
    return float(sizes.link_chars[body] / max(sizes.chars[body], 1))


def density_sums(
    document: Document, sizes: Sizes, density: Floats, *, composite: bool
) -> Floats:
    """DensitySum: the sum of the densities of an element's children."""
    elements, runs, n = document.elements, document.runs, document.n_elements
    child = np.flatnonzero(elements.parent >= 0)
    sums = np.bincount(elements.parent[child], density[child], n)
    texts = np.flatnonzero(nonblank_texts(document))
    chars = text_lengths(document)[texts]
    own = chars.astype(np.float64)
    if composite:
        linked = np.where(linked_runs(document)[texts], chars, 0)
        counts = (chars, np.ones_like(chars), linked, np.ones_like(chars))
        own = _composite(counts, _page_share(sizes, document))
    return np.asarray(sums + np.bincount(runs.element[texts], own, n), np.float64)


def _least_on_the_way(document: Document, density: Floats, element: int) -> float:
    """The threshold: the least density from the body to *element*."""
    body, least = body_of(document), float(density[element])
    while element > body:
        element = int(document.elements.parent[element])
        least = min(least, float(density[element]))
    return least


def _dense_from(document: Document, body: int, dense: Mask) -> Mask:
    """The elements of the body that are dense, as all elements around them are."""
    own = np.arange(document.n_elements)
    inside = (own >= body) & (own < document.elements.end[body])
    mask: Mask = (count_around(document, ~dense & inside) == 0) & inside
    return mask


def _best_below(document: Document, sums: Floats) -> Ints:
    """Per element the one with the largest DensitySum among it and its descendants."""
    parent, values = document.elements.parent.tolist(), sums.tolist()
    best = list(range(document.n_elements))
    for element in range(document.n_elements - 1, 0, -1):
        around, found = parent[element], best[element]
        if values[found] >= values[best[around]] and (
            values[found] > values[best[around]] or best[around] != around
        ):
            best[around] = found
    return np.array(best, np.int64)


def _smoothed(document: Document, density: Floats, threshold: float) -> Floats:
    """CECTD-S: the texts whose elements' densities, smoothed, reach the threshold."""
    runs = document.runs
    texts = np.flatnonzero((runs.kind == RunKind.TEXT) & (runs.block >= 0))
    owners = np.unique(runs.element[texts])
    if not len(owners):
        return np.zeros(len(runs.kind))
    smooth = np.zeros(document.n_elements)
    smooth[owners] = np.convolve(density[owners], gaussian(1, 1))[1:-1]
    chosen = np.zeros(len(runs.kind))
    chosen[texts] = smooth[runs.element[texts]] >= threshold
    return chosen
