"""Codes and brand of a product that a page shows.

They follow labels, or stand in elements named after them; a brand also where its own
page is linked beside the title.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from ...addresses import parts_of
from ..metadata.plaintext import element_text
from ..title_rule import letters
from ..vocabulary import read_phrases
from .product_fields import MAX_APART, MAX_LINE
from .product_names import Name, bits_of_word
from .product_page import phrases_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .product_page import ProductPage

MAX_CODE: Final = 40
_FACTS: Final = ("sku", "gtin", "mpn", "brand")


def find_facts(page: ProductPage) -> dict[str, str]:
    """SKU, GTIN, MPN and brand behind their labels, or in elements named after them.

    A brand that only a name tells stands beside the title.
    """
    found: dict[str, str] = {}
    for (block, line), (_, after) in pairwise([*page.lines, (0, "")]):
        key, value = _split(line)
        if key and key not in found and block not in page.aside:
            found |= _fact(key, value or after)
    for key, name in (("sku", Name.CODE), ("brand", Name.BRAND)):
        for element in page.named(name) if key not in found else ():
            text = element_text(page.document, element)
            place = int(page.document.elements.first_block[element])
            if key == "brand" and abs(place - page.title) > MAX_APART:
                continue
            # The class says what no digit does.
            is_word = key == "sku" and text.isalpha() and len(text) <= MAX_CODE
            first, _, rest = text.partition(" ")
            said = rest if _facts().get(letters(first)) == key else _split(text)[1]
            own = _fact(key, said or text)
            if own or is_word:
                found |= own or {key: text}
                break
    return found


def find_brand(page: ProductPage, names: list[str], url: str | None) -> str | None:
    """The brand that a link beside the title is to, or that the shop is named after.

    *names* are titles of the page: one of them begins with it, or the link's address
    names a brand and repeats its text.
    """
    named: dict[str, None] = {}
    for text, address, is_beside in _links(page):
        said = letters(text)
        if is_beside and any(n.startswith(text) and n != text for n in names):
            return text
        # "All", "All brands"
        is_own = len(said) > len("all") and not _names_brand(text)
        if is_own and said in letters(address) and _names_brand(address):
            named[text] = None
    if len(named) == 1:
        return next(iter(named))
    hosts = {*(parts_of(url).hostname or "").split(".")}
    near = [text for b, text in page.texts.items() if abs(b - page.title) <= MAX_APART]
    parts = [name.split()[:MAX_APART] for name in names]
    begins = (" ".join(w[:end]) for w in parts for end in range(1, len(w) + 1))
    return next((text for text in (*begins, *near) if letters(text) in hosts), None)


def _names_brand(text: str) -> bool:
    """Whether a word of a text or address is one for brands."""
    words = "".join(each if each.isalnum() else " " for each in text.lower()).split()
    return any(bits_of_word(word) & Name.BRAND for word in words)


def _links(page: ProductPage) -> Iterator[tuple[str, str, bool]]:
    """Text and address of the page's links, and whether beside the title.

    Those of trails are not.
    """
    document = page.document
    links = document.elements_with_tag("a")
    first = document.elements.first_block[links]
    links = links[np.isin(first, [b for b in page.blocks if b not in page.aside])]
    place = document.elements.first_block[links] - page.title
    trail = page.names(links.tolist()).around & int(Name.BREADCRUMB) != 0
    beside = {*links[~trail & (np.abs(place) <= MAX_APART)].tolist()}
    for element, address in document.values_of("href", links).items():
        text = element_text(document, element)
        if 0 < len(text) <= MAX_CODE:
            yield _without_by(text), address, element in beside


def _split(line: str) -> tuple[str, str]:
    """The fact that a line begins to tell, and what follows; else empty."""
    name, colon, value = line[: 2 * MAX_LINE].replace("：", ":").partition(":")
    if colon and (key := _facts().get(letters(name))):
        return key, value.strip()
    words = line[: 2 * MAX_LINE].split(None, MAX_APART)
    if not words or words[0].casefold().rstrip("#:.") not in _first_words():
        return "", ""
    for count in range(min(len(words), MAX_APART), 0, -1):
        key = _facts().get(letters("".join(words[:count])))
        # "Brand new" is no brand.
        if key and (key != "brand" or count == len(words)):
            return key, " ".join(words[count:]).lstrip("#: ")
    return "", ""


def _fact(key: str, text: str) -> dict[str, str]:
    """The code that a *text* begins with, or the brand that it is; else nothing."""
    value = _without_by(text) if key == "brand" else read_code(text)
    is_fact = len(value) <= MAX_CODE and letters(value) not in {"", *_facts()}
    return {key: value} if is_fact else {}


def _without_by(text: str) -> str:
    return text.removeprefix("by ").removeprefix("By ")


def read_code(text: str) -> str:
    """The code that a text begins with; empty if it begins with none."""
    parts: list[str] = []
    # "is 180 cm tall" is no code: words before the digits are capitals.
    for word in text.split()[:MAX_APART]:
        parts = [] if word[0] == "#" else parts
        plain = word.strip("#().,;:")
        has_digit = any(map(str.isdigit, plain))
        if "%" in plain or not (has_digit or plain.isupper()):
            break
        parts.append(plain)
        if has_digit:
            return " ".join(parts) if len(" ".join(parts)) > 2 else ""
    return ""


@cache
def _facts() -> dict[str, str]:
    return {each: key for key in reversed(_FACTS) for each in phrases_of(key)}


@cache
def _first_words() -> frozenset[str]:
    phrases = (phrase for key in _FACTS for phrase in read_phrases("products")[key])
    return frozenset(phrase.split()[0].rstrip(".") for phrase in phrases)
