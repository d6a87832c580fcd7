"""What a page says in pairs of name and value, and in lists of phrases."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ..document.tags import CODES, codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.schema import Mask
    from .product_page import ProductPage

MAX_PAIRS: Final = 300
MAX_LABEL: Final = 60
"""Characters of a name; a value has up to :data:`page.MAX_CHARACTERS`."""

MIN_LINES: Final = 3
"""Lines "Name: value" of one template, from which on they are specifications; lines of
a list of features, and their words in the mean."""

_NAMES: Final = codes("th dt")
_CELLS: Final = codes("th td dt dd")


def find_specifications(page: ProductPage) -> tuple[tuple[str, str], ...]:
    """Pairs of name and value: rows of two cells, ``dl`` lists, lines with a colon."""
    pairs = [*_cells(page)] or [*_lines(page)]
    return tuple(dict(pairs[:MAX_PAIRS]).items())


def _cells(page: ProductPage) -> Iterator[tuple[str, str]]:
    """The rows of two cells and the terms of definition lists."""
    document = page.document
    tag, parent = document.elements.tag, document.elements.parent
    cells, items = document.blocks.cell, document.blocks.item
    rows: dict[int, dict[int, str]] = {}
    for block, text in page.texts.items():
        inner = sorted((int(cells[block]), int(items[block])), reverse=True)
        cell = next((c for c in inner if c >= 0 and int(tag[c]) in _CELLS), -1)
        if cell >= 0 and block not in page.aside:
            row = rows.setdefault(int(parent[cell]), {})
            row[cell] = " ".join([*row.get(cell, "").split(), *text.split()])
    for row in rows.values():
        is_list = any(tag[cell] in {CODES["dt"], CODES["dd"]} for cell in row)
        steps = [*pairwise(row)] if is_list or len(row) == 2 else []
        for name, value in steps:
            is_pair = not is_list or (tag[name] in _NAMES and tag[value] not in _NAMES)
            label = row[name].rstrip(" :：")
            if is_pair and 0 < len(label) <= MAX_LABEL and row[value]:
                yield label, row[value]


def _lines(page: ProductPage) -> Iterator[tuple[str, str]]:
    """Lines "Name: value", several of one template."""
    document, found = page.document, []
    for block, line in page.lines:
        name, colon, value = line.replace("：", ":").partition(":")
        is_pair = colon and 0 < len(name) <= MAX_LABEL and value.strip()
        if is_pair and block > page.title and block not in page.aside:
            template = int(document.templates[document.blocks.element[block]])
            found.append((template, name.strip(), value.strip()))
    counts = Counter(template for template, _, _ in found)
    yield from ((a, b) for key, a, b in found if counts[key] >= MIN_LINES)


def find_features(page: ProductPage, main: Mask) -> tuple[str, ...]:
    """The lines of the first list of whole phrases in the main content."""
    blocks, parents = page.document.blocks, page.document.elements.parent
    lists: dict[int, dict[int, str]] = {}
    for block, text in page.texts.items():
        item = int(blocks.item[block])
        if item >= 0 and block > page.title and main[block] and block not in page.aside:
            # Of an item with several blocks the text is no line.
            lines = lists.setdefault(int(parents[item]), {})
            lines[item] = "" if item in lines or blocks.linked_words[block] else text
    for lines in lists.values():
        texts = [*filter(None, lines.values())]
        words = sum(len(text.split()) for text in texts)
        if len(texts) == len(lines) >= MIN_LINES and words >= MIN_LINES * len(texts):
            return tuple(texts[:MAX_PAIRS])
    return ()
