"""The heading above a block, the page's title in the text, and links around both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scrapy_mainpage.extraction.document.document import HEADING_SHIFT
from tests.extraction.learned.features.reference.blocks import last_marked
from tests.extraction.learned.features.reference.declared import title_match

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document

    Columns = dict[str, npt.NDArray[np.float32]]

MIN_MATCH: Final = 0.2
"""The title is in the text if a block matches it by this much."""

FAR: Final = 300
NO_TITLE: Final = -999


def section_features(document: Document) -> Columns:
    """Features of the heading above, and the distance to the page's title."""
    blocks, n = document.blocks, document.n_blocks
    index = np.arange(n)
    density = document.link_density()
    is_heading = blocks.flags >> HEADING_SHIFT > 0
    match = title_match(document)
    previous = last_marked(np.flatnonzero(is_heading), n)
    above, found = np.maximum(previous, 0), previous >= 0
    title = int(np.argmax(match * (is_heading + 0.01))) if n else 0
    named = n > 0 and float(match.max()) > MIN_MATCH
    columns = {
        "in_link": document.elements.link[blocks.element] >= 0,
        "section_number": np.cumsum(is_heading),
        "heading_above_links": np.where(found, density[above], -1),
        "heading_above_words": np.where(found, blocks.words[above], -1),
        "heading_above_title": np.where(found, match[above], -1),
        "from_title": np.clip(index - title, -FAR, FAR)
        if named
        else np.full(n, NO_TITLE),
    }
    return {name: np.asarray(c, np.float32) for name, c in columns.items()}
