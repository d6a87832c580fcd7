"""The columns of a document: names, order, meaning and compression of the arrays.

The compiled records (``_schema.pxd``) have the same fields in the same order.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    Mask = npt.NDArray[np.bool_]
    Bytes = npt.NDArray[np.uint8]
    Shorts = npt.NDArray[np.int16]
    Ints = npt.NDArray[np.int32]
    Longs = npt.NDArray[np.int64]
    Bits = npt.NDArray[np.uint64]
    Floats = npt.NDArray[np.float32]
    Doubles = npt.NDArray[np.float64]


HEADING_SHIFT = 20


class Context(IntFlag):
    """Ancestors of an element, itself included, as bits of ``flags``.

    The bits from :data:`HEADING_SHIFT` on hold the level, 1 to 6, of the heading
    around it.
    """

    HIDDEN = 1 << 0
    PRE = 1 << 1
    QUOTE = 1 << 2
    CAPTION = 1 << 3
    CODE = 1 << 4
    STRONG = 1 << 5
    LIST = 1 << 6
    TABLE = 1 << 7
    NAVIGATION = 1 << 8
    HEADER = 1 << 9
    FOOTER = 1 << 10
    ASIDE = 1 << 11
    MAIN = 1 << 12
    ARTICLE = 1 << 13
    FORM = 1 << 14
    DIALOG = 1 << 15
    WORDLESS = 1 << 16
    NOSCRIPT = 1 << 17


class RunKind(IntEnum):
    """The kind of a run: text, a line break, or an object in the text."""

    TEXT = 0
    BREAK = 1
    IMAGE = 2
    MEDIA = 3
    RULE = 4
    HEAD = 5
    """The text of a ``title`` or JSON-LD script, outside of all blocks."""


class Elements(NamedTuple):
    """One value per element, in document order; -1 for "none".

    ``end``, ``end_block`` and ``end_run`` close half-open ranges: the descendants of
    ``i`` are ``i + 1`` to ``end[i]``, its blocks ``first_block`` to ``end_block``.
    """

    tag: Ints
    parent: Ints
    depth: Ints
    end: Ints
    flags: Ints
    owner: Ints
    """The nearest block-level element, itself included."""
    link: Ints
    """The nearest ``a`` with an address, itself included."""
    item: Ints
    """The nearest ``li``, ``dt`` or ``dd``, itself included."""
    cell: Ints
    """The nearest ``td`` or ``th``, itself included."""
    first_block: Ints
    end_block: Ints
    first_run: Ints
    end_run: Ints
    code: Ints
    """Characters of its start tag and end tag, without empty values."""
    first_attribute: Ints
    first_token: Ints


class Blocks(NamedTuple):
    """One value per text block, in document order; -1 for "none".

    A text block is a maximal run of text between two block-level breaks; ``br`` does
    not end one. ``start`` and ``end`` are its bytes in :attr:`Document.text`.
    """

    element: Ints
    """The block-level element around it."""
    first_run: Ints
    end_run: Ints
    start: Ints
    end: Ints
    flags: Ints
    """The contexts that all of its text has in common."""
    item: Ints
    cell: Ints
    chars: Ints
    words: Ints
    """Tokens between blanks with a letter or a digit; each CJK character is one.

    A Chinese or Japanese sentence mark ends a token, too. A word is linked (strong) if
    its first letter or digit is.
    """
    cjk: Ints
    """Chinese, Japanese and Korean characters."""
    linked_chars: Ints
    linked_words: Ints
    strong_words: Ints
    sentences: Ints
    """Series of sentence marks before a blank or the block's end, or with a CJK mark.

    A series may contain closing quotation marks and brackets.
    """
    commas: Ints
    digits: Ints
    """From 0 to 9."""
    capitals: Ints
    line: Ints
    """Its line of :class:`Lines`."""
    place: Ints
    """The number of its first text, counting all tags and texts of the page.

    A text is the content between two tags that adds to a block; comments, entities and
    processing instructions do not divide it.
    """
    end_place: Ints


class Runs(NamedTuple):
    """One value per run: the text between two tags, a break, an image, ..."""

    kind: Ints
    element: Ints
    block: Ints
    start: Ints
    end: Ints
    words: Ints
    """The words that begin in it."""
    place: Ints
    """Its number, counting all tags and texts of the page."""


class Attributes(NamedTuple):
    """One value per kept attribute: name, element, and range of bytes in ``values``."""

    name: Ints
    element: Ints
    start: Ints
    end: Ints


class Tokens(NamedTuple):
    """One value per token of a class, id or role attribute."""

    attribute: Ints
    element: Ints
    start: Ints
    end: Ints


class Lines(NamedTuple):
    """Characters per line of the normalised source, with a break at block-level tags.

    Scripts, styles and comments are left out. No line has two text blocks.
    """

    text: Ints
    code: Ints


def spans_with(words: Iterable[bytes], text: bytes, starts: Ints, ends: Ints) -> Mask:
    """Whether each span of *text* has one of the *words*."""
    found = np.zeros(len(starts), bool)
    for word in words:
        places, place = list[int](), text.find(word)
        while place >= 0:
            places.append(place)
            place = text.find(word, place + 1)
        if places:
            last = np.searchsorted(places, ends - (len(word) - 1))
            found |= np.searchsorted(places, starts) < last
    return found


def number_equals(values: Longs) -> Ints:
    """The number of each value among those equal to it, from 1.

    >>> number_equals(np.array([7, 5, 7])).tolist()
    [1, 1, 2]
    """
    order = np.argsort(values, kind="stable")
    places = np.arange(len(values), dtype=np.int32)
    starts = np.where(np.diff(values[order], prepend=-1), places, 0)
    numbers = np.empty_like(places)
    numbers[order] = places - np.maximum.accumulate(starts) + 1
    return numbers
