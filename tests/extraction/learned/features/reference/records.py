"""Records: like elements side by side, as posts, cards, rows and paragraphs are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scrapy_mainpage.extraction.document.document import HEADING_SHIFT
from scrapy_mainpage.extraction.document.tags import CODES
from tests.extraction.learned.features.reference.basics import nearest_marked
from tests.extraction.learned.features.reference.blocks import weights
from tests.extraction.learned.features.reference.numbering import numbered

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document
    from tests.extraction.learned.features.reference.groups import PlaceKeys

    Columns = dict[str, npt.NDArray[np.float32]]
    Ints = npt.NDArray[np.int32]
    Values = npt.NDArray[np.float64]
    Mask = npt.NDArray[np.bool_]

MIN_RECORDS: Final = 3
WIDE: Final = 2.0
"""Blocks per record, from which on it counts as a wide one."""


@dataclass(frozen=True, eq=False)
class _Siblings:
    """Per element its group of like siblings; per group the contents of its records."""

    group: Ints
    rank: Ints
    size: Ints
    blocks: Values
    words: Values
    linked: Values
    means: dict[str, Values]


def record_features(document: Document, keys: PlaceKeys, texts: Ints) -> Columns:
    """Of the nearest record, and the nearest wide one, around a block.

    Their number and their contents on average; the block's place in its record;
    how many records have a block at its place, and how many of these texts differ.
    *texts* numbers the blocks' texts, equal ones alike.
    """
    elements = document.elements
    siblings = _siblings(document, keys)
    count = siblings.size[siblings.group]
    own_blocks = elements.end_block - elements.first_block
    marked = (count >= MIN_RECORDS) & (own_blocks > 0)
    wide = marked & (siblings.blocks[siblings.group] >= WIDE * count)
    columns: Columns = {}
    for name, mask in (("record", marked), ("wide_record", wide)):
        near = nearest_marked(elements.parent.tolist(), mask.tolist())
        record = np.array(near, np.int32)
        found = _features(document, keys, siblings, record, texts)
        columns |= {f"{name}_{key}": column for key, column in found.items()}
    return columns


def _siblings(document: Document, keys: PlaceKeys) -> _Siblings:
    elements, blocks = document.elements, document.blocks
    # With the number of the parent: elements that are alike elsewhere are other groups.
    parent = elements.parent.tolist()
    group, rank, size = numbered(zip(keys.own, parent, strict=True))
    n = len(size)
    words = _held(weights(document), elements.first_block, elements.end_block)
    linked = _held(blocks.linked_words, elements.first_block, elements.end_block)
    heading = blocks.flags >> HEADING_SHIFT > 0
    in_links = blocks.linked_words * 2 > blocks.words
    own_blocks = elements.end_block - elements.first_block
    count = np.maximum(size, 1)
    in_group = np.bincount(group, words, n)
    mean = in_group / count
    square = np.bincount(group, words * words, n) / count
    spread = np.sqrt(np.maximum(square - mean * mean, 0)) / np.maximum(mean, 1)
    linked_in_group = np.bincount(group, linked, n)
    has = {
        "filled": own_blocks,
        "headings": _held(heading, elements.first_block, elements.end_block),
        "linked_headings": _held(
            heading & in_links, elements.first_block, elements.end_block
        ),
        "images": _elements_held(document, "img"),
        "times": _elements_held(document, "time"),
    }
    links = _elements_held(document, "a")
    means = {
        "count": size.astype(np.float64),
        "words": mean,
        "spread": spread,
        "blocks": np.bincount(group, own_blocks, n) / count,
        "link_density": linked_in_group / np.maximum(in_group, 1),
        "page_share": in_group / max(float(weights(document).sum()), 1.0),
        "links": np.bincount(group, links, n) / count,
    } | {name: np.bincount(group, held > 0, n) / count for name, held in has.items()}
    in_all: Values = np.asarray(np.bincount(group, own_blocks, n), np.float64)
    return _Siblings(group, rank, size, in_all, words, linked, means)


def _held(values: npt.NDArray[np.generic], first: Ints, end: Ints) -> Values:
    """The sum of the blocks' *values* inside of each element."""
    total = np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))
    return np.asarray(total[end] - total[first])


def _elements_held(document: Document, tag: str) -> Values:
    """The number of elements with the *tag* in each element, itself included."""
    elements = document.elements
    is_one = elements.tag == CODES[tag]
    return _held(is_one, np.arange(document.n_elements, dtype=np.int32), elements.end)


def _features(
    document: Document, keys: PlaceKeys, siblings: _Siblings, near: Ints, texts: Ints
) -> Columns:
    elements, blocks = document.elements, document.blocks
    record = near[blocks.element]
    found = record >= 0
    inside = np.maximum(record, 0)
    group = siblings.group[inside]
    count = np.maximum(siblings.size[group], 1)
    index = np.arange(document.n_blocks)
    own_blocks = elements.end_block[inside] - elements.first_block[inside]
    own_words = np.maximum(siblings.words[inside], 1)
    # Outside of all records, every block is a field of its own.
    place = np.where(found, group, -1 - index).tolist()
    two = [keys.two[i] for i in blocks.element.tolist()]
    field, _, in_field = numbered(zip(two, place, strict=True))
    _, rank, _ = numbered(zip(field.tolist(), texts.tolist(), strict=True))
    distinct = np.bincount(field, rank == 0, len(in_field))
    columns: dict[str, npt.NDArray[Any]] = {
        name: values[group] for name, values in siblings.means.items()
    }
    columns |= {
        "index": siblings.rank[inside],
        "index_share": siblings.rank[inside] / count,
        "place": (index - elements.first_block[inside]) / np.maximum(own_blocks, 1),
        "own_words": siblings.words[inside],
        "word_share": weights(document) / own_words,
        "up": elements.depth[blocks.element] - elements.depth[inside],
        "field": in_field[field] / count,
        "distinct": distinct[field] / np.maximum(in_field[field], 1),
        "own_link_density": siblings.linked[inside] / own_words,
    }
    return {
        name: np.where(found, column, -1).astype(np.float32)
        for name, column in columns.items()
    }
