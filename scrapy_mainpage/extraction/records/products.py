"""The product of a page: what it declares, completed by what it shows."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from ...records import Product
from ..metadata.plaintext import clean
from ..title_rule import letters
from .breadcrumbs import find_breadcrumbs
from .nodes import Declared
from .prices import currency_of, read_price, region_of
from .product_declared import find_product as find_declared
from .product_declared import read_gtin, read_state
from .product_page import ProductPage, phrases_of
from .product_shown import (
    LIKELY_SCORE,
    SURE_SCORE,
    find_features,
    find_price,
    find_rating,
)
from .specifications import STATES, find_facts, find_specifications, read_availability

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..document.document import Document
    from ..document.schema import Bytes, Mask
    from .product_shown import SeenPrice

PRICE_DIFFERS: Final = "price_differs"
MIN_TYPE: Final = 0.5
"""Probability of the type from which on a page that shows a price has a product."""

MIN_TYPE_WITH_BUTTON: Final = 0.2
"""The same beside a button to buy it and a price that is sure."""

MAX_SIGNS: Final = 2
"""Buttons to fill the basket below the title; more are those of a list."""

MAX_TITLES: Final = 5
_LABEL: Final = re.compile(r"[^\W\d_][^\d:：]{0,30}[:：]\s*")
"""What stands before a value: "Article number:"."""


class Content(Protocol):
    """The extraction of a page, as far as records read it."""

    @property
    def document(self) -> Document:
        """The document."""

    @property
    def url(self) -> str | None:
        """The address of the page."""

    @property
    def title_block(self) -> int:
        """The block of the title, or -1."""

    @property
    def main(self) -> Mask:
        """Whether each block is main content."""

    @property
    def labels(self) -> Bytes:
        """The code of the label of each block."""

    @property
    def page_types(self) -> dict[str, float]:
        """The probability of each type of page."""

    @property
    def ruled_records(self) -> Mapping[str, list[int]]:
        """The elements of posts and entries that rules found."""


def find_product(content: Content, *, is_sure: bool = False) -> Product | None:
    """The product of the page; ``None`` where it is about none, or about several.

    With *is_sure* it is about one.
    """
    document = content.document
    declared = Declared(document, content.url)
    names = titles_of(content, declared)
    own = find_declared(declared, [letters(name) for name in names])
    page = ProductPage(document, content.title_block)
    if own is None and not (is_sure or _is_likely(content.page_types, page)):
        return None
    seen = find_price(page, region_of(content.url, declared.meta.language))
    facts = find_facts(page)
    is_shown = is_sure or _is_shown(content.page_types, page, seen, facts)
    if own is None and not is_shown:
        return None
    found = _with_price(own or Product(), seen)
    return _completed(_with_facts(found, facts), names, page, content, declared)


def titles_of(content: Content, declared: Declared) -> list[str]:
    """What the page may be called: in its title block, its head, its previews."""
    document = content.document
    block = content.title_block
    shown = document.block_text(block) if block >= 0 else None
    heads = (*document.head_texts("title"),)
    texts = (shown, declared.meta.first("og:title"), *heads[:MAX_TITLES])
    return [text for text in map(clean, texts) if text]


def _name_in(names: list[str]) -> str | None:
    """The first of the *names*, without "Buy" where no other begins with it."""
    name = next(iter(names), None)
    first, _, rest = (name or "").partition(" ")
    is_buy = rest and letters(first) in phrases_of("buy")
    return rest if is_buy and any(each.startswith(rest) for each in names) else name


def _is_likely(types: dict[str, float], page: ProductPage) -> bool:
    """Whether it is worth while to search a product that is not declared."""
    lists = max(types.get("listing", 0.0), types.get("collection", 0.0))
    likeliest = next(iter(types), "product")
    if lists >= MIN_TYPE or likeliest in {"listing", "collection"}:
        return False
    if types.get("product", MIN_TYPE) >= MIN_TYPE_WITH_BUTTON:
        return True
    return 0 < len(page.signs) <= MAX_SIGNS


def _is_shown(
    types: dict[str, float],
    page: ProductPage,
    seen: SeenPrice | None,
    facts: dict[str, str],
) -> bool:
    """Whether a page without a declaration shows a product to be bought.

    Without a price, as of what is sold out, it names the number of an article.
    """
    share = types.get("product", 0.0)
    if share >= MIN_TYPE:
        return seen is not None or "sku" in facts
    if len(page.signs) > MAX_SIGNS:
        least, is_sold = SURE_SCORE, share >= MIN_TYPE_WITH_BUTTON
    else:
        least = LIKELY_SCORE if page.signs or not types else SURE_SCORE
        is_sold = bool(page.signs or page.buttons or "sku" in facts)
    return is_sold and seen is not None and seen.score >= least


def _with_facts(product: Product, facts: dict[str, str]) -> Product:
    code = facts.get("gtin", "")
    gtin = read_gtin(code)
    # A shop's own number may stand beside "UPC", too.
    own = None if gtin else code or None
    return replace(
        product,
        brand=product.brand or facts.get("brand"),
        sku=product.sku or facts.get("sku") or own,
        gtin=product.gtin or gtin,
        mpn=product.mpn or facts.get("mpn"),
    )


def _with_price(product: Product, seen: SeenPrice | None) -> Product:
    """The *product* with the price that the reader sees, where that is sure."""
    if seen is None:
        return product
    price = seen.price
    if product.price is None:
        return replace(
            product,
            price=price.amount,
            currency=price.currency or product.currency,
            regular_price=seen.regular,
        )
    is_same = float(product.price) == float(price.amount)
    is_other = price.currency and product.currency not in {None, price.currency}
    is_shown = float(product.price) in seen.amounts
    if is_shown or is_other or seen.score < SURE_SCORE:
        regular = product.regular_price or (seen.regular if is_same else None)
        currency = product.currency or price.currency
        return replace(product, currency=currency, regular_price=regular)
    return replace(
        product,
        price=price.amount,
        currency=price.currency or product.currency,
        regular_price=seen.regular,
        warnings=(PRICE_DIFFERS,),
    )


def _completed(
    product: Product,
    names: list[str],
    page: ProductPage,
    content: Content,
    declared: Declared,
) -> Product:
    if product.rating is None:
        product = replace(product, **find_rating(page))
    meta = declared.meta
    image = next(filter(None, map(meta.absolute, meta.all("og:image"))), None)
    description = meta.first("og:description", "description")
    return replace(
        product,
        name=product.name or _name_in(names),
        availability=product.availability or read_availability(page),
        description=product.description or description,
        images=product.images or ((image,) if image else ()),
        features=find_features(page, content.main),
        breadcrumbs=find_breadcrumbs(page, declared),
        specifications=product.specifications or find_specifications(page),
    )


def read_fields(texts: Mapping[str, str], region: str) -> dict[str, Any]:
    """The values that the *texts* of fields say, without those that say none.

    *region* is the country of the page (see :func:`.prices.region_of`).
    """
    values: dict[str, str | None] = {}
    for name, text in texts.items():
        if name in {"price", "regular_price"}:
            if price := read_price(text, region):
                values[name] = price.amount
                values.setdefault("currency", price.currency)
        else:
            values[name] = _read(name, text, region)
    return {name: value for name, value in values.items() if value}


def _read(name: str, text: str, region: str) -> str | None:
    value = text if name in {"name", "description"} else _LABEL.sub("", text, count=1)
    if name == "gtin":
        return read_gtin(value)
    if name == "currency":
        return currency_of(value.strip(), region)
    if name != "availability":
        return value
    plain = letters(value)
    said = (s for s in STATES if any(each in plain for each in phrases_of(s)))
    return read_state(value) or next(said, None)
