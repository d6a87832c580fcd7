"""django-oscar, a shop from PyPI, with its own templates on SQLite."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..publish import specifications
from ..record import Page
from ..serve import Site, django
from ..tools import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"product": 24}
PACKAGES: Final = ("django-oscar==4.2.1", "sorl-thumbnail", "whoosh", "django<5.3")
ROLES: Final = {
    "header": "header.header, nav.navbar.accounts",
    "navigation": "header ul.navbar-nav, aside.sidebar",
    "breadcrumb": "nav[aria-label=breadcrumb]",
    "form": "form, button.btn-wishlist, aside.sidebar h4 ~ h4, aside.sidebar dl",
    "footer": "footer",
    "pagination": ".pagination, .pager",
}
PRODUCT: Final = """
    //div[contains(@class, 'product_main')]/*[self::h1 or self::h2 or self::a or
        contains(@class, 'price_color') or contains(@class, 'availability')]
    | //article[@class='product_page']/*[
        preceding-sibling::*[.//h1] and following-sibling::section[.//*[@id='reviews']]]
    | //*[@id='reviews'][following-sibling::ol]/h2 | //article[@class='review']/header
    | //article[@class='review']/p[1]
""".strip()
COMMENTS: Final = """
    //section[*[@id='reviews']][not(ol)] | //article[@class='review']/p[position() > 1]
    | //div[contains(@class, 'product_main')]/p[
        not(@class) or contains(@class, 'star-rating')]
""".strip()
RECOMMENDED: Final = "//article[@class='product_page']/section/following-sibling::*"
CARDS: Final = "//div[@class='page-header']/h1 | //article[@class='product_pod']"


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    products = [make_product(content) for content in contents]
    with django("oscar", folder, PACKAGES, products) as (site, paths):
        yield from _product_pages(site, contents, paths)
        yield from _listings(site)


def make_product(content: Content) -> dict[str, Any]:
    """A product as ``sites/oscar_site.py`` takes it."""
    data = content.data
    return {
        "slug": content.slug,
        "title": content.title,
        "html": content.html(),
        "kind": data["brand"],
        "category": " > ".join(tag.title() for tag in content.tags) or "Other",
        "sku": data["sku"],
        "price": str(data["price"]),
        "currency": data["currency"],
        "variants": [str(variant) for variant in data.get("variants", ())],
        "specifications": [
            [f"a{number}", name, value]
            for number, (name, value) in enumerate(specifications(content))
        ],
        "reviews": [
            {**review, "title": re.split(r"[.,;!。]", review["text"])[0][:80]}
            for review in data.get("reviews", ())
        ],
    }


def _product_pages(
    site: Site, contents: Sequence[Content], paths: dict[str, str]
) -> Iterator[Page]:
    for content in contents:
        path = paths[content.slug]
        yield Page(
            path=path,
            html=site.get(path, **{"Accept-Language": content.language}),
            content=PRODUCT,
            title=content.title,
            roles=ROLES | {"related": RECOMMENDED, "comments": COMMENTS},
            type="product",
            language=content.language,
        )


def _listings(site: Site) -> Iterator[Page]:
    for path in ("/catalogue/", "/catalogue/?page=2"):
        html = site.get(path)
        if b"product_pod" not in html:
            raise ToolError(f"{path} lists no products")
        yield Page(
            path=path,
            html=html,
            content=CARDS,
            drop="//article//form",
            title="All products",
            roles=ROLES,
            type="collection",
            entries="article.product_pod h3 a",
        )
