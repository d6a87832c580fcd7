"""First impression area: grid, centering, expanding (GCE; Jung et al. 2022).

G. Jung, S. Han, H. Kim, K. Kim, J. Cha: "Extracting the Main Content of Web Pages Using
the First Impression Area", IEEE Access 10, 2022. Section numbers are the paper's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..document import RunKind
from ..tags import ATTRIBUTE_CODES, CODES
from ..zones import hidden_elements
from .base import Algorithm, LayoutRequired, Verdict, words_within

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document import Document
    from ..layout import Layout
    from .base import Mask, Scores

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

_POSITIVE = re.compile(rb"article|content", re.IGNORECASE)
_NAMING = tuple(
    ATTRIBUTE_CODES[name] for name in ("class", "id", "role", "itemprop", "name")
)


@dataclass(frozen=True, eq=False)
class Grid:
    """The grid's cells as boxes (left, top, right, bottom), and which are excluded.

    ``edge`` marks cells at the grid's edges, ``linked`` those under dense links;
    ``centers`` are the points C1, C2 and C3.
    """

    cells: Floats
    edge: Mask
    linked: Mask
    centers: Floats


@dataclass(frozen=True, eq=False)
class Impression:
    """Everything the algorithm found out about a page.

    ``link_density`` is D_l of each element; ``text`` are the elements with text of low
    link density; ``seeds`` and ``candidates`` belong to C1, C2, C3; ``element`` is the
    main content's, ``None`` if there is none.
    """

    grid: Grid
    link_density: Floats
    text: Ints
    seeds: tuple[int, ...]
    candidates: tuple[tuple[int, ...], ...]
    element: int | None


@dataclass(frozen=True)
class FirstImpression(Algorithm):
    """The wrapper of the text nearest to where a reader looks first.

    ``rows`` and ``columns``: of the grid in one window. ``alpha``: the grid's height in
    windows. ``beta``: link densities above it are dense. ``delta_w``: a parent so many
    times wider is another part of the page.
    """

    name: ClassVar[str] = "first-impression"
    needs_layout: ClassVar[bool] = True

    rows: int = 7
    columns: int = 8
    alpha: float = 2.0
    beta: float = 0.5
    delta_w: float = 1.7

    def __post_init__(self) -> None:
        if min(self.rows, self.columns) < 1 or min(self.alpha, self.delta_w) <= 0:
            raise ValueError("rows, columns, alpha and delta_w must be positive")

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """The share of a block's words that stand in the main content's element."""
        return self.judge(document, layout).scores

    def judge(self, document: Document, layout: Layout | None = None) -> Verdict:
        """The scores, and whether the search failed."""
        impression = self.analyse(document, layout)
        element, runs = impression.element, document.runs
        inside = np.zeros(len(runs.kind), bool)
        if element is not None and layout is not None:
            elements = document.elements
            inside[elements.first_run[element] : elements.end_run[element]] = True
            inside &= ~hidden_elements(document, layout)[runs.element]
            inside &= runs.kind == RunKind.TEXT
        scores = words_within(document, inside)
        warnings = () if element is not None else ("no_wrapper",)
        return Verdict(scores, self.select(document, scores), warnings=warnings)

    def analyse(self, document: Document, layout: Layout | None) -> Impression:
        """The three steps: grid, centering, expanding."""
        if layout is None:
            raise LayoutRequired(self.name)
        visible = ~hidden_elements(document, layout) & (layout.area > 0)
        density = link_area_density(document, layout, visible)
        grid = self._grid(layout, visible & (density > self.beta))
        text = _low_link_text(document, visible, density > self.beta)
        seeds = tuple(_nearest(layout, text, center) for center in grid.centers)
        seeds = seeds if len(text) else ()
        candidates = tuple(self._expand(document, layout, seed) for seed in seeds)
        element = self._choose(document, layout, text, candidates)
        return Impression(grid, density, text, seeds, candidates, element)

    def _grid(self, layout: Layout, dense: Mask) -> Grid:
        """Section III-A, and the centers of III-B."""
        width, height = layout.window[0] / self.columns, layout.window[1] / self.rows
        reach = min(self.alpha * layout.window[1], layout.page[1])
        rows = max(1, int(np.ceil(reach / height)))
        row, column = (
            axis.ravel() for axis in np.mgrid[0:rows, 0 : self.columns].astype(float)
        )
        cells = np.stack(
            [
                column * width,
                row * height,
                (column + 1) * width,
                (row + 1) * height,
            ],
            axis=1,
        )
        edge = (row == 0) | (column == 0) | (column == self.columns - 1)
        linked = _overlapped(cells, layout, np.flatnonzero(dense))
        return Grid(cells, edge, linked, _centers(cells[~edge & ~linked], layout))

    def _expand(self, document: Document, layout: Layout, seed: int) -> tuple[int, ...]:
        """Section III-C: the first match of each rule on the way up to the body.

        A parent that is much wider ends the part of the page that the node belongs to:
        the node is kept, not the parent (Algorithm 1 stores the parent by mistake).
        """
        elements = document.elements
        positive = _positive_attributes(document)
        found: dict[str, int] = {}
        node, body = seed, _body(document)
        while node != body and node > 0:
            parent = int(elements.parent[node])
            if elements.tag[parent] == CODES["article"]:
                found.setdefault("tag", parent)
            if positive[parent]:
                found.setdefault("attribute", parent)
            if layout.width[parent] > self.delta_w * layout.width[node]:
                found.setdefault("width", node)
            node = parent
        return tuple(found.values()) or (body,)

    def _choose(
        self,
        document: Document,
        layout: Layout,
        text: Ints,
        candidates: tuple[tuple[int, ...], ...],
    ) -> int | None:
        """The densest candidate of C3, C2, C1; those that are too low come last."""
        body = _body(document)
        density = text_area_density(document, layout, text)
        lowest = layout.window[1] / 2
        for too_low in (False, True):
            for group in reversed(candidates):
                fit = [
                    element
                    for element in group
                    if element > body and (layout.height[element] < lowest) == too_low
                ]
                if fit:
                    return max(fit, key=lambda element: density[element])
        return None


def link_area_density(document: Document, layout: Layout, visible: Mask) -> Floats:
    """D_l (section III-A): the share of each element's area under links inside it."""
    elements = document.elements
    containers = _link_containers(document)
    containers = containers[visible[containers]]
    area = np.zeros(document.n_elements + 1)
    area[containers] = layout.area[containers]
    total = np.concatenate(([0.0], np.cumsum(area)))
    own = np.arange(document.n_elements)
    linked = total[elements.end] - total[own + 1]
    return np.asarray(linked / np.maximum(layout.area, 1e-9) * (layout.area > 0))


