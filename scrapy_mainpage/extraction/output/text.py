"""Plain text: blank lines between paragraphs, a line per list item or table row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._output import find_separators, join_blocks

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document


def write_text(document: Document, main: npt.NDArray[np.bool_]) -> str:
    """The text of the *main* blocks.

    Cells of a table row are separated by tabs. Items and cells of several blocks are
    laid out as paragraphs.
    """
    chosen = np.flatnonzero(main)
    return join_blocks(document, chosen, find_separators(document, chosen))
