"""Labelled facts of a product page: numbers, brand, availability, specifications."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ..document.tags import CODES
from ..title_rule import letters
from .product_page import phrases_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .product_page import ProductPage

MAX_PAIRS: Final = 300
MAX_LABEL: Final = 60
MAX_VALUE: Final = 300
MIN_LINES: Final = 3
"""Lines "Name: value" of one template, from which on they are specifications."""

STATES: Final = ("OutOfStock", "Discontinued", "PreOrder", "BackOrder", "InStock")
"""What a page may say of a product, in the order in which it counts."""

MAX_STATE_CHARACTERS: Final = 60
MAX_STATE_BLOCKS: Final = 60
"""Text blocks from the title to its availability."""

_FACTS: Final = ("sku", "gtin", "mpn", "brand")
_NAMES: Final = frozenset(CODES[name] for name in ("th", "dt"))
_CELLS: Final = frozenset(CODES[name] for name in ("th", "td", "dt", "dd"))
_ROWS: Final = frozenset(CODES[name] for name in ("tr", "dl", "div"))
MAX_CELL_LEVELS: Final = 4


def find_facts(page: ProductPage) -> dict[str, str]:
    """SKU, GTIN, MPN and brand by the labels before them, each the first."""
    found: dict[str, str] = {}
    for name, value in _labelled(page):
        if (key := _fact_of(letters(name))) and value and len(value) <= MAX_LABEL:
            found.setdefault(key, value)
    return found


@cache
def _fact_of(label: str) -> str | None:
    return next((key for key in _FACTS if label in phrases_of(key)), None)


def read_availability(page: ProductPage) -> str | None:
    """The availability that a short line at the title says, else by the button."""
    found = set()
    for block, text in page.texts.items():
        near = 0 <= block - page.title <= MAX_STATE_BLOCKS
        if (
            near
            and len(text) <= MAX_STATE_CHARACTERS
            and not page.is_aside(int(page.document.blocks.element[block]))
        ):
            plain = letters(text.partition(":")[2] or text)
            found |= {state for state in STATES if plain in phrases_of(state)}
    return next(
        (state for state in STATES if state in found),
        "InStock" if page.buttons else None,
    )


def find_specifications(page: ProductPage) -> tuple[tuple[str, str], ...]:
    """Pairs of name and value: rows of two cells, ``dl`` lists, lines with a colon."""
    pairs = [*_cells(page)] or [*_lines(page)]
    return tuple(dict(pairs[:MAX_PAIRS]).items())


def _labelled(page: ProductPage) -> Iterator[tuple[str, str]]:
    """Every "name: value" in a block, and each short block with the one behind it."""
    texts = page.texts
    for block, text in texts.items():
        name, colon, value = text.replace("：", ":").partition(":")
        if colon and len(name) <= MAX_LABEL:
            yield name, value.strip() or texts.get(block + 1, "")
        elif not colon and len(text) <= MAX_LABEL:
            yield text, texts.get(block + 1, "")
            first, _, rest = text.partition(" ")
            yield first, rest.strip(" #")


def _cells(page: ProductPage) -> Iterator[tuple[str, str]]:
    """The rows of two cells and the terms of definition lists."""
    document, texts = page.document, page.texts
    tag, parent = document.elements.tag, document.elements.parent
    rows: dict[int, list[tuple[int, int, str]]] = {}
    for block, text in texts.items():
        cell = _around(page, int(document.blocks.element[block]))
        if cell >= 0 and not page.is_aside(cell):
            row = int(parent[cell])
            rows.setdefault(row, []).append((cell, int(tag[cell]), text))
    for cells in rows.values():
        yield from _pairs(cells)


def _pairs(cells: list[tuple[int, int, str]]) -> Iterator[tuple[str, str]]:
    texts: dict[int, list[str]] = {}
    for cell, _, text in cells:
        texts.setdefault(cell, []).append(text)
    tags = {cell: tag for cell, tag, _ in cells}
    in_order = [(tags[cell], " ".join(parts)) for cell, parts in texts.items()]
    if any(tag in {CODES["dt"], CODES["dd"]} for tag, _ in in_order):
        steps = pairwise(in_order)
        found = [(a, b) for a, b in steps if a[0] in _NAMES and b[0] not in _NAMES]
    else:
        found = [(in_order[0], in_order[1])] if len(in_order) == 2 else []
    for (_, name), (_, value) in found:
        name = name.rstrip(" :：")
        if name and value and len(name) <= MAX_LABEL and len(value) <= MAX_VALUE:
            yield name, value


def _around(page: ProductPage, element: int) -> int:
    """The cell around *element*; -1 outside of cells."""
    tag, parent = page.document.elements.tag, page.document.elements.parent
    for _ in range(MAX_CELL_LEVELS):
        if element < 0:
            break
        if int(tag[element]) in _CELLS:
            return element
        element = int(parent[element])
    return -1


def _lines(page: ProductPage) -> Iterator[tuple[str, str]]:
    """Lines "Name: value", several of one template."""
    document = page.document
    found = []
    for block, text in page.texts.items():
        name, colon, value = text.replace("：", ":").partition(":")
        element = int(document.blocks.element[block])
        is_pair = colon and 0 < len(name) <= MAX_LABEL and 0 < len(value) <= MAX_VALUE
        if is_pair and block > page.title and not page.is_aside(element):
            template = int(document.templates[element])
            found.append((template, name.strip(), value.strip()))
    counts = Counter(template for template, _, _ in found)
    yield from (
        (name, value)
        for key, name, value in found
        if counts[key] >= MIN_LINES and value
    )
