"""Fields by rules: of the metadata, and of the product."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.page import Page
from scrapy_mainpage.rules import CorrectedPage, SiteRules, learn_rules

WORDS = "The kettle is made of enamel and boils two litres in four minutes. " * 6
CARD = "<li><a href=/{n}>Kettle {n}</a> <p class=cost>{n}1.00</p></li>"


def shop_page(n: int, price: str = "", lang: str = "en") -> str:
    """A product without a declaration, and without a currency beside its price."""
    price = price or f"1{n},50 net"
    return f"""<html lang={lang}><title>Kettle {n}</title><body><main>
        <h1>Kettle {n}</h1><p class=cost>{price}</p><p class=no>Our number: K-{n}</p>
        <p class=state>Usually available in our shop</p><p>{WORDS}</p>
        <p class=by>By Jane Doe, 3 May 2024</p></main></body></html>"""


def ruled(html: str, **fields: str) -> Page:
    rules = SiteRules(fields={name: (css,) for name, css in fields.items()})
    return extract(html, url="https://shop.example/kettle", rules=rules)


def product(html: str, **fields: str) -> Any:
    return ruled(html, **fields).product


def test_rules_give_a_product_that_nothing_else_finds() -> None:
    assert extract(shop_page(1)).product is None
    fields = {"price": ".cost", "sku": ".no", "product.availability": ".state"}
    page = ruled(shop_page(1), **fields)
    assert page.product is not None
    assert (page.product.price, page.product.sku) == ("11.50", "K-1")
    assert page.product.availability == "InStock"
    assert page.product.name == "Kettle 1"
    assert page.rules[0] == "price = .cost"


def test_rules_win_over_what_the_page_declares() -> None:
    declared = (
        '<meta property="product:price:amount" content="7.00">'
        '<meta property="product:price:currency" content="EUR">'
        '<meta property="og:type" content="product">'
    )
    html = shop_page(2).replace("<body>", f"{declared}<body>")
    assert product(html, author=".by").price == "7.00"
    found = product(html, price=".cost")
    assert (found.price, found.currency) == ("12.50", "EUR")


@pytest.mark.parametrize(
    ("shown", "lang", "price", "currency"),
    [
        ("1.299,00 €", "de", "1299.00", "EUR"),
        ("<s>$15.00</s> $12<span>.99</span>", "en-AU", "12.99", "AUD"),
        ("<del>£15.00</del>", "en", "15.00", "GBP"),
    ],
)
def test_a_price_is_read_from_its_text(
    shown: str, lang: str, price: str, currency: str
) -> None:
    found = product(shop_page(3, shown, lang), price=".cost")
    assert (found.price, found.currency) == (price, currency)


def test_a_text_that_is_no_value_changes_nothing() -> None:
    html = shop_page(4).replace("Kettle 4", "Kettle")
    assert product(html, price="h1", gtin=".no", availability="h1") is None
    fields = {"sku": ".no", "gtin": ".no", "price": "title", "currency": "h1"}
    found = product(html, **fields)
    assert (found.sku, found.gtin, found.price) == ("K-4", None, None)


def test_a_listing_gets_no_product_by_rules() -> None:
    cards = "".join(CARD.format(n=n) for n in range(1, 25))
    html = f"<title>Kettles</title><main><h1>Kettles</h1><ul>{cards}</ul></main>"
    assert product(html, price=".cost") is None
    # The price of a product counts above cards of others.
    below = shop_page(6).replace("</main>", f"<h2>Others</h2><ul>{cards}</ul></main>")
    assert product(below, price=".cost").price == "16.50"


def test_author_and_date_may_stand_in_one_line() -> None:
    fields = {"author": ".by", "date_published": ".by", "product.price": ".cost"}
    metadata = ruled(shop_page(5), **fields).metadata
    assert (metadata.author, metadata.date_published) == ("Jane Doe", "2024-05-03")
    assert metadata.sources["author"] == "rules"


def corrected(html: str, n: int) -> CorrectedPage:
    blocks = extract(html).blocks
    texts = [block.text for block in blocks]
    fields = {
        "price": texts.index(f"1{n},50 net"),
        "sku": texts.index(f"Our number: K-{n}"),
    }
    main = [block.is_main for block in blocks]
    return CorrectedPage(
        f"https://shop.example/{n}", html.encode(), main, fields=fields
    )


def test_fields_of_corrected_pages_are_found_on_other_pages() -> None:
    rules = learn_rules([corrected(shop_page(n), n) for n in (1, 2)])
    assert rules == SiteRules(fields={"price": (".cost",), "sku": (".no",)})
    found: Any = extract(shop_page(9), rules=rules).product
    assert (found.price, found.sku) == ("19.50", "K-9")
