"""Figures of the algorithms at work on a page, as their papers draw them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lab.papers.figures.drawing import AlgorithmFigures, Figure

from .impression_grid import draw_first_impression
from .source_lines import draw_danag
from .text_blocks import draw_text_block_context
from .zones_and_columns import draw_layout_analysis

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy_mainpage.extraction.algorithms import Algorithm
    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout

FIGURES: Final[dict[str, Callable[[Document, Any, Any], AlgorithmFigures]]] = {
    "layout-analysis": draw_layout_analysis,
    "text-block-context": draw_text_block_context,
    "danag": draw_danag,
    "first-impression": draw_first_impression,
}


def draw_figures(
    document: Document, algorithm: Algorithm, layout: Layout | None = None
) -> AlgorithmFigures:
    """The figures of an *algorithm* at work on *document*.

    Raises :exc:`ValueError` for an algorithm without figures, and its subclass
    :exc:`~scrapy_mainpage.extraction.algorithms.LayoutRequired` for one that needs the
    *layout* of a rendered page and gets none.
    """
    if algorithm.name not in FIGURES:
        raise ValueError(f"no figures of the algorithm {algorithm.name!r}")
    return FIGURES[algorithm.name](document, algorithm, layout)


__all__ = ["FIGURES", "AlgorithmFigures", "Figure", "draw_figures"]
