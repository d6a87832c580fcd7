"""Centroid distance in R^4: the elements farthest from the average (Alarte and Silva).

J. Alarte, J. Silva: "Page-level main content extraction from heterogeneous webpages".
Section numbers are the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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
from .segmentation.line_breaks import count_around, elements_with, sums_of_runs
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
    """The best of the c-SET, the ``c`` elements that are farthest from the centroid.

    ``tr`` and ``hr``: an element whose text is more than ``tr`` times its text outside
    of links, and that has more than ``hr`` links, is a group of links (section 3.5).
    ``post_process``: groups of links are removed; with ``inner_groups`` also those
    inside of the chosen elements.
    """

    name: ClassVar[str] = "centroid"

    c: int = 3
    tr: float = 1.5
    hr: int = 7
    post_process: bool = True
    inner_groups: bool = False

    def __post_init__(self) -> None:
        check_whole("c", self.c, 1)
        check_number("tr", self.tr, 0)
        check_whole("hr", self.hr, 0)
        for name in ("post_process", "inner_groups"):
            check_switch(name, getattr(self, name))

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """The share of a block's words in the main content's elements."""
        runs, choice = document.runs, self.choose(document, layout)
        taken = _within(document, choice.main) & ~_within(document, choice.groups)
        taken &= ~_hidden(document, layout)
        texts = runs.kind == RunKind.TEXT
        return words_within(document, texts & taken[runs.element])

    def choose(self, document: Document, layout: Layout | None = None) -> Choice:
        """The points in R^4, the candidates among them, and the main content."""
        hidden = _hidden(document, layout)
        space = rate(document, hidden)
        if is_shallow(document):
            return Choice(space, (), (body_of(document),))
        farthest = np.argsort(-space.distance, kind="stable")[: self.c]
        shown = ~hidden[document.runs.element]
        texts = shown & nonblank_texts(document)
        candidates = _reduce(document, space.element[farthest], texts)
        text, unlinked = text_lengths(document, shown)
        main = _best(document, candidates, text)
        choice = Choice(space, tuple(candidates.tolist()), tuple(main))
        if not self.post_process:
            return choice
        # Section 3.5, Algorithm 5: without groups of links (textRatio, links).
        group = (text > self.tr * unlinked) & (links_within(document) > self.hr)
        group |= lists_of_links(document)
        kept = tuple(element for element in main if not group[element])
        inner = group & _within(document, kept) & self.inner_groups
        return replace(choice, main=kept, groups=tuple(np.flatnonzero(inner).tolist()))


def rate(document: Document, hidden: Mask | None = None) -> Space:
    """Sections 3.1 to 3.3: the ratios, standardised, and the distance to the centroid.

    Formulas 1 and 2, Algorithms 1 and 2. A ratio without a deviation is 0 for all.
    *hidden* elements are not rated.
    """
    element = rated_elements(document)
    if hidden is not None:
        element = element[~hidden[element]]
    ratios = np.stack(
        [
            _word_ratio(document)[element],
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
    """Whether the page is less deep than wide below its body (3.1, criterion 3).

    Depth is the largest number of rated elements on a path, width the number of rated
    children of the body.
    """
    rated = np.zeros(document.n_elements, bool)
    rated[rated_elements(document)] = True
    width = (rated & (document.elements.parent == body_of(document))).sum()
    return bool(count_around(document, rated).max(initial=0) < width)


def rated_elements(document: Document) -> Longs:
    """Section 3.1, criteria 1 and 2: the elements that may hold the main content.

    Leaves are left out; a ``style`` is not a leaf, though its text is not read.
    """
    elements = document.elements
    body, own = body_of(document), np.arange(document.n_elements)
    holds = (elements.end > own + 1) | (elements.tag == CODES["style"])
    holds |= elements_with(document, document.runs.kind == RunKind.TEXT)
    rated = holds & ~np.isin(elements.tag, _UNRATED_CODES)
    return np.flatnonzero(rated & (own > body) & (own < elements.end[body]))


def _word_ratio(document: Document) -> Doubles:
    """wordRatio (definition 3.1): words outside of links, divided by their distance."""
    runs, elements = document.runs, document.elements
    in_link = elements.link[runs.element] >= 0
    in_link |= elements.tag[runs.element] == CODES["a"]
    counted = (runs.words > 0) & ~in_link
    return spread_words(elements.parent, runs.element[counted], runs.words[counted])


def _hyperlink_ratio(document: Document) -> Doubles:
    """hyperlinkRatio: 1 by the number of links, 1 without any."""
    links = links_within(document)
    return np.where(links > 0, 1 / np.maximum(links, 1), 1.0)


def _children_ratio(document: Document) -> Doubles:
    """childrenRatio: 1 for more than two child nodes; blank texts are none."""
    elements, runs = document.elements, document.runs
    n = document.n_elements
    children = np.bincount(elements.parent[elements.parent >= 0], minlength=n)
    texts = runs.element[nonblank_texts(document)]
    children = children + np.bincount(texts, minlength=n)
    return (children > 2).astype(np.float64)


def _position_ratio(document: Document) -> Doubles:
    """positionRatio: 1 in the upper half of the tree below the body."""
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
    amount = sums_of_runs(document, texts)
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


def _within(document: Document, around: tuple[int, ...]) -> Mask:
    """The elements *around* and those inside of them."""
    chosen = np.zeros(document.n_elements, bool)
    chosen[list(around)] = True
    mask: Mask = count_around(document, chosen) > 0
    return mask


def _hidden(document: Document, layout: Layout | None) -> Mask:
    """The elements that are hidden on the screen, or by inline styles."""
    if layout is not None:
        return hidden_elements(document, layout)
    hidden: Mask = (document.elements.flags & Context.HIDDEN) != 0
    return hidden
