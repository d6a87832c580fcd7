"""A label for each text block of a document."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ...page import Label
from .evidence import find_roles
from .kinds import find_kinds
from .labels import CODE
from .names import find_captions
from .signs import Signs

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..document.document import Document
    from .labels import Codes, Mask

FORUM = "forum"
"""The page type on which comments are main content."""


def _unknown() -> str | None:
    return None


def label_blocks(
    document: Document,
    main: Mask,
    page_type: Callable[[], str | None] = _unknown,
    signs: Signs | None = None,
) -> Codes:
    """The code (see :mod:`.labels`) of each block's label, given the main content.

    *main* decides alone which blocks have a kind and which have a role. *page_type*
    says what the algorithm takes the page for; it is asked once, and only if it
    matters: on a ``forum`` what belongs to a post is not a comment on anything. *signs*
    are those of the document, if they were read before.
    """
    if not document.n_blocks:
        return np.zeros(0, np.uint8)
    signs = signs or Signs(document, main)
    is_forum = cache(lambda: page_type() == FORUM)
    roles = find_roles(document, signs, main, is_forum)
    return np.where(main, label_main(document, main, signs), roles).astype(np.uint8)


def label_main(document: Document, main: Mask, signs: Signs) -> Codes:
    """The codes of the kinds of main content; those of other blocks mean nothing."""
    captions = find_captions(document, signs.names)
    kinds = find_kinds(document, captions).astype(np.uint8)
    if signs.title >= 0 and main[signs.title]:
        kinds[signs.title] = CODE[Label.TITLE]
    return kinds


__all__ = ["FORUM", "label_blocks", "label_main"]
