"""The links of a page, and the media of its main content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ...label import Label
from ...page import Link, Media
from ..document.schema import RunKind
from ..document.tags import CODES
from ..labels import LABELS
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
    blocks = _link_blocks(document, links)
    return tuple(
        Link(
            url=address,
            text=texts.get(element) or _spoken_text(document, element),
            label=LABELS[labels[block]] if block >= 0 else Label.OTHER,
            rel=" ".join(relations.get(element, "").lower().split()),
        )
        for element, block in zip(links.tolist(), blocks.tolist(), strict=True)
        if (address := urls.get(element))
    )


def find_media(document: Document, main: Mask, url: str | None) -> tuple[Media, ...]:
    """Images, video, audio and embedded documents of the main content, each once."""
    addresses = Addresses(document, url)
    kept = main_runs(document.once(Signs), main)
    found_sources = find_sources(document, addresses, main, kept)
    sources = {run: (element, source) for run, element, source in found_sources}
    found = (
        Media(
            kind=_KINDS.get(int(document.elements.tag[element]), "embed"),
            url=source,
            alt=_one_line(_described(document, element)),
        )
        for element, source in sources.values()
        if source
    )
    return tuple({(media.kind, media.url): media for media in found}.values())


def _link_texts(document: Document) -> dict[int, str]:
    """The text of each link, else the alternative texts of its images."""
    texts: dict[int, list[str]] = {}
    images: dict[int, list[str]] = {}
    last: dict[int, int] = {}
    for link, kind, element, block, start, end in _linked_runs(document):
        if kind == _IMAGE:
            alt = document.attribute(element, "alt") or ""
            images.setdefault(link, []).append(alt + " ")
        elif block >= 0:
            parts = texts.setdefault(link, [])
            if last.setdefault(link, block) != block:
                parts.append(" ")
            last[link] = block
            parts.append(document.text[start:end].decode("utf-8", "replace"))
    names = {link: _one_line("".join(parts)) for link, parts in images.items()}
    return names | {link: _one_line("".join(parts)) for link, parts in texts.items()}


def _linked_runs(document: Document) -> Iterator[tuple[int, ...]]:
    """Link, kind, element, block, start and end of each run inside a link."""
    runs = document.runs
    links = document.elements.link[runs.element]
    inside = links >= 0
    columns = (links, runs.kind, runs.element, runs.block, runs.start, runs.end)
    return zip(*(column[inside].tolist() for column in columns), strict=True)


def _link_blocks(document: Document, links: Longs) -> Longs:
    """The block of each link: its first, else the nearest in the smallest element
    around it that has one; -1 on a page without text."""
    elements = document.elements
    inside = elements.end_block[links] > elements.first_block[links]
    runs = document.runs.block
    first_run = np.minimum(elements.first_run[links], max(len(runs) - 1, 0))
    own = runs[first_run] if len(runs) else np.full(len(links), -1)
    own = np.where(elements.end_run[links] > elements.first_run[links], own, -1)
    block = np.where(inside, elements.first_block[links], -1)
    block = np.where(own >= 0, own, block)
    holder = text_holders(document.once(Signs))[links]
    nearest = np.clip(
        elements.first_block[links],
        elements.first_block[holder],
        elements.end_block[holder] - 1,
    )
    return np.where((block < 0) & (holder >= 0), nearest, block).astype(np.int64)


def _spoken_text(document: Document, element: int) -> str:
    values = document.attributes_of(element)
    return _one_line(values.get("aria-label") or values.get("title") or "")


def _described(document: Document, element: int) -> str:
    values = document.attributes_of(element)
    names = ("alt", "aria-label", "title")
    return next((values[name] for name in names if values.get(name)), "")


def _one_line(text: str) -> str:
    return " ".join(text.split())
