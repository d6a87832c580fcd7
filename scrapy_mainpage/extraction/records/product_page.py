"""The part of a page in which a shop says what its product is, and its buttons."""

from __future__ import annotations

import re
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.schema import HEADING_SHIFT, Context
from ..title_rule import letters
from ..vocabulary import read_phrases

if TYPE_CHECKING:
    from ..document.document import Document
    from ..document.schema import Mask

MAX_BLOCKS: Final = 3000
"""Text blocks that are read, from the title on and before it."""

MAX_BEFORE: Final = 60
MAX_CHARACTERS: Final = 200
MAX_LEVELS: Final = 12
MAX_BUTTON: Final = 32
"""Characters of a button."""

_OUTSIDE: Final = int(Context.NAVIGATION | Context.FOOTER)
_RELATED_NAME: Final = re.compile(
    r"(?i)related|up-?sell|cross-?sell|recommend|similar|also-|recently|mini-?cart|minibasket|"
    r"cart-?drawer|drawer|bundle|suggest|sponsor|accessor|carousel|grid-?item|product-?card|"
    r"product-?tile|product-?item(?!-info)|zubehoer|cart-popup|side-?cart|mega-?menu|cart-?total|header-?cart|"
    r"search-?result|compare-table|protection-plan"
)
_BUY_NAME: Final = re.compile(
    rb"[aA]dd[-_]?[tT]o[-_]?(?:[cC]art|[bB]ag|[bB]asket)|[bB]uy[-_]?[nN]ow|btn-?cart|"
    rb"(?:product|cart)-form|[aA]ddCart|buybox|buy-box|warenkorb|panier"
)


@cache
def phrases_of(section: str) -> frozenset[str]:
    """The phrases of a section as letters alone."""
    return frozenset(map(letters, read_phrases("products")[section]))


@cache
def _related() -> tuple[str, ...]:
    return tuple(map(letters, read_phrases("phrases")["related"]))


class ProductPage:
    """The blocks of a page around its title, and the names around them."""

    def __init__(self, document: Document, title: int) -> None:
        self.document = document
        self.title = max(title, 0)
        self._own_names: dict[int, str] = {}

    @cached_property
    def blocks(self) -> list[int]:
        """The short blocks from a little above the title to what is related.

        Navigation and the foot of the page are left out.
        """
        blocks, first = self.document.blocks, max(0, self.title - MAX_BEFORE)
        inside = (blocks.chars <= MAX_CHARACTERS) & (blocks.flags & _OUTSIDE == 0)
        found = np.flatnonzero(inside[first:])[:MAX_BLOCKS] + first
        end = self._end()
        return [block for block in found.tolist() if block < end]

    @cached_property
    def texts(self) -> dict[int, str]:
        """The texts of :attr:`blocks`, each in one line."""
        text = self.document.block_text
        return {block: " ".join(text(block).split()) for block in self.blocks}

    def _end(self) -> int:
        """The first heading below the title that names related products."""
        document = self.document
        for block, _ in document.headings[:200]:
            if block > self.title + 1 and self._is_related(document.block_text(block)):
                return block
        return document.n_blocks

    def _is_related(self, text: str) -> bool:
        said = letters(text[:80])
        return any(
            said.startswith(each) and len(said) < 3 * len(each) for each in _related()
        )

    def names(self, element: int, levels: int) -> str:
        """Classes and ids of *element* and of those around it."""
        parents, names = self.document.elements.parent, []
        for _ in range(levels):
            if element <= 1:
                break
            if element not in self._own_names:
                values = self.document.attributes_of(element)
                own = (values.get(name, "") for name in ("class", "id"))
                self._own_names[element] = " ".join(own)
            names.append(self._own_names[element])
            element = int(parents[element])
        return " ".join(names)

    @cached_property
    def _levels_to_title(self) -> frozenset[int]:
        """The title's element and all around it."""
        found: list[int] = []
        parents = self.document.elements.parent
        element = (
            int(self.document.blocks.element[self.title])
            if self.document.n_blocks
            else -1
        )
        while element >= 0 and len(found) < 500:
            found.append(element)
            element = int(parents[element])
        return frozenset(found)

    def is_aside(self, element: int) -> bool:
        """Whether *element* is in a part of the page about other products.

        What is around the title as well is about this one.
        """
        parents = self.document.elements.parent
        for _ in range(MAX_LEVELS):
            if element < 0 or element in self._levels_to_title:
                return False
            if _RELATED_NAME.search(self.names(element, 1)):
                return True
            element = int(parents[element])
        return False

    @cached_property
    def buttons(self) -> list[int]:
        """The blocks that say like a button to buy the product, in their order."""
        wanted = phrases_of("buy")
        return [
            block
            for block, text in self.texts.items()
            if len(text) <= MAX_BUTTON
            and block >= self.title
            and letters(text) in wanted
        ]

    @cached_property
    def has_buy_name(self) -> bool:
        """Whether a class or an id is that of a form to buy."""
        return bool(_BUY_NAME.search(self.document.values))

    @cached_property
    def levels(self) -> Mask:
        """The blocks that are headings."""
        found: Mask = (self.document.blocks.flags >> HEADING_SHIFT) > 0
        return found
