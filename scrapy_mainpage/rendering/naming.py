"""What the names of an empty container say of what is to stand in it."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import Final

from ..extraction.document.tags import ATTRIBUTE_CODES
from ..extraction.labels.names import classify
from ..extraction.labels.regions import Region
from .gapnames import (
    CONTENT_WORDS,
    ROOT_NAMES,
    ROOT_WORDS,
    SPACER_WORDS,
    TEXT_WORDS,
    WAITING_WORDS,
    WIDGET_WORDS,
)

_CLASS: Final = ATTRIBUTE_CODES["class"]
_OTHERS: Final = (
    Region.CONSENT.bit
    | Region.BREADCRUMB.bit
    | Region.PAGINATION.bit
    | Region.ADVERTISEMENT.bit
    | Region.COMMENTS.bit
    | Region.SHARE.bit
    | Region.RELATED.bit
    | Region.ACCOUNT.bit
    | Region.FORM.bit
    | Region.LEGAL.bit
    | Region.NAVIGATION.bit
    | Region.SIDEBAR.bit
    | Region.FOOTER.bit
    | Region.HEADER.bit
    | Region.BRAND.bit
    | Region.BYLINE.bit
    | Region.OVERLAY.bit
)
_PARTS_OF_PAGE: Final = (
    Region.CONSENT.bit
    | Region.ADVERTISEMENT.bit
    | Region.COMMENTS.bit
    | Region.RELATED.bit
    | Region.SIDEBAR.bit
    | Region.FOOTER.bit
    | Region.HEADER.bit
    | Region.OVERLAY.bit
)
_PARTS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_WIDGET_PART: Final = re.compile(
    r"banner|advert|adserv|adslot|comment|consent|cookie|disqus|newsletter|recommend"
    r"|related|sidebar|social|share(?!d)|sponsor|taboola|outbrain|viafoura|widget|modal"
    r"|popup|tooltip|carousel|slider|swiper|video|player|captcha|google|facebook"
    r"|adspot|adocean|placement|fontsize|toolbar|informer|memberinfo"
    r"|twitter|werbung|anzeige|reklam|^ads?[-_\d]|[-_]ads?(?:[-_\d]|$)",
    re.IGNORECASE,
)
_TELLING: Final = 3
_DIGITS: Final = re.compile(r"\d+")
_LONGEST_NAME: Final = 40


class Sort(Enum):
    """What a gap's tag and names say of it, the strongest first."""

    OTHER = 0
    PLAIN = 1
    WAITING = 2
    CONTENT = 3
    ROOT = 4
    MAIN = 5


def strength(sort: Sort) -> int:
    """How much a sort says; for ``max``."""
    return sort.value


def sort_of_names(names: tuple[str, ...]) -> Sort:
    """What an element's names say together; of many, the first tell what it is not."""
    sorts = [_sort_of_name(name) for name in names]
    if Sort.OTHER in sorts[:_TELLING] or (names and all(map(_is_spacer, names))):
        return Sort.OTHER
    others = (sort for sort in sorts if sort is not Sort.OTHER)
    return max(others, key=strength, default=Sort.PLAIN)


@lru_cache(maxsize=20_000)
def _is_spacer(name: str) -> bool:
    words = [word.lower() for word in _PARTS.findall(name)]
    return any(word in SPACER_WORDS for word in words) or not words


@lru_cache(maxsize=20_000)
def _sort_of_name(name: str) -> Sort:
    """What one id, class name or tag says."""
    name = name[:80]
    words = {word.lower() for word in _PARTS.findall(name)}
    words.add(name.lower().strip("_"))
    if words & WIDGET_WORDS or _WIDGET_PART.search(name):
        return Sort.OTHER
    if classify(_CLASS, name.encode("utf-8", "replace")) & _OTHERS:
        return Sort.OTHER
    if words & WAITING_WORDS:
        return Sort.WAITING
    if words & ROOT_WORDS or name.lower().strip("_-") in ROOT_NAMES:
        return Sort.ROOT
    return Sort.CONTENT if words & CONTENT_WORDS else Sort.PLAIN


@lru_cache(maxsize=20_000)
def is_part_of_page(name: str) -> bool:
    """Whether a name is that of a part of the page which holds no main content."""
    bits = classify(_CLASS, name[:80].encode("utf-8", "replace"))
    return bool(bits & _PARTS_OF_PAGE) and not bits & Region.CONTENT.bit


def as_place(name: str) -> str:
    """A name as the places of a judgement have it: short, and without numbers."""
    return _DIGITS.sub("0", name[:_LONGEST_NAME])


def tells_of_text(name: str) -> bool:
    """Whether a name says that running text is to stand there."""
    return any(word.lower() in TEXT_WORDS for word in _PARTS.findall(name))


__all__ = [
    "Sort",
    "as_place",
    "is_part_of_page",
    "sort_of_names",
    "strength",
    "tells_of_text",
]
