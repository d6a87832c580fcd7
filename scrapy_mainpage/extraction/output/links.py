"""The links of a page, and the media of its main content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ...label import Label
from ...page import Link, Media
from ..document.schema import RunKind
from ..document.tags import CODES
from ..labels import CODE, LABELS
from ._main_tree import main_runs, text_holders
from ._signs import Signs, unmarked_elements
from .images import find_sources
from .urls import Addresses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document
    from ..document.schema import Bytes, Longs, Mask

_KINDS: Final = {
    CODES["img"]: "image",
    CODES["video"]: "video",
    CODES["audio"]: "audio",
}

_IMAGE: Final = int(RunKind.IMAGE)


def find_links(document: Document, labels: Bytes, url: str | None) -> tuple[Link, ...]:
    """All links of the page with a usable address, in document order.

    *labels* are the blocks' labels as indices into ``LABELS``.

    Addresses are absolute if the page's *url* is known. A link without text has that
    of its images, its ``aria-label`` or its title. A link outside of all text blocks
    has the label of the nearest. Permalinks and marks of footnotes are not links.
    """
    addresses = Addresses(document, url)
    own = document.elements.link == np.arange(document.n_elements)
    links = np.flatnonzero(own & ~unmarked_elements(document.once(Signs)))
    urls = addresses.find(links, "href")
    relations = document.values_of("rel", links)
    texts = _link_texts(document)
    texts |= _spoken_texts(document, [each for each in urls if not texts.get(each)])
    codes = np.append(labels, CODE[Label.OTHER])[_link_blocks(document, links)]
    return tuple(
        Link(  # in the order of the fields, which is faster than by name
            urls[element],
            texts.get(element, ""),
            LABELS[code],
            _one_line(relations[element].lower()) if element in relations else "",
        )
        for element, code in zip(links.tolist(), codes.tolist(), strict=True)
        if element in urls
    )


def find_media(document: Document, main: Mask, url: str | None) -> Iterator[Media]:
    """Images, video, audio and embedded documents of the main content."""
    addresses = Addresses(document, url)
    kept = main_runs(document.once(Signs), main)
    found = find_sources(document, addresses, main, kept)
    sources = {run: (element, source) for run, element, source in found}
    return (
        Media(
            kind=_KINDS.get(int(document.elements.tag[element]), "embed"),
            url=source,
            alt=_one_line(_described(document, element)),
        )
        for element, source in sources.values()
        if source
    )


def _link_texts(document: Document) -> dict[int, str]:
    """The text of each link, else the alternative texts of its images."""
    runs, text = document.runs, document.text
    links = document.elements.link[runs.element]
    is_image = runs.kind == _IMAGE
    parts: dict[int, list[str]] = {}
    own = np.flatnonzero((links >= 0) & ~is_image & (runs.block >= 0))
    # Neighbouring runs of a link in a block are one piece of its text.
    columns = (links, runs.block, runs.start, runs.end)
    link, block, starts, ends = (column[own] for column in columns)
    is_other = np.diff(block, prepend=-1) != 0
    is_new = is_other | (np.diff(link, prepend=-1) != 0)
    is_new[1:] |= starts[1:] != ends[:-1]
    first = np.flatnonzero(is_new)
    rows = link[first], is_other[first], starts[first], ends[np.roll(first, -1) - 1]
    for element, other, start, end in zip(*(r.tolist() for r in rows), strict=True):
        piece = " " * other + text[start:end].decode("utf-8", "replace")
        parts.setdefault(element, []).append(piece)
    pictures = np.flatnonzero((links >= 0) & is_image)
    alts = document.values_of("alt", runs.element[pictures])
    shown: dict[int, list[str]] = {}
    pairs = (links[pictures], runs.element[pictures])
    for element, image in zip(*(c.tolist() for c in pairs), strict=True):
        shown.setdefault(element, []).append(f"{alts.get(image, '')} ")
    return {each: _one_line("".join(found)) for each, found in (shown | parts).items()}


def _link_blocks(document: Document, links: Longs) -> Longs:
    """The block of each link: its first, else the nearest in the smallest element
    around it that has one; -1 on a page without text."""
    elements = document.elements
    inside = elements.end_block[links] > elements.first_block[links]
    runs = document.runs.block
    first_run = np.minimum(elements.first_run[links], max(len(runs) - 1, 0))
    own = runs[first_run] if len(runs) else np.full(len(links), -1)
    own = np.where(elements.end_run[links] > elements.first_run[links], own, -1)
    block = np.where(own >= 0, own, np.where(inside, elements.first_block[links], -1))
    holder = text_holders(document.once(Signs))[links]
    nearest = np.clip(
        elements.first_block[links],
        elements.first_block[holder],
        elements.end_block[holder] - 1,
    )
    return np.where((block < 0) & (holder >= 0), nearest, block).astype(np.int64)


def _spoken_texts(document: Document, elements: list[int]) -> dict[int, str]:
    """What is read out for *elements* without text: their ``aria-label`` or title."""
    wanted = np.array(elements, np.int64)
    names = (document.values_of(name, wanted) for name in ("title", "aria-label"))
    titles, spoken = ({k: v for k, v in each.items() if v} for each in names)
    return {element: _one_line(text) for element, text in (titles | spoken).items()}


def _described(document: Document, element: int) -> str:
    values = document.attributes_of(element)
    return next(
        (values[k] for k in ("alt", "aria-label", "title") if values.get(k)), ""
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())
