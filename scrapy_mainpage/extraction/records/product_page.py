"""The part of a page in which a shop says what its product is, and its buttons."""

from __future__ import annotations

from functools import cache, cached_property, lru_cache
from string import digits
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..document.schema import Context
from ..title_rule import letters
from ..vocabulary import read_phrases
from .product_names import Name, read_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..document.document import Document
    from ..document.schema import Bits

MAX_BLOCKS: Final = 600
"""Text blocks that are read, from a little above the title on."""

MAX_BEFORE: Final = 60
MAX_CHARACTERS: Final = 200
MAX_BUTTON: Final = 32
"""Characters of a button."""

_NEAR_LEVELS: Final = 2
_LEVELS: Final = 6
_OUTSIDE: Final = int(Context.NAVIGATION | Context.FOOTER)
_BESIDE: Final = _OUTSIDE | int(Context.ASIDE)


@cache
def phrases_of(section: str) -> frozenset[str]:
    """The phrases of a section as letters alone."""
    return frozenset(map(letters, read_phrases("products")[section]))


@cache
def _related() -> tuple[str, ...]:
    """The phrases that name related things."""
    return tuple(frozenset(map(letters, read_phrases("phrases")["related"])) - {""})


@lru_cache(maxsize=4096)
def _button_of(said: str) -> str:
    """The section of the vocabulary that a button belongs to; empty for another one."""
    for section in ("cart", "OutOfStock", "buy"):
        if said in phrases_of(section):
            return section
    # "Add to cart - $59.00"
    starts = (said[:size] in phrases_of("cart") for size in range(9, len(said)))
    return "cart" if any(starts) else ""


class Names(NamedTuple):
    """What names say of elements: of each and its parent, of some around it, of all.

    All are those that are not around the title as well.
    """

    near: Bits
    around: Bits
    apart: Bits


class ProductPage:
    """The blocks of a page around its title, and the names around them."""

    def __init__(self, document: Document, title: int) -> None:
        self.document = document
        self.title = max(title, 0)

    @cached_property
    def blocks(self) -> list[int]:
        """The short blocks from a little above the title to what is related.

        Navigation and the foot of the page are left out.
        """
        blocks, first = self.document.blocks, max(0, self.title - MAX_BEFORE)
        flags, end = blocks.flags[first : self._end], self._end
        inside = (blocks.chars[first:end] <= MAX_CHARACTERS) & (flags & _OUTSIDE == 0)
        found: list[int] = (np.flatnonzero(inside)[:MAX_BLOCKS] + first).tolist()
        return found

    @cached_property
    def title_text(self) -> str:
        """The text of the title; empty on an empty page."""
        document = self.document
        return document.block_text(self.title) if document.n_blocks else ""

    @cached_property
    def texts(self) -> dict[int, str]:
        """The texts of :attr:`blocks`, each with its line breaks."""
        return {block: self.document.block_text(block) for block in self.blocks}

    @cached_property
    def lines(self) -> list[tuple[int, str]]:
        """The lines of :attr:`texts`, each with its block."""
        return [
            (block, line.strip())
            for block, text in self.texts.items()
            for part in text.replace(" • ", " | ").split("\n")
            for line in part.split(" | ")
        ]

    @cached_property
    def _end(self) -> int:
        """The first heading below the title that names related products."""
        document = self.document
        for block, _ in document.headings[:200]:
            if block > self.title + 1 and self._is_related(document.block_text(block)):
                return block
        return document.n_blocks

    def _is_related(self, text: str) -> bool:
        said = letters(text[:80])
        if not said.startswith(_related()):
            return False
        return any(len(p) > len(said) / 3 and said.startswith(p) for p in _related())

    @property
    def own_names(self) -> Bits:
        """What its names say of each element."""
        return self.document.once(read_names)

    def names(self, elements: Sequence[int]) -> Names:
        """What names say of *elements*, and of what is around them."""
        columns, own = self.document.elements, self.own_names
        at = np.array(elements, np.int32)
        title = int(self.document.blocks.element[self.title]) if len(at) else 0
        near, around, apart = (np.zeros(len(at), np.uint64) for _ in range(3))
        level = 0
        while (inside := at > 0).any():
            bits = np.where(inside, own[at], np.uint64(0))
            near |= bits * np.uint64(level < _NEAR_LEVELS)
            around |= bits * np.uint64(level < _LEVELS)
            holds_title = (at <= title) & (title < columns.end[at])
            apart |= np.where(holds_title, np.uint64(0), bits)
            at = np.where(inside, columns.parent[at], 0)
            level += 1
        return Names(near, around, apart)

    @cached_property
    def aside(self) -> frozenset[int]:
        """The :attr:`blocks` that are in parts of the page about other products."""
        blocks = np.array(self.blocks, np.int32)
        names = self.names(self.document.blocks.element[blocks].tolist())
        return frozenset(blocks[names.apart & int(Name.RELATED) != 0].tolist())

    def named(self, name: Name) -> list[int]:
        """The elements of the product that *name* is said of, in few blocks."""
        columns = self.document.elements
        found = np.flatnonzero(self.own_names & int(name))
        size = columns.end_block[found] - columns.first_block[found]
        place = columns.first_block[found] - self.title
        is_near = (size <= _NEAR_LEVELS) & (place >= -MAX_BEFORE) & (place < MAX_BLOCKS)
        kept = found[is_near & (columns.first_block[found] < self._end)][:MAX_BEFORE]
        apart = self.names(kept.tolist()).apart & int(Name.RELATED)
        elements: list[int] = kept[apart == 0].tolist()
        return elements

    @cached_property
    def said(self) -> dict[int, str]:
        """The blocks from the title on that say like a button to buy it, or that none
        is left: by block the section of the vocabulary.
        """
        blocks, document = self.document.blocks, self.document
        title_flags = int(blocks.flags[self.title]) if document.n_blocks else 0
        flags = blocks.flags[self.title : self._end] & ~title_flags
        short = blocks.chars[self.title : self._end] <= MAX_BUTTON
        found = np.flatnonzero(short & (flags & _BESIDE == 0))[:MAX_BLOCKS] + self.title
        texts = [(block, document.block_text(block)) for block in found.tolist()]
        inputs = document.elements_with_tag("input")
        values = document.values_of("value", inputs) if len(inputs) else {}
        texts += [
            (int(document.elements.first_block[e]), text[: MAX_BUTTON + 1])
            for e, text in values.items()
        ]
        said = (
            (block, _button_of(letters(text).rstrip(digits))) for block, text in texts
        )
        return {b: name for b, name in said if name and self.title <= b < self._end}

    @property
    def is_sold(self) -> bool:
        """Whether a button sells it: below "sold out", "buy" is an advertisement."""
        names = [name for _, name in sorted(self.said.items())]
        return "cart" in names or names[:1] == ["buy"]
