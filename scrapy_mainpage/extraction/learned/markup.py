"""What the classes, ids and tags on the way to a block say: a linear model of hashes.

Each element on the way from the root gives its tag, its tokens, their parts and pairs
of parts; those of the block's element and of its parent count once more. The weights
are learned (see ``evaluation/train_markup.py``); a token that they do not know says
nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..document.tags import ATTRIBUTE_CODES, TAGS
from ._markup import SLOTS, element_slots, slots_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document

    Ints = npt.NDArray[np.int32]
    Floats = npt.NDArray[np.float32]


def weight_table(slots: Ints, weights: Floats) -> Floats:
    """A table of all slots' weights from those that are not 0."""
    table = np.zeros(SLOTS, np.float32)
    table[slots] = weights
    return table


def block_slots(document: Document) -> tuple[Ints, Ints]:
    """The slots of all blocks in a row, and the place where each block's begin."""
    elements = document.elements
    slots, first = _element_slots(document)
    return slots_of(
        document.blocks.element, elements.parent, elements.tag, len(TAGS), slots, first
    )


def page_slots(document: Document) -> Ints:
    """The slots of all tokens of the page, some more than once."""
    return _element_slots(document)[0]


def _element_slots(document: Document) -> tuple[Ints, Ints]:
    tokens = document.tokens
    return element_slots(
        document.values,
        tokens.attribute,
        tokens.element,
        tokens.start,
        tokens.end,
        ATTRIBUTE_CODES["id"],
        document.n_elements,
    )
