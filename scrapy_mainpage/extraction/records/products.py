"""The product of a page: what it declares, completed by what it shows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from ...records import Product
from ..metadata.field_models import read_models
from ..metadata.plaintext import clean
from ..title_rule import letters
from .breadcrumbs import find_breadcrumbs
from .labelled import find_features, find_specifications
from .prices import currency_of, read_price, region_of
from .product_declared import find_product as find_declared
from .product_declared import read_gtin, read_state
from .product_facts import find_brand, find_facts
from .product_fields import (
    LEAST,
    SURE,
    find_price,
    find_rating,
    find_state,
    odds,
    page_columns,
    state_of,
)
from .product_page import ProductPage, phrases_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...page import Metadata
    from ..declared import Declared
    from ..document.document import Document
    from ..document.schema import Bytes, Mask
    from .choice import Parts
    from .post_templates import PostTemplates
    from .product_fields import SeenPrice

PRICE_DIFFERS: Final = "price_differs"
MIN_LISTS: Final = 0.2
"""Probability of a list from which on it is to be less than that of a product."""

MAX_TITLES: Final = 5


class Content(Protocol):
    """The extraction of a page, as far as records read it."""

    @property
    def declared(self) -> Declared:
        """What the page declares."""

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

    def metadata(self) -> Metadata:
        """The metadata that the page declares and shows."""

    @property
    def post_templates(self) -> PostTemplates | None:
        """What a crawl knows of the posts of its sites."""

    @property
    def parts(self) -> Parts | None:
        """The thread and the lists that the main content was completed by."""

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
    names = titles_of(content)
    own = find_declared(content.declared, [letters(name) for name in names])
    page = ProductPage(content.document, content.title_block)
    seen = find_price(page, region_of(content.url, content.declared.meta.language))
    is_told = own is not None or is_sure
    # The page's types take longest, and most pages show nothing to sell.
    if not is_told and (seen is None or not is_likely(content.page_types, page)):
        return None
    facts = find_facts(page)
    if not is_told:
        row = page_columns(page, content.page_types, seen, facts)
        if odds(read_models("products")["page"], row)[0] < 0:
            return None
    found = _with_price(own or Product(), seen)
    return _completed(_with_facts(found, facts), names, page, content)


def is_likely(types: Mapping[str, float], page: ProductPage) -> bool:
    """Whether to search a product that is not declared: in lists for one button."""
    lists = types.get("listing", 0.0) + types.get("collection", 0.0)
    is_single = [*page.said.values()].count("cart") == 1
    return is_single or lists <= max(types.get("product", 0.0), MIN_LISTS)


def titles_of(content: Content) -> list[str]:
    """What the page may be called: in its title block, its head, its previews."""
    document = content.document
    block = content.title_block
    shown = document.block_text(block) if block >= 0 else None
    heads = (*document.head_texts("title"),)
    texts = (shown, content.declared.meta.first("og:title"), *heads[:MAX_TITLES])
    return [text for text in map(clean, texts) if text]


def _name_in(names: list[str]) -> str | None:
    """The first of the *names*, without "Buy" where no other begins with it."""
    name = next(iter(names), None)
    first, _, rest = (name or "").partition(" ")
    is_buy = rest and letters(first) in phrases_of("buy")
    return rest if is_buy and any(each.startswith(rest) for each in names) else name


def _with_facts(product: Product, facts: Mapping[str, str]) -> Product:
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
    if seen is None or (product.price is None and seen.odds < LEAST):
        return product
    price, regular = seen.price, seen.regular
    currency = product.currency or price.currency
    if product.price is None:
        own = price.currency or currency
        return replace(product, price=price.amount, currency=own, regular_price=regular)
    is_other = price.currency not in {None, currency}
    if float(product.price) in seen.amounts or is_other or seen.odds < SURE:
        is_same = float(product.price) == float(price.amount)
        regular = product.regular_price or (regular if is_same else None)
        return replace(product, currency=currency, regular_price=regular)
    return replace(
        product,
        price=price.amount,
        currency=currency,
        regular_price=regular,
        warnings=(PRICE_DIFFERS,),
    )


def _completed(
    product: Product, names: list[str], page: ProductPage, content: Content
) -> Product:
    declared = content.declared
    if product.rating is None:
        product = replace(product, **find_rating(page))
    meta = declared.meta
    image = next(filter(None, map(meta.absolute, meta.all("og:image"))), None)
    # What is shown with a price, and not said to be gone, is in stock.
    usual = "InStock" if product.price else None
    return replace(
        product,
        name=product.name or _name_in(names),
        brand=product.brand or find_brand(page, names, content.url),
        availability=product.availability or find_state(page) or usual,
        description=product.description or meta.first("og:description", "description"),
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
    label, colon, rest = text.replace("：", ":").partition(":")
    is_label = colon and label and not any(map(str.isdigit, label))
    value = rest.strip() if is_label and name not in {"name", "description"} else text
    if name == "gtin":
        return read_gtin(value)
    if name == "currency":
        return currency_of(value.strip(), region)
    if name != "availability":
        return value
    return read_state(value) or state_of(value)
