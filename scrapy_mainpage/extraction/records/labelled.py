"""What a page says behind labels, in pairs of name and value, in lists of phrases."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final

from ..document.tags import CODES, codes
from ..title_rule import letters
from ..vocabulary import read_phrases
from .product_fields import MAX_APART, MAX_LINE

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
_ENDS: Final = re.compile(r"[:\s]|(?<=\D)(?=\d)|$")
"""Where a label may end."""

_VALUE: Final = re.compile(r":|#?\s*(?:[^a-z\s]+\s){0,3}[^\s\d]{0,20}\d|$")
"""What follows on a label: without a colon a digit, and capitals before; or nothing."""


@cache
def labels_of(vocabulary: str, names: tuple[str, ...]) -> dict[str, str]:
    """The sections *names* of a vocabulary by their phrases as letters alone.

    The first words of phrases are of none: "".
    """
    own = [(p, n) for n in reversed(names) for p in read_phrases(vocabulary)[n] if p]
    first = {letters(phrase.split()[0]): "" for phrase, _ in own}
    return first | {letters(phrase): name for phrase, name in own}


def split_label(line: str, vocabulary: str, names: tuple[str, ...]) -> tuple[str, str]:
    """The section whose label a *line* begins with, and what follows; else empty.

    >>> split_label("Serves 4", "record_facts", ("servings",))
    ('servings', '4')
    """
    line, labels = line[: 2 * MAX_LINE].replace("：", ":"), labels_of(vocabulary, names)
    ends = [match.start() for match in islice(_ENDS.finditer(line), MAX_APART + 1)]
    if letters(line[: ends[0]]) not in labels:
        return "", ""  # as most lines
    for end in reversed(ends):
        rest = line[end:].strip()
        # "Brand new" is no brand.
        if _VALUE.match(rest) and (name := labels.get(letters(line[:end]))):
            return name, rest.lstrip("#: ")
    return "", ""


def find_labelled(
    page: ProductPage, vocabulary: str, names: tuple[str, ...]
) -> Iterator[tuple[int, str, str]]:
    """Block, section and value of each line with a label, else of the line below it."""
    for (block, line), (_, after) in pairwise([*page.lines, (0, "")]):
        name, value = split_label(line, vocabulary, names)
        if name and block not in page.aside:
            yield block, name, value or after


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
