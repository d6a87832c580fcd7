"""The elements around a block: their contents, and which of them are heaviest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scrapy_mainpage.extraction.document.document import HEADING_SHIFT
from scrapy_mainpage.extraction.document.tags import CODES
from tests.extraction.learned.features.reference.basics import (
    heaviest_path,
    next_larger,
)
from tests.extraction.learned.features.reference.blocks import LONG_BLOCK, weights

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document

    Columns = dict[str, npt.NDArray[np.float32]]
    Values = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int32]

LEVELS = 7
"""Ancestors that are looked at; one that adds no block is skipped."""

ELEMENTS: Final = {
    "links": ("a",),
    "images": ("img",),
    "times": ("time",),
    "buttons": ("button", "input"),
}

HEAVIEST_SHARE = 0.6
"""Descend into the heaviest child while it holds this share of its container."""


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


def container_features(document: Document, ancestors: Ints) -> Columns:
    """Contents of the nearest *ancestors*, and the place in the heaviest containers."""
    totals = _Totals(document)
    columns = _ancestor_features(document, totals, ancestors)
    columns.update(_element_features(document, ancestors))
    weights_of = totals.between(totals.first, totals.end)
    for measure in ("plain", "long_words", "p_words", "sentences"):
        columns.update(_heaviest_features(document, measure, weights_of))
    return {name: np.asarray(c, np.float32) for name, c in columns.items()}


def _ancestor_features(
    document: Document, totals: _Totals, element: Ints
) -> dict[str, npt.NDArray[Any]]:
    first, end = totals.first[element], totals.end[element]
    sums = totals.between(first, end)
    words, count = sums["words"], (end - first).astype(np.float64)
    some, counted = np.maximum(words, 1), np.maximum(count, 1)
    page_words = max(float(totals.sums[totals.names.index("words"), -1]), 1.0)
    tables = {
        "blocks": count,
        "words": words,
        "share": words / page_words,
        "link_density": 1 - sums["plain"] / some,
        "words_per_block": words / counted,
        "p_share": sums["p_words"] / some,
        "long_share": sums["long_words"] / some,
        "headings": sums["headings"],
        "elements_per_word": (document.elements.end[element] - element) / some,
        "place": (np.arange(document.n_blocks) - first) / counted,
    }
    rounded = {name: table.astype(np.float32) for name, table in tables.items()}
    return {
        f"up{level}_{name}": table[level]
        for level in range(LEVELS)
        for name, table in rounded.items()
    }


def _element_features(
    document: Document, ancestors: Ints
) -> dict[str, npt.NDArray[Any]]:
    """Elements of some kinds per block, and headings that are links."""
    elements, blocks = document.elements, document.blocks
    end = elements.end[ancestors]
    first_block, end_block = elements.first_block, elements.end_block
    counted = np.maximum(end_block - first_block, 1)[ancestors]
    tables = {}
    for name, tags in ELEMENTS.items():
        is_one = np.isin(elements.tag, [CODES[tag] for tag in tags])
        total = np.concatenate(([0], np.cumsum(is_one)))
        tables[name] = (total[end] - total[ancestors]) / counted
    linked = (blocks.flags >> HEADING_SHIFT > 0) & (document.link_density() > 0.5)
    total = np.concatenate(([0], np.cumsum(linked)))
    tables["linked_headings"] = (
        total[end_block[ancestors]] - total[first_block[ancestors]]
    )
    return {
        f"up{level}_{name}": table[level]
        for level in range(LEVELS)
        for name, table in tables.items()
    }


def block_ancestors(document: Document) -> Ints:
    """A row per level: each block's element, then the next that adds a block."""
    elements = document.elements
    parent, first, end = elements.parent, elements.first_block, elements.end_block
    up = np.array(next_larger(parent.tolist(), first.tolist(), end.tolist()), np.int32)
    up = np.where(up >= 0, up, np.arange(len(up), dtype=np.int32))
    rows = np.empty((LEVELS, document.n_blocks), np.int32)
    rows[0] = document.blocks.element
    for level in range(1, LEVELS):
        rows[level] = up[rows[level - 1]]
    return rows


def _heaviest_features(
    document: Document, measure: str, weights_of: dict[str, Values]
) -> dict[str, Values]:
    """The block's position relative to the heaviest container by one *measure*."""
    elements, weight = document.elements, weights_of[measure]
    container = heaviest_path(
        elements.parent.tolist(), weight.tolist(), HEAVIEST_SHARE
    )[-1]
    first, end = elements.first_block[container], elements.end_block[container]
    index = np.arange(document.n_blocks)
    inside = (index >= first) & (index < end)
    distance = np.where(index < first, index - first, np.maximum(index - end + 1, 0))
    words, plain = weights_of["words"][container], weights_of["plain"][container]
    depth = elements.depth[document.blocks.element] - elements.depth[container]
    return {
        f"{measure}_inside": inside.astype(np.float64),
        f"{measure}_distance": distance.astype(np.float64),
        f"{measure}_place": np.where(inside, (index - first) / max(end - first, 1), -1),
        f"{measure}_link_density": np.full(len(index), 1 - plain / max(words, 1)),
        f"{measure}_share": np.full(len(index), weight[container] / max(weight[0], 1)),
        f"{measure}_depth": np.where(inside, depth, -1),
    }
