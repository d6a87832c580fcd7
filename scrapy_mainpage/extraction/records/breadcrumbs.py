"""The way from the site's home to a page: declared, or the links of a list of steps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...records import Breadcrumb
from ..document.tags import codes
from ..metadata.plaintext import element_text
from ..title_rule import letters
from .view import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .nodes import Declared
    from .product_page import ProductPage

MAX_STEPS: Final = 20
MAX_CHARACTERS: Final = 120
MAX_LISTED: Final = 12
"""Links of a list above the title that may be the way to it."""

_TRAIT: Final = re.compile(
    r"(?i)bread-?_?crumb|(?:^|[\s_-])(?:crumbs?|pfad|pathway|topic-?path|pankuzu)(?:$|[\s_-])|"
    r"(?:^|\s)(?:fil-?d.?ariane|you-are-here)"
)
_WORDS: Final = (b"rumb", b"riane", b"you-are-here", b"fad", b"path", b"pankuzu")
_SEPARATOR: Final = re.compile("[›»>→❯/]")
_EDGES: Final = " /\\›»>→❯|·•\u00a0"
_LETTER: Final = re.compile(r"[^\W\d_]")
_LISTS: Final = codes("nav ol ul")
_NAMES: Final = ("class", "id", "aria-label")
_NO_WAYS: Final = codes("a body html")


def find_breadcrumbs(page: ProductPage, declared: Declared) -> tuple[Breadcrumb, ...]:
    """The steps, the home first; without any where the page has none."""
    for node in declared.of_type("BreadcrumbList"):
        if steps := [*_declared(declared, node)]:
            return tuple(steps[:MAX_STEPS])
    document = page.document
    for element in page.elements_named(*_WORDS):
        tag = int(document.elements.tag[element])
        is_named = tag not in _NO_WAYS and _TRAIT.search(
            names_of(document, element, _NAMES)
        )
        if is_named and (steps := [*_shown(page, declared, element)]):
            return tuple(steps)[:MAX_STEPS]
    return _above(page, declared)


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


def _shown(page: ProductPage, declared: Declared, element: int) -> Iterator[Breadcrumb]:
    """The links in an element, the home first, and the page itself behind them."""
    document = page.document
    end = int(document.elements.end[element])
    anchors = document.elements_with_tag("a")
    anchors = anchors[(anchors > element) & (anchors < end)][:MAX_STEPS].tolist()
    found: dict[str, Breadcrumb] = {}
    for anchor in anchors:
        name = element_text(document, anchor).strip(_EDGES)
        if len(name) <= MAX_CHARACTERS and _LETTER.search(name):
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


def _is_home(step: Breadcrumb) -> bool:
    return re.fullmatch("https?://[^/]+/?", step.url or "") is not None


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
            marks = len(_SEPARATOR.findall(document.block_text(block)))
            is_line = steps and marks >= len(linked) - 1 and _is_home(steps[0])
            if len(linked) > 1 and (is_line or all(map(_leads_to, linked, linked[1:]))):
                return tuple(steps)
    return ()
