"""Text block context: a tree over a block and its neighbours (Kim et al. 2013).

M. Kim, Y. Kim, W. Song, A. Khil: "Main Content Extraction from Web Documents Using Text
Block Context", DEXA 2013. Section numbers are the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, ClassVar, Final

import numpy as np

from ..document.schema import Context
from ..learned._forest import predict_trees
from ..learned.page_types import unpack
from .algorithm import UNREADABLE_ARCHIVE, Algorithm, check_choice, check_model
from .segmentation.text_segments import (
    NO_TAG,
    SEGMENTATIONS,
    Segments,
    cut,
)

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.layout import Layout
    from ..document.schema import Bytes, Floats, Ints, Shorts
    from .algorithm import Scores


NEIGHBOURS: Final = 2
"""Neighbouring blocks on each side that add their features (section 3.3)."""

OWN_FEATURES: Final = ("word_density", "link_density", "tag", "before", "after")
FEATURES: Final = tuple(
    f"{name}_{offset:+d}" if offset else name
    for offset in range(-NEIGHBOURS, NEIGHBOURS + 1)
    for name in OWN_FEATURES
)
TAG_FEATURES: Final = tuple(
    k for k, name in enumerate(FEATURES) if name.startswith("tag")
)


_WEIGHTS: Final = Path(__file__).parent.parent / "weights"
_ARRAYS: Final = {
    "feature": np.int16,
    "threshold": np.float32,
    "equals": np.uint8,
    "left": np.int32,
    "value": np.float32,
}


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree as arrays, a value per node; see ``predict_trees``."""

    feature: Shorts
    threshold: Floats
    equals: Bytes
    left: Ints
    value: Floats

    @classmethod
    def load(cls, file: IO[bytes]) -> Tree:
        """Read a tree from the arrays of an ``.npz`` file.

        Raises ``ValueError`` for a file that is not a tree, or for a malformed tree.
        """
        try:
            with np.load(file, allow_pickle=False) as data:
                tree = cls(**unpack(data, _ARRAYS))
        except UNREADABLE_ARCHIVE as error:
            raise ValueError(f"no tree: {error}") from None
        size = tree.left.size
        if not size or any(array.shape != (size,) for array in vars(tree).values()):
            raise ValueError("no tree: its arrays differ in length")
        inner = np.flatnonzero(tree.left >= 0)
        below = tree.left[inner]
        # Every path goes forward and ends at a leaf.
        sound = (below > inner) & (below < size - 1)
        if not sound.all() or not np.isin(tree.feature, range(len(FEATURES))).all():
            raise ValueError("no tree over the features of a text block")
        return tree

    def predict(self, rows: Floats) -> Scores:
        """The probability of main content for each of the *rows*."""
        nodes = (self.feature, self.threshold, self.left, self.value)
        root = np.zeros(1, np.int32)
        return predict_trees(rows, *nodes, root, self.equals).astype(np.float32)


@dataclass(frozen=True)
class TextBlockContext(Algorithm):
    """The main content by a decision tree over 25 features.

    ``segmentation``: ``paper`` cuts at every tag but ``a``, ``boilerpipe`` at
    block-level tags only. Word density is that of complete lines, as in Boilerpipe;
    with ``paper-sentences`` that of equation 1. Each has a tree of its own. ``model``:
    the path of another tree that was trained for this segmentation.
    """

    name: ClassVar[str] = "text-block-context"

    segmentation: str = "paper"
    model: str | None = None

    def __post_init__(self) -> None:
        check_choice("segmentation", self.segmentation, SEGMENTATIONS)
        check_model(self.model, load_model)

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """The probability of main content: the mean of the segments of a block."""
        segments = cut(document, self.segmentation)
        probability = self.tree().predict(features(segments))
        weight = segments.words + 1e-3
        total = np.bincount(segments.block, weight, document.n_blocks)
        part = np.bincount(segments.block, weight * probability, document.n_blocks)
        scores: Scores = (part / np.maximum(total, 1e-9)).astype(np.float32)
        scores[(document.blocks.flags & Context.HIDDEN) != 0] = 0
        return scores

    def tree(self) -> Tree:
        """The decision tree, loaded once."""
        shipped = f"text_block_context_{self.segmentation}.npz"
        return load_model(self.model or str(_WEIGHTS / shipped))


def features(segments: Segments) -> Floats:
    """The 25 features of each segment (section 3.3), in the order of :data:`FEATURES`.

    Outside of the page densities and distances are 0 and the tag is "none".
    """
    gap = np.maximum(segments.place[1:] - segments.end_place[:-1] - 1, 0)
    before, after = np.append(0, gap)[: len(segments)], np.append(gap, 0)
    densities = segments.word_density, segments.link_density
    own = np.stack([*densities, segments.tag, before, after[: len(segments)]], axis=1)
    outside = np.zeros((NEIGHBOURS, len(OWN_FEATURES)), np.float32)
    outside[:, 2] = NO_TAG
    padded = np.vstack([outside, own, outside]).astype(np.float32)
    return np.ascontiguousarray(
        np.hstack([padded[k : k + len(own)] for k in range(2 * NEIGHBOURS + 1)])
    )


@cache
def load_model(path: str) -> Tree:
    """Load a tree; raises ``OSError`` or ``ValueError``."""
    with open(path, "rb") as file:
        return Tree.load(file)
