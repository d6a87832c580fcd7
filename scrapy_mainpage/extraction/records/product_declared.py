"""A product as its page declares it: JSON-LD, microdata, RDFa and meta elements."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from ...records import Product, Variant
from ..metadata.jsonld import types_of
from .prices import currency_of, read_price

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..metadata.jsonld import Node
    from .nodes import Declared

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
_GTINS: Final = ("gtin13", "gtin14", "gtin12", "gtin8", "gtin", "ean", "isbn")
_STATES: Final = {
    re.sub("[^a-z]", "", name.lower()): name
    for name in (
        "InStock OutOfStock PreOrder PreSale BackOrder Discontinued InStoreOnly "
        "LimitedAvailability OnlineOnly SoldOut MadeToOrder Reserved"
    ).split()
} | {"oos": "OutOfStock", "available": "InStock", "availablefororder": "BackOrder",
     "pending": "PreOrder", "instoreonly": "InStoreOnly", "true": "InStock",
     "yes": "InStock", "unavailable": "OutOfStock", "no": "OutOfStock"}  # fmt: skip
_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_LIST_PRICES = re.compile(
    "ListPrice|StrikethroughPrice|SRP|RegularPrice|MSRP", re.IGNORECASE
)


class Offer(NamedTuple):
    """One offer of a product: its price, and what else the offer says."""

    price: str | None = None
    regular_price: str | None = None
    currency: str | None = None
    availability: str | None = None
    sku: str | None = None
    url: str | None = None
    gtin: str | None = None
    name: str | None = None


def find_product(declared: Declared, names: list[str]) -> Product | None:
    """The product that the page declares as its own; *names* are titles of the page.

    Other things that can be sold (a book, an application) are products with a price.
    """
    for types in (PRODUCTS[:5], PRODUCTS[5:]):
        node = declared.page_node(names, *types)
        if node is None:
            continue
        product = read_product(declared, node)
        if product.price or not _SURE.isdisjoint(types_of(node)):
            return complete_by_meta(product, declared)
    only_meta = complete_by_meta(Product(), declared)
    return only_meta if only_meta.price else None


def read_product(declared: Declared, node: Node) -> Product:
    """The product of a *node*, with its offers and variants."""
    offers = [*_offers(declared, node)][:MAX_OFFERS]
    variants = tuple(_variants(declared, node, offers))[:MAX_VARIANTS]
    inner = [
        o for v in declared.inner(node, "hasVariant") for o in _offers(declared, v)
    ]
    offer = _own_offer(declared, node, offers or inner[:MAX_OFFERS])
    rating = next(declared.inner(node, "aggregateRating"), {})
    count = declared.first(rating, "reviewCount") or declared.first(
        rating, "ratingCount"
    )
    value = number(declared.first(rating, "ratingValue"))
    best = number(declared.first(rating, "bestRating"))
    return Product(
        name=declared.first(node, "name") or declared.first(node, "title"),
        brand=_first(declared, node, "brand", "manufacturer"),
        sku=_first(declared, node, "sku", "productID") or offer.sku,
        gtin=_gtin(declared, node) or offer.gtin,
        mpn=_first(declared, node, "mpn"),
        price=offer.price,
        regular_price=offer.regular_price,
        currency=offer.currency,
        availability=offer.availability,
        rating=value if value and value <= max(best or 5, 100) else None,
        best_rating=best if value else None,
        review_count=int(number(count) or 0) or None if value else None,
        description=declared.first(node, "description"),
        specifications=tuple(_properties(declared, node)),
        images=tuple(dict.fromkeys(declared.addresses(node, "image")))[:MAX_IMAGES],
        variants=variants,
    )


def _first(declared: Declared, node: Node, *keys: str) -> str | None:
    found = (declared.first(node, key, "name", "@id") for key in keys)
    text = next(filter(None, found), None)
    return re.sub("^(?:sku|mpn|isbn|asin):", "", text) if text else None


def _gtin(declared: Declared, node: Node) -> str | None:
    found = filter(None, (declared.first(node, key) for key in _GTINS))
    return next((gtin for text in found if (gtin := read_gtin(text))), None)


def read_gtin(text: str) -> str | None:
    """A global trade item number or ISBN of 8 to 14 digits, without marks."""
    digits = re.sub(r"[\s-]|^[a-z0-9]+:", "", text.lower())
    return (
        digits if re.fullmatch("[0-9]{8}|[0-9]{9}[0-9x]|[0-9]{12,14}", digits) else None
    )


def _properties(declared: Declared, node: Node) -> Iterator[tuple[str, str]]:
    for each in declared.inner(node, "additionalProperty"):
        name, value = declared.first(each, "name"), declared.first(each, "value")
        if name and value:
            unit = declared.first(each, "unitText")
            yield name, f"{value} {unit}" if unit else value


def _offers(declared: Declared, node: Node, level: int = 0) -> Iterator[Offer]:
    """The offers of a node; those inside of an aggregate, else the aggregate's own."""
    for offer in islice(declared.inner(node, "offers"), MAX_OFFERS):
        # A node that refers to itself has itself as each of its offers.
        deeper = level < MAX_LEVELS and offer is not node
        inner = [*islice(_offers(declared, offer, level + 1), MAX_OFFERS * deeper)]
        priced = [each for each in inner if each.price]
        if priced or inner:
            currency = declared.first(offer, "priceCurrency")
            yield from (
                each._replace(currency=each.currency or currency_of(currency))
                for each in priced or inner
            )
        else:
            yield _read_offer(declared, offer)


