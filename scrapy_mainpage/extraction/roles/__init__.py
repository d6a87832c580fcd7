"""From the algorithm's choice to a label per text block, for all blocks at once.

Main content gets its kind from the markup around it. The rest gets a boilerplate role:
from what the elements around it are called, from what it says, and from where it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...page import Label
from .evidence import find_roles
from .kinds import find_kinds, find_title
from .labels import CODE, LABELS
from .names import find_captions, read_names

if TYPE_CHECKING:
    from ..document import Document
    from .labels import Codes, Mask

FORUM = "forum"
"""The page type on which comments are main content."""


def label_blocks(document: Document, main: Mask, page_type: str | None = None) -> Codes:
    """The code (see :data:`LABELS`) of each block's label, given the main content.

    *main* decides alone which blocks have a kind and which have a role. *page_type* is
    what the algorithm takes the page for; on a ``forum`` what belongs to a post is not
    a comment on anything.
    """
    if not document.n_blocks:
        return np.zeros(0, np.uint8)
    bits = read_names(document)
    captions, title = find_captions(document, bits), find_title(document, main)
    labels = np.where(
        main,
        find_kinds(document, captions),
        find_roles(document, bits, main, title, forum=page_type == FORUM),
    )
    if title >= 0 and main[title]:
        labels[title] = CODE[Label.TITLE]
    return labels.astype(np.uint8)


__all__ = ["LABELS", "label_blocks"]
