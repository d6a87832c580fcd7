"""Plain text: blank lines between paragraphs, a line per list item or table row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ._output import find_separators

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document

    Mask = npt.NDArray[np.bool_]

_SEPARATORS: Final = (b"\n\n", b"\n", b"\t")
"""In the order of :func:`find_separators`."""


def write_text(document: Document, main: Mask) -> str:
    """The text of the *main* blocks.

    Cells of a table row are separated by tabs. Items and cells of several blocks are
    laid out as paragraphs.
    """
    chosen = np.flatnonzero(main)
    return join_blocks(document, chosen, find_separators(document, chosen))


def join_blocks(
    document: Document,
    chosen: npt.NDArray[np.int64],
    separators: npt.NDArray[np.uint8],
) -> str:
    """The text of the *chosen* blocks, each after its separator but the first."""
    text, blocks = document.text, document.blocks
    parts = []
    for start, end, separator in zip(
        blocks.start[chosen].tolist(),
        blocks.end[chosen].tolist(),
        separators.tolist(),
        strict=True,
    ):
        parts += _SEPARATORS[separator], text[start:end]
    return b"".join(parts[1:]).decode("utf-8", "replace")
