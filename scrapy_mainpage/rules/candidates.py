"""Selectors that could be rules, and the pages that they are rated on."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from ..extraction.document.document import read_tree, walk_elements
from ..extraction.parsing.budget import Budget
from ..extraction.parsing.encoding import to_utf8
from .selector_matching import cover_blocks

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ..extraction.document.document import Document
    from ..extraction.document.schema import Doubles, Longs, Mask
    from ..extraction.extractor import Extractor
    from ..extraction.result import Extraction


NAMED_TAGS: Final = frozenset(
    "main article h1 nav aside footer header form time".split()
)
"""Tags that say what their elements are for."""

_UNIT_TAGS: Final = frozenset("pre table section hgroup".split())
_PART_TAGS: Final = frozenset(
    "div p ul ol dl li h1 h2 h3 h4 h5 h6 blockquote figure td span a section "
    "pre table hgroup center details dd dt hr".split()
)
"""Tags of which a child of a known element may be a part of its own."""

_FRAME_TAGS: Final = frozenset("div span center hr a details".split())
"""Tags whose elements may also be dropped as children of a known one."""

_STATES: Final = frozenset("active current first last odd even open selected".split())
"""Classes that say where an element is, or what a reader did with it."""

_NAME: Final = re.compile(r"-?[A-Za-z_][A-Za-z0-9_-]*")
_MODULE: Final = re.compile(r"([A-Za-z][A-Za-z-]*(?:_[A-Za-z-]+)*__)[A-Za-z0-9_-]{4,}")
"""A class of CSS modules: name, two underscores, hash."""

_DIGITS: Final = re.compile(r"\d+")
_LONG_NUMBER: Final = re.compile(r"\d{3}")

_HASH: Final = re.compile(r"(?=[a-zA-Z]*\d)(?=\d*[a-zA-Z])[a-zA-Z0-9]{5,}")

MAX_OUTER: Final = 4
"""Named elements around an element that a selector may begin with."""


@dataclass(frozen=True, order=True)
class Selector:
    """A CSS selector; *cost* is higher the longer and the less robust it is.

    It finds the elements that the simple selector *name* finds, those with the *tag*,
    inside of elements that the simple selector *outer* finds, or their children.
    """

    cost: float
    name: str
    tag: str = ""
    outer: str = ""
    is_child: bool = False

    @property
    def names(self) -> tuple[str, str]:
        """Its simple selectors."""
        return self.name, self.outer

    @property
    def is_structural(self) -> bool:
        """Whether it names no element but the ones around."""
        return self.name in _PART_TAGS

    @property
    def is_unit(self) -> bool:
        """Whether it finds all elements with a tag that content may have, too."""
        is_frame = self.is_child and self.name in _FRAME_TAGS
        return self.is_structural and not is_frame

    @property
    def css(self) -> str:
        """The selector as CSS."""
        around = self.outer and f"{self.outer} {'> ' * self.is_child}"
        return f"{around}{self.tag}{self.name}"


class PageIndex:
    """A page's elements by the simple selectors that find them."""

    def __init__(self, html: bytes) -> None:
        budget = Budget(size=len(html))
        root = budget.parse(to_utf8(html, None))
        self.document: Document = read_tree(root, budget)
        self._nodes: list[_Element] = list(walk_elements(root))
        self._parents: list[int] = self.document.elements.parent.tolist()
        self._names = [sorted(_simple_selectors(node)) for node in self._nodes]
        """The simple selectors of each element, the best first."""
        self._found: dict[str, set[int]] = defaultdict(set)
        for number, node in enumerate(self._nodes):
            self._found[node.tag].add(number)
            for selector in self._names[number]:
                self._found[selector.name].add(number)
        self._masks: dict[Selector, Mask] = {}
        self._covered: dict[tuple[int, ...], Mask] = {}
        self._outermost: dict[str, tuple[Longs, Longs]] = {}

    @property
    def numbered(self) -> list[str]:
        """The simple selectors with a number in an id, a class or an attribute."""
        names = (name for name in self._found if name[0] in "#.[")
        return [name for name in names if _DIGITS.search(name)]

    def find(self, selector: Selector) -> list[int]:
        """The elements that *selector* finds, in order."""
        found = self._found.get(selector.name, set())
        if selector.tag:
            found = found & self._found.get(selector.tag, set())
        if not selector.outer:
            return sorted(found)
        if selector.is_child:
            outer = self._found.get(selector.outer, set())
            return sorted(n for n in found if self._parents[n] in outer)
        starts, ends = self.spans(selector.outer)
        numbers = np.array(sorted(found), np.int64)
        around = np.searchsorted(starts, numbers) - 1
        inside: list[int] = numbers[numbers < ends[around]].tolist()
        return inside

    def spans(self, name: str) -> tuple[Longs, Longs]:
        """First and end of the outermost elements that a simple selector finds.

        The last end, which is that of place -1, is 0.
        """
        if name not in self._outermost:
            starts, ends = list[int](), list[int]()
            for number in sorted(self._found.get(name, ())):
                if not ends or number >= ends[-1]:
                    starts.append(number)
                    ends.append(int(self.document.elements.end[number]))
            arrays = np.array(starts, np.int64), np.array([*ends, 0], np.int64)
            self._outermost[name] = arrays
        return self._outermost[name]

    def cover(self, selector: Selector) -> Mask:
        """The text blocks in the elements that *selector* finds."""
        if selector not in self._masks:
            numbers = tuple(self.find(selector))
            if numbers not in self._covered:
                self._covered[numbers] = cover_blocks(self.document, numbers)
            self._masks[selector] = self._covered[numbers]
        return self._masks[selector]

    def selectors(self, number: int) -> Iterator[Selector]:
        """The selectors that find an element, among others."""
        own, tag = self._names[number], self._nodes[number].tag
        yield from own
        for each in own:
            if each.name[0] in ".[":
                yield Selector(each.cost + 0.3, each.name, tag)
        if tag in _PART_TAGS and number:
            for outer in self._names[self._parents[number]]:
                yield Selector(outer.cost + 2, tag, "", outer.name, is_child=True)
        for outer in self._named_ancestors(number):
            for each in own:
                if each.name != outer.name:
                    cost = each.cost + outer.cost
                    yield Selector(cost + 0.5, each.name, "", outer.name)
            if tag in _PART_TAGS:
                yield Selector(outer.cost + 3, tag, "", outer.name)

    def ancestors(self, number: int) -> Iterator[int]:
        """The elements around an element, the innermost first."""
        number = self._parents[number]
        while number >= 0:
            yield number
            number = self._parents[number]

    def _named_ancestors(self, number: int) -> list[Selector]:
        """The best selector of each of the next named elements around an element."""
        named = (self._names[n] for n in self.ancestors(number))
        return [names[0] for names in islice(filter(None, named), MAX_OUTER)]


