"""Centroid distance in R^4: the elements farthest from the average one (Alarte & Silva).

J. Alarte, J. Silva: "Page-level main content extraction from heterogeneous webpages".
Section numbers are the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .._ratios import spread_words
from ..document import Context, RunKind
from ..tags import CODES, TAGS
from .base import Algorithm, words_within

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document import Document
    from ..layout import Layout
    from .base import Mask, Scores

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

_UNRATED = np.array(
    [
        CODES[tag]
        for tag in "a nav hr span em body script header h1 h2 h3 h4 h5 br iframe".split()
    ]
)
# What stands above the body, or holds no page content at all.
_OUTSIDE = np.array([CODES[tag] for tag in ("html", "head", "title")])


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
    ``farthest``: words farther below an element do not count for it.
    """

    name: ClassVar[str] = "centroid"

    c: int = 3
    tr: float = 1.5
    hr: int = 7
    farthest: int = 256

    def __post_init__(self) -> None:
        if self.c < 1 or self.farthest < 1:
            raise ValueError("c and farthest must be at least 1")

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """The share of a block's words that stand in the main content's elements."""
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
            body = document.elements_with_tag("body")
            children = np.flatnonzero(np.isin(document.elements.parent, body[:1]))
            return Choice(space, (), tuple(children.tolist()))
        farthest = np.argsort(-space.distance, kind="stable")[: self.c]
        candidates = _reduce(document, space.element[farthest])
        main = _best(document, candidates)
        kept = [e for e in main if not self._is_link_group(document, e)]
        return Choice(space, tuple(candidates.tolist()), tuple(kept))

    def _is_link_group(self, document: Document, element: int) -> bool:
        """Section 3.5: mostly links, or nothing but children that hold one link each."""
        text, unlinked = _text_lengths(document, element)
        links = _links_within(document)[element]
        mostly = text > self.tr * unlinked and links > self.hr
        return bool(mostly or _is_list_of_links(document, element))


def rate(document: Document, farthest: int) -> Space:
    """Sections 3.1 to 3.3: the ratios, standardised, and the distance to the centroid.

    The standardised ratios' mean is 0, so that is where the centroid lies.
    """
    element = _rated(document)
    ratios = np.stack(
        [
            _word_ratio(document, farthest)[element],
            _hyperlink_ratio(document)[element],
            _children_ratio(document)[element],
            _position_ratio(document)[element],
        ],
        axis=1,
    )
    deviation = ratios.std(axis=0) if len(element) else np.zeros(4)
    mean = ratios.mean(axis=0) if len(element) else np.zeros(4)
    scale = np.where(deviation > 0, deviation, 1)
    standard = np.where(deviation > 0, (ratios - mean) / scale, 0.0)
    centroid = standard.mean(axis=0) if len(element) else np.zeros(4)
    distance = np.sqrt(((standard - centroid) ** 2).sum(axis=1))
    return Space(element, standard, distance)


def is_shallow(document: Document) -> bool:
    """Whether the page is less deep than wide, counted below the body (section 3.1)."""
    body = document.elements_with_tag("body")
    if not len(body):
        return False
    elements = document.elements
    inside = _rated(document)
    inside = inside[(inside > body[0]) & (inside < elements.end[body[0]])]
    if not len(inside):
        return False
    depth = int(elements.depth[inside].max() - elements.depth[body[0]])
    return depth < int((elements.parent[inside] == body[0]).sum())


def _rated(document: Document) -> Ints:
    """The elements that are no leaves and that may hold the main content."""
    elements = document.elements
    tag = np.minimum(elements.tag, len(TAGS))
    holds = (elements.end > np.arange(document.n_elements) + 1) | (
        elements.end_run > elements.first_run
    )
    return np.flatnonzero(holds & ~np.isin(tag, _UNRATED) & ~np.isin(tag, _OUTSIDE))


def _word_ratio(document: Document, farthest: int) -> Floats:
    runs, elements = document.runs, document.elements
    counted = (runs.words > 0) & (elements.tag[runs.element] != CODES["a"])
    return spread_words(
        elements.parent, runs.element[counted], runs.words[counted], farthest
    )


def _links_within(document: Document) -> Ints:
    """How many links each element and its descendants are."""
    is_link = document.elements.link == np.arange(document.n_elements)
    total = np.concatenate(([0], np.cumsum(is_link)))
    return np.asarray(total[document.elements.end] - total[:-1])


def _hyperlink_ratio(document: Document) -> Floats:
    links = _links_within(document)
    return np.where(links > 0, 1 / np.maximum(links, 1), 1.0)


def _children_ratio(document: Document) -> Floats:
    """1 for more than two child nodes; texts count as nodes."""
    elements, runs = document.elements, document.runs
    n = document.n_elements
    children = np.bincount(elements.parent[elements.parent >= 0], minlength=n)
    texts = (runs.kind == RunKind.TEXT) & (runs.end > runs.start)
    children = children + np.bincount(runs.element[texts], minlength=n)
    return (children > 2).astype(np.float64)


def _position_ratio(document: Document) -> Floats:
    depth = document.elements.depth.astype(np.float64)
    deepest = depth.max(initial=0)
    lower = deepest / np.maximum(depth, 1) - 1
    return np.where(depth <= deepest / 2, 1.0, lower)


def _reduce(document: Document, candidates: Ints) -> Ints:
    """Algorithm 3: without candidates that hold the same text as one around them."""
    elements = document.elements
    texts = document.runs.words + (document.runs.kind == RunKind.TEXT)
    total = np.concatenate(([0], np.cumsum(texts)))
    amount = total[elements.end_run] - total[elements.first_run]
    outer, inner = candidates[:, None], candidates[None, :]
    around = (outer < inner) & (inner < elements.end[outer])
    same = around & (amount[outer] == amount[inner])
    return candidates[~same.any(axis=0)]


def _best(document: Document, candidates: Ints) -> list[int]:
    """Algorithm 4: the most text per tag; all on ties; with siblings in the set."""
    if not len(candidates):
        return []
    elements = document.elements
    lengths = np.array([_text_lengths(document, e)[0] for e in candidates.tolist()])
    tags = np.maximum(elements.end[candidates] - candidates, 1)
    ratio = lengths / tags
    if ratio.max() == 0:
        return []
    winners = candidates[ratio == ratio.max()]
    parents = elements.parent[winners]
    chosen: list[int] = candidates[
        np.isin(candidates, winners) | np.isin(elements.parent[candidates], parents)
    ].tolist()
    return sorted(chosen)


def _text_lengths(document: Document, element: int) -> tuple[int, int]:
    """The bytes of an element's text, and of its text outside of links."""
    elements, runs = document.elements, document.runs
    inside = slice(elements.first_run[element], elements.end_run[element])
    length = (runs.end - runs.start)[inside] * (runs.kind[inside] == RunKind.TEXT)
    linked: Mask = elements.link[runs.element[inside]] >= 0
    return int(length.sum()), int(length[~linked].sum())


def _is_list_of_links(document: Document, element: int) -> bool:
    """Whether all children are of one tag and hold one link each, without images."""
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
