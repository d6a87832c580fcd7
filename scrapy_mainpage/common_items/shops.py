"""Products and lists of products."""

from __future__ import annotations

from typing import Any, Final

from zyte_common_items import (
    AdditionalProperty,
    Brand,
    Gtin,
    Link,
    Product,
    ProductFromList,
    ProductList,
    ProductVariant,
)

from .. import records
from .values import addresses, breadcrumbs, image, images, media, probability, rating

MIN_PRICED: Final = 0.5
"""Share of the entries with a price from which on a listing shows products."""

_IN_STOCK: Final = frozenset(
    {"InStock", "InStoreOnly", "LimitedAvailability", "MadeToOrder", "OnlineOnly"}
)
_GTINS: Final = {8: "gtin8", 10: "isbn10", 12: "upc", 13: "gtin13", 14: "gtin14"}


def make_product(page: Any) -> Product | None:
    """The product of the page; of its title and main content on a product page."""
    if (found := page.product) is None:
        if page.page_type != "product":
            return None
        found = records.Product()
    declared = page.metadata
    urls = found.images or media(page, "image")
    return Product(
        **addresses(page),
        **_offer(found),
        name=found.name or page.title,
        brand=Brand(name=found.brand) if found.brand else None,
        regularPrice=found.regular_price,
        mpn=found.mpn,
        aggregateRating=rating(found.rating, found.review_count, found.best_rating),
        description=found.description or declared.description,
        descriptionHtml=page.html or None,
        features=list(found.features) or None,
        additionalProperties=[
            AdditionalProperty(name=name, value=value)
            for name, value in found.specifications
        ]
        or None,
        mainImage=image(next(iter(found.images), declared.image)),
        images=images(urls),
        breadcrumbs=breadcrumbs(found.breadcrumbs),
        variants=[_variant(each) for each in found.variants] or None,
        metadata=probability(page, "product"),
    )


def _offer(found: records.Product | records.Variant) -> dict[str, Any]:
    """What a product has in common with its variants."""
    return {
        "sku": found.sku,
        "gtin": _gtin(found.gtin),
        "price": found.price,
        "currency": found.currency,
        "availability": _availability(found.availability),
    }


def _variant(found: records.Variant) -> ProductVariant:
    return ProductVariant(
        **_offer(found),
        name=found.name,
        url=found.url,
        color=found.color,
        size=found.size,
        mainImage=image(found.image),
    )


def _gtin(code: str | None) -> list[Gtin] | None:
    """The code with its type, by the number of its digits.

    >>> _gtin("978-3-16-148410-0"), _gtin("none")
    ([Gtin(type='isbn13', value='9783161484100')], None)
    """
    digits = (code or "").replace("-", "").replace(" ", "")
    if not digits.isdigit() or len(digits) not in _GTINS:
        return None
    is_book = len(digits) == 13 and digits.startswith(("978", "979"))
    return [Gtin(type="isbn13" if is_book else _GTINS[len(digits)], value=digits)]


def _availability(name: str | None) -> str | None:
    """The one of the two values of these items for a name of schema.org."""
    if name is None:
        return None
    return "InStock" if name in _IN_STOCK else "OutOfStock"


def shows_products(page: Any) -> bool:
    """Whether the entries of the page are products: most of them have a price."""
    priced = sum(entry.price is not None for entry in page.entries)
    return priced > 0 and (
        priced >= MIN_PRICED * len(page.entries) or page.page_type == "collection"
    )


def make_product_list(page: Any) -> ProductList | None:
    """The entries of the page, if they are products."""
    if not shows_products(page):
        return None
    products = [
        ProductFromList(
            name=entry.name,
            url=entry.url,
            price=entry.price,
            currency=entry.currency,
            mainImage=image(entry.image),
            metadata=probability(page, "collection"),
        )
        for entry in page.entries
    ]
    following = page.next_page
    return ProductList(
        **addresses(page),
        categoryName=page.title,
        products=products,
        paginationNext=Link(url=following) if following else None,
    )
