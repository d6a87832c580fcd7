"""A product as its page declares it: JSON-LD, microdata, RDFa and meta elements."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from ...records import Product, Variant
from ..title_rule import letters
from .prices import currency_of, read_price

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..declared import Declared, Node
    from ..declared.meta import Meta

MAX_OFFERS: Final = 1000
MAX_VARIANTS: Final = 200
MAX_IMAGES: Final = 100
MAX_LEVELS: Final = 4
"""Offers in offers, and variants in groups."""

PRODUCTS: Final = (
    "Product", "ProductGroup", "IndividualProduct", "ProductModel", "SomeProducts",
    "Vehicle", "Car", "Book", "SoftwareApplication", "MobileApplication",
    "WebApplication", "VideoGame",
)  # fmt: skip
_SURE: Final = frozenset(PRODUCTS[:5])
_NAMES: Final = ("name", "@id")
_GTINS: Final = ("gtin13", "gtin14", "gtin12", "gtin8", "gtin", "ean", "isbn")
_GTIN_LENGTHS: Final = frozenset({8, 10, 12, 13, 14})
_STATES: Final = {
    name.lower(): name
    for name in (
        "InStock OutOfStock PreOrder PreSale BackOrder Discontinued InStoreOnly "
        "LimitedAvailability OnlineOnly SoldOut MadeToOrder Reserved"
    ).split()
} | {"oos": "OutOfStock", "available": "InStock", "availablefororder": "BackOrder",
     "pending": "PreOrder", "instoreonly": "InStoreOnly", "true": "InStock",
     "yes": "InStock", "unavailable": "OutOfStock", "no": "OutOfStock"}  # fmt: skip
_LIST_PRICES: Final = ("listprice", "strikethroughprice", "srp", "regularprice")
_NUMBER: Final = re.compile(r"[0-9]{1,15}(?:[.,][0-9]{1,15})?")


class Offer(NamedTuple):
    """One offer of a product, as of a variant, and its price before a reduction."""

    own: Variant
    regular_price: str | None = None


def find_product(declared: Declared, names: list[str]) -> Product | None:
    """The product that the page declares as its own; *names* are titles of the page.

    Other things that can be sold (a book, an application) are products with a price.
    """
    for types in (PRODUCTS[:5], PRODUCTS[5:]):
        node = declared.page_node(names, *types)
        if node is None:
            continue
        product = read_product(node)
        if product.price or node.is_a(_SURE):
            return complete_by_meta(product, declared.meta)
    only_meta = complete_by_meta(Product(), declared.meta)
    return only_meta if only_meta.price else None


def read_product(node: Node) -> Product:
    """The product of a *node*, with its offers and variants."""
    offers = [*islice(_offers(node), MAX_OFFERS)]
    inner = (each for v in node.inner("hasVariant") for each in _offers(v))
    offer, regular = _own_offer(node, offers or [*islice(inner, MAX_OFFERS)])
    value, best, count = read_rating(node)
    return Product(
        name=node.first("name", "title"),
        brand=node.first("brand", "manufacturer", inside=_NAMES),
        sku=_code(node, "sku", "productID") or offer.sku,
        gtin=_gtin(node) or offer.gtin,
        mpn=_code(node, "mpn"),
        price=offer.price,
        regular_price=regular,
        currency=offer.currency,
        availability=offer.availability,
        rating=value if value and value <= max(best or 5, 100) else None,
        best_rating=best if value else None,
        review_count=count if value else None,
        description=node.first("description"),
        specifications=tuple(_properties(node)),
        images=tuple(dict.fromkeys(node.addresses("image")))[:MAX_IMAGES],
        variants=tuple(islice(_variants(node, offers), MAX_VARIANTS)),
    )


def read_rating(node: Node) -> tuple[float | None, float | None, int | None]:
    """The rating of a *node*, the best that there is, and the number of reviews."""
    rating = node.first_inner("aggregateRating")
    count = number(rating.first("reviewCount", "ratingCount"))
    value, best = (number(rating.first(key)) for key in ("ratingValue", "bestRating"))
    return value, best, int(count) if count else None


def _code(node: Node, *keys: str) -> str | None:
    text = node.first(*keys, inside=_NAMES)
    prefix, colon, code = (text or "").partition(":")
    return code if colon and prefix in {"sku", "mpn", "isbn", "asin"} else text


def _gtin(node: Node) -> str | None:
    found = filter(None, (node.first(key) for key in _GTINS))
    return next((gtin for text in found if (gtin := read_gtin(text))), None)


def read_gtin(text: str) -> str | None:
    """A global trade item number or ISBN of 8 to 14 digits, without marks."""
    digits = letters(text.rpartition(":")[2])
    plain = digits[:-1] if len(digits) == len("043935806X") else digits
    is_code = plain.isdecimal() and plain.isascii() and len(digits) in _GTIN_LENGTHS
    return digits if is_code and digits[-1] in "0123456789x" else None


def _properties(node: Node) -> Iterator[tuple[str, str]]:
    for each in node.inner("additionalProperty"):
        name, value = each.first("name"), each.first("value")
        if name and value:
            unit = each.first("unitText")
            yield name, f"{value} {unit}" if unit else value


def _offers(node: Node, level: int = 0) -> Iterator[Offer]:
    """The offers of a node; those inside of an aggregate, else the aggregate's own."""
    for offer in islice(node.inner("offers"), MAX_OFFERS):
        # A node that refers to itself has itself as each of its offers.
        deeper = level < MAX_LEVELS and offer.data != node.data
        inner = [*islice(_offers(offer, level + 1), MAX_OFFERS * deeper)]
        currency = currency_of(offer.first("priceCurrency"))
        for each, regular in [pair for pair in inner if pair.own.price] or inner:
            yield Offer(replace(each, currency=each.currency or currency), regular)
        if not inner:
            yield _read_offer(offer)


