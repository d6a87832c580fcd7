"""The elements around a block: what they hold, and which of them are the heaviest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._structure import heaviest_path, next_larger
from ..document import HEADING_SHIFT
from ..tags import CODES
from .blocks import LONG_BLOCK, weights

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document import Document

    Columns = dict[str, npt.NDArray[np.float32]]
    Values = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int32]

LEVELS = 7
"""Ancestors that are looked at; one that adds no block is skipped."""

HEAVIEST_SHARE = 0.6
"""A container is gone into while its heaviest child holds this much of it."""


class _Totals:
    """Sums over the blocks of any element, by prefix sums."""

    def __init__(self, document: Document) -> None:
        blocks, elements = document.blocks, document.elements
        words = weights(document)
        density = blocks.linked_words / np.maximum(blocks.words, 1)
        is_p = elements.tag[blocks.element] == CODES["p"]
        self.first, self.end = elements.first_block, elements.end_block
        values = {
            "words": words,
            "plain": words * (1 - density),
            "long_words": words * ((words > LONG_BLOCK) & (density < 0.5)),
            "p_words": words * is_p,
            "headings": blocks.flags >> HEADING_SHIFT > 0,
            "sentences": blocks.sentences * (density < 0.5),
        }
        self.names = tuple(values)
        self.sums = np.zeros((len(values), document.n_blocks + 1))
        np.cumsum(np.stack(list(values.values())), axis=1, out=self.sums[:, 1:])

    def between(self, first: Ints, end: Ints) -> dict[str, Values]:
        """All sums over the blocks from *first* to *end*."""
        found = self.sums.take(end, axis=1) - self.sums.take(first, axis=1)
        return dict(zip(self.names, found, strict=True))

    def of_elements(self, name: str) -> Values:
        """One sum for every element."""
        total = self.sums[self.names.index(name)]
        return np.asarray(total[self.end] - total[self.first])


def container_features(document: Document) -> Columns:
    """What the next ancestors hold, and the place in the heaviest containers."""
    totals = _Totals(document)
    columns = _ancestor_features(document, totals)
    for measure in ("plain", "long_words", "p_words", "sentences"):
        columns.update(_heaviest_features(document, totals, measure))
    return {name: np.asarray(c, np.float32) for name, c in columns.items()}


def _ancestor_features(document: Document, totals: _Totals) -> dict[str, Values]:
    elements, blocks = document.elements, document.blocks
    up = next_larger(elements.parent, elements.first_block, elements.end_block)
    page_words = max(float(totals.sums[totals.names.index("words"), -1]), 1.0)
    index = np.arange(document.n_blocks)
    columns: dict[str, Values] = {}
    element = blocks.element
    for level in range(LEVELS):
        first, end = totals.first[element], totals.end[element]
        sums = totals.between(first, end)
        words, count = sums["words"], (end - first).astype(np.float64)
        some, counted = np.maximum(words, 1), np.maximum(count, 1)
        own = {
            "blocks": count,
            "words": words,
            "share": words / page_words,
            "link_density": 1 - sums["plain"] / some,
            "words_per_block": words / counted,
            "p_share": sums["p_words"] / some,
            "long_share": sums["long_words"] / some,
            "headings": sums["headings"],
            "elements_per_word": (elements.end[element] - element) / some,
            "place": (index - first) / counted,
        }
        columns.update({f"up{level}_{name}": value for name, value in own.items()})
        element = np.where(up[element] >= 0, up[element], element)
    return columns


def _heaviest_features(
    document: Document, totals: _Totals, measure: str
) -> dict[str, Values]:
    """How the block lies to the container that holds most by one *measure*."""
    weight = totals.of_elements(measure)
    path = heaviest_path(document.elements.parent, weight, HEAVIEST_SHARE)
    container = path[-1]
    first, end = int(totals.first[container]), int(totals.end[container])
    index = np.arange(document.n_blocks)
    inside = (index >= first) & (index < end)
    distance = np.where(index < first, index - first, np.maximum(index - end + 1, 0))
    sums = totals.between(totals.first[[container]], totals.end[[container]])
    words, plain = sums["words"][0], sums["plain"][0]
    own_depth = document.elements.depth[document.blocks.element]
    return {
        f"{measure}_inside": inside.astype(np.float64),
        f"{measure}_distance": distance.astype(np.float64),
        f"{measure}_place": np.where(inside, (index - first) / max(end - first, 1), -1),
        f"{measure}_link_density": np.full(len(index), 1 - plain / max(words, 1)),
        f"{measure}_share": np.full(len(index), weight[container] / max(weight[0], 1)),
        f"{measure}_depth": np.where(
            inside, own_depth - document.elements.depth[container], -1
        ),
    }