def _link_containers(document: Document) -> Ints:
    """Links, each widened to the ancestors whose single child it is; none in another.

    A link with nothing but an image in it is as large as the image.
    """
    elements, runs = document.elements, document.runs
    is_link = (elements.link == np.arange(document.n_elements)) | (
        elements.tag == CODES["button"]
    )
    text = runs.element[(runs.kind == RunKind.TEXT) & (runs.end > runs.start)]
    children = np.bincount(
        elements.parent[elements.parent >= 0], minlength=document.n_elements
    ) + np.bincount(text, minlength=document.n_elements)
    container = np.flatnonzero(is_link)
    container = _images_of(document, container)
    while True:
        parent = elements.parent[container]
        only = (parent > _body(document)) & (children[parent] == 1)
        if not only.any():
            break
        container = np.where(only, parent, container)
    container = np.unique(container)
    reach = np.maximum.accumulate(np.concatenate(([0], elements.end[container])))[:-1]
    return container[container >= reach]


def _images_of(document: Document, links: Ints) -> Ints:
    """Links without text but with an image are replaced by their first image."""
    elements, runs = document.elements, document.runs
    texts = np.concatenate(([0], np.cumsum(runs.kind == RunKind.TEXT)))
    first, end = elements.first_run[links], elements.end_run[links]
    silent = texts[end] == texts[first]
    image = np.concatenate((np.flatnonzero(runs.kind == RunKind.IMAGE), [len(texts)]))
    at = image[np.searchsorted(image, first)]
    has_image = silent & (at < end)
    result = links.copy()
    result[has_image] = runs.element[at[has_image]]
    return result


