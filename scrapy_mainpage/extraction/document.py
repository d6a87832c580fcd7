"""A page as flat arrays: elements, text blocks, and the runs of text between them.

:func:`read_tree` walks an lxml tree once, in compiled code, and leaves it as it was.
The result knows nothing of lxml: it can be kept, pickled and read from any thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .lxmlcheck import load_treewalk
from .tags import ATTRIBUTE_CODES, ATTRIBUTES, CODES, TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt
    from lxml.etree import _Element

    Ints = npt.NDArray[np.int32]

_walk = load_treewalk().walk

HEADING_SHIFT = 20


class Context(IntFlag):
    """What an element stands in (itself included); the bits of ``flags``.

    The level of the heading around it, 1 to 6, stands in the bits from
    :data:`HEADING_SHIFT` on.
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


class RunKind(IntEnum):
    """What a run is: text, a line break, or something that stands in the text."""

    TEXT = 0
    BREAK = 1
    IMAGE = 2
    MEDIA = 3
    RULE = 4
    HEAD = 5
    """The text of a ``title`` or of a JSON-LD script, outside of all blocks."""


class Elements(NamedTuple):
    """One value per element, in document order; -1 for "none".

    ``end`` and ``end_block``, ``end_run`` close half-open ranges: an element's
    descendants are ``i + 1`` to ``end[i]``, its blocks ``first_block`` to ``end_block``.
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
    """The characters of its start tag and end tag."""
    first_attribute: Ints
    first_token: Ints


class Blocks(NamedTuple):
    """One value per text block, in document order; -1 for "none".

    A text block is a maximal run of text between two block-level breaks; ``br`` does
    not end one. ``start`` and ``end`` are its bytes in :attr:`Document.text`.
    """

    element: Ints
    """The block-level element that it belongs to."""
    first_run: Ints
    end_run: Ints
    start: Ints
    end: Ints
    flags: Ints
    item: Ints
    cell: Ints
    chars: Ints
    words: Ints
    """Tokens between blanks with a letter or a digit; each CJK character is one."""
    cjk: Ints
    """Chinese, Japanese and Korean characters."""
    linked_chars: Ints
    linked_words: Ints
    strong_words: Ints
    sentences: Ints
    """Sentence marks at the end of a word, a quotation or the block."""
    commas: Ints
    digits: Ints
    capitals: Ints
    line: Ints
    """Its line of :class:`Lines`."""
    place: Ints
    """The number of its first text when tags and texts are counted."""
    end_place: Ints


class Runs(NamedTuple):
    """One value per run: a text node's share of a block, a break, an image, ..."""

    kind: Ints
    element: Ints
    block: Ints
    start: Ints
    end: Ints
    words: Ints
    """The words that begin in it."""
    place: Ints
    """Its number when tags and texts are counted."""


class Attributes(NamedTuple):
    """One value per attribute that is kept; its bytes in :attr:`Document.values`."""

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
    """The normalised source, a line before each block-level tag: characters per line.

    Scripts, styles and comments are left out. No line holds two text blocks.
    """

    text: Ints
    code: Ints


