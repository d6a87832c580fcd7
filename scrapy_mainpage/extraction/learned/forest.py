"""Boosted trees as data: from the features of text blocks to probabilities."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..algorithms.algorithm import UNREADABLE_ARCHIVE
from ._learned import (
    MIN_COPY_WORDS,
    QuickForest,
    keep_copies,
    predict_trees,
    round_values,
)
from .features import (
    CONTEXT_NAMES,
    SLOTS,
    compute,
    count_weighted_words,
    evaluate,
    feature_names,
    weight_table,
)
from .page_types import PageTypeModel

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    import numpy.typing as npt

    from ..document.document import Document

    Floats = npt.NDArray[np.float64]
    Rows = npt.NDArray[np.float32]
    Copies = npt.NDArray[np.uint8]

CONTEXT: Final = "context_"
"""Before the names of the arrays of the trees over a block's surroundings."""

MARKUP: Final = "markup"
"""The last feature, if there is a model of the markup: the sum of its weights."""

SAME_TEXT: Final = feature_names().index("same_text")
"""The feature that counts the blocks with the same text."""

TREE_ARRAYS: Final = {
    "feature": np.int16,
    "threshold": np.float32,
    "left": np.int32,
    "value": np.float32,
    "roots": np.int32,
}


@dataclass(frozen=True, eq=False)
class Forest:
    """Boosted trees as flat arrays, and the calibration of their sum.

    ``names`` are the features in the order of the columns; log odds are ``slope`` times
    the trees' sum plus ``offset``. ``slots`` and ``slot_weights`` are a linear model of
    the markup (features/markup.pxi), whose sum is the feature :data:`MARKUP`; ``types``
    predicts page types. ``context`` are the trees over the features of a block's
    surroundings (features/context.pxi), whose input are the log odds of these.
    """

    names: tuple[str, ...]
    feature: npt.NDArray[np.int16]
    threshold: npt.NDArray[np.float32]
    left: npt.NDArray[np.int32]
    value: npt.NDArray[np.float32]
    roots: npt.NDArray[np.int32]
    slope: float
    offset: float
    slots: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    slot_weights: npt.NDArray[np.float32] = field(
        default_factory=lambda: np.zeros(0, np.float32)
    )
    types: PageTypeModel | None = None
    context: Forest | None = None

    def __post_init__(self) -> None:
        # Exact sums: they do not depend on the order of the trees.
        object.__setattr__(self, "value", round_values(self.value))

    @classmethod
    def load(cls, file: BinaryIO) -> Forest:
        """Read a forest that :meth:`save` wrote; ``ValueError`` for anything else."""
        try:
            with np.load(file) as data:
                arrays = _read_trees(data)
                if "context_names" in data:
                    arrays["context"] = cls(**_read_trees(data, CONTEXT))
                if "slots" in data:
                    arrays["slots"] = data["slots"].astype(np.int32)
                    arrays["slot_weights"] = data["slot_weights"].astype(np.float32)
                forest = cls(types=PageTypeModel.read(data), **arrays)
        except UNREADABLE_ARCHIVE:
            raise ValueError("not a model of the learned algorithm") from None
        if not forest._is_sound():
            raise ValueError("not a model of the learned algorithm: no whole trees")
        unknown = set(forest.names) - {*feature_names(), MARKUP}
        if forest.context:
            unknown |= set(forest.context.names) - set(CONTEXT_NAMES)
        if unknown:
            raise ValueError(f"features that are not known: {', '.join(unknown)}")
        # Compiled here, so that trees that are too large are an error of the file.
        _ = forest.quick, forest.context and forest.context.quick
        return forest

    def _is_sound(self) -> bool:
        """Whether all numbers are finite, and every row ends in a leaf."""
        size, below = len(self.left), self.left[self.left >= 0]
        numbers = ([self.slope, self.offset], self.threshold, self.value)
        nodes = (self.feature, self.threshold, self.left, self.value)
        return bool(
            all(array.shape == (size,) for array in nodes)
            and all(np.isfinite(each).all() for each in numbers)
            and ((self.feature >= 0) & (self.feature < len(self.names))).all()
            and (below > np.flatnonzero(self.left >= 0)).all()
            and (below < size - 1).all()
            and ((self.roots >= 0) & (self.roots < size)).all()
            and MARKUP not in self.names[:-1]
            and self.slots.shape == self.slot_weights.shape
            and ((self.slots >= 0) & (self.slots < SLOTS)).all()
            and np.isfinite(self.slot_weights).all()
            and (self.types is None or self.types.is_sound(self.block_names))
            and (self.context is None or self.context._is_sound())
        )

    def save(self, path: Path) -> None:
        """Write the forest as a NumPy archive."""
        arrays: dict[str, Any] = {
            "slots": self.slots,
            "slot_weights": self.slot_weights.astype(np.float16),
            **self._tree_arrays(),
            **(self.types.arrays() if self.types else {}),
            **(self.context._tree_arrays(CONTEXT) if self.context else {}),
        }
        # Not compressed: loading takes a third of the time, and a wheel is compressed.
        np.savez(path, **arrays)

    def _tree_arrays(self, prefix: str = "") -> dict[str, npt.NDArray[Any]]:
        arrays = {prefix + name: getattr(self, name) for name in TREE_ARRAYS}
        arrays[prefix + "names"] = np.array(self.names)
        arrays[prefix + "calibration"] = np.array([self.slope, self.offset])
        return arrays

    @cached_property
    def block_names(self) -> tuple[str, ...]:
        """The features of text blocks, without the markup."""
        return tuple(name for name in self.names if name != MARKUP)

    def rows(self, document: Document) -> Rows:
        """The input of the trees: a row of features per block of *document*."""
        matrix = compute(document, self.table)
        known = (*feature_names(), MARKUP)
        return np.ascontiguousarray(matrix[[known.index(n) for n in self.names]].T)

    def evaluate(self, document: Document) -> Floats:
        """The log odds of main content per block."""
        odds = evaluate(
            document,
            self.table,
            self.quick,
            self.slope,
            self.offset,
            self.context.quick if self.context else None,
        )
        if self.context:
            odds = self.context.slope * odds + self.context.offset
        return odds

    def predict(self, rows: Rows) -> Floats:
        """The probability of main content for each of the *rows*."""
        return 1 / (1 + np.exp(-self.log_odds(rows)))

    def log_odds(self, rows: Rows) -> Floats:
        """The log odds of main content for each of the *rows*."""
        return self.slope * self._sums(rows) + self.offset

    def _sums(self, rows: Rows) -> Floats:
        return predict_trees(
            rows, self.feature, self.threshold, self.left, self.value, self.roots
        )

    @cached_property
    def table(self) -> Rows | None:
        """The weights of all slots of the markup; ``None`` without such a model."""
        if MARKUP not in self.names:
            return None
        return weight_table(self.slots, self.slot_weights)

    @cached_property
    def quick(self) -> QuickForest:
        """The compiled forest; ``ValueError`` if one of its trees is too large."""
        is_context = set(self.names) <= set(CONTEXT_NAMES)
        known = CONTEXT_NAMES if is_context else (*feature_names(), MARKUP)
        places = np.array([known.index(name) for name in self.names], np.int32)
        nodes = (self.feature, self.threshold, self.left, self.value, self.roots)
        return QuickForest(*nodes, places)

    def followed_by(self, more: Forest) -> Forest:
        """This forest, calibrated, with the trees of *more*, over the same features."""
        size = len(self.left)
        left = np.where(more.left >= 0, more.left + size + 1, more.left)
        return Forest(
            self.names,
            np.concatenate((self.feature, [0], more.feature)).astype(np.int16),
            np.concatenate((self.threshold, [0], more.threshold)).astype(np.float32),
            np.concatenate((self.left, [-1], left)).astype(np.int32),
            # The offset is the value of a tree of one leaf.
            np.concatenate((self.value * self.slope, [self.offset], more.value)).astype(
                np.float32
            ),
            np.concatenate((self.roots, [size], more.roots + size + 1)).astype(
                np.int32
            ),
            slope=1.0,
            offset=0.0,
            slots=self.slots,
            slot_weights=self.slot_weights,
            types=self.types,
        )


def find_copies(document: Document) -> Copies:
    """Mark longer texts that the page had before: for phones, in carousels, quoted."""
    again = compute(document)[SAME_TEXT] > 1
    copies: Copies = (again & (count_weighted_words(document) >= MIN_COPY_WORDS)).view(
        np.uint8
    )
    blocks = document.blocks
    keep_copies(document.text, blocks.start, blocks.end, copies)
    return copies


def _read_trees(data: Any, prefix: str = "") -> dict[str, Any]:
    arrays = {name: data[prefix + name].astype(t) for name, t in TREE_ARRAYS.items()}
    slope, offset = data[prefix + "calibration"].tolist()
    names = tuple(data[prefix + "names"].tolist())
    return {**arrays, "names": names, "slope": slope, "offset": offset}
