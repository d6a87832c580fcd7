"""Features of text blocks: the input of the learned default."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._features import (
    FAMILIES,
    FEATURE_NAMES,
    compute,
    evaluate,
    mean_features,
    settle_odds,
)
from ._markup import SLOTS, block_slots, page_slots

if TYPE_CHECKING:
    from ...document.document import Document
    from ...document.schema import Doubles, Floats, Ints


def count_weighted_words(document: Document) -> Doubles:
    """Words per block; a Chinese, Japanese or Korean character is half a word."""
    blocks = document.blocks
    return np.asarray(blocks.words - blocks.cjk * 0.5)


def weight_table(slots: Ints, weights: Floats) -> Floats:
    """A table of the weights of all slots of the markup; 0 for those not given."""
    table = np.zeros(SLOTS, np.float32)
    table[slots] = weights
    return table


__all__ = [
    "FAMILIES",
    "FEATURE_NAMES",
    "SLOTS",
    "block_slots",
    "compute",
    "count_weighted_words",
    "evaluate",
    "mean_features",
    "page_slots",
    "settle_odds",
    "weight_table",
]
