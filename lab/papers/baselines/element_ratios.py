"""Ratios of elements: the link quota filter, Crunch, and words to leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from scrapy_mainpage.extraction.algorithms.algorithm import check_number, check_whole
from scrapy_mainpage.extraction.algorithms.segmentation.line_breaks import (
    sums_of_elements,
    sums_of_runs,
)
from scrapy_mainpage.extraction.algorithms.segmentation.link_areas import links_within
from scrapy_mainpage.extraction.document.document import nonblank_texts
from scrapy_mainpage.extraction.document.tags import codes

from .baseline import Baseline, linked_runs, runs_below, text_lengths

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.document import Document

    from .baseline import Floats, Ints, Mask

_FORMS = "form input button select textarea"


@dataclass(frozen=True)
class WordsLeavesRatio(Baseline):
    """The block-level element around the elements with the highest ratio.

    D. Insa, J. Silva, S. Tamarit: "Using the Words/LeafsRatio in the DOM Tree for
    Content Extraction", Journal of Logic and Algebraic Programming 82 (8), 2013, pages
    311-325. The ratio of an element is its words by its leaves, texts and empty
    elements alike; then the containers of the best elements are looked for, from the
    bottom up, and the container with the most text is the main content, as in the
    authors' earlier "Using the DOM Tree for Content Extraction" (2011).

    Chosen here, without the weights of 2013 for the choice among containers: words in
    links do not count; a container is the block-level element around one of the
    ``best`` elements with the highest ratios.
    """

    name: ClassVar[str] = "wlr"

    best: int = 10

    def __post_init__(self) -> None:
        check_whole("best", self.best, 1)

    def choose(self, document: Document) -> Floats:
        """1 for the texts of the container."""
        words = np.where(linked_runs(document), 0, document.runs.words)
        inside = sums_of_runs(document, words)
        ratio = inside / np.maximum(leaves(document), 1)
        # Wrappers have the ratio of the one element in them: those with text are asked.
        owners = np.unique(document.runs.element[words > 0])
        owners = owners[document.elements.parent[owners] >= 0]
        found = owners[np.argsort(-ratio[owners], kind="stable")[: self.best]]
        chosen = np.zeros(document.n_elements, bool)
        if len(found):
            containers = self.containers(document, found)
            chosen[containers[np.argmax(_shared(containers, inside[found]))]] = True
        return runs_below(document, chosen).astype(np.float64)

    def containers(self, document: Document, found: Ints) -> Ints:
        """The block-level elements around the elements *found*."""
        elements = document.elements
        return np.asarray(elements.owner[elements.parent[found]])


def _shared(containers: Ints, words: Ints) -> Floats:
    """Per container the words of all the elements that it is the container of."""
    _, group = np.unique(containers, return_inverse=True)
    return np.asarray(np.bincount(group, words)[group], np.float64)


def leaves(document: Document) -> Ints:
    """The leaves below each element: texts that are not blank, and empty elements."""
    elements, own = document.elements, np.arange(document.n_elements)
    texts = sums_of_runs(document, nonblank_texts(document))
    empty = (elements.end == own + 1) & (texts == 0)
    return np.asarray(texts + sums_of_elements(document, empty))


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
        chars = text_lengths(document)
        linked = sums_of_runs(document, np.where(linked_runs(document), chars, 0))
        over = linked > self.quota * sums_of_runs(document, chars)
        removed = over & _is_part(document)
        return np.where(runs_below(document, removed), 0.0, 1.0)


@dataclass(frozen=True)
class Crunch(Baseline):
    """Crunch: all text but that of forms and of lists of links.

    S. Gupta, G. Kaiser, D. Neistadt, P. Grimm: "DOM-based Content Extraction of HTML
    Documents", WWW 2003. A cell of a table is a list of links if it has more than
    ``ratio`` links per word outside of them (the link/text removal ratio). Of its
    other filters those of advertisements and empty tables remove no text.

    Chosen here: the ratio, and every block-level element but ``html`` and ``body`` in
    place of a cell, since pages are no longer laid out by tables.
    """

    name: ClassVar[str] = "crunch"

    ratio: float = 0.25

    def __post_init__(self) -> None:
        check_number("ratio", self.ratio, 0)

    def choose(self, document: Document) -> Floats:
        """1 for the texts outside of removed elements."""
        tag, runs = document.elements.tag, document.runs
        words = sums_of_runs(document, np.where(linked_runs(document), 0, runs.words))
        lists = links_within(document) > self.ratio * words
        forms = np.isin(tag, np.array(sorted(codes(_FORMS))))
        removed = (lists & _is_part(document)) | forms
        return np.where(runs_below(document, removed), 0.0, 1.0)


def _is_part(document: Document) -> Mask:
    """The block-level elements but ``html`` and ``body``."""
    own = document.elements.owner == np.arange(document.n_elements)
    whole = np.isin(document.elements.tag, np.array(sorted(codes("html body"))))
    part: Mask = own & ~whole
    return part
