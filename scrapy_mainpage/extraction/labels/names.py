"""Regions that class, id, role and schema.org names stand for, in several languages."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.tags import ATTRIBUTE_CODES, ATTRIBUTES, CODES, TAGS
from ..vocabulary import read_words
from . import CAPTION, MENU, NETWORK, PICTURE, Region
from ._words import WordTable, word_hashes

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..document.document import Document
    from ..document.schema import Bits

_VALUES: Final = {
    "role navigation": Region.NAVIGATION.bit | int(MENU),
    "role menu": Region.NAVIGATION.bit,
    "role menubar": Region.NAVIGATION.bit,
    "role banner": Region.HEADER.bit,
    "role contentinfo": Region.FOOTER.bit,
    "role complementary": Region.SIDEBAR.bit,
    "role search": Region.FORM.bit,
    "role form": Region.FORM.bit,
    "role dialog": Region.OVERLAY.bit,
    "role alertdialog": Region.OVERLAY.bit,
    "role tooltip": Region.OVERLAY.bit,
    "role main": Region.CONTENT.bit,
    "rel next": Region.PAGINATION.bit,
    "rel prev": Region.PAGINATION.bit,
    "rel author": Region.BYLINE.bit,
    "rel tag": Region.BYLINE.bit,
    "rel license": Region.LEGAL.bit,
}
"""Attributes whose whole values count, with their names before them."""

_TAGS: Final = {
    "nav": Region.NAVIGATION.bit | int(MENU),
    "header": Region.HEADER.bit,
    "footer": Region.FOOTER.bit,
    "aside": Region.SIDEBAR.bit,
    "form": Region.FORM.bit,
    "search": Region.FORM.bit,
    "fieldset": Region.FORM.bit,
    "label": Region.FORM.bit,
    "dialog": Region.OVERLAY.bit,
    "noscript": Region.OVERLAY.bit,
    "time": Region.BYLINE.bit,
    "main": Region.CONTENT.bit,
    "figure": 1 << PICTURE,
}
_TAG_BITS: Final = np.zeros(len(TAGS) + 1, np.uint64)
_TAG_BITS[[CODES[tag] for tag in _TAGS]] = [*_TAGS.values()]

NAMING: Final = np.zeros(len(ATTRIBUTES), np.uint64)
"""How attributes that name elements are read: classes as words, ids as ids."""
NAMING[ATTRIBUTE_CODES["class"]] = 1
NAMING[ATTRIBUTE_CODES["id"]] = 2

_READING: Final = NAMING.copy()
for _name in ("aria-label", "itemprop", "itemtype"):
    _READING[ATTRIBUTE_CODES[_name]] = 1
for _name in ("role", "rel"):
    [_READING[ATTRIBUTE_CODES[_name]]] = word_hashes(_name)
# Those whose values are not in the document's tokens.
_WHOLE: Final = np.isin(ATTRIBUTES, ("itemprop", "itemtype", "rel", "aria-label"))


def rows_of(name: str, bit_of: Callable[[str], int]) -> dict[str, int]:
    """The bits of the words in a vocabulary, given that of each of its sections."""
    rows: dict[str, int] = {}
    for section, words in read_words(name).items():
        for word in words:
            rows[word] = rows.get(word, 0) | bit_of(section)
    return rows


@cache
def _load_table() -> WordTable:
    other = {"caption": CAPTION, "picture": PICTURE, "network": NETWORK}

    def bit_of(section: str) -> int:
        place = other.get(section)
        return Region[section.upper()].bit if place is None else 1 << place

    return WordTable(rows_of("class_names", bit_of) | _VALUES)


def classify(name: bytes) -> int:
    """The bits of the regions that the *name* of an element stands for."""
    return _load_table().bits_of(name)


def read_names(document: Document) -> Bits:
    """Per element the bits of the regions that its tag and attributes name."""
    bits = _TAG_BITS[np.minimum(document.elements.tag, len(TAGS))]
    tokens, attributes = document.tokens, document.attributes
    others = np.flatnonzero(_WHOLE[attributes.name])
    _load_table().add_bits(
        document.values,
        _READING,
        np.concatenate((tokens.attribute, attributes.name[others])),
        np.concatenate((tokens.element, attributes.element[others])),
        np.concatenate((tokens.start, attributes.start[others])),
        np.concatenate((tokens.end, attributes.end[others])),
        bits,
    )
    return bits
