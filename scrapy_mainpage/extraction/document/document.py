"""A page as flat arrays: elements, text blocks, and the runs of text in them.

:func:`read_tree` walks an lxml tree once, in compiled code, without changing it. The
result is independent of lxml: it can be kept, pickled and read from any thread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from ..parsing.budget import Budget
from .lxml_abi import load_walk
from .schema import (
    HEADING_SHIFT,
    Attributes,
    Blocks,
    Elements,
    Lines,
    RunKind,
    Runs,
    Tokens,
    number_equals,
)
from .tags import ATTRIBUTE_CODES, ATTRIBUTES, BLOCK_TAGS, CODES, OPAQUE_TAGS, TAGS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    import numpy.typing as npt
    from lxml.etree import _Element

    from .schema import Floats, Ints, Longs, Mask


Found = TypeVar("Found")

_walk = load_walk().walk

MIN_OUTPUT_BUDGET: Final = 100_000
OUTPUT_FACTOR: Final = 5
"""Characters of repetitions per character of text and attributes; no labelled page
needs more than one."""

_ELEMENT_BYTES: Final = 8

MAX_TITLE_BYTES: Final = 1000

_NO_ELEMENTS: Final = np.empty(0, np.int32)

_ANY_BLOCK: Final = [f"{{*}}{tag}" for tag in BLOCK_TAGS]
_ANY_OPAQUE: Final = [f"{{*}}{tag}" for tag in OPAQUE_TAGS]
_XPATH_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_STEP_NAMES = [tag.encode() if _XPATH_NAME.fullmatch(tag) else None for tag in TAGS]


class OtherTree(ValueError):
    """A tree whose elements are not those of a document."""


@dataclass(frozen=True, eq=False)
class Document:
    """A page in struct-of-arrays form. ``text`` and ``values`` are UTF-8."""

    tables: tuple[Ints, ...]
    """Elements, blocks, runs, attributes, tokens, lines: each with a row per column."""
    text: bytes
    values: bytes
    tags: frozenset[int]
    """The codes of the tags of its elements."""
    extra_tags: tuple[str, ...]
    plain_names: bool
    """Whether all tags are in lower case and without namespace, as in HTML."""
    max_depth: int
    title_range: tuple[int, int]
    """The text of the first ``title`` element in ``values``."""
    budget: Budget = field(default_factory=Budget)
    """Of the page, with all that is inside of it."""

    def __reduce__(self) -> tuple[type[Document], tuple[Any, ...]]:
        return type(self), tuple(getattr(self, each.name) for each in fields(self))

    @cached_property
    def elements(self) -> Elements:
        """The elements, in document order."""
        return Elements._make(self.tables[0])

    @cached_property
    def blocks(self) -> Blocks:
        """The text blocks, in document order."""
        return Blocks._make(self.tables[1])

    @cached_property
    def runs(self) -> Runs:
        """The runs of text, breaks and objects."""
        return Runs._make(self.tables[2])

    @cached_property
    def attributes(self) -> Attributes:
        """The kept attributes."""
        return Attributes._make(self.tables[3])

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens of classes, ids and roles."""
        return Tokens._make(self.tables[4])

    @cached_property
    def lines(self) -> Lines:
        """The lines of the normalised source."""
        return Lines._make(self.tables[5])

    def once(self, find: Callable[[Document], Found]) -> Found:
        """What *find* finds in the document, which all that need it share."""
        known: dict[object, Found] = self.__dict__.setdefault("_known", {})
        return known[find] if find in known else known.setdefault(find, find(self))

    def keep(self, find: Callable[[Document], Found], found: Found) -> None:
        """Let :meth:`once` know what *find* finds: *found* beside something else."""
        self.__dict__.setdefault("_known", {})[find] = found

    @property
    def n_elements(self) -> int:
        """The number of elements, without those inside of opaque ones."""
        return int(self.tables[0].shape[1])

    @property
    def n_blocks(self) -> int:
        """The number of text blocks."""
        return int(self.tables[1].shape[1])

    @property
    def output_budget(self) -> int:
        """Characters that repetitions may add to an output: in proportion to the page.

        Repeated are the base of addresses, the paths of elements, links and their
        titles around several blocks, and the prefixes of lines of Markdown.
        """
        size = len(self.text) + len(self.values) + _ELEMENT_BYTES * self.n_elements
        return MIN_OUTPUT_BUDGET + OUTPUT_FACTOR * size

    def tag_name(self, element: int) -> str:
        """The tag of *element*, in lower case if it is an HTML tag."""
        code: int = self.elements.tag.item(element)
        return TAGS[code] if code < len(TAGS) else self.extra_tags[code - len(TAGS)]

    def block_text(self, block: int) -> str:
        """The text of *block*: white space collapsed, ``br`` as a line break."""
        start, end = self.blocks.start[block], self.blocks.end[block]
        return self.text[start:end].decode("utf-8", "replace")

    def attribute(self, element: int, name: str) -> str | None:
        """The value of an attribute of *element*; ``None`` without it."""
        return self.attributes_of(element).get(name)

    def attributes_of(self, element: int) -> dict[str, str]:
        """The attributes of *element* that are kept (see :mod:`.tags`)."""
        first, texts = self.elements.first_attribute, self.values
        is_last = element + 1 == len(first)
        own = slice(first.item(element), None if is_last else first.item(element + 1))
        rows = self.tables[3][:, own].T.tolist()
        return {
            ATTRIBUTES[name]: texts[start:end].decode("utf-8", "replace")
            for name, _, start, end in rows
        }

    def values_of(self, name: str, elements: npt.NDArray[Any]) -> dict[int, str]:
        """The values of an attribute of many *elements*, of those that have it."""
        columns = self.attributes
        wanted = np.zeros(self.n_elements, bool)
        wanted[elements] = True
        own = (columns.name == ATTRIBUTE_CODES[name]).nonzero()[0]
        own = own[wanted[columns.element[own]]]
        texts = self.values
        places = (column[own].tolist() for column in columns[1:])
        return {
            element: texts[start:end].decode("utf-8", "replace")
            for element, start, end in zip(*places, strict=True)
        }

    def elements_with_tag(self, name: str) -> Ints:
        """The elements with the tag *name*, in document order."""
        if CODES[name] not in self.tags:
            return _NO_ELEMENTS
        places = (self.elements.tag == CODES[name]).nonzero()[0]
        return np.asarray(places, np.int32)

    def are_tagged(self, codes: Collection[int]) -> Mask:
        """Whether each element has one of the tags with these codes."""
        wanted = np.zeros(len(TAGS) + 1, bool)
        wanted[[*codes]] = True
        found: Mask = wanted.take(self.elements.tag, mode="clip")  # faster than np.isin
        return found

    @property
    def title(self) -> str:
        """The beginning of the text of the first ``title`` element; may be empty."""
        start, end = self.title_range
        text = self.values[start : min(end, start + MAX_TITLE_BYTES)]
        return text.decode("utf-8", "replace")

    @cached_property
    def headings(self) -> list[tuple[int, int]]:
        """The text blocks of headings, each with its level."""
        levels = self.blocks.flags >> HEADING_SHIFT
        found = np.flatnonzero(levels)
        return list(zip(found.tolist(), levels[found].tolist(), strict=True))

    def head_texts(self, name: str) -> Iterator[str]:
        """The texts of the ``title`` or JSON-LD ``script`` elements."""
        for tag, start, end in self._head_ranges:
            if tag == CODES[name]:
                yield self.values[start:end].decode("utf-8", "replace")

    @cached_property
    def _head_ranges(self) -> list[tuple[int, int, int]]:
        """Tag, start and end in ``values`` of each text of the head."""
        runs = self.runs
        rows = np.flatnonzero(runs.kind == RunKind.HEAD)
        columns = self.elements.tag[runs.element], runs.start, runs.end
        return list(zip(*(column[rows].tolist() for column in columns), strict=True))

    @cached_property
    def places(self) -> Ints:
        """Where each run begins in the text, and where the text ends.

        The runs of the head have their texts elsewhere: they are where the next begins.
        """
        ends = np.int32(len(self.text))
        starts = np.where(self.runs.kind == RunKind.HEAD, ends, self.runs.start)
        backwards = np.append(starts, ends)[::-1]
        return np.ascontiguousarray(np.minimum.accumulate(backwards)[::-1], np.int32)

    @cached_property
    def templates(self) -> Ints:
        """The template of each element: a number that elements written alike share.

        These have the same tags and classes on the whole way from the root, numbers in
        classes apart: the posts of a thread, cells of a column, prices of cards.
        """
        from ._templates import number_templates  # after the check of load_walk

        return number_templates(self)

    @cached_property
    def kinds(self) -> Ints:
        """The kind of each element: its template without classes of single records.

        The cards of a listing have the same kind, whatever their categories.
        """
        from ._templates import number_kinds  # after the check of load_walk

        return number_kinds(self)

    @cached_property
    def _numbers(self) -> Ints:
        """Each element's number among its siblings, of its tag and of all, from 1."""
        parent = self.elements.parent.astype(np.int64) << 32
        keys = (parent | self.elements.tag, parent)
        return np.stack([number_equals(key) for key in keys])

    @cached_property
    def _step_names(self) -> list[bytes | None]:
        """The tags as XPath has them, ``None`` for those that it has not."""
        # Real pages have tags with prefixes and characters that XPath does not allow.
        own = [
            tag.encode() if self.plain_names and _XPATH_NAME.fullmatch(tag) else None
            for tag in self.extra_tags
        ]
        return [*(_STEP_NAMES if self.plain_names else [None] * len(TAGS)), *own]

    def xpaths(self, elements: Ints, budget: int = MIN_OUTPUT_BUDGET) -> list[str]:
        """XPaths from the root that find the *elements* in the same tree.

        Once they have *budget* characters, the others find them by their numbers.
        """
        from ._paths import write_paths

        columns = self.elements.parent, self.elements.tag, self._numbers
        return write_paths(*columns, self._step_names, elements, budget)

    def xpath(self, element: int) -> str:
        """An XPath from the root that finds *element* in the same tree."""
        return self.xpaths(np.array([element], np.int32))[0]

    def link_density(self) -> Floats:
        """Per block the share of its words in links."""
        words = np.maximum(self.blocks.words, 1)
        return np.asarray(self.blocks.linked_words / words, np.float32)


