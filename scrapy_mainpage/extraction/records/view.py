"""Elements of a document in plain lists, and a part of it as a document of its own."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..document.document import Document
from ..document.schema import Blocks, Context, Elements, Runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..document.schema import Ints

    Key = tuple[str, str]

NUMBER = re.compile(r"[0-9]+")
_ANSWER = re.compile(r"(?:^|[\s_-])(?:answer|question)(?:$|[\s_-])", re.IGNORECASE)
_NAVIGATION: Final = int(Context.NAVIGATION)

_REFERENCES: Final = {
    "elements": ("parent", "owner", "link", "item", "cell", "end"),
    "blocks": ("element", "item", "cell"),
}
"""Columns that name elements; -1 where they name one outside of the part."""

MIN_WORDS: Final = 3


class Span(NamedTuple):
    """A record: its element, and the range of its text blocks."""

    element: int
    first: int
    end: int


class View:
    """The columns of a document that a search for records climbs and compares."""

    def __init__(self, document: Document) -> None:
        self.document = document
        columns = document.elements
        self.parent: list[int] = columns.parent.tolist()
        self.end: list[int] = columns.end.tolist()
        self.tag: list[int] = columns.tag.tolist()
        self.owner: list[int] = columns.owner.tolist()
        self.first_block: list[int] = columns.first_block.tolist()
        self.end_block: list[int] = columns.end_block.tolist()
        self.template: list[int] = document.templates.tolist()
        self._keys: dict[int, tuple[str, str]] = {}
        self.signs: dict[tuple[int, int], tuple[bool, bool]] = {}
        """What classes say of elements, by their template and that of the record."""

    @cached_property
    def words(self) -> Ints:
        """The words of each block."""
        return self.document.blocks.words

    @cached_property
    def longer(self) -> Ints:
        """The words of each block outside of links; 0 of the shortest texts."""
        words = self.words - self.document.blocks.linked_words
        return np.where(words < MIN_WORDS, 0, words)

    @cached_property
    def long(self) -> list[int]:
        """The sums of :attr:`longer` before each block."""
        return [0, *np.cumsum(self.longer).tolist()]

    @cached_property
    def all_words(self) -> list[int]:
        """The sums of :attr:`words` before each block."""
        return [0, *np.cumsum(self.words).tolist()]

    @cached_property
    def prose(self) -> list[int]:
        """Words outside of links before each block, of texts outside of navigation."""
        blocks = self.document.blocks
        words = np.where(
            blocks.flags & _NAVIGATION, 0, blocks.words - blocks.linked_words
        )
        return [0, *np.cumsum(words).tolist()]

    def prose_in(self, first: int, end: int) -> int:
        """The words outside of links in the blocks from *first* to before *end*."""
        return self.prose[max(end, first)] - self.prose[first]

    def key(self, element: int) -> tuple[str, str]:
        """Tag and classes of *element*, without numbers."""
        template = self.template[element]
        if template not in self._keys:
            names = NUMBER.sub("", self.document.attribute(element, "class") or "")
            self._keys[template] = self.document.tag_name(element), names.strip()
        return self._keys[template]

    def is_answer(self, element: int) -> bool:
        """Whether the classes of *element* name an answer or a question."""
        return bool(_ANSWER.search(self.document.attribute(element, "class") or ""))


def names_of(
    document: Document, element: int, attributes: Sequence[str], levels: int = 1
) -> str:
    """What these *attributes* of an element, and of those around it, say."""
    found = []
    for _ in range(levels):
        if element < 0:
            break
        values = document.attributes_of(element)
        found += [values.get(name, "") for name in attributes]
        element = int(document.elements.parent[element])
    return " ".join(found)


def cut_document(document: Document, element: int) -> Document:
    """What is inside of a block-level *element*, as a document of its own.

    It costs in proportion to the part.
    """
    elements, attributes = document.elements, document.attributes
    end = int(elements.end[element])
    first_run, end_run = (
        int(c[element]) for c in (elements.first_run, elements.end_run)
    )
    first, last = int(elements.first_block[element]), int(elements.end_block[element])
    size = end - element + int(document.blocks.chars[first:last].sum())
    document.budget.spend(10 * size)  # with the outputs of the part
    values = slice(*np.searchsorted(attributes.element, [element, end]))
    tokens = slice(*np.searchsorted(document.tokens.element, [element, end]))
    parts = (
        *(slice(element, end), slice(first, last), slice(first_run, end_run)),
        *(values, tokens, slice(None)),
    )
    pairs = zip(document.tables, parts, strict=True)
    tables = [table[:, part].copy() for table, part in pairs]
    own, blocks, runs = _columns(tables)
    for name in _REFERENCES["elements"]:
        _shift(own[name], element)
    for name in _REFERENCES["blocks"]:
        _shift(blocks[name], element)
    own["first_block"] -= first
    own["end_block"] -= first
    own["first_run"] -= first_run
    own["end_run"] -= first_run
    own["first_attribute"] -= values.start
    own["first_token"] -= tokens.start
    blocks["first_run"] -= first_run
    blocks["end_run"] -= first_run
    runs["element"] -= element
    _shift(runs["block"], first)
    tables[3][1] -= element
    tables[4][0] -= values.start
    tables[4][1] -= element
    return Document(
        tuple(tables),
        document.text,
        document.values,
        document.tags,
        document.extra_tags,
        document.plain_names,
        document.max_depth,
        (0, 0),
        document.budget,
    )


def _columns(tables: list[Ints]) -> list[dict[str, Ints]]:
    names = (Elements._fields, Blocks._fields, Runs._fields)
    return [
        dict(zip(each, table, strict=True))
        for each, table in zip(names, tables[:3], strict=True)
    ]


def _shift(column: Ints, by: int) -> None:
    column -= by
    np.maximum(column, -1, out=column)
