"""What the learned default sees of a text block: all features of all blocks at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._features import NAMES, compute

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...document.document import Document

    Rows = npt.NDArray[np.float32]
    Values = npt.NDArray[np.float64]


def compute_features(document: Document) -> dict[str, Rows]:
    """A column of one value per text block for each feature, by its name."""
    return dict(zip(NAMES, compute(document), strict=True))


def feature_names() -> tuple[str, ...]:
    """The names of all features: the same, in the same order, for every page."""
    return NAMES


def weights(document: Document) -> Values:
    """Words per block; a Chinese, Japanese or Korean character is half a word."""
    blocks = document.blocks
    return np.asarray(blocks.words - blocks.cjk * 0.5)
