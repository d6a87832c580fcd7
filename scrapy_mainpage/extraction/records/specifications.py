"""Labelled facts of a product page: numbers, brand, availability, specifications."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ..document.tags import CODES
from ..metadata.plaintext import element_text
from ..title_rule import letters
from ..vocabulary import read_phrases
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

MIN_INSIDE: Final = 7
"""Letters of the phrases that are searched inside of a line, too."""

_FACTS: Final = ("sku", "gtin", "mpn", "brand")
_NAMES: Final = frozenset(CODES[name] for name in ("th", "dt"))
_CELLS: Final = frozenset(CODES[name] for name in ("th", "td", "dt", "dd"))
MAX_LABEL_WORDS: Final = 4
MAX_BESIDE: Final = 1
"""Blocks above and below the title, among which its brand may be."""

MAX_CODE: Final = 40
MAX_CODE_WORDS: Final = 3
_NAMED: Final = {
    "sku": re.compile(
        r"(?i)(?:^|[\s_-])(?:skus?|item-?num\w*|product-?code)(?:$|[\s_-])"
    ),
    "brand": re.compile(
        r"(?i)(?:^|\s|__|(?:product|item|pdp)[\w-]*[_-])(?:brand|vendor|manufacturer)"
        r"(?:[_-]*(?:name|link|title))?(?:$|\s)"
    ),
}
"""Classes of elements that hold a fact, without any label or with one."""

_NAMED_WORDS: Final = {
    "sku": (b"sku", b"Sku", b"SKU", b"item-num", b"product-code"),
    "brand": (b"brand", b"Brand", b"vendor", b"manufacturer"),
}


def find_facts(page: ProductPage) -> dict[str, str]:
    """SKU, GTIN, MPN and brand by the labels before them or their classes."""
    found: dict[str, str] = {}
    element, lines = page.document.blocks.element, list(page.lines)
    for place, (block, line) in enumerate(lines):
        key, value = _split(line)
        if not key or key in found or page.is_aside(int(element[block])):
            continue
        if not value and place + 1 < len(lines):
            value = lines[place + 1][1]
        if value := read_fact(key, value):
            found[key] = value
    for key in _NAMED:
        if key not in found and (value := _named(page, key)):
            found[key] = value
    if "brand" not in found and (brand := _beside_title(page)):
        found["brand"] = brand
    return found


def _beside_title(page: ProductPage) -> str | None:
    """A line beside the title that the title begins with."""
    title = page.title_text
    for block in range(page.title - MAX_BESIDE, page.title + MAX_BESIDE + 1):
        text = page.texts.get(block, "")
        if 1 < len(text) < len(title) and title.startswith(f"{text} "):
            return text
    return None


def _split(line: str) -> tuple[str, str]:
    """The fact that a line begins to tell, and what follows; else empty."""
    name, colon, value = line[: 2 * MAX_LABEL].replace("：", ":").partition(":")
    if colon and (key := _fact_of(letters(name))):
        return key, value.strip()
    words = line[: 2 * MAX_LABEL].split(None, MAX_LABEL_WORDS)
    if not words or words[0].casefold().rstrip("#:") not in _first_words():
        return "", ""
    for count in range(min(len(words), MAX_LABEL_WORDS), 0, -1):
        key = _fact_of(letters("".join(words[:count])))
        # "Brand new" is no brand.
        if key and (key != "brand" or count == len(words)):
            return key, " ".join(words[count:]).lstrip("#: ")
    return "", ""


def read_fact(key: str, value: str) -> str:
    """The code, or the name of a brand, that follows a label; empty if it is none."""
    if key == "brand":
        plain = letters(value)
        is_name = plain and len(value) <= MAX_CODE and "\n" not in value
        return value if is_name and not _fact_of(plain) else ""
    parts: list[str] = []
    # "is 180 cm tall" is no code: words before the digits are capitals.
    for word in value.split()[:MAX_CODE_WORDS]:
        plain = word.strip("#().,;:")
        has_digit = any(map(str.isdigit, plain))
        if not has_digit and (not plain.isupper() or "%" in plain):
            break
        parts.append(plain)
        if has_digit:
            code = " ".join(parts)
            return code if 2 < len(code) <= MAX_CODE and "%" not in code else ""
    return ""


def _named(page: ProductPage, key: str) -> str:
    for element, block, size, _ in page.named(_NAMED[key], *_NAMED_WORDS[key]):
        text = element_text(page.document, element)
        if size <= 2 and block in page.near_title and len(text) <= MAX_LABEL:
            first, _, rest = text.partition(" ")
            said = rest if _fact_of(letters(first)) == key else _split(text)[1] or text
            value = read_fact(key, said)
            # The class says what no digit does.
            if value or (key == "sku" and text.isalpha()):
                return value or text
    return ""


@cache
def _facts() -> dict[str, str]:
    return {each: key for key in reversed(_FACTS) for each in phrases_of(key)}


@cache
def _first_words() -> frozenset[str]:
    phrases = (phrase for key in _FACTS for phrase in read_phrases("products")[key])
    firsts = {phrase.split()[0] for phrase in phrases}
    return frozenset(firsts | {first.rstrip(".") for first in firsts})


def _fact_of(label: str) -> str:
    return _facts().get(label, "")


@cache
def _states() -> tuple[dict[str, str], re.Pattern[str]]:
    """The state of each phrase, and the longer phrases, of which a line has one."""
    found = {each: state for state in reversed(STATES) for each in phrases_of(state)}
    longest = sorted(found, key=len, reverse=True)
    inside = "|".join(re.escape(each) for each in longest if len(each) >= MIN_INSIDE)
    return found, re.compile(inside)


@lru_cache(maxsize=4096)
def _state_of(line: str) -> str | None:
    """The availability that a short line says, after its label or anywhere in it."""
    by_phrase, inside = _states()
    plain = letters(line.partition(":")[2] or line)
    match = inside.search(plain)
    return by_phrase.get(plain) or (by_phrase[match[0]] if match else None)


def read_availability(page: ProductPage) -> str | None:
    """The availability that the shop's classes or a line below the title say.

    Else that of the button: who can buy a product has it in stock. Beside a button
    lines say the contrary of other variants.
    """
    element, found = page.document.blocks.element, _named_states(page)
    for block, line in page.lines:
        near = 0 <= block - page.title <= MAX_STATE_BLOCKS
        state = _state_of(line) if near and len(line) <= MAX_STATE_CHARACTERS else None
        if state and not page.is_aside(int(element[block])):
            found.add(state)
    if page.buttons:
        found = (found - {"OutOfStock", "Discontinued"}) | {"InStock"}
    return next((state for state in STATES if state in found), None)


_STATE_NAME: Final = re.compile(
    r"(?i)(?:^|[\s_-])(?:(in-?_?stock)|(out-?_?of-?_?stock|sold-?_?out))(?:$|\s)"
)


def _named_states(page: ProductPage) -> set[str]:
    """The states by the classes of elements around the title, and of lines below it."""
    found = set()
    for element, block, size, match in page.named(
        _STATE_NAME, b"tock", b"old-out", b"oldout"
    ):
        is_below = size <= 1 and block >= page.title and block in page.near_title
        is_badge = "badge" in match.string  # there for the style sheet to show
        if (is_below or element in page.around_title) and not is_badge:
            found.add("InStock" if match[1] else "OutOfStock")
    return found


def find_specifications(page: ProductPage) -> tuple[tuple[str, str], ...]:
    """Pairs of name and value: rows of two cells, ``dl`` lists, lines with a colon."""
    pairs = [*_cells(page)] or [*_lines(page)]
    return tuple(dict(pairs[:MAX_PAIRS]).items())


def _cells(page: ProductPage) -> Iterator[tuple[str, str]]:
    """The rows of two cells and the terms of definition lists."""
    document = page.document
    tag, parent = document.elements.tag, document.elements.parent
    rows: dict[int, list[tuple[int, int, str]]] = {}
    cells, items = document.blocks.cell, document.blocks.item
    for block, text in page.texts.items():
        inner = sorted((int(cells[block]), int(items[block])), reverse=True)
        cell = next((c for c in inner if c >= 0 and int(tag[c]) in _CELLS), -1)
        if cell >= 0 and not page.is_aside(cell):
            line = " ".join(text.split())
            own = rows.setdefault(int(parent[cell]), [])
            own.append((cell, int(tag[cell]), line))
    for row in rows.values():
        yield from _pairs(row)


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


def _lines(page: ProductPage) -> Iterator[tuple[str, str]]:
    """Lines "Name: value", several of one template."""
    document = page.document
    found = []
    for block, line in page.lines:
        name, colon, value = line.replace("：", ":").partition(":")
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
