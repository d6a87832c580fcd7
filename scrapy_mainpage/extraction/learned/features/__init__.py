"""Features of text blocks: the input of the learned default."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._features import (
    CONTEXT_NAMES,
    FAMILIES,
    NAMES,
    SLOTS,
    block_slots,
    compute,
    compute_context,
    evaluate,
    mean_features,
    page_slots,
    settle_odds,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...document.document import Document

    Ints = npt.NDArray[np.int32]
    Rows = npt.NDArray[np.float32]
    Values = npt.NDArray[np.float64]


def feature_names() -> tuple[str, ...]:
    """The names of all features: the same, in the same order, for every page."""
    return NAMES


def compute_features(document: Document) -> dict[str, Rows]:
    """A column of one value per text block for each feature, by its name."""
    return dict(zip(NAMES, compute(document), strict=True))


def count_weighted_words(document: Document) -> Values:
    """Words per block; a Chinese, Japanese or Korean character is half a word."""
    blocks = document.blocks
    return np.asarray(blocks.words - blocks.cjk * 0.5)


def weight_table(slots: Ints, weights: Rows) -> Rows:
    """A table of the weights of all slots of the markup; 0 for those not given."""
    table = np.zeros(SLOTS, np.float32)
    table[slots] = weights
    return table


__all__ = [
    "CONTEXT_NAMES",
    "FAMILIES",
    "SLOTS",
    "block_slots",
    "compute",
    "compute_context",
    "compute_features",
    "count_weighted_words",
    "evaluate",
    "feature_names",
    "mean_features",
    "page_slots",
    "settle_odds",
    "weight_table",
]
