"""The interface of the baselines, and a page as a sequence of texts and tags.

A page is the sequence *tags, text, tags, text, ..., tags* of its source. As in all of
these systems, scripts, styles and comments are removed beforehand.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scrapy_mainpage.extraction.algorithms.algorithm import Algorithm
from scrapy_mainpage.extraction.algorithms.segmentation.line_breaks import count_around
from scrapy_mainpage.extraction.document.document import bytes_in_texts, nonblank_texts
from scrapy_mainpage.extraction.document.schema import Context
from scrapy_mainpage.extraction.document.tags import CODES, TAGS, VOID_TAGS, codes

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.algorithms.algorithm import Scores
    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout

    Ints = npt.NDArray[np.integer[Any]]
    Floats = npt.NDArray[np.float64]
    Mask = npt.NDArray[np.bool_]

MAX_ROUNDS = 100
_REMOVED = np.array(sorted(codes("script style")))
_VOID = np.array([CODES[tag] for tag in VOID_TAGS])


@dataclass(frozen=True)
class Baseline(Algorithm):
    """An algorithm that chooses texts; a block has the share of its words.

    Text hidden by an inline style or the ``hidden`` attribute is never main content, as
    for all algorithms of this package.
    """

    @abstractmethod
    def choose(self, document: Document) -> Floats:
        """Per run the share of its text that is main content, from 0 to 1."""

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """The share of a block's words (of its texts, without words) that is chosen."""
        runs = document.runs
        inside = np.flatnonzero(runs.block >= 0)
        weight = runs.words[inside] + (runs.end > runs.start)[inside] * 1e-3
        blocks, n = runs.block[inside], document.n_blocks
        part = np.bincount(blocks, weight * self.choose(document)[inside], n)
        total = np.bincount(blocks, weight, n)
        scores: Scores = (part / np.maximum(total, 1e-9)).astype(np.float32)
        scores[(document.blocks.flags & Context.HIDDEN) != 0] = 0
        return scores


@dataclass(frozen=True, eq=False)
class Source:
    """The texts of a page (runs that are not blank), and the tags between them.

    ``words`` and ``chars`` have a value per text. ``tags`` and ``code`` (characters)
    have one more: entry ``i`` is what lies before text ``i``, the last what follows.
    """

    texts: Ints
    words: Ints
    chars: Ints
    tags: Ints
    code: Ints

    def spread(self, document: Document, values: npt.NDArray[Any]) -> Floats:
        """The *values* of the texts as values of all runs, 0 for the others."""
        spread = np.zeros(len(document.runs.kind))
        spread[self.texts] = values
        return spread


def read_source(document: Document, *, without: frozenset[int] = frozenset()) -> Source:
    """The sequence of texts and tags, *without* the tags of these codes."""
    elements, runs = document.elements, document.runs
    texts = np.flatnonzero(nonblank_texts(document) & (runs.block >= 0))
    removed = np.concatenate((_REMOVED, np.array(sorted(without), np.int64)))
    tagged = ~np.isin(elements.tag, removed)
    closed = tagged & ~np.isin(elements.tag, _VOID)
    end = np.where(closed, _name_lengths(document) + 3, 0)
    start = np.where(tagged, elements.code - end, 0)
    places, n = (elements.first_run, elements.end_run), len(runs.kind) + 1

    def between(at_start: npt.NDArray[Any], at_end: npt.NDArray[Any]) -> Ints:
        here = np.bincount(places[0], at_start, n) + np.bincount(places[1], at_end, n)
        total = np.cumsum(here)[np.append(texts, n - 1)]
        return np.asarray(np.diff(total, prepend=0), np.int64)

    return Source(
        texts=texts,
        words=runs.words[texts].astype(np.int64),
        chars=text_lengths(document)[texts],
        tags=between(tagged, closed),
        code=between(start, end),
    )


def _name_lengths(document: Document) -> Ints:
    """The length of each element's tag name."""
    lengths = np.array([len(name) for name in (*TAGS, *document.extra_tags)])
    return np.asarray(lengths[document.elements.tag])


def text_lengths(document: Document) -> npt.NDArray[np.int64]:
    """The characters of each run of text, white space collapsed."""
    text = np.frombuffer(document.text or b" ", np.uint8)
    return bytes_in_texts(document, (text & 0xC0) != 0x80)


def linked_runs(document: Document) -> Mask:
    """The runs in links."""
    mask: Mask = document.elements.link[document.runs.element] >= 0
    return mask


def runs_below(document: Document, roots: Mask) -> Mask:
    """The runs inside of any of the elements *roots*."""
    mask: Mask = (count_around(document, roots) > 0)[document.runs.element]
    return mask


def gaussian(radius: int, sigma: float) -> Floats:
    """The weights of a Gaussian at whole places up to *radius*, with a sum of 1."""
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    return np.asarray(weights / weights.sum(), np.float64)


def k_means(points: Floats, centres: Floats, fixed: int = 0) -> tuple[Ints, Floats]:
    """The nearest centre of each point, and the centres; the first *fixed* stay."""
    nearest = np.full(len(points), -1)
    for _ in range(MAX_ROUNDS):
        distance = ((points[:, None, :] - centres) ** 2).sum(axis=2)
        found = distance.argmin(axis=1)
        if np.array_equal(found, nearest):
            break
        nearest = found
        for k in np.unique(nearest[nearest >= fixed]):
            centres[k] = points[nearest == k].mean(axis=0)
    return nearest, centres
