"""Plain text: paragraphs apart by a blank line, list items and table rows on lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._text import join_blocks, separators_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ..document.document import Document

    Mask = npt.NDArray[np.bool_]


def write_text(document: Document, main: Mask) -> str:
    """The text of the *main* blocks.

    Cells of a table row are apart by a tab. An item or a cell that holds more than one
    block is laid out as paragraphs: it is no plain list or table.
    """
    (chosen,) = main.nonzero()
    if not len(chosen):
        return ""
    blocks, separators = document.blocks, find_separators(document, chosen)
    return join_blocks(document.text, blocks.start, blocks.end, chosen, separators)


def find_separators(
    document: Document, chosen: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint8]:
    """What stands before each chosen block, as :func:`join_blocks` takes it."""
    blocks, elements = document.blocks, document.elements
    return separators_of(
        chosen, blocks.item, blocks.cell, elements.parent, elements.tag, elements.item
    )
