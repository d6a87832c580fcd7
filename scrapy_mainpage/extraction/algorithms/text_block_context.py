"""Text block context: a tree over a block and its neighbours (Kim et al. 2013).

M. Kim, Y. Kim, W. Song, A. Khil: "Main Content Extraction from Web Documents Using Text
Block Context", DEXA 2013. Section numbers are the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from .._trees import predict_tree
from ..document import Context
from ..segments import NO_TAG, SEGMENTATIONS, Segments, cut
from .base import Algorithm

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document import Document
    from ..layout import Layout
    from .base import Scores

    Rows = npt.NDArray[np.float32]

NEIGHBOURS: Final = 2
"""Blocks on each side whose features count too (section 3.3)."""

OWN_FEATURES: Final = ("word_density", "link_density", "tag", "before", "after")
FEATURES: Final = tuple(
    f"{name}_{offset:+d}" if offset else name
    for offset in range(-NEIGHBOURS, NEIGHBOURS + 1)
    for name in OWN_FEATURES
)
TAG_FEATURES: Final = tuple(
    k for k, name in enumerate(FEATURES) if name.startswith("tag")
)


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree as arrays, a value per node; see ``predict_tree``."""

    feature: npt.NDArray[np.int16]
    threshold: npt.NDArray[np.float32]
    equals: npt.NDArray[np.uint8]
    left: npt.NDArray[np.int32]
    value: npt.NDArray[np.float32]

    def predict(self, rows: Rows) -> Scores:
        """The probability of main content for each of the *rows*."""
        return predict_tree(
            rows, self.feature, self.threshold, self.equals, self.left, self.value
        )


@dataclass(frozen=True)
class TextBlockContext(Algorithm):
    """The blocks that a decision tree over 25 features takes for main content.

    ``segmentation``: ``paper`` cuts at every tag but ``a``, ``boilerpipe`` at
    block-level tags only; each has a tree of its own.
    """

    name: ClassVar[str] = "text-block-context"

    segmentation: str = "boilerpipe"

    def __post_init__(self) -> None:
        if self.segmentation not in SEGMENTATIONS:
            allowed = ", ".join(SEGMENTATIONS)
            raise ValueError(f"segmentation must be one of {allowed}")

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """The probability of main content: the mean of the segments of a block."""
        segments = cut(document, self.segmentation)
        probability = load_tree(self.segmentation).predict(features(segments))
        weight = segments.words + 1e-3
        total = np.bincount(segments.block, weight, document.n_blocks)
        part = np.bincount(segments.block, weight * probability, document.n_blocks)
        scores: Scores = (part / np.maximum(total, 1e-9)).astype(np.float32)
        scores[(document.blocks.flags & Context.HIDDEN) != 0] = 0
        return scores


def features(segments: Segments) -> Rows:
    """The 25 features of each segment (section 3.3), in the order of :data:`FEATURES`.

    Outside of the page densities and distances are 0 and the tag is "none".
    """
    gap = np.maximum(segments.place[1:] - segments.end_place[:-1] - 1, 0)
    own = np.zeros((len(segments), len(OWN_FEATURES)), np.float32)
    own[:, 0] = segments.word_density
    own[:, 1] = segments.link_density
    own[:, 2] = segments.tag
    own[1:, 3] = gap
    own[:-1, 4] = gap
    outside = np.zeros((NEIGHBOURS, len(OWN_FEATURES)), np.float32)
    outside[:, 2] = NO_TAG
    padded = np.vstack([outside, own, outside])
    return np.ascontiguousarray(
        np.hstack([padded[k : k + len(own)] for k in range(2 * NEIGHBOURS + 1)])
    )


@cache
def load_tree(segmentation: str) -> Tree:
    """The tree that comes with the package for a *segmentation*."""
    path = files(__package__) / "models" / f"text_block_context_{segmentation}.npz"
    with path.open("rb") as file, np.load(file) as data:
        return Tree(**{name: data[name] for name in data.files})
