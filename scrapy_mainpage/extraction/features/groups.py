"""Blocks at like places: the same tags and usual classes over a few levels.

Classes that a page has only once or twice, as those that name a single post, do not
tell places apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .._grouping import class_hashes, element_keys, lengthened, number_groups
from ..tags import ATTRIBUTE_CODES
from .blocks import weights

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document import Document

    Columns = dict[str, npt.NDArray[np.float32]]
    Keys = npt.NDArray[np.uint64]

USUAL_CLASS: Final = 3
"""A class counts from this many times on a page."""


@dataclass(frozen=True, eq=False)
class PlaceKeys:
    """Hashes per element: of its own tag and classes, and of paths that end in it.

    In ``every`` all classes count, in the others usual ones.
    """

    every: Keys
    own: Keys
    two: Keys
    three: Keys
    four: Keys


def read_keys(document: Document) -> PlaceKeys:
    """The keys of all elements."""
    tokens, elements = document.tokens, document.elements
    hashes = class_hashes(
        document.values,
        tokens.attribute,
        tokens.start,
        tokens.end,
        ATTRIBUTE_CODES["class"],
    )
    group, _, size = number_groups(hashes)
    every, own = (
        element_keys(elements.tag, tokens.element, hashes, group, size, least)
        for least in (1, USUAL_CLASS)
    )
    two = lengthened(elements.parent, own, own)
    three = lengthened(elements.parent, two, own)
    return PlaceKeys(every, own, two, three, lengthened(elements.parent, three, own))


def group_features(document: Document, keys: PlaceKeys) -> Columns:
    """How many blocks stand at like places, and what they hold together."""
    blocks, words = document.blocks, weights(document)
    every = max(float(words.sum()), 1.0)
    columns: dict[str, npt.NDArray[Any]] = {}
    for name, key in (("group2", keys.two), ("group4", keys.four)):
        group, _, size = number_groups(key[blocks.element])
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
