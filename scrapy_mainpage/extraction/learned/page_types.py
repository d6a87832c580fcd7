"""Page types: boosted trees over means of block features and a markup model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ._forest import predict_trees, round_values
from .features import (
    FEATURE_NAMES,
    SLOTS,
    count_weighted_words,
    mean_features,
    page_slots,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from ..document.document import Document
    from ..document.schema import Doubles, Floats, Ints, Mask, Shorts


PAGE_TYPES: Final = (
    "article",
    "collection",
    "documentation",
    "forum",
    "listing",
    "product",
    "service",
)

FORUM: Final = "forum"
"""The page type on which comments are main content."""

MIN_TYPE_PROBABILITY: Final = 0.6
"""A page whose likeliest type is less likely has none. In cross-validation 44% of these
types are right, of the others 89%."""

MIN_WORDS: Final = 50.0
"""A page with fewer words of main content expected has no type: of the labelled pages,
22 of 1,615 have fewer, and 8 of these types are right."""

TREE_ARRAYS: Final = {
    "feature": np.int16,
    "threshold": np.float32,
    "left": np.int32,
    "value": np.float32,
    "roots": np.int32,
}
ARRAYS: Final = {**TREE_ARRAYS, "slots": np.int32, "slot_weights": np.float32}
_ARRAYS: Final = {**ARRAYS, "offsets": np.float32}
TYPES: Final = "types_"
WEIGHT_STEPS: Final = 128
_PAGE: Final = "page_"


@dataclass(frozen=True, eq=False)
class PageTypeModel:
    """Trees as flat arrays, as many for each of :data:`PAGE_TYPES`, and markup weights.

    ``roots`` has a row of trees per type; ``slot_weights`` a row per slot with a weight
    per type; ``offsets`` are added to their sums.
    """

    feature: Shorts
    threshold: Floats
    left: Ints
    value: Floats
    roots: Ints
    slots: Ints
    slot_weights: Floats
    offsets: Floats

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> PageTypeModel | None:
        """The model among the arrays of a file; ``None`` if there is none."""
        has_types = f"{TYPES}roots" in data
        return cls(**unpack(data, _ARRAYS, TYPES)) if has_types else None

    def is_sound(self, names: Sequence[str]) -> bool:
        """Whether all numbers are finite, and every row ends in a leaf.

        A row is one that :func:`page_row` makes of the features called *names*.
        """
        none = np.zeros((1, len(names)), np.float32)
        kinds = len(PAGE_TYPES)
        row = page_row(names, none, np.zeros(1), np.zeros(kinds, np.float32))
        nodes = (self.feature, self.threshold, self.left, self.value)
        return bool(
            len(self.left)
            and are_whole(nodes, self.roots, len(row))
            and np.isfinite(self.offsets).all()
            and self.roots.shape[:-1] == (kinds,)
            and self.slot_weights.shape == (len(self.slots), kinds)
            and self.offsets.shape == (kinds,)
            and ((self.slots >= 0) & (self.slots < SLOTS)).all()
        )

    def predict(self, row: Floats) -> Doubles:
        """The probability of each type, given the :func:`page_row` of a page."""
        rows = np.ascontiguousarray(row[None])
        nodes = (self.feature, self.threshold, self.left, self.value)
        totals = [predict_trees(rows, *nodes, roots)[0] for roots in self.roots]
        return softmax(np.array(totals))

    def markup(self, slots: Ints) -> Floats:
        """The probabilities of the types, given the distinct *slots* of a page."""
        ordered = np.sort(slots)  # found in a third of the time
        place = np.searchsorted(self.slots, ordered)
        chosen = place[self.slots.take(place, mode="clip") == ordered]
        scale = 1 / math.sqrt(max(len(chosen), 1))
        found = self.slot_weights.take(chosen, axis=0).sum(axis=0) * scale
        return softmax((found + self.offsets).astype(np.float64)).astype(np.float32)

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
        markup = self.markup(document.once(page_slots))
        means = means[_columns(tuple(names))]
        row = _join_row(names, means, words, likely, markup)
        found = zip(PAGE_TYPES, self.predict(row).tolist(), strict=True)
        return dict(sorted(found, key=lambda pair: -pair[1]))


def likely_type(types: Mapping[str, float]) -> str | None:
    """The first of *types*, the likeliest; ``None`` if it is not likely enough."""
    likeliest = next(iter(types), None)
    return likeliest if likeliest and types[likeliest] >= MIN_TYPE_PROBABILITY else None


def pack(arrays: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The arrays of a model for its file, which compress to half of the size.

    Children are so many nodes behind their parent (0: a leaf), sorted slots so many
    behind the one before. Values and weights are rounded, far below their noise.
    """
    packed = dict(arrays, value=round_values(arrays["value"]))
    steps = packed["left"] - np.arange(len(packed["left"]))
    packed["left"] = np.maximum(steps, 0).astype(np.int32)
    if "slots" in packed:
        steps = np.diff(packed["slots"], prepend=0)
        packed["slots"] = steps.astype(np.min_scalar_type(steps.max(initial=0)))
        # Whole steps, odd numbers for those below 0; all high bytes, then all low ones.
        whole = np.rint(packed["slot_weights"] * WEIGHT_STEPS).astype(np.int32)
        folded = np.divmod(2 * np.abs(whole) - (whole < 0), 256)
        packed["slot_weights"] = np.stack(folded).astype(np.uint8)
    return {prefix + name: array for name, array in packed.items()}


