"""Structure that repeats: blocks at the same path, and texts that come twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._grouping import number_groups
from .._structure import path_hashes, text_hashes
from .blocks import weights

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document import Document
    from .groups import PlaceKeys

    Columns = dict[str, npt.NDArray[np.float32]]
    Ints = npt.NDArray[np.int32]


def number_texts(document: Document) -> tuple[Ints, Ints, Ints]:
    """A number per block for its text; which copy of it this is; copies per number."""
    blocks = document.blocks
    return number_groups(text_hashes(document.text, blocks.start, blocks.end))


def repetition_features(
    document: Document, keys: PlaceKeys, texts: tuple[Ints, Ints, Ints]
) -> Columns:
    """How many blocks share a block's path or text, and how many words they hold."""
    blocks, elements = document.blocks, document.elements
    tags, both = path_hashes(elements.parent, elements.tag, keys.every)
    columns: Columns = {}
    words = weights(document)
    for name, key in (
        ("path", tags[blocks.element]),
        ("class_path", both[blocks.element]),
    ):
        columns.update(_group_features(name, key, words))
    text, copy, size = texts
    first = np.full(len(size), len(text))
    np.minimum.at(first, text, np.arange(len(text)))
    columns["same_text"] = size[text].astype(np.float32)
    columns["copy_number"] = copy.astype(np.float32)
    columns["copy_distance"] = (np.arange(len(text)) - first[text]).astype(np.float32)
    return columns


def _group_features(
    name: str, key: npt.NDArray[np.uint64], words: npt.NDArray[np.float64]
) -> Columns:
    group, _, size = number_groups(key)
    count = size[group]
    total = np.bincount(group, words, len(size))[group]
    every = max(float(words.sum()), 1.0)
    return {
        f"{name}_count": count.astype(np.float32),
        f"{name}_block_share": (count / max(len(key), 1)).astype(np.float32),
        f"{name}_word_share": (total / every).astype(np.float32),
        f"{name}_mean_words": (total / count).astype(np.float32),
    }
