"""The tags of a page and its main content: Kim et al., figure 2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from lab.papers.figures.charts import pool_edges
from lab.papers.figures.drawing import (
    INK,
    MUTED,
    AlgorithmFigures,
    Figure,
    Svg,
    number,
)
from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import (
    PARENT_TAGS,
)
from scrapy_mainpage.extraction.document.tags import CODES, TAGS
from scrapy_mainpage.text.words import number_of

from .shapes import MAIN_PALE

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.algorithms.text_block_context import (
        TextBlockContext,
    )
    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout

MAX_TAG_COLUMNS: Final = 300

_ROW_LEFT, _ROW_WIDTH = 110, 1150


def draw_text_block_context(
    document: Document, algorithm: TextBlockContext, layout: Layout | None = None
) -> AlgorithmFigures:
    """Figure 2: a row for each tag."""
    title = "Text block context: the tags of the page in their order"
    scores = algorithm.score(document)
    if not len(scores):
        return AlgorithmFigures(title, notes=("The page has no text blocks.",))
    main = int((scores >= 0.5).sum())
    note = (
        f"{number_of(len(scores), 'block')}, of which {main:,} taken for main content."
    )
    return AlgorithmFigures(title, (_draw_tags(document, scores),), (note,))


def _draw_tags(document: Document, scores: npt.NDArray[np.float32]) -> Figure:
    """The tags by their place in the page, the main content shaded."""
    names = (*PARENT_TAGS, "other tags")
    kind = np.full(len(TAGS) + len(document.extra_tags), len(PARENT_TAGS))
    kind[[CODES[name] for name in PARENT_TAGS]] = np.arange(len(PARENT_TAGS))
    edges = pool_edges(document.n_elements, MAX_TAG_COLUMNS)
    svg = Svg(_ROW_LEFT + _ROW_WIDTH + 20, 14 * len(names) + 50, "Tags of the page")
    main = document.blocks.element[scores >= 0.5]
    scale = _ROW_WIDTH / max(document.n_elements, 1)
    if len(main):
        left, right = int(main.min()) * scale, int(main.max() + 1) * scale
        height = 14 * len(names)
        svg.rect(_ROW_LEFT + left, 8, right - left, height, fill=MAIN_PALE)
    rows = kind[document.elements.tag]
    columns = np.searchsorted(edges, np.arange(len(rows)), side="right") - 1
    width = number(max(_ROW_WIDTH / max(len(edges) - 1, 1), 2))
    for row, name in enumerate(names):
        y = 14 * row + 12
        svg.text(_ROW_LEFT - 8, y + 7, name, 11, text_anchor="end")
        places = edges[np.unique(columns[rows == row])] * scale
        cells = (f"M{number(_ROW_LEFT + x)} {y}h{width}v6h-{width}z" for x in places)
        if data := "".join(cells):
            svg.path(data, fill=INK if row < len(PARENT_TAGS) else MUTED)
    middle = _ROW_LEFT + _ROW_WIDTH / 2
    below = 14 * len(names) + 36
    svg.text(middle, below, "tag, in the order of the page", 12, text_anchor="middle")
    caption = (
        "The tags of the page (figure 2 of the paper), a row for each tag of its "
        "table 1, which are frequent in main content."
    )
    legend = ((MAIN_PALE, "from the first to the last block of main content"),)
    return Figure(svg, caption, legend)
