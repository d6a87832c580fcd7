"""The way from the site's home to a page: declared, or the links of a list of steps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...records import Breadcrumb
from ..document.tags import ATTRIBUTE_CODES, CODES
from ..metadata.declarations import attributes_by_element
from ..metadata.plaintext import element_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .nodes import Declared
    from .product_page import ProductPage

MAX_STEPS: Final = 20
MAX_CHARACTERS: Final = 120
_TRAIT: Final = re.compile(r"bread-?_?crumbs?", re.IGNORECASE)
_BYTES: Final = re.compile(rb"[bB]read-?_?[cC]rumb")
_EDGES: Final = " /›»>→|·•\u00a0"


def find_breadcrumbs(page: ProductPage, declared: Declared) -> tuple[Breadcrumb, ...]:
    """The steps, the home first; without any where the page has none."""
    for node in declared.of_type("BreadcrumbList"):
        if steps := [*_declared(declared, node)]:
            return tuple(steps[:MAX_STEPS])
    return tuple(_shown(page, declared))[:MAX_STEPS]


def _declared(declared: Declared, node: dict[str, Any]) -> Iterator[Breadcrumb]:
    items = [*declared.inner(node, "itemListElement")]
    items.sort(key=lambda item: _position(declared.first(item, "position")))
    for item in items:
        inner = next(declared.inner(item, "item"), item)
        name = declared.first(item, "name") or declared.first(inner, "name")
        address = declared.first(item, "item", "@id", "url")
        address = (
            address or declared.first(inner, "@id") or declared.first(inner, "url")
        )
        if name:
            yield Breadcrumb(name, declared.meta.absolute(address))


def _position(text: str | None) -> int:
    return int(text) if text and text.isdigit() and len(text) < 6 else 0


def _shown(page: ProductPage, declared: Declared) -> Iterator[Breadcrumb]:
    """The links in the first element whose class or label names breadcrumbs."""
    document = page.document
    element = _element(page)
    if element < 0:
        return
    end = int(document.elements.end[element])
    anchors = document.elements_with_tag("a")
    anchors = anchors[(anchors > element) & (anchors < end)][:MAX_STEPS].tolist()
    seen: set[str] = set()
    for anchor in anchors:
        name = element_text(document, anchor).strip(_EDGES)
        if name and name not in seen and len(name) <= MAX_CHARACTERS:
            seen.add(name)
            href = document.attribute(anchor, "href")
            yield Breadcrumb(name, declared.meta.absolute(href))
    last = int(document.elements.end_block[element]) - 1
    if anchors and last >= int(document.elements.first_block[element]):
        text = re.split(r"[/›»>→|]", document.block_text(last))[-1].strip(_EDGES)
        if text and text not in seen and len(text) <= MAX_CHARACTERS:
            yield Breadcrumb(text)


def _element(page: ProductPage) -> int:
    document = page.document
    if not _BYTES.search(document.values):
        return -1
    wanted = np.zeros(document.n_elements, bool)
    attributes = document.attributes
    for name in ("class", "id", "aria-label"):
        wanted[attributes.element[attributes.name == ATTRIBUTE_CODES[name]]] = True
    for element, values in attributes_by_element(document, wanted).items():
        names = " ".join(values.get(n, "") for n in ("class", "id", "aria-label"))
        tag = int(document.elements.tag[element])
        if tag not in {CODES["a"], CODES["body"]} and _TRAIT.search(names):
            return element
    return -1
