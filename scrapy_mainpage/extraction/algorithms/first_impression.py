"""First impression area: grid, centering, expanding (GCE; Jung et al. 2022).

G. Jung, S. Han, H. Kim, K. Kim, J. Cha: "Extracting the Main Content of Web Pages Using
the First Impression Area", IEEE Access 10, 2022. Section numbers are the paper's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..document.document import nonblank_texts
from ..document.layout import DISPLAYS
from ..document.schema import RunKind
from ..document.tags import CODES
from .algorithm import (
    Algorithm,
    LayoutRequired,
    Selection,
    check_number,
    check_whole,
    words_within,
)
from .segmentation.line_breaks import count_around
from .segmentation.link_areas import (
    body_of,
    link_area_density,
    links_and_buttons,
    text_area_density,
)
from .segmentation.zones import hidden_elements

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.layout import Layout
    from ..document.schema import Doubles, Floats, Longs
    from .algorithm import Mask, Scores


_POSITIVE = re.compile(rb"article|content", re.IGNORECASE)
_IN_LINE = ("inline", "contents", "ruby", "ruby-base", "ruby-text")


@dataclass(frozen=True, eq=False)
class Grid:
    """The FIA grid: its cells as boxes (left, top, right, bottom), and the excluded.

    ``edge`` marks cells at the top, left and right edge of the grid, ``linked`` those
    under dense links; ``centers`` are the points C_1, C_2 and C_3.
    """

    cells: Doubles
    edge: Mask
    linked: Mask
    centers: Doubles


@dataclass(frozen=True, eq=False)
class Impression:
    """Intermediate and final results for a page.

    ``link_density`` is D_l of each element, ``text_density`` D_t; ``text`` are the
    elements with text of low link density. ``seeds`` are E_1, E_2, E_3, ``candidates``
    the sets M of each, ``rules`` those that gave them; ``element`` is the main content
    or ``None``.
    """

    grid: Grid
    link_density: Doubles
    text_density: Doubles
    text: Longs
    seeds: tuple[int, ...]
    candidates: tuple[tuple[int, ...], ...]
    rules: tuple[tuple[str, ...], ...]
    element: int | None


@dataclass(frozen=True)
class FirstImpression(Algorithm):
    """The wrapper of the text nearest to the point that a reader sees first.

    ``rows`` and ``columns``: of the grid in one window (the 7 x 8 of section III-A).
    ``alpha``: the height of the grid in windows. ``beta``: higher link densities are
    dense. ``delta_w``: a parent that is wider by this factor is another part of the
    page. The paper's section IV-B swaps the values of alpha and beta.
    """

    name: ClassVar[str] = "first-impression"
    needs_layout: ClassVar[bool] = True
    reads_all_attributes: ClassVar[bool] = True
    viewport: ClassVar[tuple[int, int]] = (1920, 1080)

    rows: int = 7
    columns: int = 8
    alpha: float = 2.0
    beta: float = 0.5
    delta_w: float = 1.7

    def __post_init__(self) -> None:
        check_whole("rows", self.rows, 1)
        check_whole("columns", self.columns, 1)
        check_number("alpha", self.alpha, 0)
        check_number("beta", self.beta, 0)
        check_number("delta_w", self.delta_w, 1)

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """The share of a block's words in the main content's element."""
        return self.judge(document, layout).scores

    def judge(self, document: Document, layout: Layout | None = None) -> Selection:
        """Score the blocks; warn if no wrapper was found."""
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
        return Selection(scores, self.select(document, scores), warnings=warnings)

    def analyse(self, document: Document, layout: Layout | None) -> Impression:
        """The three steps: grid, centering, expanding."""
        if layout is None:
            raise LayoutRequired(self.name)
        visible = ~hidden_elements(document, layout) & (layout.area > 0)
        density = link_area_density(document, layout, visible)
        grid = self._grid(layout, visible & (density > self.beta))
        linked = links_and_buttons(document) | (density > self.beta)
        leaves = _low_link_text(document, visible, linked)
        owner = document.runs.element[leaves]
        text = np.unique(owner).astype(np.int64)
        boxes = layout.run_boxes(document.runs.element)[leaves]
        nearest = [_nearest(boxes, center) for center in grid.centers]
        seeds = tuple(owner[nearest].tolist()) if len(leaves) else ()
        positive = _positive_attributes(document)
        found = [self._expand(document, layout, positive, seed) for seed in seeds]
        candidates = tuple(
            tuple(group.values()) or (body_of(document),) for group in found
        )
        rules = tuple(map(tuple, found))
        text_density = text_area_density(document, layout, text)
        element = self._choose(document, layout, text_density, candidates)
        return Impression(
            grid, density, text_density, text, seeds, candidates, rules, element
        )

    def _grid(self, layout: Layout, dense: Mask) -> Grid:
        """Section III-A: N_row rows, and the excluded cells; the centers of III-B."""
        window = [max(length, 1.0) for length in layout.window]
        width, height = window[0] / self.columns, window[1] / self.rows
        reach = min(self.alpha * window[1], layout.page[1])
        # Multiply first: the height of a cell may be rounded.
        rows = max(1, int(np.ceil(reach * self.rows / window[1])))
        row, column = np.indices((rows, self.columns)).reshape(2, -1).astype(float)
        corners = np.stack([column, row, column + 1, row + 1], axis=1)
        cells = corners * (width, height, width, height)
        edge = (row == 0) | (column == 0) | (column == self.columns - 1)
        linked = _overlapped(cells, layout, np.flatnonzero(dense))
        return Grid(cells, edge, linked, _centers(cells[~edge & ~linked], layout))

    def _expand(
        self, document: Document, layout: Layout, positive: Mask, seed: int
    ) -> dict[str, int]:
        """Section III-C, Algorithm 1: the first match of each rule up to the body.

        These are M_tag, M_attr and M_diff. The leaf is a text, and *seed* its parent,
        which may be the wrapper itself. A much wider parent ends the part of the page
        around the node: the node is kept (Algorithm 1 stores the parent by mistake).
        Elements without a width of their own are skipped.
        """
        elements = document.elements
        found: dict[str, int] = {}
        node, body = seed, body_of(document)
        area = -1  # the last node with a width
        while True:
            if elements.tag[node] == CODES["article"]:
                found.setdefault("tag", node)
            if positive[node]:
                found.setdefault("attribute", node)
            if area >= 0 and layout.width[node] > self.delta_w * layout.width[area]:
                found.setdefault("width", area)
            if node <= body:
                return found
            if _has_width(layout, node):
                area = node
            node = int(elements.parent[node])

    def _choose(
        self,
        document: Document,
        layout: Layout,
        density: Doubles,
        candidates: tuple[tuple[int, ...], ...],
    ) -> int | None:
        """The densest candidate of C_3, C_2, C_1, first the best, then M_nobest.

        No best are candidates lower than half a window; the body is none at all.
        """
        body = body_of(document)
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


def _has_width(layout: Layout, element: int) -> bool:
    """Whether it has a CSS width: inline elements and those without a box have none."""
    inline = DISPLAYS[layout.display[element]] in _IN_LINE
    return bool(layout.width[element] > 0) and not inline


def _low_link_text(document: Document, visible: Mask, linked: Mask) -> Longs:
    """The visible texts outside of all *linked* elements."""
    sparse = count_around(document, linked) == 0
    shown = (visible & sparse)[document.runs.element]
    return np.flatnonzero(nonblank_texts(document) & shown)


def _overlapped(cells: Doubles, layout: Layout, elements: Longs) -> Mask:
    """The cells that any of the *elements* overlaps."""
    left, top = layout.x[elements], layout.y[elements]
    right, bottom = left + layout.width[elements], top + layout.height[elements]
    hit = np.zeros(len(cells), bool)
    for k, (x0, y0, x1, y1) in enumerate(cells):
        hit[k] = np.any((left < x1) & (right > x0) & (top < y1) & (bottom > y0))
    return hit


def _centers(cells: Doubles, layout: Layout) -> Doubles:
    """C_1, C_2, C_3 (section III-B) of V_a, the centers of the kept *cells*.

    Without cells C_1 is the center of the window, C_w.
    """
    window = np.array([layout.window]) / 2
    page = np.array([layout.page]) / 2
    points = np.stack([cells[:, [0, 2]].mean(1), cells[:, [1, 3]].mean(1)], axis=1)
    return np.array(
        [
            (points if len(points) else window).mean(0),
            np.vstack([points, window]).mean(0),
            np.vstack([points, window, page]).mean(0),
        ]
    )


def _nearest(boxes: Floats, point: Doubles) -> int:
    """The box that is nearest to *point*; on ties the smallest; -1 without any."""
    if not len(boxes):
        return -1
    left, top, width, height = boxes.T
    across = np.maximum(left - point[0], point[0] - left - width)
    down = np.maximum(top - point[1], point[1] - top - height)
    distance = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
    return int(np.lexsort((width * height, distance))[0])


def _positive_attributes(document: Document) -> Mask:
    """The elements with "article" or "content" in the value of an attribute."""
    attributes = document.attributes
    positive = np.zeros(document.n_elements, bool)
    # Values are contiguous: a match may begin in one and end in the next.
    found = [match.span() for match in _POSITIVE.finditer(document.values)]
    if found and len(attributes.start):
        start, end = np.array(found).T
        order = np.lexsort((attributes.end, attributes.start))
        k = np.searchsorted(attributes.start, start, side="right", sorter=order) - 1
        k = order[k]
        inside = (attributes.start[k] <= start) & (end <= attributes.end[k])
        # Elements with the same class share its value.
        matching = np.isin(attributes.start, attributes.start[k[inside]])
        matching &= attributes.end > attributes.start
        positive[attributes.element[matching]] = True
    return positive
