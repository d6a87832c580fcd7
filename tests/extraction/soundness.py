"""What a document holds of its tree, made again with lxml's ordinary interface.

Structure, attributes and the texts of blocks are read from the tree a second time; the
counts of a block are those of regular expressions over its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from lxml import etree

from scrapy_mainpage.extraction.document.document import Document, read_tree
from scrapy_mainpage.extraction.document.schema import Context, RunKind
from scrapy_mainpage.extraction.document.tags import (
    ATTRIBUTES,
    BLOCK_TAGS,
    OPAQUE_TAGS,
    TAGS,
)

MAX_VALUE_BYTES = 8192
FORMULA = 1 << 18  # beside the contexts, which the models know
#: A block may be in no heading, or in another one, and be shown in a drawing.
INHERITED = (1 << len(Context)) - 1 & ~Context.WORDLESS
ONLY_OF = {"value": ("li", "input"), "width": ("img",), "height": ("img",)}
"""Attributes that are kept of some tags alone."""

NEAREST = {"item": ("li", "dt", "dd"), "cell": ("td", "th")}
WORDLESS_TAGS = ("video", "audio", "canvas", "progress", "meter")
BLANK = re.compile(
    r"[\t\n\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
)
DROPPED = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\xad\ufeff]")
CJK = re.compile(
    r"[\u1100-\u11ff\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc-\u30fe\u3131-\u318e"
    r"\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
    r"\U00020000-\U0003fffd]"
)
UNSPACED = re.compile(r"[\u0e00-\u109f\u1780-\u17ff\uaa60-\uaa7f]")
MARKS, CJK_MARKS = ".!?…؟۔।॥։።‼⁇⁈⁉", "。．！？｡"
CLOSING, COMMAS = "\"')]»’”›」』）", ",،、，"
# Over the classes of a block's characters, see class_of.
WORD = re.compile(
    r"[^ jJwu]*(?:j|w[^ jJu]*(?:u[^ jJu]*){0,5}|u[^ jJu]*(?:u[^ jJu]*){0,4})"
)
SENTENCE_END = re.compile(r"(?:[.)]*J[.J)]*)|(?:\.[.)]*(?= |$))")


def check_document(root: etree._Element) -> Document:
    """Read a tree, which stays as it was, and check all of it against the tree."""
    before = etree.tostring(root)
    document = read_tree(root)
    assert etree.tostring(root) == before, "the tree stays as it was"
    check_ranges(document)
    reading = Reading(root, document)
    check_elements(document, reading)
    if not (document.elements.flags & FORMULA).any():  # written as LaTeX
        texts = map(
            block_text, [document] * document.n_blocks, range(document.n_blocks)
        )
        # Apart from blanks: some stand between boxes of a line.
        shown = ["".join(text.split()) for text in texts]
        assert shown == reading.blocks, "blocks hold the shown text"
    for block in range(document.n_blocks):
        check_counts(document, block)
    return document


def check_ranges(document: Document) -> None:
    """Check that all ranges are ordered and within their arrays."""
    elements, blocks, runs = document.elements, document.blocks, document.runs
    n_elements, n_blocks, n_runs = len(elements.tag), len(blocks.start), len(runs.kind)
    place = np.arange(n_elements)
    assert (elements.parent < place).all(), "a parent is before its child"
    assert (elements.end > place).all(), "an element holds itself"
    _check_in(elements.end, n_elements, "the end of an element")
    for first, end, most, what in (
        (elements.first_block, elements.end_block, n_blocks, "an element's blocks"),
        (elements.first_run, elements.end_run, n_runs, "an element's runs"),
        (blocks.first_run, blocks.end_run, n_runs, "a block's runs"),
        (blocks.start, blocks.end, len(document.text), "a block's text"),
    ):
        _check_in(first, most, what)
        _check_in(end, most, what)
        assert (first <= end).all(), f"{what} end after they begin"
        assert (np.diff(first) >= 0).all(), f"{what} are in order"
    assert (blocks.end[:-1] <= blocks.start[1:]).all(), "blocks do not overlap"
    _check_in(blocks.element, n_elements - 1, "a block's element")
    for name in ("words", "chars", "linked_words", "sentences", "commas", "digits"):
        assert (getattr(blocks, name) >= 0).all(), f"{name} are counted"
    assert (blocks.linked_words <= blocks.words).all(), "linked words are words"
    document.text.decode("utf-8")
    document.values.decode("utf-8")


def _check_in(column: np.ndarray, most: int, what: str) -> None:
    inside = ((column >= 0) & (column <= most)).all()
    assert inside, f"{what} is inside the document"


def same_documents(one: Document, other: Document) -> bool:
    """Whether they are equal in all that they hold."""
    return (
        one.text == other.text
        and one.values == other.values
        and one.extra_tags == other.extra_tags
        and all(map(np.array_equal, _columns(one), _columns(other)))
    )


def _columns(document: Document) -> Iterable[np.ndarray]:
    return chain(
        document.elements, document.blocks, document.runs,
        document.attributes, document.tokens, document.lines,
    )  # fmt: skip


class Reading:
    """A tree as it is read: its elements in order, and the shown texts of blocks."""

    def __init__(self, root: etree._Element, document: Document) -> None:
        hidden = document.elements.flags & Context.HIDDEN != 0
        #: Hidden in a line that is shown.
        self._left_out = hidden & ~hidden[document.elements.owner]
        self.nodes: list[etree._Element] = []
        self.parents: list[int] = []
        self.ends: list[int] = []
        self.blocks: list[str] = []
        self._drawing: etree._Element | None = None
        self._wordless: list[bool] = []
        self._text: list[str] = []
        self._read(root)
        self._break()

    def _read(self, root: etree._Element) -> None:
        """Depth first: a node, its number or ``None`` to start it, its parent's."""
        stack: list[tuple[etree._Element, int | None, int]] = [(root, None, -1)]
        while stack:
            node, number, parent = stack.pop()
            if number is None and isinstance(node.tag, str):
                stack.append((node, len(self.nodes), parent))
                if self._start(node, parent):
                    number = len(self.nodes) - 1
                    self._add(node.text, number)
                    stack.extend((child, None, number) for child in reversed(node))
                continue
            if number is not None:
                self._end(node, number)
            elif node.tag is etree.Entity:
                self._add(node.text, parent)
            if node is not root:
                self._add(node.tail, parent)

    def _start(self, node: etree._Element, parent: int) -> bool:
        """Start an element; whether what is in it is read."""
        tag = tag_of(node)
        if tag == "svg" and self._drawing is None and _holds_blocks(node):
            self._drawing = node
        is_drawn = tag == "svg" and self._drawing is not None
        wordless = parent >= 0 and self._wordless[parent]
        wordless |= tag in WORDLESS_TAGS or is_drawn
        wordless |= tag == "object" and bool(node.get("data"))
        if tag in BLOCK_TAGS:
            self._break()
            wordless &= self._drawing is None
        self._wordless.append(wordless)
        self.nodes.append(node)
        self.parents.append(parent)
        self.ends.append(0)
        if tag == "rt":
            self._add("(", len(self.nodes) - 1)
        return tag not in OPAQUE_TAGS or is_drawn

    def _end(self, node: etree._Element, number: int) -> None:
        if tag_of(node) in BLOCK_TAGS:
            self._break()
        elif tag_of(node) == "rt":
            self._add(")", number)
        if node is self._drawing:
            self._drawing = None
        self.ends[number] = len(self.nodes)

    def _add(self, text: str | None, element: int) -> None:
        if text and not self._wordless[element] and not self._left_out[element]:
            self._text.append(text)

    def _break(self) -> None:
        if text := "".join(collapse("".join(self._text)).split()):
            self.blocks.append(text)
        self._text.clear()


