"""Structure that repeats: blocks at the same path, and texts that come twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._structure import path_hashes, text_hashes
from .blocks import weights

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document import Document
    from .concepts import TokenBits

    Columns = dict[str, npt.NDArray[np.float32]]


def repetition_features(document: Document, tokens: TokenBits) -> Columns:
    """How many blocks share a block's path or text, and how many words they hold."""
    blocks, elements = document.blocks, document.elements
    tags, both = path_hashes(elements.parent, elements.tag, tokens.classes)
    columns: Columns = {}
    words = weights(document)
    for name, key in (
        ("path", tags[blocks.element]),
        ("class_path", both[blocks.element]),
    ):
        columns.update(_group_features(name, key, words))
    texts = text_hashes(document.text, blocks.start, blocks.end)
    columns["same_text"] = _counts(texts).astype(np.float32)
    return columns


def _group_features(
    name: str, key: npt.NDArray[np.uint64], words: npt.NDArray[np.float64]
) -> Columns:
    _, group, count = np.unique(key, return_inverse=True, return_counts=True)
    total = np.bincount(group, words, len(count)) if len(count) else np.zeros(0)
    every = max(float(words.sum()), 1.0)
    return {
        f"{name}_count": count[group].astype(np.float32),
        f"{name}_block_share": (count[group] / max(len(key), 1)).astype(np.float32),
        f"{name}_word_share": (total[group] / every).astype(np.float32),
        f"{name}_mean_words": (total[group] / count[group]).astype(np.float32),
    }


def _counts(key: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    _, group, count = np.unique(key, return_inverse=True, return_counts=True)
    return count[group]
