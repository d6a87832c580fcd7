"""Products: what a page declares, found again after the declaration is taken out.

The truth is what extruct reads. It is counted where the page shows it: an SKU or brand
that no reader sees cannot be found. Rules are written with the sites of half A in view;
those of half B decide. The same pages with their declaration are measured beside them,
and pages of other types for products that are made up.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from typing import Any, NamedTuple

from scrapy_mainpage import extract
from scrapy_mainpage.evaluation.datasets import LabelledPage, decode_page, site_of
from scrapy_mainpage.extraction.title_rule import letters
from scrapy_mainpage.page import Page
from scrapy_mainpage.records import Product

from .pages import measure_others, sampled_sets
from .tables import Table

PAGES = 300
VERDICTS = ("right", "wrong", "none")
MIN_ALIKE = 0.8
"""F1 of words from which on two names are alike."""

MIN_SAME_PAGE = 0.35
"""The same of the name of a page's own product and its title."""

_DECLARES = re.compile(
    r"""(?i)"(?:https?://schema\.org/)?Product|schema\.org/Product|(?:product|og):price"""
)
_PRODUCT = re.compile("(?:^|/)(?:Product|ProductGroup|IndividualProduct)$")
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
_STATES = {"onlineonly": "instock", "instoreonly": "instock", "soldout": "outofstock",
           "limitedavailability": "instock", "discontinued": "outofstock",
           "presale": "preorder", "madetoorder": "backorder"}  # fmt: skip
_HOMES = {"home", "homepage", "startseite", "accueil", "inicio", "stronagłówna"}
Node = Mapping[str, Any]
Truth = dict[str, Any]


class Case(NamedTuple):
    """A page that declares a product with a price, and what it declares."""

    page: LabelledPage
    html: bytes
    truth: Truth

    @property
    def half(self) -> str:
        digest = hashlib.sha256(site_of(self.page.url).encode()).digest()
        return "AB"[digest[2] % 2]

    def verdicts(self) -> Iterator[tuple[str, str, str]]:
        """Each declared field, judged without and with the declaration.

        A field that the page does not show is ``hidden`` without it.
        """
        page = extract(taken_out(self.html), url=self.page.url)
        found = page.product or Product()
        whole = extract(self.html, url=self.page.url).product or Product()
        for field in JUDGES:
            if field.removesuffix(" alike") in self.truth:
                shown = is_shown(field, self.truth, page)
                verdict = judge(field, self.truth, found) if shown else "hidden"
                yield field, verdict, judge(field, self.truth, whole)


def run(options: argparse.Namespace) -> list[Table]:
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for case in cases(options):
        for field, without, own in case.verdicts():
            counts[case.half, field].update([without, f"own {own}"])
    header = ["half", "field", "declared", "visible", *VERDICTS,
              "right with declaration", "wrong with declaration"]  # fmt: skip
    table = Table("products without and with their declaration", header)
    for (half, field), each in sorted(counts.items()):
        declared, visible = each.total() // 2, sum(each[name] for name in VERDICTS)
        shares = (each[name] / max(1, visible) for name in VERDICTS)
        own = (each[f"own {name}"] / declared for name in VERDICTS[:2])
        table.rows.append([half, field, declared, visible, *shares, *own])
    others = measure_others(options.data, options.pages or PAGES, "product")
    return [table, others]


def cases(options: argparse.Namespace) -> Iterator[Case]:
    folders = sorted(file.parent for file in options.data.glob("*/pages.jsonl"))
    sets = (each for folder in folders for each in sampled_sets(folder, options.pages))
    for page in (page for data_set in sets for page in data_set.pages):
        html = page.html()
        if truth := read_truth(decode_page(html), page.url):
            yield Case(page, html, truth)


def taken_out(html: bytes) -> str:
    """The page without scripts, marks of its elements, and previews."""
    text = decode_page(html)
    for pattern in _TAKEN_OUT:
        text = pattern.sub("", text)
    return text


