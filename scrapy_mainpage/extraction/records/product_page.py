"""The part of a page in which a shop says what its product is, and its buttons."""

from __future__ import annotations

import re
from functools import cache, cached_property, lru_cache
from string import digits
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.schema import Context
from ..document.tags import ATTRIBUTE_CODES
from ..title_rule import letters
from ..vocabulary import read_phrases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document
    from ..document.schema import Ints, Longs

MAX_BLOCKS: Final = 1000
"""Text blocks that are read, from the title on and before it."""

MAX_BEFORE: Final = 60
MAX_CHARACTERS: Final = 200
MAX_ABOVE: Final = 15
MAX_NEAR: Final = 120
"""Blocks above and below the title in which classes are looked for."""

MAX_NAMED: Final = 60
"""Elements with a word in their names that are looked at."""

MAX_BUTTON_BLOCKS: Final = 150
MAX_BUTTON: Final = 32
"""Characters of a button."""

_OUTSIDE: Final = int(Context.NAVIGATION | Context.FOOTER)
_BESIDE: Final = int(Context.NAVIGATION | Context.FOOTER | Context.ASIDE)
_RELATED_NAME: Final = re.compile(
    r"(?i)related|up-?sell|cross-?sell|recommend|similar|also-|recently|mini-?cart|minibasket|"
    r"cart-?drawer|drawer|bundle|suggest|sponsor|accessor|carousel|grid-?item|product-?(?:card|box|miniature|teaser)|"
    r"product-?tile|product-?item(?!-info)|zubehoer|cart-popup|side-?cart|mega-?menu|cart-?total|header-?cart|"
    r"search-?result|compare-table|protection-plan"
)
_BREAK: Final = re.compile(r"\n| [|•] ")
_NAMES: Final = [ATTRIBUTE_CODES[name] for name in ("class", "id", "aria-label")]


@cache
def phrases_of(section: str) -> frozenset[str]:
    """The phrases of a section as letters alone."""
    return frozenset(map(letters, read_phrases("products")[section]))


@cache
def _related() -> tuple[frozenset[str], tuple[int, ...]]:
    """The phrases that name related things, and their lengths."""
    found = frozenset(map(letters, read_phrases("phrases")["related"])) - {""}
    return found, tuple(sorted(set(map(len, found))))


@lru_cache(maxsize=4096)
def _is_related_name(name: str) -> bool:
    return bool(_RELATED_NAME.search(name))