@dataclass(frozen=True, eq=False)
class Document:
    """A page in struct-of-arrays form. ``text`` and ``values`` are UTF-8."""

    elements: Elements
    blocks: Blocks
    runs: Runs
    attributes: Attributes
    tokens: Tokens
    lines: Lines
    text: bytes
    values: bytes
    extra_tags: tuple[str, ...] = ()

    @property
    def n_elements(self) -> int:
        """The number of elements, those inside of opaque ones not counted."""
        return len(self.elements.tag)

    @property
    def n_blocks(self) -> int:
        """The number of text blocks."""
        return len(self.blocks.start)

    def tag_name(self, element: int) -> str:
        """The tag of *element*, in lower case where HTML knows it."""
        code = int(self.elements.tag[element])
        return TAGS[code] if code < len(TAGS) else self.extra_tags[code - len(TAGS)]

    def block_text(self, block: int) -> str:
        """The text of *block*: blanks collapsed, ``br`` as a line break."""
        start, end = self.blocks.start[block], self.blocks.end[block]
        return self.text[start:end].decode("utf-8", "replace")

    def attribute(self, element: int, name: str) -> str | None:
        """The value of an attribute of *element*; ``None`` if it is not there."""
        return self.attributes_of(element).get(name)

    def attributes_of(self, element: int) -> dict[str, str]:
        """The attributes of *element* that are kept (see :mod:`.tags`)."""
        first = self.elements.first_attribute
        start = int(first[element])
        last = element + 1 == self.n_elements
        end = len(self.attributes.name) if last else int(first[element + 1])
        return {
            ATTRIBUTES[self.attributes.name[k]]: self._value(k)
            for k in range(start, end)
        }

    def _value(self, attribute: int) -> str:
        start, end = self.attributes.start[attribute], self.attributes.end[attribute]
        return self.values[start:end].decode("utf-8", "replace")

    def elements_with_tag(self, name: str) -> Ints:
        """The elements with the tag *name*, in document order."""
        return np.flatnonzero(self.elements.tag == CODES[name]).astype(np.int32)

    def head_texts(self, name: str) -> Iterator[str]:
        """The texts of the ``title`` or JSON-LD ``script`` elements."""
        runs = self.runs
        tags = self.elements.tag[runs.element]
        for k in np.flatnonzero((runs.kind == RunKind.HEAD) & (tags == CODES[name])):
            yield self.values[runs.start[k] : runs.end[k]].decode("utf-8", "replace")

    @cached_property
    def twin_number(self) -> Ints:
        """Each element's place among its siblings of the same tag, from 1."""
        elements = self.elements
        order = np.lexsort((elements.tag, elements.parent))
        parent, tag = elements.parent[order], elements.tag[order]
        first = np.ones(len(order), bool)
        first[1:] = (parent[1:] != parent[:-1]) | (tag[1:] != tag[:-1])
        rank = np.arange(len(order))
        number = np.empty(len(order), np.int32)
        number[order] = rank - np.maximum.accumulate(np.where(first, rank, 0)) + 1
        return number

    def xpath(self, element: int) -> str:
        """A path from the root that finds *element* in the same tree."""
        steps: list[str] = []
        while element >= 0:
            number = self.twin_number[element]
            steps.append(f"{_step(self.tag_name(element))}[{number}]")
            element = int(self.elements.parent[element])
        return "/" + "/".join(reversed(steps))

    def link_density(self) -> npt.NDArray[np.float32]:
        """Per block the share of its words that stand in links."""
        words = np.maximum(self.blocks.words, 1)
        density: npt.NDArray[np.float32] = (self.blocks.linked_words / words).astype(
            np.float32
        )
        return density


def _step(tag: str) -> str:
    if tag in CODES:
        return tag
    # A prefix or an odd character, as real pages have them, is no XPath name.
    quote = '"' if "'" in tag else "'"
    return f"*[name()={quote}{tag}{quote}]"


def read_tree(root: _Element) -> Document:
    """Read the tree below *root* into a :class:`Document`, in one pass.

    The tree is not changed, and no proxy is made for its nodes. Raises ``ValueError``
    for a comment or a processing instruction, ``TypeError`` for anything else that is
    no element.
    """
    elements, blocks, runs, attributes, tokens, lines, text, values, extra = _walk(root)
    return Document(
        Elements(*elements),
        Blocks(*blocks),
        Runs(*runs),
        Attributes(*attributes),
        Tokens(*tokens),
        Lines(*lines),
        text,
        values,
        extra,
    )


__all__ = [
    "ATTRIBUTE_CODES",
    "HEADING_SHIFT",
    "Attributes",
    "Blocks",
    "Context",
    "Document",
    "Elements",
    "Lines",
    "RunKind",
    "Runs",
    "Tokens",
    "read_tree",
]
