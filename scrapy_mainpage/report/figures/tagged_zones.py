"""The elements with a semantic tag, and the chosen zone (Rae et al., section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from .drawing import INK, MAIN, OTHER, AlgorithmFigures, Figure, Svg, count, describe
from .page_outline import PageOutline, box_of

if TYPE_CHECKING:
    from ...extraction.algorithms.semantic_markup import SemanticMarkup
    from ...extraction.document.document import Document
    from ...extraction.document.layout import Layout

MAX_LINES: Final = 30


def draw_semantic_markup(
    document: Document, algorithm: SemanticMarkup, layout: Layout | None = None
) -> AlgorithmFigures:
    """The elements with the tag in their order, and their boxes with a *layout*."""
    title = f"Semantic markup: elements with the tag {algorithm.tag}"
    tagged = algorithm.find_tagged(document, layout).tolist()
    zone = algorithm.zone(document, layout)
    if zone is None:
        none = f"No visible element has the tag {algorithm.tag}: no main content."
        return AlgorithmFigures(title, notes=(none,))
    figures = [_list_elements(document, tagged[:MAX_LINES])]
    notes = [f"Chosen: the zone of the first one, {describe(document, zone)}."]
    if layout is not None:
        outline = PageOutline(document, layout, title)
        figures.append(_outline_elements(outline, document, layout, tagged, zone))
        notes += outline.notes
    if len(tagged) > MAX_LINES:
        notes.append(f"Listed are the first {MAX_LINES} of {len(tagged):,} elements.")
    return AlgorithmFigures(title, tuple(figures), tuple(notes))


def _list_elements(document: Document, tagged: list[int]) -> Figure:
    elements = document.elements
    total = np.concatenate(([0], np.cumsum(document.runs.words)))
    words = total[elements.end_run] - total[elements.first_run]
    svg = Svg(620, 22 * len(tagged) + 14, "Elements with the tag")
    for row, element in enumerate(tagged):
        text = f"{row + 1}. {describe(document, element)}"
        text += f", {count(int(words[element]), 'word')}"
        style = {"fill": INK} if row else {"fill": MAIN, "font_weight": "bold"}
        svg.text(10, 22 * row + 20, text, 13, **style)
    caption = (
        "The visible elements with the tag, in the breadth-first order of their zones. "
        "The first one is chosen, however short it is."
    )
    return Figure(svg, caption, ((MAIN, "chosen"), (INK, "others")))


def _outline_elements(
    outline: PageOutline,
    document: Document,
    layout: Layout,
    tagged: list[int],
    zone: int,
) -> Figure:
    boxes = box_of(layout, np.array([zone, *tagged]))
    for box, element in zip(boxes[1:], tagged, strict=True):
        outline.box(box, stroke=OTHER, title=describe(document, element))
    outline.box(boxes[0], stroke=MAIN, stroke_width=4, fill=MAIN, fill_opacity=0.1)
    outline.tag(boxes[0], f"zone: {describe(document, zone)}", MAIN)
    caption = "The same elements on the page, and the zone that is chosen."
    legend = ((OTHER, "element with the tag"), (MAIN, "main content"))
    return Figure(outline.svg, caption, legend)
