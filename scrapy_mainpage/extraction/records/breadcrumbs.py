"""The way from the site's home to a page: declared, or the links of a list of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ...addresses import parts_of
from ...records import Breadcrumb
from ..document.tags import codes
from ..metadata.plaintext import element_text
from ..title_rule import letters
from .product_names import Name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..declared import Declared, Node
    from .product_page import ProductPage

MAX_STEPS: Final = 20
MAX_CHARACTERS: Final = 120
MAX_LISTED: Final = 12
"""Links of a list above the title that may be the way to it."""

_SEPARATORS: Final = "›»>→❯/"
_EDGES: Final = _SEPARATORS + " \\|·•\u00a0"
_LISTS: Final = codes("nav ol ul")
_NO_WAYS: Final = codes("a body html")


def find_breadcrumbs(page: ProductPage, declared: Declared) -> tuple[Breadcrumb, ...]:
    """The steps, the home first; without any where the page has none."""
    for node in declared.of_type("BreadcrumbList"):
        if steps := [*_declared(node)]:
            return tuple(steps[:MAX_STEPS])
    document = page.document
    named = np.flatnonzero(page.own_names & int(Name.BREADCRUMB))[:MAX_STEPS]
    for element in named.tolist():
        is_way = int(document.elements.tag[element]) not in _NO_WAYS
        if is_way and (steps := [*_shown(page, declared, element)]):
            return tuple(steps)[:MAX_STEPS]
    return _above(page, declared)


def _declared(node: Node) -> Iterator[Breadcrumb]:
    items = [*node.inner("itemListElement")]
    items.sort(key=lambda item: _position(item.first("position")))
    for item in items:
        inner = next(item.inner("item"), item)
        address = item.first("item", inside=("@id", "url")) or inner.first("@id", "url")
        if name := item.first("name") or inner.first("name"):
            yield Breadcrumb(name, node.page.meta.absolute(address))


def _position(text: str | None) -> int:
    return int(text) if text and text.isdigit() and len(text) < 6 else 0


def _shown(page: ProductPage, declared: Declared, element: int) -> Iterator[Breadcrumb]:
    """The links in an element, the home first, and the page itself behind them."""
    document = page.document
    end = int(document.elements.end[element])
    anchors = document.elements_with_tag("a")
    anchors = anchors[(anchors > element) & (anchors < end)][:MAX_STEPS].tolist()
    found: dict[str, Breadcrumb] = {}
    for anchor in anchors:
        name = element_text(document, anchor).strip(_EDGES)
        if len(name) <= MAX_CHARACTERS and letters(name):
            href = document.attribute(anchor, "href")
            found.setdefault(name, Breadcrumb(name, declared.meta.absolute(href)))
    steps = [*found.values()]
    title = letters(page.title_text)
    if len(steps) > 1 and letters(steps[0].name) == title:
        steps.reverse()  # as the style sheet shows them
    yield from steps
    last = int(document.elements.end_block[element]) - 1
    if found and last >= int(document.elements.first_block[element]):
        text = document.block_text(last).rpartition([*found][-1])[2].strip(_EDGES)
        own = letters(text)
        if text not in found and own and (own in title or title in own):
            yield Breadcrumb(text)


def _leads_to(step: Breadcrumb, other: Breadcrumb) -> bool:
    """Whether the address of *step* is the beginning of that of *other*."""
    one, two = ((each.url or "").rstrip("/") + "/" for each in (step, other))
    return len(one) > 1 and two.startswith(one) and one != two


def _above(page: ProductPage, declared: Declared) -> tuple[Breadcrumb, ...]:
    """The links above the title each of which leads on from the one before.

    In a line with separators it is enough that the first leads to the home.
    """
    document = page.document
    elements, blocks = document.elements, document.blocks
    links, tried = elements.link, set()
    for block in range(page.title - 1, max(-1, page.title - MAX_LISTED), -1):
        element = own = int(blocks.element[block])
        while element > 1 and int(elements.tag[element]) not in _LISTS:
            element = int(elements.parent[element])
        element = element if element > 1 else own
        inside = links[element : elements.end[element]]
        few = 1 < len(np.unique(inside[inside >= 0])) <= MAX_LISTED
        if few and element not in tried:
            tried.add(element)
            steps = [*_shown(page, declared, element)]
            linked = [step for step in steps if step.url]
            marks = sum(map(document.block_text(block).count, _SEPARATORS))
            home = steps[0].url if steps else None
            is_home = home and parts_of(home).path in {"", "/"}
            is_line = is_home and marks >= len(linked) - 1
            if len(linked) > 1 and (is_line or all(map(_leads_to, linked, linked[1:]))):
                return tuple(steps)
    return ()