def _read_offer(offer: Node) -> Offer:
    price, regular = offer.first("price", "lowPrice"), None
    currency = offer.first("priceCurrency")
    for each in offer.inner("priceSpecification"):
        amount = each.first("price", "minPrice")
        kinds = " ".join(each.texts("priceType"))
        currency = currency or each.first("priceCurrency")
        if any(name in kinds.lower() for name in _LIST_PRICES):
            regular = regular or amount
        elif "referenceQuantity" not in each.data or not price:
            price = price or amount
    url = offer.first("url", inside=("@id",))
    value, code = amount_of(price or regular, currency)
    state = offer.first("availability", inside=("@id", "name"))
    own = Variant(
        price=value,
        currency=code,
        availability=read_state(state),
        sku=_code(offer, "sku"),
        url=offer.page.meta.absolute(url),
        gtin=_gtin(offer),
        name=offer.first("name"),
    )
    return Offer(own, amount_of(regular, currency)[0] if price else None)


def amount_of(text: str | None, currency: str | None) -> tuple[str | None, str | None]:
    """A declared price as a decimal number, and its currency; no price of nothing."""
    code = currency_of(currency)
    text = (text or "").strip()
    if not (match := _NUMBER.fullmatch(text)) or "," in match[0]:
        found = read_price(text)
        text, code = (found.amount, code or found.currency) if found else ("", code)
    whole, _, places = text.partition(".")
    if len(places) > 2:
        places = places[:2] + places[2:].rstrip("0")
    text = f"{whole}.{places}" if places else whole
    return (text if text and float(text) > 0 else None), code


def read_state(text: str | None) -> str | None:
    """The name of schema.org for an availability that is declared."""
    name = (text or "").strip().rstrip("/").replace("#", "/").rpartition("/")[2]
    return _STATES.get(letters(name))


def number(text: str | None) -> float | None:
    """A declared number; ``None`` for what is none."""
    match = _NUMBER.search(text or "")
    return float(match[0].replace(",", ".")) if match else None


def _own_offer(node: Node, offers: list[Offer]) -> Offer:
    """The offer of the page's address, else of the product's SKU, else the first."""
    priced = [offer for offer in offers if offer.own.price] or offers
    sku, url = node.first("sku"), node.page.url
    ways = (
        (offer for offer in priced if offer.own.url and offer.own.url == url),
        (offer for offer in priced if sku and offer.own.sku == sku),
        (*priced, Offer(Variant())),
    )
    return next(chain.from_iterable(ways))


def _variants(node: Node, offers: list[Offer]) -> Iterator[Variant]:
    """The variants of a group, else the offers that differ by a SKU or a name."""
    for each in node.inner("hasVariant"):
        own, _ = _own_offer(each, [*islice(_offers(each), MAX_OFFERS)])
        yield replace(
            own,
            name=each.first("name"),
            sku=_code(each, "sku") or own.sku,
            gtin=_gtin(each) or own.gtin,
            url=own.url or each.address("url"),
            image=each.address("image"),
            color=each.first("color"),
            size=each.first("size"),
        )
    distinct = {(offer.own.sku, offer.own.name) for offer in offers}
    if "hasVariant" not in node.data and len(distinct) >= max(2, len(offers)):
        yield from (offer.own for offer in offers)


_PRICES: Final = (
    "product:sale_price:amount", "product:price:amount", "og:price:amount",
    "product:price", "og:price",
)  # fmt: skip
_CURRENCIES: Final = (
    "product:sale_price:currency", "product:price:currency", "og:price:currency",
    "product:currency", "og:currency",
)  # fmt: skip


def complete_by_meta(product: Product, meta: Meta) -> Product:
    """The *product* with what meta elements say of it."""
    labels = dict(_labelled(meta))
    text = meta.first(*_PRICES) or labels.get("price")
    price, currency = amount_of(text, meta.first(*_CURRENCIES))
    own = meta.first("product:price:amount", "product:original_price:amount")
    regular, _ = amount_of(own, currency)
    is_reduced = regular and price and float(regular) > float(price)
    state = meta.first("product:availability", "og:availability")
    return replace(
        product,
        name=product.name or (meta.first("og:title") if price else None),
        brand=product.brand or meta.first("product:brand", "og:brand"),
        sku=product.sku or meta.first("product:retailer_item_id", "product:sku"),
        price=product.price or price,
        regular_price=product.regular_price or (regular if is_reduced else None),
        currency=product.currency or currency,
        availability=product.availability
        or read_state(state or labels.get("availability")),
    )


def _labelled(meta: Meta) -> Iterator[tuple[str, str]]:
    """The pairs for previews: ``twitter:label1``, ``twitter:data1``."""
    for place in "12":
        label = meta.first(f"twitter:label{place}")
        data = meta.first(f"twitter:data{place}")
        if label and data:
            yield label.lower(), data
