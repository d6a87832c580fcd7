"""Products: what a page declares, found again after the declaration is taken out.

The truth is what the package reads of the declaration: of 62 pages it differs on one
from what extruct reads. It is counted where the page shows it: an SKU or brand that no
reader sees cannot be found. Pages of other types are measured for products that are
made up. ``python -m lab.training products`` says how the models do on sites not seen.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Final

from lab.tables import Table
from scrapy_mainpage import extract
from scrapy_mainpage.evaluation.datasets import decode_page
from scrapy_mainpage.extraction.records.product_declared import find_product
from scrapy_mainpage.extraction.records.products import titles_of
from scrapy_mainpage.extraction.title_rule import letters
from scrapy_mainpage.page import Page
from scrapy_mainpage.records import Product

from .pages import measure_others, sampled_sets

PAGES: Final = 300
VERDICTS: Final = ("right", "wrong", "none")
MIN_ALIKE: Final = 0.8
"""F1 of words from which on two names are alike."""

_TAKEN_OUT = (
    re.compile(r"(?is)<script\b.*?</script\s*>"),
    re.compile(
        r"""(?i)<(?:meta|link)\b[^>]*\s(?:itemprop=|(?:property|name)=["']?"""
        r"""(?:og:|twitter:|product:))[^>]*>"""
    ),
    re.compile(
        r"""(?i)\s(?:itemscope(?:=["'a-z]*)?(?=[\s>])|(?:item(?:prop|type|id|ref)|typeof|"""
        r"""property|vocab)\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+))"""
    ),
)
_NUMBER = re.compile(r"[0-9]+(?:[.,'\u202f\xa0 ][0-9]+)*")
_STATES: Final = {
    "OnlineOnly": "InStock", "InStoreOnly": "InStock", "LimitedAvailability": "InStock",
    "SoldOut": "OutOfStock", "Discontinued": "OutOfStock", "PreSale": "PreOrder",
    "MadeToOrder": "BackOrder",
}  # fmt: skip
Truth = dict[str, list[Any]]


def run(options: argparse.Namespace) -> list[Table]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for data_set in sampled_sets(options.data, options.pages):
        for page in data_set.pages:
            html = page.html()
            if truth := read_truth(decode_page(html), page.url):
                for field, verdict in verdicts(html, page.url, truth):
                    counts[field].update([verdict])
    table = Table("products without their declaration", ["field", "visible", *VERDICTS])
    for field, each in sorted(counts.items()):
        visible = sum(each[name] for name in VERDICTS)
        shares = (each[name] / max(1, visible) for name in VERDICTS)
        table.rows.append([field, visible, *shares])
    others = measure_others(options.data, options.pages or PAGES, "product")
    return [table, others]


def verdicts(html: bytes, url: str, truth: Truth) -> Iterator[tuple[str, str]]:
    """Each field of the *truth*, judged without the declaration.

    A field that the page does not show is ``hidden``.
    """
    page = extract(taken_out(html), url=url)
    for field in JUDGES:
        if truth[field]:
            value = getattr(page.product or Product(), field)
            is_right = value and any(JUDGES[field](value, own) for own in truth[field])
            verdict = "right" if is_right else "wrong" if value else "none"
            yield field, verdict if is_shown(field, truth, page) else "hidden"


def taken_out(html: bytes) -> str:
    """The page without scripts, marks of its elements, and previews."""
    text = decode_page(html)
    for pattern in _TAKEN_OUT:
        text = pattern.sub("", text)
    return text


def _is_same(value: Any, own: Any) -> bool:
    return letters(str(value)) == letters(str(own))


def _is_near(value: Any, own: Any) -> bool:
    return abs(float(value) - float(own)) < 0.06


def _is_state(value: str, own: str) -> bool:
    return _STATES.get(value, value) == _STATES.get(own, own)


def _is_alike(value: str, own: str) -> bool:
    """Whether the F1 of the words of two names is high."""
    a, b = (Counter(re.findall(r"\w+", text.casefold())) for text in (value, own))
    return 2 * (a & b).total() >= MIN_ALIKE * (a.total() + b.total())


JUDGES: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "name": _is_alike, "price": _is_near, "currency": _is_same,
    "availability": _is_state, "sku": _is_same, "gtin": _is_same, "mpn": _is_same,
    "brand": _is_same, "rating": _is_near, "review_count": _is_near,
}  # fmt: skip


def is_shown(field: str, truth: Truth, page: Page) -> bool:
    """Whether the page shows the value; for currency and state: the price."""
    text = " ".join(block.text for block in page.blocks)
    if field in {"currency", "availability"}:
        field = "price"
    if JUDGES[field] is _is_near:
        return any(_has_number(text, float(number)) for number in truth[field])
    words = (r"[\W_]*".join(map(re.escape, letters(value))) for value in truth[field])
    return any(re.search(rf"(?i)(?<!\w){each}(?!\w)", text) for each in words)


def _has_number(text: str, value: float) -> bool:
    """Whether a number of *text* is *value*, however it is written."""
    digits = f"{value:.2f}".replace(".", "")
    wanted = {digits, digits.removesuffix("00"), digits.removesuffix("0")}
    return any(re.sub(r"\D", "", n[0]) in wanted for n in _NUMBER.finditer(text))


def read_truth(html: str, url: str) -> Truth | None:
    """The values that the page declares of its product; ``None`` without a price.

    Those of its variants are right as well.
    """
    content = extract(html, url=url)._extraction if "roduct" in html else None
    names = [letters(name) for name in titles_of(content)] if content else []
    product = find_product(content.declared, names) if content else None
    if product is None or not product.price:
        return None
    sold = [product, *product.variants]
    found = {f: [getattr(each, f, None) for each in sold] for f in JUDGES}
    return {field: [*filter(None, values)] for field, values in found.items()}
