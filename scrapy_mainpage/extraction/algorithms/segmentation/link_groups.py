"""Groups of links: the measures of their elements (Alarte and Silva, section 3.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...document.tags import CODES
from .line_breaks import bytes_in_texts

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...document.document import Document

    Ints = npt.NDArray[np.int64]
    Mask = npt.NDArray[np.bool_]


def links_within(document: Document) -> Ints:
    """The number of links among each element and its descendants."""
    is_link = document.elements.link == np.arange(document.n_elements)
    total = np.concatenate(([0], np.cumsum(is_link)))
    return np.asarray(total[document.elements.end] - total[:-1])


def text_lengths(document: Document, shown: Mask) -> tuple[Ints, Ints]:
    """The characters of the *shown* runs of each element: all, and outside of links."""
    elements, runs = document.elements, document.runs
    text = np.frombuffer(document.text or b" ", np.uint8)
    length = bytes_in_texts(document, (text & 0xC0) != 0x80) * shown
    unlinked = np.where(elements.link[runs.element] >= 0, 0, length)
    lengths = []
    for values in (length, unlinked):
        total = np.concatenate(([0], np.cumsum(values)))
        lengths.append(total[elements.end_run] - total[elements.first_run])
    return lengths[0], lengths[1]


def lists_of_links(document: Document) -> Mask:
    """The elements of children with one tag and one link each, without images."""
    elements, n = document.elements, document.n_elements
    parent, below = elements.parent, np.flatnonzero(elements.parent >= 0)
    children = np.bincount(parent[below], minlength=n)
    only_links = np.bincount(
        parent[below], elements.tag[below] == CODES["a"], minlength=n
    )
    single = below[(children[below] == 1) & (only_links[below] == 1)]
    # The same tag: every child has that of the last one.
    tag = np.full(n, -1)
    tag[parent[below]] = elements.tag[below]
    alike = below[elements.tag[below] == tag[parent[below]]]
    images = np.concatenate(([0], np.cumsum(elements.tag == CODES["img"])))
    lists: Mask = (children > 0) & (images[elements.end] == images[:-1])
    lists &= np.bincount(parent[single], minlength=n) == children
    lists &= np.bincount(parent[alike], minlength=n) == children
    return lists
