"""Codes and brand of a product that a page shows.

They follow labels, or stand in elements named after them; a brand also where its own
page is linked beside the title.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ...addresses import parts_of
from ..metadata.plaintext import element_text
from ..title_rule import letters
from .labelled import find_labelled, labels_of, split_label
from .product_fields import MAX_APART
from .product_names import Name, bits_of_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .product_page import ProductPage

MAX_CODE: Final = 40
FACTS: Final = ("sku", "gtin", "mpn", "brand")


def find_facts(page: ProductPage) -> dict[str, str]:
    """SKU, GTIN, MPN and brand behind their labels, or in elements named after them.

    A brand that only a name tells stands beside the title.
    """
    found: dict[str, str] = {}
    for _, key, value in find_labelled(page, "products", FACTS):
        if key not in found:
            found |= _fact(key, value)
    for key, name in (("sku", Name.CODE), ("brand", Name.BRAND)):
        for element in page.named(name) if key not in found else ():
            text = element_text(page.document, element)
            place = int(page.document.elements.first_block[element])
            if key == "brand" and abs(place - page.title) > MAX_APART:
                continue
            # The class says what no digit does.
            is_word = key == "sku" and text.isalpha() and len(text) <= MAX_CODE
            first, _, rest = text.partition(" ")
            is_label = labels_of("products", FACTS).get(letters(first)) == key
            said = rest if is_label else split_label(text, "products", FACTS)[1]
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


def _fact(key: str, text: str) -> dict[str, str]:
    """The code that a *text* begins with, or the brand that it is; else nothing."""
    known = labels_of("products", FACTS)
    value = _without_by(text) if key == "brand" else read_code(text)
    is_fact = len(value) <= MAX_CODE and letters(value) not in {"", *known}
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
