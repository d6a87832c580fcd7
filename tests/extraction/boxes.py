"""Layouts made by hand for small pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scrapy_mainpage.extraction.algorithms.segmentation.line_breaks import (
    default_blocks,
)
from scrapy_mainpage.extraction.document.layout import DISPLAYS, Layout
from tests.extraction.helpers import document_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy_mainpage.extraction.document.document import Document

    Box = tuple[float, float, float, float]

WINDOW = (1000, 500)


def number_of(document: Document, name: str) -> int:
    """The element with the id *name*, or the first with that tag."""
    elements = range(document.n_elements)
    for element in elements:
        if document.attribute(element, "id") == name:
            return element
    return next(e for e in elements if document.tag_name(e) == name)


def rendered(
    html: str,
    boxes: Mapping[str, Box] | None = None,
    *,
    display: Mapping[str, str] | None = None,
    invisible: str = "",
    opacity: Mapping[str, float] | None = None,
    window: tuple[float, float] = WINDOW,
    page: tuple[float, float] | None = None,
) -> tuple[Document, Layout]:
    """A page with the boxes (x, y, width, height) of its elements, by id or tag.

    Elements without a box have their parent's; the page is as large as the window, and
    the displays are those of the tags, unless given.
    """
    document = document_of(html, all_attributes=True)
    n, page = document.n_elements, page or window
    box = np.zeros((n, 4), np.float32)
    given = {number_of(document, name): value for name, value in (boxes or {}).items()}
    for element in range(n):
        parent = int(document.elements.parent[element])
        inherited = box[parent] if parent >= 0 else (0, 0, *page)
        box[element] = given.get(element, inherited)
    codes = np.where(default_blocks(document), DISPLAYS.index("block"), 1)
    for tag, value in (("td", "table-cell"), ("head", "none"), ("style", "none")):
        at = document.elements_with_tag(tag)
        codes[at] = DISPLAYS.index(value)
    for name, value in (display or {}).items():
        codes[number_of(document, name)] = DISPLAYS.index(value)
    visible = np.ones(n, bool)
    for name in invisible.split():
        visible[number_of(document, name)] = False
    opaque = np.ones(n, np.float32)
    for name, amount in (opacity or {}).items():
        opaque[number_of(document, name)] = amount
    return document, Layout(
        x=box[:, 0].copy(),
        y=box[:, 1].copy(),
        width=box[:, 2].copy(),
        height=box[:, 3].copy(),
        display=codes.astype(np.uint8),
        visible=visible,
        opacity=opaque,
        font_size=np.full(n, 16, np.float32),
        window=window,
        page=page,
    )
