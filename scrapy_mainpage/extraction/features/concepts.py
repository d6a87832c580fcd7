"""What class, id and role tokens say, reduced to a few dozen concepts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from .._structure import inherit, token_bits
from ..tags import ATTRIBUTE_CODES

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document import Document

    Columns = dict[str, npt.NDArray[np.float32]]
    Bits = npt.NDArray[np.uint64]

# A concept and the beginnings of words that stand for it. Names of classes are English
# on most of the web; what other languages use often is there too.
CONCEPTS: Final = {
    "navigation": "nav menu navi navbar megamenu sitemap tabs tab",
    "breadcrumb": "breadcrumb crumb pathway",
    "header": "header masthead topbar head kopf banner",
    "footer": "footer foot bottom fuss colophon copyright",
    "sidebar": "sidebar side aside rail widget gutter",
    "comment": "comment disqus reply respond kommentar comentario discussion",
    "related": "related recommend similar more also popular trending latest suggested",
    "teaser": "teaser promo featured card tile",
    "share": "share social sharing facebook twitter follow addthis",
    "advertisement": "ad ads advert sponsor banner dfp gpt outbrain taboola werbung",
    "consent": "cookie consent gdpr privacy cmp onetrust",
    "newsletter": "newsletter subscribe signup subscription",
    "modal": "modal popup overlay dialog lightbox tooltip dropdown",
    "login": "login signin account register cart basket checkout",
    "search": "search suche filter facet sort",
    "form": "form input field button btn",
    "pagination": "pagination pager paging page-numbers pagenav",
    "content": "content contents inhalt contenido",
    "main": "main primary",
    "article": "article story",
    "post": "post entry hentry blog",
    "body": "body text txt prose richtext wysiwyg copy",
    "title": "title headline heading titel",
    "byline": "byline author meta dateline published timestamp date avatar",
    "summary": "summary excerpt lead intro abstract standfirst deck",
    "caption": "caption figcaption credit legend",
    "gallery": "gallery carousel slider slideshow swiper",
    "media": "image img photo video media player figure",
    "list": "list items listing grid feed archive",
    "item": "item row cell col",
    "product": "product price sku buy shop",
    "review": "review rating testimonial stars",
    "description": "description desc details specs specification",
    "tags": "tag tags category categories topic label",
    "forum": "message thread topic quote signature bbcode",
    "code": "code highlight snippet syntax",
    "docs": "doc docs documentation section markdown rst",
    "table": "table toc",
    "hidden": "hidden hide sr-only visually-hidden screen-reader offscreen skip",
    "hero": "hero jumbotron cover",
    "contact": "contact address map location",
    "faq": "faq accordion collapse question answer",
    "user": "user profile member bio",
    "tool": "toolbar tools print email action controls",
}
NAMES: Final = tuple(CONCEPTS)
LARGEST_CACHE: Final = 200_000

_WORD_BITS: Final[dict[str, int]] = {}
for _bit, _words in enumerate(CONCEPTS.values()):
    for _word in _words.split():
        _WORD_BITS[_word] = _WORD_BITS.get(_word, 0) | 1 << _bit

_PLACES = np.arange(len(NAMES), dtype=np.uint64)[:, None]
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_seen: dict[bytes, int] = {}


@dataclass(frozen=True, eq=False)
class TokenBits:
    """Per element the concepts of its own tokens, and a hash of its classes."""

    own: Bits
    classes: Bits


def classify(token: bytes) -> int:
    """The concepts of one token, as bits: by itself, its parts, their singular."""
    text = token.decode("utf-8", "replace")[:80]
    whole = text.lower()
    bits = _WORD_BITS.get(whole, 0)
    for part in _PART.findall(text):
        word = part.lower()
        bits |= _WORD_BITS.get(word, 0) | _WORD_BITS.get(word.removesuffix("s"), 0)
    for word in (
        "content",
        "comment",
        "article",
        "sidebar",
        "footer",
        "cookie",
        "related",
    ):
        if word in whole:
            bits |= _WORD_BITS[word]
    return bits


def read_tokens(document: Document) -> TokenBits:
    """The concepts of each element's class, id and role."""
    tokens = document.tokens
    if len(_seen) > LARGEST_CACHE:
        _seen.clear()
    return TokenBits(
        *token_bits(
            document.values,
            tokens.attribute,
            tokens.element,
            tokens.start,
            tokens.end,
            ATTRIBUTE_CODES["class"],
            document.n_elements,
            _seen,
            classify,
        )
    )


def concept_features(document: Document, tokens: TokenBits) -> Columns:
    """Per concept: on the block's element, close above it, or anywhere above it."""
    parent, element = document.elements.parent, document.blocks.element
    everywhere = tokens.own.copy()
    inherit(parent, everywhere)
    near = tokens.own[element]
    ancestor = element
    for _ in range(3):
        ancestor = np.maximum(parent[ancestor], 0)
        near = near | tokens.own[ancestor]
    columns: Columns = {}
    for name, bits in (("near", near), ("any", everywhere[element])):
        table = (bits >> _PLACES) & np.uint64(1)
        for concept, column in zip(NAMES, table.astype(np.float32), strict=True):
            columns[f"{name}_{concept}"] = column
    return columns