def _simple_selectors(node: _Element) -> Iterator[Selector]:
    tag = node.tag
    if tag in NAMED_TAGS:
        yield Selector(1.0, tag)
    elif tag in _UNIT_TAGS:
        yield Selector(4.0, tag)
    elif tag == "body":
        yield Selector(2.0, tag)
    if _NAME.fullmatch(name := node.get("id") or ""):
        yield Selector(_name_cost(name), f"#{name}")
    for name in set((node.get("class") or "").split()) - _STATES:
        if match := _MODULE.fullmatch(name):
            yield Selector(1.4, f"[class*='{match[1]}']")
        elif _NAME.fullmatch(name):
            yield Selector(_name_cost(name), f".{name}")
    for attribute in ("role", "itemprop"):
        value = node.get(attribute) or ""
        if _NAME.fullmatch(value):
            yield Selector(1.1, f"[{attribute}='{value}']")
    kind = (node.get("itemtype") or "").rpartition("/")[2]
    if _NAME.fullmatch(kind):
        yield Selector(1.3, f"[itemtype$='/{kind}']")


def _name_cost(name: str) -> float:
    """The cost of an id or a class: of one with digits more, of a hash most."""
    if not any(letter.isdigit() for letter in name):
        return 1.0 + len(name) / 200
    if any(_HASH.fullmatch(part) for part in re.split("[_-]+", name)):
        return 5.0
    return 2.0