def read_tree(
    root: _Element, budget: Budget | None = None, *, all_attributes: bool = False
) -> Document:
    """Read the tree below *root* into a :class:`Document`, in one pass.

    *budget* is that of the page, by default one by the size of the tree. With
    *all_attributes* the document has the values of all attributes, else of those
    in the vocabulary (see :mod:`.tags`). The tree is not changed, and no proxies of its
    nodes are created. Raises ``ValueError`` for a comment or a processing instruction,
    ``TypeError`` for any other object that is not an element.
    """
    document = Document(*_walk(root, all_attributes))
    if budget is None:
        budget = Budget(size=len(document.text) + len(document.values))
    vars(document)["budget"] = budget
    return document


def walk_elements(root: _Element) -> Iterator[_Element]:
    """The elements that a document of the tree below *root* has, in its order."""
    closed: set[_Element] = set()
    drawings: set[_Element] = set()
    for node in root.iter(*_ANY_OPAQUE):
        if node in closed or node in drawings:
            continue
        is_drawing = node.tag.endswith("svg")
        if is_drawing and next(node.iter(*_ANY_BLOCK), None) is not None:
            # It holds HTML.
            drawings.update(node.iter("{*}svg"))
        else:
            closed.update(node.iterdescendants("*"))
    return (node for node in root.iter("*") if node not in closed)


