"""A layout for a page that no browser has seen."""

from __future__ import annotations

import numpy as np

from scrapy_mainpage.extraction.algorithms.segmentation.line_breaks import (
    default_blocks,
)
from scrapy_mainpage.extraction.document.document import Document
from scrapy_mainpage.extraction.document.layout import DISPLAYS, Layout

WINDOW = (1280.0, 900.0)
LINE = 20


def stacked(document: Document) -> Layout:
    """Each element below the one before, as high as what it holds, indented in it."""
    n, elements = document.n_elements, document.elements
    number = np.arange(n)
    indent = np.minimum(elements.depth * 8, 400).astype(np.float32)
    block, inline = DISPLAYS.index("block"), DISPLAYS.index("inline")
    return Layout(
        x=indent,
        y=(number * LINE).astype(np.float32),
        width=WINDOW[0] - 2 * indent,
        height=((elements.end - number) * LINE).astype(np.float32),
        display=np.where(default_blocks(document), block, inline).astype(np.uint8),
        visible=np.ones(n, bool),
        opacity=np.ones(n, np.float32),
        font_size=np.full(n, 16, np.float32),
        window=WINDOW,
        page=(WINDOW[0], float(n * LINE) + WINDOW[1]),
    )
