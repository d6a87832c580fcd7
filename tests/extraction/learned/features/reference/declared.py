"""Declared data: the page's title against each block, and its schema.org types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from scrapy_mainpage.extraction.document.document import RunKind
from scrapy_mainpage.extraction.document.tags import ATTRIBUTE_CODES, CODES
from tests.extraction.learned.features.reference.basics import shared_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document

    Columns = dict[str, npt.NDArray[np.float32]]

TYPES: Final = {
    "article": "Article NewsArticle BlogPosting TechArticle ReportageNewsArticle",
    "product": "Product Offer ProductGroup AggregateOffer",
    "list": "ItemList CollectionPage SearchResultsPage OfferCatalog",
    "forum": "DiscussionForumPosting QAPage Question SocialMediaPosting",
    "organisation": "Organization LocalBusiness Service Corporation",
    "recipe": "Recipe HowTo FAQPage",
}
_TYPE_OF = {name: kind for kind, names in TYPES.items() for name in names.split()}
_JSON = re.compile(rb'"@type"\s{0,4}:\s{0,4}"(\w{1,40})"')
_ADDRESS = re.compile(rb"schema\.org/(\w{1,40})")

_DESCRIPTIONS: Final = (b"description", b"og:description")
_SAYING = (ATTRIBUTE_CODES["itemtype"], ATTRIBUTE_CODES["content"])
_NAMING = (ATTRIBUTE_CODES["property"], ATTRIBUTE_CODES["name"])


def declared_features(document: Document) -> Columns:
    """The words shared with the title and the description; the page's types."""
    n = document.n_blocks
    columns: Columns = {}
    for name, text in (
        ("title", _title(document)),
        ("description", _description(document)),
    ):
        share, found, size = _shared(document, text)
        columns[f"{name}_share"], columns[f"{name}_found"] = share, found
        columns[f"{name}_words"] = np.full(n, size, np.float32)
    types = _schema_types(document)
    for kind in TYPES:
        columns[f"page_type_{kind}"] = np.full(n, kind in types, np.float32)
    is_article = "article" in _og_type(document)
    columns["page_og_article"] = np.full(n, is_article, np.float32)
    return columns


def title_match(document: Document) -> npt.NDArray[np.float32]:
    """Per block: how closely its words match the page's title."""
    share, found, _ = _shared(document, _title(document))
    return share * np.minimum(found, 1)


def _shared(
    document: Document, text: bytes
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], int]:
    """The share of each block's words that *text* has; of its words that are found."""
    blocks = document.blocks
    counts = [
        shared_words(document.text[start:end], text)
        for start, end in zip(blocks.start, blocks.end, strict=True)
    ]
    words, shared, _ = np.array(counts, np.int32).reshape(-1, 3).T
    size = shared_words(b"", text)[2]
    share = (shared / np.maximum(words, 1)).astype(np.float32)
    return share, (shared / max(size, 1)).astype(np.float32), size


def _title(document: Document) -> bytes:
    runs = document.runs
    heads = np.flatnonzero(runs.kind == RunKind.HEAD)
    at = heads[document.elements.tag[runs.element[heads]] == CODES["title"]]
    return document.values[runs.start[at[0]] : runs.end[at[0]]] if len(at) else b""


def _description(document: Document) -> bytes:
    """The longest text that the page declares as its description."""
    texts = [
        (document.attribute(element, "content") or "").encode()
        for name in _DESCRIPTIONS
        for element in _naming(document, name)
    ]
    return max(texts, key=len, default=b"")


def _schema_types(document: Document) -> set[str]:
    names: set[bytes] = set()
    for start, end in _typed(document):
        names |= {*_JSON.findall(document.values[start:end])}
        names |= {*_ADDRESS.findall(document.values[start:end])}
    return {_TYPE_OF[name.decode()] for name in names if name.decode() in _TYPE_OF}


def _typed(document: Document) -> list[tuple[int, int]]:
    """Ranges of values that may name types: JSON-LD, ``itemtype``, ``content``."""
    runs, attributes = document.runs, document.attributes
    is_title = document.elements.tag[runs.element] == CODES["title"]
    scripts = (runs.kind == RunKind.HEAD) & ~is_title
    said = np.isin(attributes.name, _SAYING)
    start = np.concatenate((runs.start[scripts], attributes.start[said]))
    end = np.concatenate((runs.end[scripts], attributes.end[said]))
    return [*zip(start.tolist(), end.tolist(), strict=True)]


def _og_type(document: Document) -> str:
    """The content of the first element that declares ``og:type``."""
    for element in _naming(document, b"og:type"):
        return document.attribute(element, "content") or ""
    return ""


def _naming(document: Document, name: bytes) -> Iterator[int]:
    """The elements with *name* as ``property`` or ``name``, ignoring case."""
    attributes = document.attributes
    size = attributes.end - attributes.start
    named = np.isin(attributes.name, _NAMING) & (size == len(name))
    for k in np.flatnonzero(named):
        value = document.values[attributes.start[k] : attributes.end[k]]
        if value.lower() == name:
            yield int(attributes.element[k])