def _read_offer(declared: Declared, offer: Node) -> Offer:
    price, regular = declared.first(offer, "price"), None
    price = price or declared.first(offer, "lowPrice")
    currency = declared.first(offer, "priceCurrency")
    for each in declared.inner(offer, "priceSpecification"):
        amount = declared.first(each, "price") or declared.first(each, "minPrice")
        kinds = " ".join(declared.texts(each, "priceType"))
        currency = currency or declared.first(each, "priceCurrency")
        if _LIST_PRICES.search(kinds):
            regular = regular or amount
        elif "referenceQuantity" not in each or not price:
            price = price or amount
    url = declared.first(offer, "url", "@id")
    value, code = amount_of(price or regular, currency)
    return Offer(
        price=value,
        regular_price=amount_of(regular, currency)[0] if price else None,
        currency=code,
        availability=read_state(declared.first(offer, "availability", "@id", "name")),
        sku=_first(declared, offer, "sku"),
        url=declared.meta.absolute(url),
        gtin=_gtin(declared, offer),
        name=declared.first(offer, "name"),
    )


def amount_of(text: str | None, currency: str | None) -> tuple[str | None, str | None]:
    """A declared price as a decimal number, and its currency; no price of nothing."""
    code = currency_of(currency)
    text = (text or "").strip()
    if not _DECIMAL.fullmatch(text):
        found = read_price(text)
        text, code = (found.amount, code or found.currency) if found else ("", code)
    whole, _, places = text.partition(".")
    if len(places) > 2:
        places = places[:2] + places[2:].rstrip("0")
    text = f"{whole}.{places}" if places else whole
    return (text if text and float(text) > 0 else None), code


def read_state(text: str | None) -> str | None:
    """The name of schema.org for an availability that is declared."""
    name = re.split("[/#]", (text or "").strip().rstrip("/"))[-1]
    return _STATES.get(re.sub("[^a-z]", "", name.lower()))


def number(text: str | None) -> float | None:
    """A declared number; ``None`` for what is none."""
    match = re.search(r"[0-9]+(?:[.,][0-9]+)?", text or "")
    return float(match[0].replace(",", ".")) if match and len(match[0]) < 16 else None


def _own_offer(declared: Declared, node: Node, offers: list[Offer]) -> Offer:
    """The offer of the page's address, else of the product's SKU, else the first."""
    priced = [offer for offer in offers if offer.price] or offers
    if not priced:
        return Offer()
    sku = declared.first(node, "sku")
    ways = (
        [offer for offer in priced if offer.url and offer.url == declared.url],
        [offer for offer in priced if sku and offer.sku == sku],
        priced,
    )
    return next(found[0] for found in ways if found)


def _variants(declared: Declared, node: Node, offers: list[Offer]) -> Iterator[Variant]:
    """The variants of a group, else the offers that differ by a SKU or a name."""
    for each in declared.inner(node, "hasVariant"):
        offer = _own_offer(declared, each, [*_offers(declared, each)])
        yield Variant(
            name=declared.first(each, "name"),
            sku=_first(declared, each, "sku") or offer.sku,
            gtin=_gtin(declared, each) or offer.gtin,
            price=offer.price,
            currency=offer.currency,
            availability=offer.availability,
            url=offer.url or next(declared.addresses(each, "url"), None),
            image=next(declared.addresses(each, "image"), None),
            color=declared.first(each, "color"),
            size=declared.first(each, "size"),
        )
    if "hasVariant" in node or len({(o.sku, o.name) for o in offers}) < max(
        2, len(offers)
    ):
        return
    for offer in offers:
        values = offer._asdict()
        del values["regular_price"]
        yield Variant(**values)


_PRICES: Final = (
    "product:sale_price:amount", "product:price:amount", "og:price:amount",
    "product:price", "og:price",
)  # fmt: skip
_CURRENCIES: Final = (
    "product:sale_price:currency", "product:price:currency", "og:price:currency",
    "product:currency", "og:currency",
)  # fmt: skip


def complete_by_meta(product: Product, declared: Declared) -> Product:
    """The *product* with what meta elements say of it."""
    meta = declared.meta
    labels = dict(_labelled(declared))
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


def _labelled(declared: Declared) -> Iterator[tuple[str, str]]:
    """The pairs for previews: ``twitter:label1``, ``twitter:data1``."""
    for place in "12":
        label = declared.meta.first(f"twitter:label{place}")
        data = declared.meta.first(f"twitter:data{place}")
        if label and data:
            yield label.lower(), data
