"""The items that a page marks in its elements: microdata, with their properties."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ..document.tags import ATTRIBUTE_CODES
from ..metadata.declarations import attributes_by_element
from ..metadata.plaintext import clean, element_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document


@dataclass
class Item:
    """An item: its element, the names of its types, of what of which item it is.

    ``elements`` are the first of each property that is no item, ``inner`` the first
    item of each other one.
    """

    document: Document
    element: int
    types: frozenset[str]
    role: frozenset[str] = frozenset()
    outer: Item | None = None
    elements: dict[str, int] = field(default_factory=dict)
    inner: dict[str, Item] = field(default_factory=dict)

    def around(self) -> Iterator[Item]:
        """The items around this one, the nearest first."""
        item = self.outer
        while item:
            yield item
            item = item.outer

    def place(self, *names: str) -> int:
        """The element of the first of these properties that the item has; or -1."""
        found = (self.elements[name] for name in names if name in self.elements)
        return next(found, -1)

    def text(self, *names: str) -> str | None:
        """The machine value or the text of the first of these properties."""
        element = self.place(*names)
        if element < 0:
            return None
        values = self.document.attributes_of(element)
        machine = (clean(values.get(name)) for name in ("content", "datetime"))
        found = next(filter(None, machine), None)
        return found or element_text(self.document, element) or None

    def address(self, *names: str) -> str | None:
        """The address of the first of these properties, as it is written."""
        element = self.place(*names)
        values = self.document.attributes_of(element) if element >= 0 else {}
        keys = ("href", "content", "data-src", "src")
        return next((values[key] for key in keys if values.get(key)), None)


def read_items(document: Document) -> list[Item]:
    """The items of a page in document order; inner ones as well."""
    attributes = document.attributes
    codes = [ATTRIBUTE_CODES["itemprop"], ATTRIBUTE_CODES["itemtype"]]
    wanted = np.zeros(document.n_elements, bool)
    wanted[attributes.element[np.isin(attributes.name, codes)]] = True
    found: list[Item] = []
    item: Item | None = None
    for element, values in sorted(attributes_by_element(document, wanted).items()):
        while item and int(document.elements.end[item.element]) <= element:
            item = item.outer
        names = frozenset(values.get("itemprop", "").split())
        if kinds := values.get("itemtype"):
            types = frozenset(kind.rpartition("/")[2] for kind in kinds.split())
            inner = Item(document, element, types, names, item)
            if item:
                for name in names:
                    item.inner.setdefault(name, inner)
            item = inner
            found.append(item)
        elif item:
            for name in names:
                item.elements.setdefault(name, element)
    return found