def judge(field: str, truth: Truth, product: Product) -> str:
    value = getattr(product, field.removesuffix(" alike"))
    if not value:
        return "none"
    return "right" if JUDGES[field](truth, value) else "wrong"


def _is_same(field: str) -> Callable[[Truth, Any], bool]:
    return lambda truth, value: letters(str(value)) in map(letters, truth[field])


def _is_near(field: str) -> Callable[[Truth, Any], bool]:
    return lambda truth, value: any(abs(float(value) - t) < 0.06 for t in truth[field])


def _is_alike(truth: Truth, value: str) -> bool:
    return any(alike(value, name) >= MIN_ALIKE for name in truth["name"])


def _is_state(truth: Truth, value: str) -> bool:
    states = (value, truth["availability"][0])
    one, other = (letters(each.rpartition("/")[2]) for each in states)
    return _STATES.get(one, one) == _STATES.get(other, other)


def _is_way(truth: Truth, value: Any) -> bool:
    found = ways_of([step.name for step in value], truth)
    return not found.isdisjoint(ways_of(truth["breadcrumbs"], truth))


JUDGES: dict[str, Callable[[Truth, Any], bool]] = {
    "name": _is_same("name"),
    "name alike": _is_alike,
    "price": _is_near("price"),
    "currency": _is_same("currency"),
    "availability": _is_state,
    **{name: _is_same(name) for name in ("sku", "gtin", "mpn", "brand")},
    "rating": _is_near("rating"),
    "review_count": _is_near("review_count"),
    "breadcrumbs": _is_way,
}


def ways_of(names: list[str], truth: Truth) -> set[tuple[str, ...]]:
    """The way to the page, without the home; with and without the page behind it."""
    steps = [letters(name) for name in names if letters(name)]
    is_home = steps and (steps[0] in _HOMES or truth["site"].startswith(steps[0]))
    steps = steps[bool(is_home) :]
    own = map(letters, truth.get("name", ()))
    is_page = steps and any(steps[-1] in name or name in steps[-1] for name in own)
    return {tuple(steps), tuple(steps[:-1] if is_page else steps)}


def alike(one: str, other: str) -> float:
    """F1 of the words of two names."""
    a, b = (Counter(re.findall(r"\w+", text.casefold())) for text in (one, other))
    return 2 * (a & b).total() / max(1, a.total() + b.total())


def is_shown(field: str, truth: Truth, page: Page) -> bool:
    """Whether the page shows the value; for currency and state: the price."""
    text = " ".join(block.text for block in page.blocks)
    field = field.removesuffix(" alike")
    if field in {"price", "currency", "availability"}:
        return any(_has_number(text, price) for price in truth["price"])
    if field in {"rating", "review_count"}:
        return any(_has_number(text, number) for number in truth[field])
    if field == "breadcrumbs":
        steps = [*map(letters, truth[field])]
        ways = [steps[a:b] for a in (0, 1) for b in (-1, len(steps))]
        lines = (
            "".join(way) for each in ways if len(each) > 1 for way in (each, each[::-1])
        )
        return any(line in letters(text) for line in lines)
    words = (r"[\W_]*".join(map(re.escape, letters(value))) for value in truth[field])
    return any(re.search(rf"(?i)(?<!\w){each}(?!\w)", text) for each in words)


def _has_number(text: str, value: float) -> bool:
    """Whether a number of *text* is *value*, however it is written."""
    digits = f"{value:.2f}".replace(".", "")
    wanted = {digits, digits.removesuffix("00"), digits.removesuffix("0")}
    return any(re.sub(r"\D", "", n[0]) in wanted for n in _NUMBER.finditer(text))


