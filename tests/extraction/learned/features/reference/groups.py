"""Blocks at like places: the same tags and usual classes over a few levels.

Classes that a page has only once or twice, as those that name a single post, are
ignored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scrapy_mainpage.extraction.document.tags import ATTRIBUTE_CODES
from tests.extraction.learned.features.reference.basics import places, short_paths
from tests.extraction.learned.features.reference.blocks import weights
from tests.extraction.learned.features.reference.numbering import of_blocks

if TYPE_CHECKING:
    from collections.abc import Hashable

    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document

    Columns = dict[str, npt.NDArray[np.float32]]

USUAL_CLASS: Final = 3
"""A class counts from this many times on a page."""


@dataclass(frozen=True, eq=False)
class PlaceKeys:
    """Per element its own tag and classes, and the ends of paths that end in it.

    In ``every`` all classes count, in the others usual ones.
    """

    every: list[Hashable]
    own: list[Hashable]
    two: list[Hashable]
    three: list[Hashable]
    four: list[Hashable]


def read_keys(document: Document) -> PlaceKeys:
    """The keys of all elements."""
    tag, parent = document.elements.tag.tolist(), document.elements.parent.tolist()
    tokens = [
        (attribute == ATTRIBUTE_CODES["class"], element, document.values[start:end])
        for attribute, element, start, end in zip(
            *(column.tolist() for column in document.tokens), strict=True
        )
    ]
    own = places(tag, tokens, USUAL_CLASS)
    two, three, four = (short_paths(parent, own, steps) for steps in (2, 3, 4))
    return PlaceKeys([*places(tag, tokens, 1)], [*own], two, three, four)


def group_features(document: Document, keys: PlaceKeys) -> Columns:
    """The number of blocks at like places, and their contents in total."""
    blocks, words = document.blocks, weights(document)
    every = max(float(words.sum()), 1.0)
    columns: dict[str, npt.NDArray[Any]] = {}
    for name, key in (("group2", keys.two), ("group4", keys.four)):
        group, _, size = of_blocks(key, blocks.element)
        n = len(size)
        held = np.bincount(group, words, n)
        linked = np.bincount(group, blocks.linked_words, n)
        counted = np.maximum(np.bincount(group, blocks.words, n), 1)
        columns |= {
            f"{name}_count": size[group],
            f"{name}_word_share": (held / every)[group],
            f"{name}_mean_words": (held / np.maximum(size, 1))[group],
            f"{name}_link_density": (linked / counted)[group],
        }
    return {name: np.asarray(c, np.float32) for name, c in columns.items()}
