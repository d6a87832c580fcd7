"""Regions that class, id, role and schema.org names stand for, in several languages."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.tags import ATTRIBUTE_CODES, ATTRIBUTES, CODES, TAGS
from ..vocabulary import read_words
from ._match import name_bits
from .regions import CAPTION, MENU, PICTURE, Region

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document

    Bits = npt.NDArray[np.uint64]

MAX_CACHED_NAMES: Final = 20_000
"""Some megabytes."""

MAX_NAME_CHARACTERS: Final = 80
MAX_NETWORK_WORDS: Final = 2
"""A longer name with a social network in it may be about anything."""

MIN_CAMEL_LETTERS: Final = 4
MIN_LONG_ID_PIECES: Final = 4

_PIECE: Final = re.compile(r"[^\w]+|_+")
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_ROLES: Final = {
    "navigation": Region.NAVIGATION,
    "menu": Region.NAVIGATION,
    "menubar": Region.NAVIGATION,
    "banner": Region.HEADER,
    "contentinfo": Region.FOOTER,
    "complementary": Region.SIDEBAR,
    "search": Region.FORM,
    "form": Region.FORM,
    "dialog": Region.OVERLAY,
    "alertdialog": Region.OVERLAY,
    "tooltip": Region.OVERLAY,
    "main": Region.CONTENT,
}
_SCHEMA: Final = {
    "author": Region.BYLINE,
    "creator": Region.BYLINE,
    "publisher": Region.BYLINE,
    "datepublished": Region.BYLINE,
    "datecreated": Region.BYLINE,
    "datemodified": Region.BYLINE,
    "keywords": Region.BYLINE,
    "articlesection": Region.BYLINE,
    "interactionstatistic": Region.BYLINE,
    "articlebody": Region.CONTENT,
    "breadcrumb": Region.BREADCRUMB,
    "breadcrumblist": Region.BREADCRUMB,
    "sitenavigationelement": Region.NAVIGATION,
    "wpheader": Region.HEADER,
    "wpfooter": Region.FOOTER,
    "wpsidebar": Region.SIDEBAR,
    "wpadblock": Region.ADVERTISEMENT,
    "comment": Region.COMMENTS,
    "usercomments": Region.COMMENTS,
    "copyrightholder": Region.LEGAL,
    "copyrightyear": Region.LEGAL,
    "relatedlink": Region.RELATED,
}
_REL: Final = {
    "next": Region.PAGINATION,
    "prev": Region.PAGINATION,
    "previous": Region.PAGINATION,
    "author": Region.BYLINE,
    "tag": Region.BYLINE,
    "license": Region.LEGAL,
}
_TAGS: Final = {
    "nav": Region.NAVIGATION,
    "header": Region.HEADER,
    "footer": Region.FOOTER,
    "aside": Region.SIDEBAR,
    "form": Region.FORM,
    "search": Region.FORM,
    "fieldset": Region.FORM,
    "label": Region.FORM,
    "dialog": Region.OVERLAY,
    "noscript": Region.OVERLAY,
    "time": Region.BYLINE,
    "main": Region.CONTENT,
}

_EXACT: Final = {
    ATTRIBUTE_CODES["role"]: _ROLES,
    ATTRIBUTE_CODES["itemprop"]: _SCHEMA,
    ATTRIBUTE_CODES["itemtype"]: _SCHEMA,
    ATTRIBUTE_CODES["rel"]: _REL,
}
_ID: Final = ATTRIBUTE_CODES["id"]
_ROLE: Final = ATTRIBUTE_CODES["role"]
_READ: Final = {*_EXACT, _ID, ATTRIBUTE_CODES["class"], ATTRIBUTE_CODES["aria-label"]}
_known: list[dict[bytes, int] | None] = [
    {} if code in _READ else None for code in range(len(ATTRIBUTES))
]

_TAG_BITS: Final = np.zeros(len(TAGS) + 1, np.uint64)
for _name, _region in _TAGS.items():
    _TAG_BITS[CODES[_name]] = _region.bit
_TAG_BITS[CODES["figure"]] = 1 << PICTURE
_TAG_BITS[CODES["nav"]] |= MENU

# Attributes whose values are not in the document's tokens.
_VALUES: Final = np.zeros(len(ATTRIBUTES), bool)
_VALUES[
    [ATTRIBUTE_CODES[name] for name in ("itemprop", "itemtype", "rel", "aria-label")]
] = True


@cache
def _read_bits() -> tuple[dict[str, int], dict[str, int]]:
    """Bits per word or row of words; the longest row that begins with a word."""
    bits: dict[str, int] = {}
    rows: dict[str, int] = {}
    other = {"caption": 1 << CAPTION, "picture": 1 << PICTURE, "network": 0}
    for section, words in read_words("class_names").items():
        bit = other[section] if section in other else Region[section.upper()].bit
        for word in words:
            bits[word] = bits.get(word, 0) | bit
            first, *rest = word.split("-")
            if rest:
                rows[first] = max(rows.get(first, 0), len(rest) + 1)
    return bits, rows


def classify(attribute: int, name: bytes) -> int:
    """The bits of the regions that a *name* in an attribute (its code) stands for."""
    text = name.decode("utf-8", "replace")[:MAX_NAME_CHARACTERS]
    exact = _EXACT.get(attribute)
    if exact is None:
        return _classify_words(text, is_id=attribute == _ID)
    bits = 0
    for word in text.lower().split():
        bits |= exact.get(word.rsplit("/", 1)[-1], Region.NONE).bit
        if attribute == _ROLE and word == "navigation":
            bits |= int(MENU)
    return bits


def _classify_words(name: str, *, is_id: bool) -> int:
    """The bits of each word of a name, and of words in a row.

    A long id is the heading of its section: only its ends count.
    """
    bits_of, rows = _read_bits()
    pieces = _PIECE.split(name)
    if is_id and len(pieces) >= MIN_LONG_ID_PIECES:
        pieces = [pieces[0], pieces[-1]]
    words: list[str] = []
    bits = 0
    for piece in pieces:
        parts, of_piece = _classify_piece(piece)
        words += parts
        bits |= of_piece
    if len(words) <= MAX_NETWORK_WORDS:
        networks = read_words("class_names")["network"]
        bits |= 0 if networks.isdisjoint(words) else Region.SHARE.bit
    for start, word in enumerate(words):
        if word in rows:  # few are
            for end in range(start + 2, min(start + rows[word], len(words)) + 1):
                bits |= bits_of.get("-".join(words[start:end]), 0)
    return bits


@lru_cache(maxsize=MAX_CACHED_NAMES)
def _classify_piece(piece: str) -> tuple[tuple[str, ...], int]:
    """The words of a piece of a name, and the bits of each and of all together.

    Names that a program makes up have short "words" by chance, between capitals: those
    count in a row alone.
    """
    bits_of, _ = _read_bits()
    words = tuple(part.lower() for part in _PART.findall(piece))
    bits = bits_of.get("".join(words), 0)
    for word in words:
        if len(words) == 1 or len(word) >= MIN_CAMEL_LETTERS:
            bits |= bits_of.get(word, 0)
    return words, bits


def read_names(document: Document) -> Bits:
    """Per element the bits of the regions that its tag and attributes name."""
    if sum(map(len, filter(None, _known))) > MAX_CACHED_NAMES:
        for names in filter(None, _known):
            names.clear()
    tokens, attributes = document.tokens, document.attributes
    others = np.flatnonzero(_VALUES[attributes.name])
    bits = name_bits(
        document.values,
        np.concatenate((tokens.attribute, attributes.name[others])),
        np.concatenate((tokens.element, attributes.element[others])),
        np.concatenate((tokens.start, attributes.start[others])),
        np.concatenate((tokens.end, attributes.end[others])),
        document.n_elements,
        _known,
        classify,
    )
    tags = np.minimum(document.elements.tag, len(TAGS))
    return bits | _TAG_BITS[tags]