class ProductPage:
    """The blocks of a page around its title, and the names around them."""

    def __init__(self, document: Document, title: int) -> None:
        self.document = document
        self.title = max(title, 0)
        self._aside: dict[int, bool] = {}

    @cached_property
    def blocks(self) -> list[int]:
        """The short blocks from a little above the title to what is related.

        Navigation and the foot of the page are left out.
        """
        blocks, first = self.document.blocks, max(0, self.title - MAX_BEFORE)
        inside = (blocks.chars <= MAX_CHARACTERS) & (blocks.flags & _OUTSIDE == 0)
        found = np.flatnonzero(inside[first:])[:MAX_BLOCKS] + first
        return [block for block in found.tolist() if block < self._end]

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
            for line in _BREAK.split(text)
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
        phrases, lengths = _related()
        return any(size > len(said) / 3 and said[:size] in phrases for size in lengths)

    def names(self, element: int, levels: int) -> list[str]:
        """Classes and id of *element* and of those around it, the inner ones first."""
        parents, names = self.document.elements.parent, []
        for _ in range(levels):
            if element <= 1:
                break
            names.append(self.name(element))
            element = int(parents[element])
        return names

    def name(self, element: int) -> str:
        """Classes and id of *element*."""
        classes, ids = self._own_names
        own = classes.get(element, b"")
        if element in ids:
            own += b" " + ids[element]
        return own.decode("utf-8", "replace")

    @cached_property
    def _own_names(self) -> list[dict[int, bytes]]:
        """The classes and the id of each element that has any."""
        values, columns = self.document.values, self.document.attributes
        found = []
        for code in _NAMES[:2]:
            rows = np.flatnonzero(columns.name == code)
            owner, start, end = (each[rows].tolist() for each in columns[1:])
            names = map(values.__getitem__, map(slice, start, end))
            found.append(dict(zip(owner, names, strict=True)))
        return found

    @cached_property
    def near_title(self) -> range:
        """The blocks around the title in which the product is described."""
        return range(self.title - MAX_ABOVE, self.title + MAX_NEAR)

    @cached_property
    def around_title(self) -> frozenset[int]:
        """The title's element and all around it."""
        found: list[int] = []
        blocks, parents = self.document.blocks, self.document.elements.parent
        element = int(blocks.element[self.title]) if self.document.n_blocks else -1
        while element >= 0 and len(found) < 500:
            found.append(element)
            element = int(parents[element])
        return frozenset(found)

    def is_aside(self, element: int) -> bool:
        """Whether *element* is in a part of the page about other products.

        What is around the title as well is about this one.
        """
        parents, around = self.document.elements.parent, self.around_title
        way: list[int] = []
        found = False
        while element >= 0 and element not in around and not found:
            if element in self._aside:
                found = self._aside[element]
                break
            way.append(element)
            found = _is_related_name(self.name(element))
            element = int(parents[element])
        self._aside.update(dict.fromkeys(way, found))
        return found

    @cached_property
    def _distinct_names(self) -> tuple[bytes, Longs, Ints, Longs]:
        """Distinct names, where each begins, their elements, and each one's first."""
        values, columns = self.document.values, self.document.attributes
        says = columns.end > columns.start
        rows = np.flatnonzero(np.isin(columns.name, _NAMES) & says)
        # A value that several attributes share is stored once.
        rows = rows[np.argsort(columns.start[rows], kind="stable")]
        firsts = np.flatnonzero(np.diff(columns.start[rows], prepend=-1))
        start, end = (each[rows[firsts]].tolist() for each in columns[2:])
        names = [*map(values.__getitem__, map(slice, start, end))]
        places = np.cumsum([0, *(len(name) + 1 for name in names)])
        return (
            b"\n".join(names),
            places,
            columns.element[rows],
            np.append(firsts, len(rows)),
        )

    def elements_named(self, *words: bytes) -> list[int]:
        """The elements with one of the *words* in class, id or label, in page order."""
        names, places, elements, firsts = self._distinct_names
        found: set[int] = set()
        for word in words:
            place = names.find(word)
            while place >= 0 and len(found) < MAX_NAMED:
                k = int(places.searchsorted(place, "right")) - 1
                found.update(elements[firsts[k] : firsts[k + 1]][:MAX_NAMED].tolist())
                place = names.find(word, int(places[k + 1]))
        return sorted(found)

    def named(
        self, pattern: re.Pattern[str], *words: bytes
    ) -> Iterator[tuple[int, int, int, re.Match[str]]]:
        """The elements of the product with one of the *words* in names of a *pattern*.

        Each with its first block, the number of its blocks, and the match.
        """
        columns = self.document.elements
        for element in self.elements_named(*words):
            match = pattern.search(self.name(element))
            if match and not self.is_aside(element):
                block = int(columns.first_block[element])
                yield element, block, int(columns.end_block[element]) - block, match

    @cached_property
    def signs(self) -> list[int]:
        """The blocks below the title that only a shop says of a product.

        They are buttons to fill the basket, or say that nothing is left.
        """
        wanted = phrases_of("cart") | phrases_of("OutOfStock")
        return [block for block, said in self._said if said in wanted]

    @cached_property
    def buttons(self) -> list[int]:
        """The blocks below the title that say like a button to buy the product."""
        wanted = phrases_of("cart") | phrases_of("buy")
        return [block for block, said in self._said if said in wanted]

    @cached_property
    def _said(self) -> list[tuple[int, str]]:
        """What short lines and buttons say of a purchase, as letters, by block."""
        document, blocks = self.document, self.document.blocks
        below = slice(self.title, self.title + MAX_BUTTON_BLOCKS)
        flags = blocks.flags[below] & ~blocks.flags[self.title :][:1]
        short = (blocks.chars[below] <= MAX_BUTTON) & (flags & _BESIDE == 0)
        found = (np.flatnonzero(short) + self.title).tolist()
        said = [(k, int(blocks.element[k]), document.block_text(k)) for k in found]
        inputs = document.elements_with_tag("input")
        values = document.values_of("value", inputs) if len(inputs) else {}
        places = document.elements.first_block
        said += (
            (int(places[e]), e, text[: MAX_BUTTON + 1]) for e, text in values.items()
        )
        kinds = ("cart", "buy", "OutOfStock")
        wanted = frozenset().union(*map(phrases_of, kinds))
        plain = ((block, e, letters(text).rstrip(digits)) for block, e, text in said)
        kept = [each for each in plain if each[2] in wanted and each[0] >= self.title]
        return [
            (block, text)
            for block, element, text in kept
            if block < self._end and not self.is_aside(element)
        ]