def check_elements(document: Document, reading: Reading) -> None:
    """Structure, and the attributes and tokens that are kept."""
    elements, tags = document.elements, [*map(tag_of, reading.nodes)]
    assert [document.tag_name(i) for i in range(document.n_elements)] == tags
    assert elements.parent.tolist() == reading.parents
    assert elements.end.tolist() == reading.ends
    found: list[tuple[str, int, str]] = []
    for i, (node, tag) in enumerate(zip(reading.nodes, tags, strict=True)):
        above = reading.parents[i]
        own = {name: tag in names for name, names in NEAREST.items()}
        own["owner"] = tag in BLOCK_TAGS or above < 0
        own["link"] = tag == "a" and "href" in map(local_name, node.attrib)
        for name, is_own in own.items():
            column = getattr(elements, name)
            outer = column[above] if above >= 0 else -1
            assert column[i] == (i if is_own else outer), name
        if above >= 0:
            assert elements.depth[i] == elements.depth[above] + 1
            assert not elements.flags[above] & ~elements.flags[i] & INHERITED
        found += ((name, i, value) for name, value in kept_attributes(node, tag))
    assert values_of(document, document.attributes) == found
    tokens = [
        (name, i, token)
        for name, i, value in found
        if name in ("class", "id", "role")
        for token in re.findall("[^\t\n\f\r ]+", value)
    ]
    assert values_of(document, document.tokens) == tokens


