"""What the page declares: its title against each block, and its schema.org types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from .._structure import shared_words
from ..document import RunKind
from ..tags import ATTRIBUTE_CODES, CODES

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document import Document

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
_SCHEMA = (
    re.compile(rb'"@type"\s{0,4}:\s{0,4}"(\w{1,40})"'),
    re.compile(rb"schema\.org/(\w{1,40})"),
)
"""Apart, as a search for a text at the beginning is a quick one."""

_OG_TYPE = b"og:type"
_NAMING = (ATTRIBUTE_CODES["property"], ATTRIBUTE_CODES["name"])


def declared_features(document: Document) -> Columns:
    """The block's words in the title, the title's in the block; the page's types."""
    n = document.n_blocks
    blocks = document.blocks
    words, shared, n_title = shared_words(
        document.text, blocks.start, blocks.end, _title(document)
    )
    columns: Columns = {
        "title_share": (shared / np.maximum(words, 1)).astype(np.float32),
        "title_found": (shared / max(n_title, 1)).astype(np.float32),
    }
    types = _schema_types(document)
    for kind in TYPES:
        columns[f"page_type_{kind}"] = np.full(n, kind in types, np.float32)
    is_article = "article" in _og_type(document)
    columns["page_og_article"] = np.full(n, is_article, np.float32)
    return columns


def _title(document: Document) -> bytes:
    runs = document.runs
    heads = np.flatnonzero(runs.kind == RunKind.HEAD)
    at = heads[document.elements.tag[runs.element[heads]] == CODES["title"]]
    return document.values[runs.start[at[0]] : runs.end[at[0]]] if len(at) else b""


def _schema_types(document: Document) -> set[str]:
    names = {
        name.decode()
        for pattern in _SCHEMA
        for name in pattern.findall(document.values)
    }
    return {_TYPE_OF[name] for name in names if name in _TYPE_OF}


def _og_type(document: Document) -> str:
    """The content of the first element that declares ``og:type``."""
    attributes = document.attributes
    size = attributes.end - attributes.start
    named = np.isin(attributes.name, _NAMING) & (size == len(_OG_TYPE))
    for k in np.flatnonzero(named):
        if document.values[attributes.start[k] : attributes.end[k]] == _OG_TYPE:
            return document.attribute(int(attributes.element[k]), "content") or ""
    return ""
