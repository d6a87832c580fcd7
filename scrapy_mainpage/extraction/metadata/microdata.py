"""The items that a page marks in its elements, microdata and RDFa; the page's own."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from .declarations import are_named, attributes_by_element
from .jsonld import rank_of
from .plaintext import clean, element_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document

MAX_NAMES: Final = 5
"""Types of one item, and properties of one element."""

_TYPES: Final = "itemtype typeof"
_MARKING: Final = f"itemprop {_TYPES}"
_MARKS: Final = f"property {_MARKING}"
_CUT = re.compile("[/#:]")
_MEDIA_PREFIX = re.compile("^(?:og|fb|twitter|article|product|book|video):")


@dataclass(eq=False)
class Item:
    """An item: its element, the names of its types, of what of which item it is.

    ``properties`` has the values of each, items or the elements that say it.
    """

    document: Document
    element: int
    types: frozenset[str]
    role: frozenset[str] = frozenset()
    outer: Item | None = None
    properties: dict[str, list[int | Item]] = field(default_factory=dict)

    def around(self) -> Iterator[Item]:
        """The items around this one, the nearest first."""
        item = self.outer
        while item:
            yield item
            item = item.outer

    def inner(self, *names: str) -> Item | None:
        """The first item that is one of these properties."""
        values = (value for name in names for value in self.properties.get(name, ()))
        return next((value for value in values if isinstance(value, Item)), None)

    def place(self, *names: str) -> int:
        """The element of the first of these properties that the item has; or -1."""
        values = (value for name in names for value in self.properties.get(name, ()))
        return next((value for value in values if isinstance(value, int)), -1)

    def text(self, *names: str) -> str | None:
        """The machine value or the text of the first of these properties."""
        element = self.place(*names)
        return text_of(self.document, element) if element >= 0 else None

    def address(self, *names: str) -> str | None:
        """The address of the first of these properties, as it is written."""
        element = self.place(*names)
        values = self.document.attributes_of(element) if element >= 0 else {}
        keys = ("href", "content", "data-src", "src")
        return next((values[key] for key in keys if values.get(key)), None)


def text_of(document: Document, element: int) -> str | None:
    """The machine value or the text of an *element*."""
    values = document.attributes_of(element)
    machine = (clean(values.get(name)) for name in ("content", "datetime"))
    return next(filter(None, machine), None) or element_text(document, element) or None


def read_items(document: Document) -> list[Item]:
    """The items of a page in document order; inner ones as well.

    The properties of an item without a type are those of the one around it.
    """
    has_types = are_named(_TYPES)[document.attributes.name].any()
    return _read(document)[0] if has_types else []


def _read(document: Document) -> tuple[list[Item], dict[str, list[int]]]:
    """The items of a page, and the elements of properties of no item."""
    attributes = document.attributes
    marking = are_named(_MARKING)[attributes.name].nonzero()[0]
    if not len(marking):
        return [], {}
    # Properties before are those of no item: Open Graph in the head of most pages.
    wanted = np.zeros(document.n_elements, bool)
    wanted[attributes.element[marking[0]] :] = True
    found: list[Item] = []
    loose: dict[str, list[int]] = {}
    item: Item | None = None
    own = attributes_by_element(document, wanted, _MARKS)
    for element, values in sorted(own.items()):
        while item and int(document.elements.end[item.element]) <= element:
            item = item.outer
        names = _names(values.get("itemprop") or values.get("property") or "")
        types = _names(values.get("itemtype") or values.get("typeof") or "")
        value: int | Item = element
        if types:
            value = Item(document, element, types, names, item)
            found.append(value)
        if item:
            for name in names:
                item.properties.setdefault(name, []).append(value)
        elif "itemprop" in values:
            for name in names:
                loose.setdefault(name.lower(), []).append(element)
        item = value if isinstance(value, Item) else item
    return found, loose


class PageItem:
    """The one item that describes the page, with the properties of no item.

    ``item`` is ``None`` where a page marks no such item, or several alike.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._items, self._loose = _read(document)
        ranks = [(rank_of(item.types), item) for item in self._items]
        best = max((rank for rank, _ in ranks), default=0)
        alike = [item for rank, item in ranks if rank == best > 0]
        outer = [item for item in alike if item.outer not in alike]
        self.item = outer[0] if len(outer) == 1 else self._around_heading(outer)
        if outer and not self.item:
            self._loose = {}
        own = self.item.properties if self.item else {}
        self._own = {name.lower(): values for name, values in own.items()}

    def _around_heading(self, items: list[Item]) -> Item | None:
        heading = self.document.elements_with_tag("h1")[:1].tolist()
        end = self.document.elements.end
        around = (i for i in items for h in heading if i.element < h < end[i.element])
        return next(around, None)

    def elements(self, name: str) -> list[int]:
        """The elements with the property *name* (in lower case), in document order."""
        own = (v if isinstance(v, int) else v.element for v in self._own.get(name, ()))
        return sorted([*own, *self._loose.get(name, ())])

    def value(self, element: int) -> str | None:
        """The machine value of a property's element, else its text."""
        return text_of(self.document, element)

    def name_in(self, element: int) -> str | None:
        """The first property ``name`` inside of *element*, of any item."""
        end = self.document.elements.end[element]
        names = (*_places(self._items, "name"), *self._loose.get("name", ()))
        inside = min((each for each in names if element < each < end), default=-1)
        return self.value(inside) if inside >= 0 else None


def _places(items: list[Item], name: str) -> Iterator[int]:
    for item in items:
        for value in item.properties.get(name, ()):
            yield value if isinstance(value, int) else value.element


@lru_cache(maxsize=1024)
def _names(text: str) -> frozenset[str]:
    """The names in a value, without their vocabularies and those of previews."""
    words = text.split()[:MAX_NAMES]
    own = (
        word if word.isalnum() else _CUT.split(word)[-1]
        for word in words
        if not _MEDIA_PREFIX.match(word)
    )
    return frozenset(own) - {""}