class IndexedPage:
    """A page with its main content, and the weight of each of its blocks.

    ``guess`` is the main content that the algorithm selects, ``trust`` its
    confidence; ``main`` is the corrected one, or the guess.
    """

    def __init__(
        self, html: bytes, extractor: Extractor, main: Sequence[bool] | None = None
    ) -> None:
        self.index = PageIndex(html)
        page = extractor.extract_document(self.index.document)
        self.guess: Mask = cast("Extraction", page._extraction).main
        self.trust = page.confidence or 0.0
        self.main = self.guess if main is None else np.array(main, bool)
        n_blocks = self.index.document.n_blocks
        if len(self.main) != n_blocks:
            message = f"{len(self.main)} corrected blocks on a page of {n_blocks}"
            raise ValueError(message)
        # Short blocks count too: a user has corrected them one by one.
        words = self.index.document.blocks.words.astype(np.float64)
        self.weights: Doubles = words + 1
        self.size = self.weigh(self.main)
        self._before = np.concatenate([[0.0], np.cumsum(self.weights * self.main)])

    def weigh(self, mask: Mask) -> float:
        """The weight of the blocks of a mask."""
        return float(self.weights[mask].sum())

    def recall(self, selector: Selector) -> float:
        """The share of the main content that a selector covers; 0 without any."""
        return self.weigh(self.index.cover(selector) & self.main) / max(self.size, 1)

    def share(self, name: str) -> float:
        """About the recall of the simple selector *name*, in less time."""
        elements, numbers = self.index.document.elements, self.index.spans(name)[0]
        ends, starts = elements.end_block[numbers], elements.first_block[numbers]
        size = (self._before[ends] - self._before[starts]).sum()
        return float(size) / max(self.size, 1)

    def cover(self, selectors: Iterable[Selector]) -> Mask:
        """The blocks that any of the selectors covers."""
        mask = np.zeros(len(self.main), bool)
        for selector in selectors:
            mask |= self.index.cover(selector)
        return mask

    def difference(self, chosen: Mask) -> float:
        """1 less the F1 of *chosen* blocks by weight."""
        return 1 - float(score_rows(chosen[None], self.main, self.weights)[0])

    def selectors(self, *, main: bool) -> Iterable[Selector]:
        """Selectors of elements with main content, or of elements without any."""
        elements = self.index.document.elements
        blocks = np.concatenate([[0], np.cumsum(self.main)])
        inside = blocks[elements.end_block] - blocks[elements.first_block]
        has_text = elements.end_block > elements.first_block
        wanted = has_text & ((inside > 0) == main)
        for number in np.flatnonzero(wanted).tolist():
            yield from self.index.selectors(number)


def score_rows(chosen: Mask, main: Mask, weights: Doubles) -> Doubles:
    """The F1 of weighted blocks by *main*, for each row of *chosen*."""
    found, right = chosen @ weights, chosen @ (weights * main)
    total = found + weights[main].sum()
    scores: Doubles = np.where(total > 0, 2 * right / np.maximum(total, 1), 1.0)
    return scores


def item_names(pages: Sequence[PageIndex]) -> set[str]:
    """The simple selectors whose numbers are those of items: in no rule.

    They are one of several that differ in a number, on one page alone, or long.
    """
    series: dict[str, Counter[str]] = defaultdict(Counter)
    for page in pages:
        for name in page.numbered:
            series[_DIGITS.sub("0", name)][name] += 1
    return {
        name
        for names in series.values()
        for name, count in names.items()
        if len(names) > 1 or count < min(2, len(pages)) or _LONG_NUMBER.search(name)
    }


def main_share(
    pages: Sequence[IndexedPage], selector: Selector, *, guessed: bool
) -> float:
    """The share of main content, true or guessed, in covered blocks; -1 for none."""
    size = main = 0.0
    for page in pages:
        covered = page.index.cover(selector)
        size += page.weigh(covered)
        main += page.weigh(covered & (page.guess if guessed else page.main))
    return main / size if size else -1
