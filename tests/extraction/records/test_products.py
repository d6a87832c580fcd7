"""Products: declared in every form, shown without a declaration, and none elsewhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

import scrapy_mainpage
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
        f"<article><h1>On lamps</h1>{TEXT}</article><aside><h3>Our book</h3>"
        "<b class=price>€19.00</b><button>Add to cart</button></aside>",
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
    parts = [{"@type": "HowToSection", "name": f"For the {part}", "itemListElement": [
              {"@type": "HowToStep", "name": "Step 1", "text": f"Bake the {part}."}]}
             for part in ("dough", "glaze")]  # fmt: skip
    recipe = {"@type": "Recipe", "name": "Mill bread", "prepTime": "PT00H00M00S",
              "recipeIngredient": ["salt", "flour", "salt"], "cookTime": "P0DT1H5M",
              "recipeInstructions": [parts]}  # fmt: skip
    bread = page(f"<h1>Mill bread</h1>{TEXT}", script(recipe)).recipe
    assert bread is not None
    assert bread.ingredients == ("salt", "flour", "salt")
    assert bread.instructions == (
        "For the dough", "Bake the dough.", "For the glaze", "Bake the glaze.",
    )  # fmt: skip
    times = (bread.prep_time, bread.cook_time, bread.total_time)
    assert times == (None, "PT1H5M", "PT1H5M")
    shop = {"@type": "Store", "name": "Mill shop", "telephone": "123", **where}
    place = page(f"<h1>Mill shop</h1>{TEXT}", script(shop)).place
    assert place is not None
    assert (place.telephone, place.address) == ("123", "Mill Lane 1, Riverton")


PHRASE = {
    "en-GB": "The lamp is made of brass, and its shade of linen. ",
    "de-DE": "Die Leuchte ist aus Messing, und ihr Schirm ist aus Leinen. ",
    "fr-FR": "La lampe est en laiton, et son abat-jour est en lin. ",
    "ja-JP": "このランプは真鍮で作られ、シェードは麻でできています。",
}
"""Texts from which no type of page is likely."""

TEMPLATES = {
    "a product that is sold out": (
        "en-GB",
        """<nav class=woocommerce-breadcrumb><a href=/>Home</a> /
        <a href=/c/l/>Lamps</a> / Nova</nav>
        <div class="product outofstock"><h1>Nova</h1>
        <div class=star-rating role=img aria-label="Rated 4.50 out of 5"></div>
        <a href=#r class=review-link>(<span>12</span> customer reviews)</a>
        <p class=price><del><bdi>£60.00</bdi></del> <ins><bdi>£49.50</bdi></ins></p>
        TEXT<p class="stock out-of-stock">Out of stock</p>
        <p>SKU: <span class=sku>nova</span> <span>Category: <a href=/c>Lamps</a>
        <table><tr><th>Weight<td>2 kg<tr><th>Colour<td>Gold</table>
        <h2>Related products</h2><p class=price>£19.00
        <button>Add to basket</button>""",
        {"price": "49.50", "regular_price": "60.00", "currency": "GBP", "sku": "nova",
         "availability": "OutOfStock", "rating": 4.5, "review_count": 12,
         "specifications": (("Weight", "2 kg"), ("Colour", "Gold"))},
        ["Home", "Lamps", "Nova"],
    ),
    "texts for other states in the page": (
        "en-GB",
        """<p class=announcement>Free shipping on orders over £75</p>
        <p class=vendor>Mill &amp; Sons</p><h1>Nova</h1>
        <div class="price price--on-sale">
        <div class=price__regular>Regular price <span>£59.00</span></div>
        <div class=price__sale>Regular price <s>£72.00</s> Sale price
        <span>£59.00</span></div>
        <span class=price__badge-sold-out>Sold out</span></div>
        <p>or 4 interest-free payments of £14.75</p>
        <label>Small <span>Variant sold out or unavailable</span></label>
        <button>Add to cart - £59.00</button><p>Item number MS-0815</p><main>TEXT
        <ul><li>Solid brass with a linen shade<li>Cord of two metres in cotton
        <li>Made to last for generations</ul>""",
        {"price": "59.00", "regular_price": "72.00", "availability": "InStock",
         "sku": "MS-0815", "brand": "Mill & Sons",
         "features": ("Solid brass with a linen shade", "Cord of two metres in cotton",
                      "Made to last for generations")},
        [],
    ),
    "a list price and a base price": (
        "de-DE",
        """<ol class=breadcrumb><li><a href=/l/>Leuchten</a>
        <li><a href=/l/t/>Tisch</a></ol>
        <h1>Nova</h1><p class="price with-list-price">1.299,00 €* <span
        class=list-price>1.499,00 €*</span></p><p>zzgl. Versandkosten ab 4,90 €</p>
        <p>Grundpreis: 649,50 € / kg</p><p>Sofort verfügbar, Lieferzeit: 2-5 Tage</p>
        <input type=submit value="In den Warenkorb"><p>Produktnummer: ML-10</p>TEXT
        <table><tr><th>Höhe:<td>30 cm<tr><th>EAN<td>4006381333931</table>
        <h2>Zubehör</h2><p class=product-box>Schirm 99,00 €*""",
        {"price": "1299.00", "regular_price": "1499.00", "currency": "EUR",
         "availability": "InStock", "sku": "ML-10", "gtin": "4006381333931"},
        ["Leuchten", "Tisch"],
    ),
    "a manufacturer without a colon": (
        "fr-FR",
        """<nav class=fil-ariane><a href=/>Accueil</a> &gt; <a href=/12>Lampes</a></nav>
        <h1>Nova</h1><span class=regular-price>89,90 €</span>
        <p class=current-price>71,92 €</p><button>Ajouter au panier</button>
        <p class=product-manufacturer><label>Marque</label> <a href=/m>Moulin</a></p>
        <p>Référence LAIT-22</p><p>Disponible</p>TEXT""",
        {"price": "71.92", "regular_price": "89.90", "brand": "Moulin",
         "sku": "LAIT-22", "availability": "InStock"},
        ["Accueil", "Lampes"],
    ),
    "a page without names": (
        "ja-JP",
        """<p><a href=/>ホーム</a> &gt; <a href=/lamp>ランプ</a></p><h1>Nova</h1>
        <p>販売価格：<b>12,800円</b>(税込)</p><p>通常価格：15,000円</p><p>商品番号：BL-7</p>
        <p>在庫あり</p><input type=submit value="カートに入れる">TEXT""",
        {"price": "12800", "regular_price": "15000", "currency": "JPY", "sku": "BL-7",
         "availability": "InStock"},
        ["ホーム", "ランプ"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TEMPLATES)
def test_products_that_only_their_shops_templates_show(name: str) -> None:
    language, body, fields, steps = TEMPLATES[name]
    body = body.replace("TEXT", f"<p>{PHRASE[language] * 6}</p>")
    html = f"<html lang={language}><title>Nova | Shop</title><body>{body}"
    found = extract(html, url="https://shop.example/l/t/nova").product
    assert found is not None
    assert found.name == "Nova"
    assert {field: getattr(found, field) for field in fields} == fields
    assert [step.name for step in found.breadcrumbs] == steps


def test_many_buttons_are_those_of_a_list() -> None:
    cards = "".join(
        f"<div><h2>Lamp {k}</h2><b>€{k}.00</b><button>Add to cart</button></div>"
        for k in range(5, 8)
    )
    assert page(f"<h1>Lamps</h1>{TEXT}{cards}").product is None


def test_the_way_that_a_style_sheet_turns_round() -> None:
    way = "".join(f"<li><a href=/{k}>{k}</a>" for k in ("Brass lamp", "Lamps", "Home"))
    found = page(f"<ol class=breadcrumbs>{way}</ol>{SHOWN}", script(LAMP)).product
    assert found is not None
    assert [step.name for step in found.breadcrumbs] == ["Home", "Lamps", "Brass lamp"]


@pytest.mark.parametrize(
    ("code", "sku", "gtin"),
    [
        ("a897fe39b1053632", "a897fe39b1053632", None),
        ("9780306406157", None, "9780306406157"),
    ],
)
def test_a_number_of_the_shop_beside_upc_is_its_sku(
    code: str, sku: str | None, gtin: str | None
) -> None:
    text = "<p>A lamp of brass that gives a warm light to those who read at night.</p>"
    page = scrapy_mainpage.extract(
        f"<title>Lamp</title><body><h1>Lamp of brass</h1><p class=price>£12.00</p>"
        f"<button>Add to basket</button>{text * 3}<table><tr><th>UPC<td>{code}"
        "<tr><th>Product Type<td>Lamps</table>"
    )
    assert page.product is not None
    assert (page.product.sku, page.product.gtin) == (sku, gtin)


BRASS_LAMP = (
    "<title>Lamp</title><body><h1>Lamp of brass</h1><p class=price>£12.00</p>"
    "<button>Add to basket</button>{}<p>"
    + "A lamp of brass that gives a warm light to those who read at night. "
    * 3
)


@pytest.mark.parametrize(
    "line",
    [
        "<span>1/5</span>",
        "<p>Only 2 of 5 left</p>",
        "<p>Model is 180 cm tall</p>",
        "<p>Style it 3 ways</p>",
        "<p>SKU:</p><p>Only 3 left</p>",
        "<div class=related-products><p>SKU: OTHER-99</p><p>Brand: Osram</p></div>",
    ],
)
def test_other_numbers_are_neither_rating_nor_code(line: str) -> None:
    product = scrapy_mainpage.extract(BRASS_LAMP.format(line)).product
    assert product is not None
    found = (product.rating, product.sku, product.mpn, product.gtin, product.brand)
    assert found == (None,) * 5


@pytest.mark.parametrize(
    ("shown", "price", "currency"),
    [
        ("<p class=price>1 299,-</p>", "1299", "SEK"),
        ("<p class=price>1.299:-</p>", "1299", "SEK"),
        ("<p>2 l (19,98 kr* / 1 l)</p><p>9,99 kr*</p>", "9.99", "SEK"),
        ("<p>Pris exkl. moms 66,00 kr</p><p>79,20 kr</p>", "79.20", "SEK"),
        ("<p>For AMD 9800X3D and KR 12GB</p><p>79,20 kr</p>", "79.20", "SEK"),
    ],
)
def test_prices_as_shops_write_them(shown: str, price: str, currency: str) -> None:
    text = "<p>Lampan är gjord av mässing och skärmen av linne. </p>" * 6
    html = f"<html lang=sv><h1>Nova</h1>{shown}<button>Lägg i varukorg</button>{text}"
    found = extract(html, url="https://shop.example/nova").product
    assert found is not None
    assert (found.price, found.currency) == (price, currency)


@pytest.mark.parametrize(
    ("lines", "state"),
    [
        ("<p>Out of stock</p><a>Buy now</a>", "OutOfStock"),
        ("<a>Buy now</a><p>Out of stock</p>", "InStock"),
        ("<p>Out of stock</p><button>Add to cart</button>", "InStock"),
    ],
)
def test_advertisements_sell_nothing(lines: str, state: str) -> None:
    html = f"<h1>Lamp</h1><p class=price>£9.00</p>{lines}{TEXT}"
    found = page(html, script({"@type": "Product", "name": "Lamp"})).product
    assert found is not None
    assert found.availability == state


def test_an_offer_that_refers_to_itself_ends() -> None:
    offers = ",".join(['{"@id": "#a"}'] * 60)
    node = f'{{"@type": "Product", "@id": "#a", "name": "Lamp", "offers": [{offers}]}}'
    script = f"<script type='application/ld+json'>{node}</script>"
    product = scrapy_mainpage.extract(BRASS_LAMP.format(script)).product
    assert product is not None
    assert product.price == "12.00"


BUY = "<b class=price>€49.50</b><button>Add to cart</button>"


@pytest.mark.parametrize(
    ("beside", "brand"),
    [
        ("<a href=/marque/12-mill>Mill</a><h1>Brass lamp</h1>", "Mill"),
        ("<h1>Brass lamp</h1><a href='/vendor/mill-works?p=1'>by Mill Works</a>",
         "Mill Works"),
        ("<h1><a href=/collections/mill>Mill</a> Brass lamp</h1>", "Mill"),
        ("<p>Shop</p><h1>Brass lamp</h1>", "Shop"),
        ("<ol class=trail><li><a href=/brand/mill>Mill</a></ol><h1>Brass lamp</h1>",
         "Mill"),
        ("<ol class=breadcrumb><li><a href=/b>Brass</a></ol><h1>Brass lamp</h1>", None),
        ("<a href=/lamps/brass>brass</a><h1>Brass lamp</h1>", None),
        ("<a href=/all-brands>All brands</a><h1>Brass lamp</h1>", None),
        ("<a href=/brands/all>All</a><h1>Brass lamp</h1>", None),
    ],
)  # fmt: skip
def test_the_brand_beside_the_title(beside: str, brand: str | None) -> None:
    found = page(f"<main>{beside}{BUY}{TEXT}</main>").product
    assert found is not None
    assert found.brand == brand
