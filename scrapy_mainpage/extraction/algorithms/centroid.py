"""Centroid distance in R^4: the elements farthest from the average (Alarte and Silva).

J. Alarte, J. Silva: "Page-level main content extraction from heterogeneous webpages".
Section numbers are the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..document.document import nonblank_texts
from ..document.schema import Context, RunKind
from ..document.tags import CODES
from .algorithm import (
    Algorithm,
    check_number,
    check_switch,
    check_whole,
    words_within,
)
from .segmentation._zones import spread_words
from .segmentation.link_areas import body_of, links_within, lists_of_links, text_lengths
from .segmentation.zones import hidden_elements

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.layout import Layout
    from ..document.schema import Doubles, Longs
    from .algorithm import Mask, Scores


_UNRATED = "a nav hr span em body script header h1 h2 h3 h4 h5 br iframe".split()
_UNRATED_CODES = np.array([CODES[tag] for tag in _UNRATED])


@dataclass(frozen=True, eq=False)
class Space:
    """The rated elements as points: ``ratio`` has a row per element of ``element``.

    The columns are the standardised word, hyperlink, children and position ratios;
    ``distance`` is the Euclidean distance to the centroid.
    """

    element: Longs
    ratio: Doubles
    distance: Doubles


@dataclass(frozen=True, eq=False)
class Choice:
    """The candidates (farthest first) and the elements of the main content.

    ``groups`` are elements inside of it that are left out, as groups of links.
    """

    space: Space
    candidates: tuple[int, ...]
    main: tuple[int, ...]
    groups: tuple[int, ...] = ()


@dataclass(frozen=True)
class Centroid(Algorithm):
    """The best of the ``c`` elements that are farthest from the centroid.

    ``tr`` and ``hr``: an element whose text is more than ``tr`` times its text outside
    of links, and that has more than ``hr`` links, is a group of links (section 3.5).
    ``post_process``: groups of links are removed; with ``inner_groups`` also those
    inside of the chosen elements. ``farthest``: words more edges below an element do
    not count for it.
    """

    name: ClassVar[str] = "centroid"

    c: int = 3
    tr: float = 1.5
    hr: int = 7
    post_process: bool = True
    inner_groups: bool = False
    farthest: int = 256

    def __post_init__(self) -> None:
        check_whole("c", self.c, 1)
        check_number("tr", self.tr, 0)
        check_whole("hr", self.hr, 0)
        check_whole("farthest", self.farthest, 1)
        for name in ("post_process", "inner_groups"):
            check_switch(name, getattr(self, name))

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """The share of a block's words in the main content's elements."""
        runs, choice = document.runs, self.choose(document, layout)
        inside = _runs_within(document, choice.main)
        inside &= ~_runs_within(document, choice.groups)
        inside &= (runs.kind == RunKind.TEXT) & ~_hidden(document, layout)[runs.element]
        return words_within(document, inside)

    def choose(self, document: Document, layout: Layout | None = None) -> Choice:
        """The points in R^4, the candidates among them, and the main content."""
        hidden = _hidden(document, layout)
        space = rate(document, self.farthest, hidden)
        if is_shallow(document):
            return Choice(space, (), (body_of(document),))
        farthest = np.argsort(-space.distance, kind="stable")[: self.c]
        shown = ~hidden[document.runs.element]
        texts = shown & nonblank_texts(document)
        candidates = _reduce(document, space.element[farthest], texts)
        text, unlinked = text_lengths(document, shown)
        main = _best(document, candidates, text)
        candidates_ = tuple(candidates.tolist())
        if not self.post_process:
            return Choice(space, candidates_, tuple(main))
        # Section 3.5: without groups of links.
        group = (text > self.tr * unlinked) & (links_within(document) > self.hr)
        group |= lists_of_links(document)
        kept = tuple(element for element in main if not group[element])
        inner: tuple[int, ...] = ()
        if self.inner_groups:
            inside = _elements_within(document, kept)
            inner = tuple(np.flatnonzero(group & inside).tolist())
        return Choice(space, candidates_, kept, inner)


def rate(document: Document, farthest: int, hidden: Mask | None = None) -> Space:
    """Sections 3.1 to 3.3: the ratios, standardised, and the distance to the centroid.

    A ratio without a deviation is 0 for all. *hidden* elements are not rated.
    """
    element = rated_elements(document)
    if hidden is not None:
        element = element[~hidden[element]]
    ratios = np.stack(
        [
            _word_ratio(document, farthest)[element],
            _hyperlink_ratio(document)[element],
            _children_ratio(document)[element],
            _position_ratio(document)[element],
        ],
        axis=1,
    )
    if not len(element):
        return Space(element, ratios, np.zeros(0))
    # The mean of equal numbers may be rounded, their range is exactly 0.
    varies = np.ptp(ratios, axis=0) > 0
    deviation = np.where(varies, ratios.std(axis=0), 1)
    standard = np.where(varies, (ratios - ratios.mean(axis=0)) / deviation, 0.0)
    centroid = standard.mean(axis=0)
    distance = np.sqrt(((standard - centroid) ** 2).sum(axis=1))
    return Space(element, standard, distance)


def is_shallow(document: Document) -> bool:
    """Whether the page is less deep than wide below its body (section 3.1).

    Depth is the largest number of rated elements on a path, width the number of rated
    children of the body.
    """
    elements, n = document.elements, document.n_elements + 1
    rated = rated_elements(document)
    if not len(rated):
        return False
    depth = np.bincount(rated, minlength=n)
    depth = depth - np.bincount(elements.end[rated], minlength=n)
    children = (elements.parent[rated] == body_of(document)).sum()
    return bool(np.cumsum(depth).max() < children)


def rated_elements(document: Document) -> Longs:
    """Section 3.1: the elements of the body that may hold the main content.

    Leaves are left out; a ``style`` is not a leaf, though its text is not read.
    """
    elements = document.elements
    body, own = body_of(document), np.arange(document.n_elements)
    texts = np.concatenate(([0], np.cumsum(document.runs.kind == RunKind.TEXT)))
    holds = (elements.end > own + 1) | (elements.tag == CODES["style"])
    holds |= texts[elements.end_run] > texts[elements.first_run]
    rated = holds & ~np.isin(elements.tag, _UNRATED_CODES)
    return np.flatnonzero(rated & (own > body) & (own < elements.end[body]))


def _word_ratio(document: Document, farthest: int) -> Doubles:
    """The words outside of links, each divided by its distance."""
    runs, elements = document.runs, document.elements
    in_link = elements.link[runs.element] >= 0
    in_link |= elements.tag[runs.element] == CODES["a"]
    counted = (runs.words > 0) & ~in_link
    return spread_words(
        elements.parent, runs.element[counted], runs.words[counted], farthest
    )


def _hyperlink_ratio(document: Document) -> Doubles:
    links = links_within(document)
    return np.where(links > 0, 1 / np.maximum(links, 1), 1.0)


def _children_ratio(document: Document) -> Doubles:
    """1 for more than two child nodes; texts count as nodes, blank ones do not."""
    elements, runs = document.elements, document.runs
    n = document.n_elements
    children = np.bincount(elements.parent[elements.parent >= 0], minlength=n)
    texts = runs.element[nonblank_texts(document)]
    children = children + np.bincount(texts, minlength=n)
    return (children > 2).astype(np.float64)


def _position_ratio(document: Document) -> Doubles:
    """1 in the upper half of the tree below the body, whose leaves are texts."""
    elements = document.elements
    body = body_of(document)
    depth = (elements.depth - elements.depth[body]).astype(np.float64)
    owners = document.runs.element[nonblank_texts(document)]
    inside = np.concatenate((depth[body : elements.end[body]], depth[owners] + 1))
    deepest = inside.max(initial=0)
    lower = deepest / np.maximum(depth, 1) - 1
    return np.where(depth <= deepest / 2, 1.0, lower)


def _reduce(document: Document, candidates: Longs, texts: Mask) -> Longs:
    """Algorithm 3: drop candidates with the same text as a candidate around them."""
    elements = document.elements
    total = np.concatenate(([0], np.cumsum(texts)))
    amount = total[elements.end_run] - total[elements.first_run]
    kept: list[int] = []
    open_: list[int] = []
    for element in sorted(candidates.tolist()):
        while open_ and elements.end[open_[-1]] <= element:
            open_.pop()
        # The inner texts are a subset: equal counts mean equal texts.
        if not open_ or amount[open_[-1]] != amount[element]:
            kept.append(element)
        open_.append(element)
    return candidates[np.isin(candidates, kept)]


def _best(document: Document, candidates: Longs, text: Longs) -> list[int]:
    """Algorithm 4: the candidates with the most text per tag, and their siblings."""
    elements = document.elements
    ratio = text[candidates] / (elements.end[candidates] - candidates)
    best = ratio.max(initial=0)
    if best == 0:
        return []
    winners = candidates[ratio == best]
    parents = elements.parent[winners]
    chosen: list[int] = candidates[
        np.isin(candidates, winners) | np.isin(elements.parent[candidates], parents)
    ].tolist()
    return sorted(chosen)


def _elements_within(document: Document, around: tuple[int, ...]) -> Mask:
    """The elements below those *around*."""
    inside = np.zeros(document.n_elements, bool)
    for element in around:
        inside[element + 1 : document.elements.end[element]] = True
    return inside


def _runs_within(document: Document, around: tuple[int, ...]) -> Mask:
    """The runs of the elements *around*, in time linear in the page."""
    elements, n = document.elements, len(document.runs.kind) + 1
    at = np.array(around, np.int64)
    depth = np.bincount(elements.first_run[at], minlength=n)
    depth = depth - np.bincount(elements.end_run[at], minlength=n)
    mask: Mask = np.cumsum(depth)[:-1] > 0
    return mask


def _hidden(document: Document, layout: Layout | None) -> Mask:
    """The elements that are hidden on the screen, or by inline styles."""
    if layout is not None:
        return hidden_elements(document, layout)
    hidden: Mask = (document.elements.flags & Context.HIDDEN) != 0
    return hidden
