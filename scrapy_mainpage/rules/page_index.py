"""A page's elements by selectors that could be rules, and what its text weighs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from ..extraction.document.document import read_tree, walk_elements
from ..extraction.document.schema import HEADING_SHIFT
from ..extraction.parsing.budget import Budget
from ..extraction.parsing.encoding import to_utf8
from .rule_book import cover_blocks

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ..extraction.document.schema import Mask
    from ..extraction.extractor import Extractor
    from ..extraction.result import Extraction

_NAMED_TAGS: Final = frozenset(
    "main article h1 nav aside footer header form time".split()
)
"""Tags that say what their elements are for."""

_STATES: Final = frozenset("active current first last odd even open selected".split())
"""Classes that say where an element is, or what a reader did with it."""

_NAME: Final = re.compile(r"-?[A-Za-z_][A-Za-z_-]*")
"""A name without digits, which are often those of one page."""

_MODULE: Final = re.compile(r"([A-Za-z][A-Za-z-]*(?:_[A-Za-z-]+)*__)[A-Za-z0-9_-]{4,}")
"""A class of CSS modules: name, two underscores, hash."""


class PageIndex:
    """A page's elements by selectors, and the weight of each of its text blocks.

    ``guess`` is the main content that the algorithm selects, ``trust`` its confidence;
    ``main`` is the corrected one, or the guess.
    """

    def __init__(
        self, html: bytes, extractor: Extractor, main: Sequence[bool] | None = None
    ) -> None:
        budget = Budget(size=len(html))
        root = budget.parse(to_utf8(html, None))
        self.document = read_tree(root, budget)
        page = extractor.extract_document(self.document)
        self.guess: Mask = cast("Extraction", page._extraction).main
        self.trust = page.confidence or 0.0
        self.main = self.guess if main is None else np.array(main, bool)
        if len(self.main) != self.document.n_blocks:
            there = f"a page of {self.document.n_blocks}"
            raise ValueError(f"{len(self.main)} corrected blocks on {there}")
        # Short blocks count too: a user has corrected them one by one.
        self.weights = self.document.blocks.words + 1.0
        self._parents: list[int] = self.document.elements.parent.tolist()
        self._tags = [str(node.tag) for node in walk_elements(root)]
        self._names = [sorted(_names(node)) for node in walk_elements(root)]
        self._found: dict[str, list[int]] = defaultdict(list)
        for number, names in enumerate(self._names):
            for name in {self._tags[number], *names}:
                self._found[name].append(number)
        self._masks: dict[str, Mask] = {}

    def selectors(self, number: int, *, deep: bool = False) -> Iterator[str]:
        """Selectors that find an element, among others: names, with one around.

        *deep* are names with those of any element around.
        """
        own, tag, parent = (
            self._names[number],
            self._tags[number],
            self._parents[number],
        )
        yield from own
        if parent >= 0:
            yield from (f"{outer} > {tag}" for outer in self._names[parent])
        if deep:
            outer = (name for up in self._around(parent) for name in self._names[up])
            yield from (f"{each} {name}" for each in outer for name in (*own, tag))

    def _around(self, number: int) -> Iterator[int]:
        while number >= 0:
            yield number
            number = self._parents[number]

    def find(self, css: str) -> list[int]:
        """The elements that a selector finds, in order."""
        *outer, name = css.split(" ")
        found = self._found.get(name, [])
        if not outer:
            return found
        near = set(self._found.get(outer[0], ()))
        if len(outer) > 1:
            return [number for number in found if self._parents[number] in near]
        up = self._parents
        return [n for n in found if not near.isdisjoint(self._around(up[n]))]

    def cover(self, selectors: Iterable[str]) -> Mask:
        """The text blocks in the elements that any of the selectors finds."""
        mask = np.zeros(len(self.main), bool)
        for css in selectors:
            if css not in self._masks:
                self._masks[css] = cover_blocks(self.document, self.find(css))
            mask |= self._masks[css]
        return mask

    def share(self, mask: Mask) -> float:
        """The share of the main content in the blocks of a mask."""
        return self.weigh(mask & self.main) / max(self.weigh(self.main), 1.0)

    def weigh(self, mask: Mask) -> float:
        """The weight of the blocks of a mask."""
        return float(self.weights[mask].sum())

    def choose(self, content: Iterable[str], drop: Iterable[str]) -> Mask:
        """The main content by selectors; without any of content the guess."""
        kept = self.cover(content) if content else self.guess
        return kept & ~self.cover(drop)

    def score(self, chosen: Mask) -> float:
        """The weighted F1 of *chosen* blocks."""
        total = self.weigh(chosen) + self.weigh(self.main)
        return 2 * self.weigh(chosen & self.main) / total if total else 1.0

    def is_title(self, mask: Mask) -> bool:
        """Whether a mask is of a heading alone, the first main content."""
        blocks = np.flatnonzero(mask)
        if len(blocks) != 1 or blocks[0] != np.argmax(self.main):
            return False
        return bool(self.document.blocks.flags[blocks[0]] >> HEADING_SHIFT)

    def with_text(self) -> Iterator[int]:
        """The elements with text blocks."""
        elements = self.document.elements
        has_text = elements.end_block > elements.first_block
        yield from np.flatnonzero(has_text).tolist()

    def find_holders(self, block: int) -> set[int]:
        """The elements around all text of a block that have no other block."""
        elements, blocks = self.document.elements, self.document.blocks
        around = elements.first_run <= blocks.first_run[block]
        around &= elements.end_run >= blocks.end_run[block]
        is_alone = elements.end_block - elements.first_block == 1
        return set(np.flatnonzero(around & is_alone).tolist())


def _names(node: _Element) -> set[str]:
    """The simple selectors that find a node: what it is called, without numbers."""
    found = {node.tag} & _NAMED_TAGS
    classes = set((node.get("class") or "").split()) - _STATES
    found |= {f".{name}" for name in classes if _NAME.fullmatch(name)}
    modules = filter(None, map(_MODULE.fullmatch, classes))
    found |= {f"[class*='{match[1]}']" for match in modules}
    if _NAME.fullmatch(name := node.get("id") or ""):
        found.add(f"#{name}")
    for attribute in ("role", "itemprop"):
        if _NAME.fullmatch(value := node.get(attribute) or ""):
            found.add(f"[{attribute}='{value}']")
    return found