def read_truth(html: str, url: str) -> Truth | None:
    """The values that the page declares of its product; ``None`` without a price."""
    import extruct

    if not _DECLARES.search(html):
        return None
    found = extruct.extract(
        html, url, errors="ignore", uniform=True,
        syntaxes=["json-ld", "microdata", "opengraph"],
    )  # fmt: skip
    nodes = [*_flat([found.get("json-ld"), found.get("microdata")])]
    products = [n for n in nodes if any(map(_PRODUCT.search, _texts(n.get("@type"))))]
    title = re.search("(?is)<title[^>]*>(.*?)</title", html)
    heading = unescape(title[1]) if title else ""
    likeness = {
        alike("".join(_texts(node.get("name"))), heading): node
        for node in products
        if _offers(node)
    }
    if likeness and max(likeness) < MIN_SAME_PAGE:
        return None  # a product of a listing, or beside an article
    own = likeness[max(likeness)] if likeness else {}
    truth = _values(own, next(iter(found.get("opengraph", ())), {}))
    way = next((n for n in nodes if "BreadcrumbList" in _texts(n.get("@type"))), {})
    steps = [*_flat(way.get("itemListElement"))]
    steps.sort(key=lambda step: str(step.get("position")).zfill(4))
    names = (_texts([step.get("name"), step.get("item")])[:1] for step in steps)
    truth["breadcrumbs"] = [name for each in names for name in each]
    truth = {field: values for field, values in truth.items() if values}
    truth["site"] = letters(site_of(url).partition(".")[0])
    return truth if "price" in truth else None


def _values(own: Node, meta: Node) -> Truth:
    offers, ratings = _offers(own), [*_flat(own.get("aggregateRating"))]
    sold = [own, *offers]
    codes = [offer.get("priceCurrency") for offer in offers]
    prices = _of(offers, "price", "lowPrice", "highPrice")
    gtins = (key for each in sold for key in each if key.startswith(("gtin", "isbn")))
    return {
        "name": _texts(own.get("name")) or _texts(meta.get("og:title")),
        "price": _floats(
            [*prices, *_of([meta], "product:price:amount", "og:price:amount")]
        ),
        "currency": _texts(
            [*codes, *_of([meta], "product:price:currency", "og:price:currency")]
        ),
        "availability": _texts(_of(offers, "availability")),
        "sku": _texts(_of(sold, "sku")),
        "gtin": [t for t in _texts(_of(sold, *dict.fromkeys(gtins))) if len(t) > 7],
        "mpn": _texts(own.get("mpn")),
        "brand": _texts(own.get("brand")),
        "rating": _floats(_of(ratings, "ratingValue")),
        "review_count": _floats(_of(ratings, "reviewCount", "ratingCount")),
    }


def _of(nodes: list[Node], *keys: str) -> list[Any]:
    return [node.get(key) for node in nodes for key in keys]


def _offers(node: Node) -> list[Node]:
    """The offers of a product and of its variants that name a price."""
    keys = ("offers", "hasVariant", "priceSpecification")
    found = [each for key in keys[:2] for each in [*_flat(node.get(key))]]
    found += [
        inner for each in found for key in keys for inner in [*_flat(each.get(key))]
    ]
    return [each for each in found if each.get("price") or each.get("lowPrice")]


def _flat(value: Any) -> Iterator[Node]:
    """The nodes in a value, with those of graphs and inside of pages."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, list):
            yield from _flat(each)
        elif isinstance(each, dict):
            yield each
            for key in ("@graph", "mainEntity", "breadcrumb"):
                yield from _flat(each.get(key))


def _texts(value: Any) -> list[str]:
    """The texts of a value; of a node its name."""
    values = value if isinstance(value, list) else [value]
    inner = [v.get("name", v.get("@id")) if isinstance(v, dict) else v for v in values]
    texts = (str(text) for text in inner if isinstance(text, (str, int, float)))
    return [" ".join(unescape(text).split()) for text in texts if letters(text)]


def _floats(values: list[Any]) -> list[float]:
    texts = (re.sub(r",([0-9]{2})$", r".\1", text) for text in _texts(values))
    plain = (text.replace(",", "") for text in texts)
    numbers = [float(t) for t in plain if re.fullmatch(r"[0-9]{1,12}(?:\.[0-9]+)?", t)]
    return [number for number in numbers if number]
