"""Regions that class, id, role and schema.org names stand for, in several languages."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.tags import ATTRIBUTE_CODES, ATTRIBUTES, CODES, TAGS
from ..vocabulary import read_words
from . import CAPTION, MENU, NETWORK, PICTURE, Region
from ._names import NameTable, bits_of_name, name_bits

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.schema import Bits


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
_READING: Final = np.zeros(len(ATTRIBUTES), np.uint8)
"""How each attribute is read: not at all, as words, as an id, by whole values."""
_READING[[ATTRIBUTE_CODES["class"], ATTRIBUTE_CODES["aria-label"]]] = 1
_READING[ATTRIBUTE_CODES["id"]] = 2
_READING[[*_EXACT]] = 3

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
def _load_table() -> NameTable:
    """The bits of all words, and the lengths of the rows that begin with each."""
    bits: dict[str, int] = {}
    lengths: dict[str, int] = {}
    other = {"caption": CAPTION, "picture": PICTURE, "network": NETWORK}
    for section, words in read_words("class_names").items():
        place = other.get(section)
        bit = Region[section.upper()].bit if place is None else 1 << place
        for word in words:
            bits[word] = bits.get(word, 0) | bit
            first, *rest = word.split("-")
            lengths[first] = max(lengths.get(first, 0), len(rest) + 1)
    entries = {
        (0, word): (bits.get(word, 0), lengths.get(word, 0))
        for word in (*bits, *lengths)
    }
    for attribute, regions in _EXACT.items():
        for name, region in regions.items():
            is_menu = regions is _ROLES and name == "navigation"
            found = region.bit | (int(MENU) if is_menu else 0)
            entries[attribute + 1, name] = found, 0
    return NameTable(entries, _READING)


def classify(attribute: int, name: bytes) -> int:
    """The bits of the regions that a *name* in an attribute (its code) stands for."""
    return bits_of_name(_load_table(), attribute, name)


def read_names(document: Document) -> Bits:
    """Per element the bits of the regions that its tag and attributes name."""
    tokens, attributes = document.tokens, document.attributes
    others = np.flatnonzero(_VALUES[attributes.name])
    bits = name_bits(
        document.values,
        np.concatenate((tokens.attribute, attributes.name[others])),
        np.concatenate((tokens.element, attributes.element[others])),
        np.concatenate((tokens.start, attributes.start[others])),
        np.concatenate((tokens.end, attributes.end[others])),
        document.n_elements,
        _load_table(),
    )
    tags = np.minimum(document.elements.tag, len(TAGS))
    return bits | _TAG_BITS[tags]
