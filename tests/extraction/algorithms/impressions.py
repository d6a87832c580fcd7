"""Pages with boxes, and what the first impression finds in them.

Most windows are 800 wide and 700 high, so that a cell of the 7 x 8 grid is 100 x 100.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_mainpage.extraction.algorithms.first_impression import (
    FirstImpression,
    Impression,
)
from scrapy_mainpage.extraction.algorithms.segmentation.link_areas import (
    link_area_density,
)
from tests.extraction.boxes import rendered

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.document.layout import Layout


WINDOW = (800, 700)


def page(html: str, *boxes: object, **options: object) -> tuple[Document, Layout]:
    return rendered(html, *boxes, **{"window": WINDOW, **options})


def analyse(html: str, *boxes: object, **options: object) -> Impression:
    return FirstImpression().analyse(*page(html, *boxes, **options))


def names(document: Document, elements: object) -> list[str]:
    return [
        document.attribute(int(e), "id") or document.tag_name(int(e)) for e in elements
    ]


def candidates(html: str, *boxes: object, **options: object) -> list[str]:
    """The candidates of C1, by id or tag."""
    document, layout = page(html, *boxes, **options)
    impression = FirstImpression().analyse(document, layout)
    return names(document, impression.candidates[0])


def chosen(html: str, *boxes: object, **options: object) -> str | None:
    """The main content's element, by id or tag."""
    document, layout = page(html, *boxes, **options)
    element = FirstImpression().analyse(document, layout).element
    return None if element is None else names(document, [element])[0]


def density(html: str, *boxes: object, **options: object) -> dict[str, float]:
    """D_l of the elements with an id."""
    document, layout = page(html, *boxes, **options)
    visible = layout.visible & (layout.area > 0)
    values = link_area_density(document, layout, visible)
    return {
        name: round(float(values[e]), 4)
        for e in range(document.n_elements)
        if (name := document.attribute(e, "id"))
    }