def _low_link_text(document: Document, visible: Mask, dense: Mask) -> Ints:
    """The visible elements with text of their own that no dense element holds."""
    runs = document.runs
    n = document.n_elements + 1
    depth = np.bincount(np.flatnonzero(dense), minlength=n)
    depth = depth - np.bincount(document.elements.end[dense], minlength=n)
    sparse = np.cumsum(depth)[:-1] == 0
    owners = np.unique(
        runs.element[(runs.kind == RunKind.TEXT) & (runs.end > runs.start)]
    )
    return owners[(visible & sparse)[owners]]


def text_area_density(document: Document, layout: Layout, text: Ints) -> Floats:
    """D_t (section III-C): the share of each element's area under low-link text."""
    area = np.zeros(document.n_elements)
    area[text] = layout.area[text]
    total = np.concatenate(([0.0], np.cumsum(area)))
    covered = total[document.elements.end] - total[:-1]
    return np.asarray(covered / np.maximum(layout.area, 1e-9) * (layout.area > 0))


def _overlapped(cells: Floats, layout: Layout, elements: Ints) -> Mask:
    """The cells that one of the *elements* overlaps."""
    left, top = layout.x[elements], layout.y[elements]
    right, bottom = left + layout.width[elements], top + layout.height[elements]
    hit = np.zeros(len(cells), bool)
    for k, (x0, y0, x1, y1) in enumerate(cells):
        hit[k] = np.any((left < x1) & (right > x0) & (top < y1) & (bottom > y0))
    return hit


def _centers(cells: Floats, layout: Layout) -> Floats:
    """C1, C2, C3 (section III-B); without any cell the window's center stands in."""
    window = np.array(layout.window) / 2
    page = np.array(layout.page) / 2
    points = np.stack([cells[:, [0, 2]].mean(1), cells[:, [1, 3]].mean(1)], axis=1)
    points = points if len(points) else window[None, :]
    return np.array(
        [
            points.mean(0),
            np.vstack([points, window]).mean(0),
            np.vstack([points, window, page]).mean(0),
        ]
    )


def _nearest(layout: Layout, elements: Ints, point: Floats) -> int:
    """The element whose box is nearest to *point*; of several the smallest."""
    if not len(elements):
        return -1
    left, top = layout.x[elements], layout.y[elements]
    across = np.maximum(left - point[0], point[0] - left - layout.width[elements])
    down = np.maximum(top - point[1], point[1] - top - layout.height[elements])
    distance = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
    order = np.lexsort((layout.area[elements], distance))
    return int(elements[order[0]])


def _positive_attributes(document: Document) -> Mask:
    """The elements with "article" or "content" in the value of a naming attribute."""
    attributes = document.attributes
    positive = np.zeros(document.n_elements, bool)
    found = [match.start() for match in _POSITIVE.finditer(document.values)]
    if found and len(attributes.start):
        k = np.searchsorted(attributes.start, found, side="right") - 1
        inside = (k >= 0) & (np.array(found) < attributes.end[k])
        naming = np.isin(attributes.name[k], _NAMING)
        positive[attributes.element[k[inside & naming]]] = True
    return positive


def _body(document: Document) -> int:
    body = document.elements_with_tag("body")
    return int(body[0]) if len(body) else 0