def number_elements(
    root: _Element, document: Document, nodes: Iterable[_Element]
) -> dict[_Element, int]:
    """The numbers in *document* of *nodes*, which are in its tree below *root*.

    A document has no elements inside of opaque ones: these have no number. Raises
    :exc:`OtherTree` if the tree is not the one that was read.
    """
    wanted = set(nodes)
    if not wanted:
        return {}
    found = [*walk_elements(root)]
    numbers = {node: number for number, node in enumerate(found) if node in wanted}
    if len(found) != document.n_elements or (
        document.plain_names
        and any(document.tag_name(k) != node.tag for node, k in numbers.items())
    ):
        raise OtherTree("the elements of the tree are not those of its document")
    return numbers


def bytes_in_texts(document: Document, chosen: Mask) -> Longs:
    """The number of *chosen* bytes of each run of text; 0 for other runs."""
    runs = document.runs
    texts = np.flatnonzero((runs.kind == RunKind.TEXT) & (runs.end > runs.start))
    # Sums from each start to its end (kept), and from there to the next start.
    bounds = np.stack([runs.start[texts], runs.end[texts]], axis=1).ravel()
    counts = np.zeros(len(runs.kind), np.int64)
    if len(texts):
        padded = np.append(chosen, False)
        counts[texts] = np.add.reduceat(padded, bounds, dtype=np.int64)[::2]
    return counts


def nonblank_texts(document: Document) -> Mask:
    """The runs of text with a character other than white space."""
    text = np.frombuffer(document.text or b" ", np.uint8)
    mask: Mask = bytes_in_texts(document, text > ord(" ")) > 0
    return mask
