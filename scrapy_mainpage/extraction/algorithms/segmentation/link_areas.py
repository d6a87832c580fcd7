"""Areas of links and texts in elements (Jung et al. 2022, sections III-A and III-C)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...document.document import bytes_in_texts, nonblank_texts
from ...document.schema import RunKind
from ...document.tags import CODES
from .line_breaks import last_of_chain, sums_of_elements, sums_of_runs

if TYPE_CHECKING:
    from ...document.document import Document
    from ...document.layout import Layout
    from ...document.schema import Doubles, Longs, Mask


def link_area_density(document: Document, layout: Layout, visible: Mask) -> Doubles:
    """D_l (section III-A): the share of each element's area under links inside it."""
    containers = _link_containers(document)
    containers = containers[visible[containers]]
    area = np.zeros(document.n_elements)
    area[containers] = layout.area[containers]
    linked = sums_of_elements(document, area) - area
    return np.asarray(linked / np.maximum(layout.area, 1e-9) * (layout.area > 0))


def text_area_density(document: Document, layout: Layout, text: Longs) -> Doubles:
    """D_t (section III-C): the share of each element's area under low-link text.

    Of descendants only: the texts of an element have their own boxes. Where these are
    not known, they have the element's, for the element itself if no other text is
    inside.
    """
    n = document.n_elements
    free = np.zeros(n)
    box = layout.free_box
    np.add.at(free, document.runs.element[layout.free_run], box[:, 2] * box[:, 3])
    area = np.zeros(n)
    area[text] = np.where(free[text] > 0, free[text], layout.area[text])
    inside = sums_of_elements(document, area) - area
    covered = inside + np.where((free > 0) | (inside == 0), area, 0)
    return np.asarray(covered / np.maximum(layout.area, 1e-9) * (layout.area > 0))


def _link_containers(document: Document) -> Longs:
    """Outermost links, each widened to the ancestors whose only child it is.

    A link around an image alone is replaced by the image: the link's own box is only as
    high as a line.
    """
    elements = document.elements
    links = np.flatnonzero(links_and_buttons(document))
    images = _images_of(document, links)
    container = np.unique(np.where(images >= 0, images, _widened(document)[links]))
    reach = np.maximum.accumulate(np.concatenate(([0], elements.end[container])))[:-1]
    outermost: Longs = container[container >= reach]
    return outermost


def links_and_buttons(document: Document) -> Mask:
    """The elements that are links or buttons."""
    elements = document.elements
    own_link = elements.link == np.arange(document.n_elements)
    links: Mask = own_link | (elements.tag == CODES["button"])
    return links


def _widened(document: Document) -> Longs:
    """Each element, or the outermost of the ancestors whose only child it is."""
    elements, n = document.elements, document.n_elements
    parent = elements.parent.astype(np.int64)
    owners = document.runs.element[nonblank_texts(document)]
    children = np.bincount(parent[parent >= 0], minlength=n)
    children += np.bincount(owners, minlength=n)
    alone = (parent > body_of(document)) & (children[parent] == 1)
    return last_of_chain(np.where(alone, parent, np.arange(n)))


def _images_of(document: Document, links: Longs) -> Longs:
    """The first image of each link without text; -1 for the other links."""
    elements, runs = document.elements, document.runs
    silent = sums_of_runs(document, nonblank_texts(document))[links] == 0
    first, end = elements.first_run[links], elements.end_run[links]
    image = np.concatenate(
        (np.flatnonzero(runs.kind == RunKind.IMAGE), [len(runs.kind)])
    )
    at = image[np.searchsorted(image, first)]
    result = np.full(len(links), -1, np.int64)
    has_image = silent & (at < end)
    result[has_image] = runs.element[at[has_image]]
    return result


def body_of(document: Document) -> int:
    """The first body, else the root."""
    body = document.elements_with_tag("body")
    return int(body[0]) if len(body) else 0


def links_within(document: Document) -> Longs:
    """The number of links among each element and its descendants."""
    is_link = document.elements.link == np.arange(document.n_elements)
    return sums_of_elements(document, is_link)


def text_lengths(document: Document, shown: Mask) -> tuple[Longs, Longs]:
    """The characters of the *shown* runs of each element: all, and outside of links."""
    elements, runs = document.elements, document.runs
    text = np.frombuffer(document.text or b" ", np.uint8)
    length = bytes_in_texts(document, (text & 0xC0) != 0x80) * shown
    unlinked = np.where(elements.link[runs.element] >= 0, 0, length)
    return sums_of_runs(document, length), sums_of_runs(document, unlinked)


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
    images = sums_of_elements(document, elements.tag == CODES["img"])
    lists: Mask = (children > 0) & (images == 0)
    lists &= np.bincount(parent[single], minlength=n) == children
    lists &= np.bincount(parent[alike], minlength=n) == children
    return lists
