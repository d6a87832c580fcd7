"""What class, id, role and schema.org names say of an element, in several languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.tags import ATTRIBUTE_CODES, ATTRIBUTES, CODES, TAGS
from ._names import NameReader
from ._roles import name_bits
from .namebook import CAPTION_WORDS, NETWORKS, PICTURE_WORDS, WORDS
from .states import State

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document

    Bits = npt.NDArray[np.uint64]

_CAPTION: Final = 40
_PICTURE: Final = 41
"""The bits of captions and pictures, which are no parts that anything is inside of."""

_ROLES: Final = {
    "navigation": State.NAVIGATION,
    "menu": State.NAVIGATION,
    "menubar": State.NAVIGATION,
    "banner": State.HEADER,
    "contentinfo": State.FOOTER,
    "complementary": State.SIDEBAR,
    "search": State.FORM,
    "form": State.FORM,
    "dialog": State.OVERLAY,
    "alertdialog": State.OVERLAY,
    "tooltip": State.OVERLAY,
    "main": State.CONTENT,
}
_SCHEMA: Final = {
    "author": State.BYLINE,
    "creator": State.BYLINE,
    "publisher": State.BYLINE,
    "datepublished": State.BYLINE,
    "datecreated": State.BYLINE,
    "datemodified": State.BYLINE,
    "keywords": State.BYLINE,
    "articlesection": State.BYLINE,
    "interactionstatistic": State.BYLINE,
    "articlebody": State.CONTENT,
    "breadcrumb": State.BREADCRUMB,
    "breadcrumblist": State.BREADCRUMB,
    "sitenavigationelement": State.NAVIGATION,
    "wpheader": State.HEADER,
    "wpfooter": State.FOOTER,
    "wpsidebar": State.SIDEBAR,
    "wpadblock": State.ADVERTISEMENT,
    "comment": State.COMMENTS,
    "usercomments": State.COMMENTS,
    "copyrightholder": State.LEGAL,
    "copyrightyear": State.LEGAL,
    "relatedlink": State.RELATED,
}
_REL: Final = {
    "next": State.PAGINATION,
    "prev": State.PAGINATION,
    "previous": State.PAGINATION,
    "author": State.BYLINE,
    "tag": State.BYLINE,
    "license": State.LEGAL,
}
_TAGS: Final = {
    "nav": State.NAVIGATION,
    "header": State.HEADER,
    "footer": State.FOOTER,
    "aside": State.SIDEBAR,
    "form": State.FORM,
    "search": State.FORM,
    "fieldset": State.FORM,
    "label": State.FORM,
    "dialog": State.OVERLAY,
    "noscript": State.OVERLAY,
    "time": State.BYLINE,
    "main": State.CONTENT,
}

_BITS_OF: Final[dict[str, int]] = {}
for _state, _words in WORDS.items():
    for _word in _words.split():
        _BITS_OF[_word] = _BITS_OF.get(_word, 0) | _state.bit
for _word in CAPTION_WORDS:
    _BITS_OF[_word] = _BITS_OF.get(_word, 0) | 1 << _CAPTION
for _word in PICTURE_WORDS:
    _BITS_OF[_word] = _BITS_OF.get(_word, 0) | 1 << _PICTURE
_LONGEST_ROW = max(word.count("-") for word in _BITS_OF) + 1

_MOST_WITH_NETWORK: Final = 2
"""A longer name with a network's in it may be about anything."""

_PIECE: Final = re.compile(r"[^\w]+|_+")
_LEAST_CAMEL: Final = 4
_LONG_ID: Final = 4
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_ID: Final = ATTRIBUTE_CODES["id"]
_READER: Final = NameReader(
    _BITS_OF,
    NETWORKS,
    State.SHARE.bit,
    longest_row=_LONGEST_ROW,
    most_with_network=_MOST_WITH_NETWORK,
    long_id=_LONG_ID,
    least_camel=_LEAST_CAMEL,
)
_EXACT: Final = {
    ATTRIBUTE_CODES["role"]: _ROLES,
    ATTRIBUTE_CODES["itemprop"]: _SCHEMA,
    ATTRIBUTE_CODES["itemtype"]: _SCHEMA,
    ATTRIBUTE_CODES["rel"]: _REL,
}
_SPLIT: Final = ("class", "id", "aria-label")
_IN_VALUES: Final = ("itemprop", "itemtype", "rel", "aria-label")

LARGEST_CACHE: Final = 20_000
"""Names that are remembered at most: some megabytes."""
_READ: Final = {*_EXACT, *(ATTRIBUTE_CODES[name] for name in _SPLIT)}
_known: list[dict[bytes, int] | None] = [
    {} if code in _READ else None for code in range(len(ATTRIBUTES))
]

_TAG_BITS: Final = np.zeros(len(TAGS) + 1, np.uint64)
for _name, _state in _TAGS.items():
    _TAG_BITS[CODES[_name]] = _state.bit
_TAG_BITS[CODES["figure"]] = 1 << _PICTURE

_VALUES: Final = np.zeros(len(ATTRIBUTES), bool)
_VALUES[[ATTRIBUTE_CODES[name] for name in _IN_VALUES]] = True


def classify(attribute: int, name: bytes) -> int:
    """What a *name* in an attribute (its code) says, as the bits of states."""
    exact = _EXACT.get(attribute)
    if exact is None:
        is_id = attribute == _ID
        found = _READER.read(name, is_id)
        return bits_of_parts(_text(name), is_id=is_id) if found is None else found
    text = _text(name)
    bits = 0
    for word in text.lower().split():
        bits |= exact.get(word.rsplit("/", 1)[-1], State.NONE).bit
    return bits


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")[:80]


def bits_of_parts(name: str, *, is_id: bool = False) -> int:
    """The bits of each word of a name, and of words in a row.

    A long id is the heading of its section: only its ends count. Names that a program
    makes up have short "words" by chance, between capitals: those count in a row alone.
    """
    words: list[str] = []
    bits = 0
    pieces = _PIECE.split(name)
    if is_id and len(pieces) >= _LONG_ID:
        pieces = [pieces[0], pieces[-1]]
    for piece in pieces:
        parts = [part.lower() for part in _PART.findall(piece)]
        words += parts
        if len(parts) > 1:
            bits |= _BITS_OF.get("".join(parts), 0)
            parts = [part for part in parts if len(part) >= _LEAST_CAMEL]
        for part in parts:
            bits |= _BITS_OF.get(part, 0)
    if len(words) <= _MOST_WITH_NETWORK and not NETWORKS.isdisjoint(words):
        bits |= State.SHARE.bit
    for start in range(len(words) - 1):
        for end in range(start + 2, min(start + _LONGEST_ROW, len(words)) + 1):
            bits |= _BITS_OF.get("-".join(words[start:end]), 0)
    return bits


def read_names(document: Document) -> Bits:
    """Per element the bits of the states that its tag and attributes name."""
    if sum(map(len, filter(None, _known))) > LARGEST_CACHE:
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


def find_captions(document: Document, bits: Bits) -> npt.NDArray[np.bool_]:
    """Which blocks stand in something that calls itself a caption or a picture.

    *bits* are those of :func:`read_names`; a picture counts up to two elements above.
    """
    parent, element = document.elements.parent, document.blocks.element
    above = np.maximum(parent[element], 0)
    around = bits[element] | bits[above] | bits[np.maximum(parent[above], 0)]
    own = bits[element] | bits[above]
    mask: npt.NDArray[np.bool_] = (
        (own >> np.uint64(_CAPTION)) | (around >> np.uint64(_PICTURE))
    ) & np.uint64(1) != 0
    return mask