def unpack(data: Any, kinds: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The arrays that :func:`pack` packed, by name; ``KeyError`` if one is missing."""
    arrays = {name: data[prefix + name].astype(kind) for name, kind in kinds.items()}
    steps = arrays["left"]
    arrays["left"] = np.where(steps, steps + np.arange(len(steps)), -1).astype("i4")
    if "slots" in kinds:
        arrays["slots"] = np.cumsum(arrays["slots"], dtype=np.int32)
        high, low = arrays["slot_weights"].astype(np.int32)
        half, is_odd = np.divmod(256 * high + low, 2)
        weights = np.where(is_odd, -half - 1, half) / WEIGHT_STEPS
        arrays["slot_weights"] = weights.astype(np.float32)
    return arrays


def are_whole(
    nodes: Sequence[npt.NDArray[Any]], roots: npt.NDArray[Any], features: int
) -> bool:
    """Whether the numbers of trees are finite, and a row of *features* ends in a leaf.

    *nodes* are their features, thresholds, children on the left, and values.
    """
    feature, _, left, _ = nodes
    size, below = len(left), left[left >= 0]
    return bool(
        all(array.shape == (size,) and np.isfinite(array).all() for array in nodes)
        and ((feature >= 0) & (feature < features)).all()
        and (below > np.flatnonzero(left >= 0)).all()
        and (below < size - 1).all()
        and ((roots >= 0) & (roots < size)).all()
    )


def softmax(totals: Doubles) -> Doubles:
    """Probabilities from their logarithms, up to a constant."""
    powers = np.exp(totals - totals.max())
    return np.asarray(powers / powers.sum())


def page_row(
    names: Sequence[str], rows: Floats, likely: npt.NDArray[Any], markup: Floats
) -> Floats:
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
    places = {name: place for place, name in enumerate(FEATURE_NAMES)}
    return np.array([places[name] for name in names])


@cache
def _is_of_page(names: tuple[str, ...]) -> Mask:
    """Whether each of the features *names* is the same for all blocks of a page."""
    return np.array([name.startswith(_PAGE) for name in names])


def _some_words(words: npt.NDArray[Any]) -> Doubles:
    return words.astype(np.float64) + 1e-6


def _weigh_blocks(words: Doubles, likely: npt.NDArray[Any]) -> Doubles:
    """Per block its share in each of the three means."""
    expected = likely * words
    equal = np.full(len(words), 1 / max(len(words), 1))
    main = max(float(expected.sum()), 1e-6)
    return np.stack((equal, words / words.sum(), expected / main), axis=1)


def _join_row(
    names: Sequence[str],
    means: Doubles,
    words: Doubles,
    likely: npt.NDArray[Any],
    markup: Floats,
) -> Floats:
    """The row of a page of the *means*, three for each of the features *names*."""
    of_page = _is_of_page(tuple(names))
    expected = likely * words
    main, total = float(expected.sum()), float(words.sum())
    doubt = float((likely * (1 - likely) * words).sum())
    sums = [main, main / total, doubt / max(main, 1.0)]
    counts = [float(likely.max()), float((likely > 0.5).sum())]
    parts = (means[of_page, 0], *means[~of_page].T, sums, counts, markup)
    return np.concatenate(parts).astype(np.float32)
