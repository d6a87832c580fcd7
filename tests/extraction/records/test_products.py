"""Products: declared in every form, shown without a declaration, and none elsewhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.page import Page
from scrapy_mainpage.records import Breadcrumb

URL = "https://shop.example/lamps/brass-lamp"
TEXT = "<p>The lamp is made of brass, and its shade of linen. " * 6


def page(body: str, head: str = "") -> Page:
    html = f"<html lang=en><head><title>Brass lamp</title>{head}</head><body>{body}"
    return extract(html, url=URL)


def script(node: dict[str, Any]) -> str:
    node = {"@context": "https://schema.org", **node}
    return f'<script type="application/ld+json">{json.dumps(node)}</script>'


LAMP: dict[str, Any] = {
    "@type": "Product",
    "name": "Brass lamp",
    "sku": "BL-7",
    "gtin13": "4006381333931",
    "brand": {"@type": "Brand", "name": "Mill"},
    "offers": {
        "@type": "Offer",
        "price": 49.5,
        "priceCurrency": "EUR",
        "availability": "https://schema.org/OutOfStock",
    },
    "aggregateRating": {"ratingValue": "4.5", "bestRating": 5, "reviewCount": "12"},
}
SHOWN = f"<main><h1>Brass lamp</h1><p class=price>€49.50</p>{TEXT}</main>"


def test_a_product_declared_in_json_ld() -> None:
    found = page(SHOWN, script(LAMP)).product
    assert found is not None
    assert (found.name, found.brand, found.sku) == ("Brass lamp", "Mill", "BL-7")
    assert (found.price, found.currency) == ("49.5", "EUR")
    assert (found.gtin, found.availability) == ("4006381333931", "OutOfStock")
    assert (found.rating, found.best_rating, found.review_count) == (4.5, 5.0, 12)
    assert found.warnings == ()


def test_a_product_declared_in_microdata() -> None:
    body = f"""<main itemscope itemtype="https://schema.org/Product">
      <h1 itemprop=name>Brass lamp</h1><span itemprop=sku>BL-7</span>
      <div itemprop=offers itemscope itemtype="https://schema.org/Offer">
        <meta itemprop=priceCurrency content=GBP><b itemprop=price content=18>£18</b>
      </div>{TEXT}</main>"""
    found = page(body).product
    assert found is not None
    assert (found.sku, found.price, found.currency) == ("BL-7", "18", "GBP")


def test_variants_of_a_group() -> None:
    variants = [
        {"@type": "Product", "name": f"Lamp {size}", "size": size,
         "offers": {"price": price, "priceCurrency": "EUR"}}
        for size, price in (("S", "20.00"), ("L", "30.00"))
    ]  # fmt: skip
    group = {"@type": "ProductGroup", "name": "Brass lamp", "hasVariant": variants}
    found = page(f"<h1>Brass lamp</h1>{TEXT}", script(group)).product
    assert found is not None
    assert [(v.size, v.price) for v in found.variants] == [
        ("S", "20.00"),
        ("L", "30.00"),
    ]


def test_the_visible_price_wins_and_says_so() -> None:
    body = f"""<main><h1>Brass lamp</h1><div class=product-price>€39.00</div>
      <button>Add to cart</button>{TEXT}</main>"""
    found = page(body, script(LAMP)).product
    assert found is not None
    assert (found.price, found.warnings) == ("39.00", ("price_differs",))


def test_breadcrumbs_and_specifications_of_the_visible_page() -> None:
    body = f"""<nav aria-label=Breadcrumb><a href=/>Home</a> / <a href=/lamps>Lamps</a>
      </nav>{SHOWN}<table><tr><th>Height<td>30 cm<tr><th>Weight<td>2 kg</table>"""
    found = page(body, script(LAMP)).product
    assert found is not None
    assert found.breadcrumbs[:2] == (
        Breadcrumb("Home", "https://shop.example/"),
        Breadcrumb("Lamps", "https://shop.example/lamps"),
    )
    assert found.specifications == (("Height", "30 cm"), ("Weight", "2 kg"))


@pytest.mark.parametrize(
    "body",
    [
        "",
        f"<article><h1>On lamps</h1><p>A lamp costs €49.50 in the shop.</p>{TEXT}",
        "<h1>Lamps</h1>" + "<div class=card><a href=/a>Lamp</a> <b>€5.00</b></div>" * 9,
    ],
)
def test_other_pages_have_no_product(body: str) -> None:
    assert page(body).product is None


def test_a_list_of_other_products_is_none() -> None:
    nodes = [{**LAMP, "name": f"Chair {k}", "sku": str(k)} for k in range(5)]
    assert page(f"<h1>On chairs</h1>{TEXT}", script({"@graph": nodes})).product is None


@pytest.mark.parametrize(
    "node",
    [
        {**LAMP, "offers": [{"price": k} for k in range(10_000)]},
        {**LAMP, "offers": "none", "brand": [[[]]], "aggregateRating": 7},
        {**LAMP, "name": {"@value": 5}, "offers": {"price": {}, "offers": [None]}},
        {"@type": ["Product"] * 50, "offers": {"price": "1e999"}},
    ],
)
def test_odd_declarations_raise_nothing(node: dict[str, Any]) -> None:
    found = page(SHOWN, script(node)).product
    assert found is None or len(found.variants) <= 200


def test_jobs_events_recipes_and_places_that_are_declared() -> None:
    salary = {"currency": "EUR", "value": {"minValue": 3000, "unitText": "MONTH"}}
    where = {"address": {"streetAddress": "Mill Lane 1", "addressLocality": "Riverton"}}
    job = {"@type": "JobPosting", "title": "Brass lamp maker", "baseSalary": salary,
           "datePosted": "2024-05-01", "jobLocation": where}  # fmt: skip
    found = page(f"<h1>Brass lamp maker</h1>{TEXT}", script(job)).job
    assert found is not None
    assert (found.salary_min, found.salary_unit) == ("3000", "MONTH")
    assert (found.location, found.date_posted) == (
        "Mill Lane 1, Riverton",
        "2024-05-01",
    )
    event = {"@type": "Event", "name": "Lamp fair", "startDate": "2024-06-01",
             "location": {"name": "Mill hall", **where}}  # fmt: skip
    fair = page(f"<h1>Lamp fair</h1>{TEXT}", script(event)).event
    assert fair is not None
    assert fair.place is not None
    assert (fair.start, fair.place.name) == ("2024-06-01", "Mill hall")
    steps = [{"@type": "HowToStep", "text": "Bake."}]
    recipe = {"@type": "Recipe", "name": "Mill bread", "recipeIngredient": ["flour"],
              "recipeInstructions": steps}  # fmt: skip
    bread = page(f"<h1>Mill bread</h1>{TEXT}", script(recipe)).recipe
    assert bread is not None
    assert (bread.ingredients, bread.instructions) == (("flour",), ("Bake.",))
    shop = {"@type": "Store", "name": "Mill shop", "telephone": "123", **where}
    place = page(f"<h1>Mill shop</h1>{TEXT}", script(shop)).place
    assert place is not None
    assert (place.telephone, place.address) == ("123", "Mill Lane 1, Riverton")


def test_other_pages_have_no_records() -> None:
    other = page(f"<h1>On lamps</h1>{TEXT}")
    assert (other.job, other.event, other.recipe, other.place) == (None,) * 4
