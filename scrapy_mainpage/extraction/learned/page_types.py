"""Page types: boosted trees over means of block features and a markup model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ._learned import predict_trees
from .features import (
    SLOTS,
    count_weighted_words,
    feature_names,
    mean_features,
    page_slots,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from ..document.document import Document

    Ints = npt.NDArray[np.int32]
    Rows = npt.NDArray[np.float32]
    Floats = npt.NDArray[np.float64]

PAGE_TYPES: Final = (
    "article",
    "collection",
    "documentation",
    "forum",
    "listing",
    "product",
    "service",
)

MIN_WORDS: Final = 50.0
"""A page with fewer words of main content expected has no type: of the labelled pages,
22 of 1,615 have fewer, and 8 of these types are right."""

_ARRAYS: Final = {
    "feature": np.int16,
    "threshold": np.float32,
    "left": np.int32,
    "value": np.float32,
    "roots": np.int32,
    "slots": np.int32,
    "slot_weights": np.float32,
    "offsets": np.float32,
}
_PREFIX: Final = "types_"
_PAGE: Final = "page_"


@dataclass(frozen=True, eq=False)
class PageTypeModel:
    """Trees as flat arrays, as many for each of :data:`PAGE_TYPES`, and markup weights.

    ``roots`` has a row of trees per type; ``slot_weights`` a row per slot with a weight
    per type; ``offsets`` are added to their sums.
    """

    feature: npt.NDArray[np.int16]
    threshold: npt.NDArray[np.float32]
    left: Ints
    value: npt.NDArray[np.float32]
    roots: Ints
    slots: Ints
    slot_weights: Rows
    offsets: Rows

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> PageTypeModel | None:
        """The model among the arrays of a file; ``None`` if there is none."""
        if f"{_PREFIX}roots" not in data:
            return None
        return cls(
            **{name: data[_PREFIX + name].astype(t) for name, t in _ARRAYS.items()}
        )

    def arrays(self) -> dict[str, Any]:
        """The arrays as :meth:`read` finds them."""
        found = {_PREFIX + name: getattr(self, name) for name in _ARRAYS}
        weights = f"{_PREFIX}slot_weights"
        return found | {weights: found[weights].astype(np.float16)}

    def is_sound(self, names: Sequence[str]) -> bool:
        """Whether all numbers are finite, and every row ends in a leaf.

        A row is one that :func:`page_row` makes of the features called *names*.
        """
        none = np.zeros((1, len(names)), np.float32)
        kinds = len(PAGE_TYPES)
        row = page_row(names, none, np.zeros(1), np.zeros(kinds, np.float32))
        size, below = len(self.left), self.left[self.left >= 0]
        nodes = (self.feature, self.threshold, self.left, self.value)
        return bool(
            size
            and all(array.shape == (size,) for array in nodes)
            and all(
                np.isfinite(a).all() for a in (*nodes, self.slot_weights, self.offsets)
            )
            and ((self.feature >= 0) & (self.feature < len(row))).all()
            and (below > np.flatnonzero(self.left >= 0)).all()
            and (below < size - 1).all()
            and self.roots.shape[:-1] == (kinds,)
            and ((self.roots >= 0) & (self.roots < size)).all()
            and self.slot_weights.shape == (len(self.slots), kinds)
            and self.offsets.shape == (kinds,)
            and ((self.slots >= 0) & (self.slots < SLOTS)).all()
        )

    def predict(self, row: Rows) -> Floats:
        """The probability of each type, given the :func:`page_row` of a page."""
        rows = np.ascontiguousarray(row[None])
        totals = [
            predict_trees(
                rows, self.feature, self.threshold, self.left, self.value, roots
            )[0]
            for roots in self.roots
        ]
        return softmax(np.array(totals))

    def markup(self, slots: Ints) -> Rows:
        """The probabilities of the types, given the *slots* of a page."""
        row = self._row_of[slots]
        known = np.zeros(len(self.slots), bool)
        known[row[row >= 0]] = True
        scale = 1 / math.sqrt(max(int(known.sum()), 1))
        found = self.slot_weights[known].sum(axis=0) * scale + self.offsets
        return softmax(found.astype(np.float64)).astype(np.float32)

    @cached_property
    def _row_of(self) -> Ints:
        rows = np.full(SLOTS, -1, np.int32)
        rows[self.slots] = np.arange(len(self.slots), dtype=np.int32)
        return rows

    def page_types(
        self, document: Document, names: Sequence[str], likely: npt.NDArray[Any]
    ) -> dict[str, float]:
        """The types by probability, given the scores of the blocks.

        *names* are the features that the model knows. Empty for a page with less text
        than those that the model learned from.
        """
        expected = np.asarray(likely, np.float64) * document.blocks.words
        if expected.sum() < MIN_WORDS:
            return {}
        words = _some_words(count_weighted_words(document))
        means = mean_features(document, _weigh_blocks(words, likely))
        means = means[_columns(tuple(names))]
        markup = self.markup(page_slots(document))
        row = _join_row(names, means, words, likely, markup)
        found = zip(PAGE_TYPES, self.predict(row).tolist(), strict=True)
        return dict(sorted(found, key=lambda pair: -pair[1]))


def softmax(totals: Floats) -> Floats:
    """Probabilities from their logarithms, up to a constant."""
    powers = np.exp(totals - totals.max())
    return np.asarray(powers / powers.sum())


def page_row(
    names: Sequence[str], rows: Rows, likely: npt.NDArray[Any], markup: Rows
) -> Rows:
    """Features of a page: its own, and means of its blocks' features.

    Means over blocks, over words, and over the words of the main content as it is
    expected by *likely*.
    """
    words = _some_words(rows[:, list(names).index("words")])
    # Not by linear algebra, whose threads would cost more than they give.
    means = np.einsum("ik,ij->jk", _weigh_blocks(words, likely), rows)
    return _join_row(names, means, words, likely, markup)


@cache
def _columns(names: tuple[str, ...]) -> npt.NDArray[np.intp]:
    """The places of the features *names* among all."""
    places = {name: place for place, name in enumerate(feature_names())}
    return np.array([places[name] for name in names])


@cache
def _is_of_page(names: tuple[str, ...]) -> npt.NDArray[np.bool_]:
    """Whether each of the features *names* is the same for all blocks of a page."""
    return np.array([name.startswith(_PAGE) for name in names])


def _some_words(words: npt.NDArray[Any]) -> Floats:
    return words.astype(np.float64) + 1e-6


def _weigh_blocks(words: Floats, likely: npt.NDArray[Any]) -> Floats:
    """Per block its share in each of the three means."""
    expected = likely * words
    equal = np.full(len(words), 1 / max(len(words), 1))
    main = max(float(expected.sum()), 1e-6)
    return np.stack((equal, words / words.sum(), expected / main), axis=1)


def _join_row(
    names: Sequence[str],
    means: Floats,
    words: Floats,
    likely: npt.NDArray[Any],
    markup: Rows,
) -> Rows:
    """The row of a page of the *means*, three for each of the features *names*."""
    of_page = _is_of_page(tuple(names))
    expected = likely * words
    main, total = float(expected.sum()), float(words.sum())
    doubt = float((likely * (1 - likely) * words).sum())
    sums = [main, main / total, doubt / max(main, 1.0)]
    counts = [float(likely.max()), float((likely > 0.5).sum())]
    parts = (means[of_page, 0], *means[~of_page].T, sums, counts, markup)
    return np.concatenate(parts).astype(np.float32)
