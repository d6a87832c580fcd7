"""Plain text: blank lines between paragraphs, a line per list item or table row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._output import TextWriter, find_signs

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document
    from ._output import Signs


def write_text(
    document: Document, main: npt.NDArray[np.bool_], signs: Signs | None = None
) -> str:
    """The text of the *main* blocks.

    Cells of a table row are separated by tabs, items of ordered lists have their
    number. Items and cells of several blocks are laid out as paragraphs. Permalinks and
    line numbers are left out: *signs*, by default found here (``_signs.pxi``).
    """
    signs = signs or find_signs(document)
    chosen = np.flatnonzero(main & ~signs.silent_blocks)
    return TextWriter(document, chosen, signs).text(0, len(chosen))


def make_writer(document: Document) -> TextWriter:
    """A writer of single blocks, by their numbers."""
    return TextWriter(document, np.empty(0, np.int64), find_signs(document))
