"""Structure that repeats: blocks at the same path, and texts that come twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tests.extraction.learned.features.reference.basics import folded, whole_paths
from tests.extraction.learned.features.reference.blocks import weights
from tests.extraction.learned.features.reference.numbering import numbered, of_blocks

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document
    from tests.extraction.learned.features.reference.groups import PlaceKeys

    Columns = dict[str, npt.NDArray[np.float32]]
    Ints = npt.NDArray[np.int32]


def number_texts(document: Document) -> tuple[Ints, Ints, Ints]:
    """A number per block for its text; which copy of it this is; copies per number."""
    blocks = document.blocks
    ends = zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)
    return numbered(folded(document.text[start:end]) for start, end in ends)


def repetition_features(
    document: Document, keys: PlaceKeys, texts: tuple[Ints, Ints, Ints]
) -> Columns:
    """The number of blocks that share a block's path or text, and of their words."""
    parent, tag = document.elements.parent.tolist(), document.elements.tag.tolist()
    columns: Columns = {}
    words = weights(document)
    for name, key in (
        ("path", whole_paths(parent, tag)),
        ("class_path", whole_paths(parent, keys.every)),
    ):
        groups = of_blocks(key, document.blocks.element)
        columns.update(_group_features(name, groups, words))
    text, copy, size = texts
    first = np.full(len(size), len(text))
    np.minimum.at(first, text, np.arange(len(text)))
    columns["same_text"] = size[text].astype(np.float32)
    columns["copy_number"] = copy.astype(np.float32)
    columns["copy_distance"] = (np.arange(len(text)) - first[text]).astype(np.float32)
    return columns


def _group_features(
    name: str, groups: tuple[Ints, Ints, Ints], words: npt.NDArray[np.float64]
) -> Columns:
    group, _, size = groups
    count = size[group]
    total = np.bincount(group, words, len(size))[group]
    every = max(float(words.sum()), 1.0)
    return {
        f"{name}_count": count.astype(np.float32),
        f"{name}_block_share": (count / max(len(group), 1)).astype(np.float32),
        f"{name}_word_share": (total / every).astype(np.float32),
        f"{name}_mean_words": (total / count).astype(np.float32),
    }