def kept_attributes(node: etree._Element, tag: str) -> Iterator[tuple[str, str]]:
    for full, value in node.attrib.items():
        name = local_name(full)
        name = name if name in ATTRIBUTES else name.lower()
        is_short = len(value.encode()) <= MAX_VALUE_BYTES
        if name in ATTRIBUTES and tag in ONLY_OF.get(name, (tag,)) and is_short:
            yield name, value


def values_of(document: Document, table: Any) -> list[tuple[str, int, str]]:
    rows = zip(*(column.tolist() for column in table), strict=True)
    return [
        (ATTRIBUTES[name], element, document.values[start:end].decode())
        for name, element, start, end in rows
    ]


def check_counts(document: Document, block: int) -> None:
    """The counts of a block against those of its text."""
    blocks, runs, text = document.blocks, document.runs, document.block_text(block)
    classes = "".join(map(class_of, text))
    counts = {
        "chars": len(text),
        "words": len(WORD.findall(classes)),
        "cjk": classes.count("j"),
        "sentences": len(SENTENCE_END.findall(classes)),
        "commas": sum(map(text.count, COMMAS)),
        "digits": len(re.findall("[0-9]", text)),
        "capitals": sum(c.isupper() and c.isalnum() for c in text),
    }
    assert {name: getattr(blocks, name)[block] for name in counts} == counts
    own = slice(blocks.first_run[block], blocks.end_run[block])
    assert runs.words[own][runs.kind[own] == RunKind.TEXT].sum() == counts["words"]


@cache
def class_of(c: str) -> str:
    """One letter: blank, (J) CJK mark, mark, closing, (j) CJK, word or other (x).

    A letter of a script without blanks between words is (u).
    """
    for letter, members in ((".", MARKS), ("J", CJK_MARKS), (")", CLOSING)):
        if c in members:
            return letter
    if BLANK.match(c):
        return " "
    if CJK.match(c):
        return "j"
    if c.isalnum() and UNSPACED.match(c):
        return "u"
    return "w" if c.isalnum() or c == "_" else "x"


def block_text(document: Document, block: int) -> str:
    return collapse(document.block_text(block))


def collapse(text: str) -> str:
    """The characters that are shown, blanks between them as one."""
    return " ".join(DROPPED.sub("", text).split())


def local_name(name: str) -> str:
    return name.rpartition("}")[2] if name.startswith("{") else name


def tag_of(element: etree._Element) -> str:
    name = local_name(element.tag)
    return name.lower() if name.lower() in TAGS else name


def _holds_blocks(node: etree._Element) -> bool:
    inside = (each for each in node.iterdescendants() if isinstance(each.tag, str))
    return any(tag_of(each) in BLOCK_TAGS for each in inside)
