"""Copies of a page with less to go by: without names of elements, or of few blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scrapy_mainpage.evaluation.datasets import parse_page
from scrapy_mainpage.extraction.document.document import read_tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from lxml.etree import _Element

    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.label import Label

    Ints = npt.NDArray[np.intp]
    Mask = npt.NDArray[np.bool_]

MAX_MAIN_BLOCKS: Final = 6
MAX_PARTS: Final = 3
MAX_PART_BLOCKS: Final = (2, 4, 8, 14)
"""Shares of a part that is kept; one is drawn."""


def remove_names(html: bytes) -> Document:
    """The page without classes and ids, as if a program had made them up."""
    root = parse_page(html)
    for element in root.iter("*"):
        for name in {"class", "id"}.intersection(map(str, element.attrib)):
            del element.attrib[name]
    return read_tree(root)


def keep_parts(
    html: bytes,
    main: Mask,
    labels: Mapping[int, Label],
    draw: np.random.RandomState,
) -> tuple[Document, Ints] | None:
    """The page cut to the begin of its main content and a few parts, and their blocks.

    A part is around one of the blocks with *labels*; those of rare roles are kept as
    often. ``None`` if there is none, or not all blocks stay as they were.
    """
    blocks_of: dict[Label, list[int]] = {}
    for block, label in labels.items():
        if not label.is_main:
            blocks_of.setdefault(label, []).append(block)
    if not blocks_of:
        return None
    roles = sorted(blocks_of)
    root = parse_page(html)
    document = read_tree(root)
    parent, first = document.elements.parent, document.elements.first_block
    end = document.elements.end_block
    kept = np.zeros(document.n_blocks, bool)
    kept[np.flatnonzero(main)[: draw.randint(1, MAX_MAIN_BLOCKS + 1)]] = True
    for _ in range(draw.randint(1, MAX_PARTS + 1)):
        seed = draw.choice(blocks_of[roles[draw.randint(len(roles))]])
        at, most = int(document.blocks.element[seed]), draw.choice(MAX_PART_BLOCKS)
        while parent[at] >= 0 and end[parent[at]] - first[parent[at]] <= most:
            at = int(parent[at])
        kept[first[at] : end[at]] = True
    before = np.concatenate(([0], np.cumsum(kept)))
    empty = (end > first) & (before[end] == before[first])
    largest = np.flatnonzero(empty & ~empty[np.maximum(parent, 0)])
    for element in _find_elements(root, document, largest):
        if element.getparent() is None:
            return None
        tail = element.tail
        element.clear()
        element.tail = tail
    partial = read_tree(root)
    if partial.n_blocks != kept.sum():
        return None
    return partial, np.flatnonzero(kept)


def _find_elements(root: _Element, document: Document, numbers: Ints) -> list[_Element]:
    found: list[Any] = [root.xpath(document.xpath(k)) for k in numbers.tolist()]
    return [elements[0] for elements in found]
