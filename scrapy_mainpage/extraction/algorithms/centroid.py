"""Centroid distance in R^4: the elements farthest from the average (Alarte and Silva).

J. Alarte, J. Silva: "Page-level main content extraction from heterogeneous webpages".
Section numbers are the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..document.document import Context, RunKind
from ..document.tags import CODES
from .algorithm import Algorithm, check_number, check_whole, words_within
from .segmentation._zones import spread_words
from .segmentation.line_breaks import bytes_in_texts, nonblank_texts
from .segmentation.link_areas import body_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document
    from ..document.layout import Layout
    from .algorithm import Scores

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

_UNRATED = "a nav hr span em body script header h1 h2 h3 h4 h5 br iframe".split()
_UNRATED_CODES = np.array([CODES[tag] for tag in _UNRATED])


@dataclass(frozen=True, eq=False)
class Space:
    """The rated elements as points: ``ratio`` has a row per element of ``element``.

    The columns are the standardised word, hyperlink, children and position ratios;
    ``distance`` is the Euclidean distance to the centroid.
    """

    element: Ints
    ratio: Floats
    distance: Floats


@dataclass(frozen=True, eq=False)
class Choice:
    """The candidates (farthest first) and the elements of the main content."""

    space: Space
    candidates: tuple[int, ...]
    main: tuple[int, ...]


@dataclass(frozen=True)
class Centroid(Algorithm):
    """The best of the ``c`` elements that are farthest from the centroid.

    ``tr`` and ``hr``: an element whose text is more than ``tr`` times its text outside
    of links, and that has more than ``hr`` links, is a group of links (section 3.5).
    ``farthest``: words more edges below an element do not count for it.
    """

    name: ClassVar[str] = "centroid"

    c: int = 3
    tr: float = 1.5
    hr: int = 7
    farthest: int = 256

    def __post_init__(self) -> None:
        check_whole("c", self.c, 1)
        check_number("tr", self.tr, 0)
        check_whole("hr", self.hr, 0)
        check_whole("farthest", self.farthest, 1)

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """The share of a block's words in the main content's elements."""
        elements, runs = document.elements, document.runs
        inside = np.zeros(len(runs.kind), bool)
        for element in self.choose(document).main:
            inside[elements.first_run[element] : elements.end_run[element]] = True
        inside &= runs.kind == RunKind.TEXT
        inside &= (elements.flags[runs.element] & Context.HIDDEN) == 0
        return words_within(document, inside)

    def choose(self, document: Document) -> Choice:
        """The points in R^4, the candidates among them, and the main content."""
        space = rate(document, self.farthest)
        if is_shallow(document):
            return Choice(space, (), (body_of(document),))
        farthest = np.argsort(-space.distance, kind="stable")[: self.c]
        candidates = _reduce(document, space.element[farthest])
        text, unlinked = _text_lengths(document)
        links = _links_within(document)
        main = [
            element
            for element in _best(document, candidates, text)
            # Section 3.5: without groups of links.
            if not (
                text[element] > self.tr * unlinked[element] and links[element] > self.hr
            )
            and not _is_list_of_links(document, element)
        ]
        return Choice(space, tuple(candidates.tolist()), tuple(main))


def rate(document: Document, farthest: int) -> Space:
    """Sections 3.1 to 3.3: the ratios, standardised, and the distance to the centroid.

    A ratio without a deviation is 0 for all.
    """
    element = rated_elements(document)
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


def rated_elements(document: Document) -> Ints:
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


def _word_ratio(document: Document, farthest: int) -> Floats:
    """The words outside of links, each divided by its distance."""
    runs, elements = document.runs, document.elements
    in_link = elements.link[runs.element] >= 0
    in_link |= elements.tag[runs.element] == CODES["a"]
    counted = (runs.words > 0) & ~in_link
    return spread_words(
        elements.parent, runs.element[counted], runs.words[counted], farthest
    )


def _links_within(document: Document) -> Ints:
    """The number of links among each element and its descendants."""
    is_link = document.elements.link == np.arange(document.n_elements)
    total = np.concatenate(([0], np.cumsum(is_link)))
    return np.asarray(total[document.elements.end] - total[:-1])


def _hyperlink_ratio(document: Document) -> Floats:
    links = _links_within(document)
    return np.where(links > 0, 1 / np.maximum(links, 1), 1.0)


def _children_ratio(document: Document) -> Floats:
    """1 for more than two child nodes; texts count as nodes, blank ones do not."""
    elements, runs = document.elements, document.runs
    n = document.n_elements
    children = np.bincount(elements.parent[elements.parent >= 0], minlength=n)
    texts = runs.element[nonblank_texts(document)]
    children = children + np.bincount(texts, minlength=n)
    return (children > 2).astype(np.float64)


def _position_ratio(document: Document) -> Floats:
    """1 in the upper half of the tree below the body, whose leaves are texts."""
    elements = document.elements
    body = body_of(document)
    depth = (elements.depth - elements.depth[body]).astype(np.float64)
    owners = document.runs.element[nonblank_texts(document)]
    inside = np.concatenate((depth[body : elements.end[body]], depth[owners] + 1))
    deepest = inside.max(initial=0)
    lower = deepest / np.maximum(depth, 1) - 1
    return np.where(depth <= deepest / 2, 1.0, lower)


def _reduce(document: Document, candidates: Ints) -> Ints:
    """Algorithm 3: drop candidates with the same text as a candidate around them."""
    elements = document.elements
    total = np.concatenate(([0], np.cumsum(nonblank_texts(document))))
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


def _best(document: Document, candidates: Ints, text: Ints) -> list[int]:
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


def _text_lengths(document: Document) -> tuple[Ints, Ints]:
    """The characters of each element's text, and of its text outside of links."""
    elements, runs = document.elements, document.runs
    text = np.frombuffer(document.text or b" ", np.uint8)
    length = bytes_in_texts(document, (text & 0xC0) != 0x80)
    unlinked = np.where(elements.link[runs.element] >= 0, 0, length)
    lengths = []
    for values in (length, unlinked):
        total = np.concatenate(([0], np.cumsum(values)))
        lengths.append(total[elements.end_run] - total[elements.first_run])
    return lengths[0], lengths[1]


def _is_list_of_links(document: Document, element: int) -> bool:
    """Whether all children have one tag and one link each, without images."""
    elements = document.elements
    inside = slice(element + 1, elements.end[element])
    below = np.arange(element + 1, elements.end[element])
    children = below[elements.parent[inside] == element]
    if not len(children) or len(np.unique(elements.tag[children])) > 1:
        return False
    grandchildren = below[np.isin(elements.parent[inside], children)]
    return bool(
        np.array_equal(elements.parent[grandchildren], children)
        and (elements.tag[grandchildren] == CODES["a"]).all()
        and not (elements.tag[inside] == CODES["img"]).any()
    )
