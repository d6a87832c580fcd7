"""Whether a page is a listing: the odds of its type, its groups of links, its address.

The weights are those of a logistic regression on pages of 200 sites, with types from
models that had not seen the site.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

import numpy as np

from ...addresses import parts_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..document.document import Document
    from ..document.schema import Mask
    from .measures import Words

LISTINGS: Final = ("listing", "collection")
MIN_ODDS: Final = 0.6
"""Logarithm of the odds from which on a page is a listing: 65% are."""

MOST_OF_RECORDS: Final = 3.5
"""The odds that records and address give at most, on nearly all pages."""

OFFSET: Final = -0.04
TYPE: Final = 0.94
SCORE: Final = 0.38
COVERED: Final = 1.39
PROSE: Final = -0.14
LEAD: Final = -0.3
ARTICLE: Final = -0.53
PRODUCT: Final = -0.86
ADDRESS: Final = 0.91
LONG_TEXT: Final = 25
"""Words outside of links of a text that is no teaser."""

_ARTICLES: Final = {"NewsArticle", "Article", "BlogPosting", "Report"}
_LISTS: Final = {
    "ItemList", "CollectionPage", "SearchResultsPage", "OfferCatalog", "Blog",
}  # fmt: skip
_TYPE: Final = re.compile(r'"@type"\s{0,9}:\s{0,9}(?:\[\s{0,99})?"(\w{1,60})"')
_LISTING_PATH: Final = re.compile(
    r"(?i)/(?:categor(?:y|ies|ie|ia)|kategorie|tags?|topics?|search|archives?"
    r"|collections?|catalog(?:ue)?|page|authors?|shop|store|browse|c|cat|products|listing"
    r"|list|explore|news|blog|index)(?:/|$|\.)|[?&](?:q|s|query|search|page|p|cat"
    r"|category)="
)
MAX_SCRIPTS: Final = 50
MAX_TYPES: Final = 100


def type_odds(types: Mapping[str, float]) -> float:
    """The logarithm of the odds that a page of these types is a listing; 0 for none."""
    if not types:
        return 0.0
    chance = sum(types.get(name, 0.0) for name in LISTINGS)
    odds = math.log((chance + 0.01) / (1 - chance + 0.01))
    return TYPE * min(max(odds, -4), 4)


def record_odds(
    document: Document, url: str | None, score: float, taken: Mask, words: Words
) -> float:
    """What the chosen records add: their *score*, their share of the page, its address.

    *taken* are the blocks of the records.
    """
    own = np.diff(words.all) - np.diff(words.frame)
    before = int(words.main[int(taken.argmax())])
    long = document.blocks.words - document.blocks.linked_words
    prose = long.sum(where=taken & (long >= LONG_TEXT))
    types = _declared_types(document)
    return (
        OFFSET
        + SCORE * math.log1p(score)
        + COVERED * float(own.sum(where=taken)) / max(float(own.sum()), 1)
        + PROSE * math.log1p(float(prose))
        + LEAD * math.log1p(before)
        + ARTICLE * (not _ARTICLES.isdisjoint(types) and _LISTS.isdisjoint(types))
        + PRODUCT * (0 < types.count("Product") < 3)
        + ADDRESS * is_listing_address(url or "")
    )


def _declared_types(document: Document) -> list[str]:
    """The types in the page's JSON-LD."""
    found: list[str] = []
    for number, script in enumerate(document.head_texts("script")):
        if number == MAX_SCRIPTS or len(found) > MAX_TYPES:
            break
        found += _TYPE.findall(script)[:MAX_TYPES]
    return found


def is_listing_address(url: str) -> bool:
    """Whether an address names a listing, or is that of a site's first page."""
    parts = parts_of(url)
    place = f"{parts.path}?{parts.query}"
    return bool(_LISTING_PATH.search(place)) or (
        bool(parts.netloc) and len(parts.path) < 2
    )
