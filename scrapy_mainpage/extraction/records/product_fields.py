"""Price, availability and rating that a page shows, and whether it is of one product.

All candidates stand beside the title. The price is chosen, and the page judged to be
about one product, by the linear models of ``weights/products.json``: what names,
buttons and its place say of each. The others follow labels, or have telling names.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ..metadata.field_models import read_models
from ..title_rule import letters
from ..vocabulary import read_phrases
from .prices import Price, PriceSpot, find_price_spots
from .product_names import Name
from .product_page import phrases_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..document.schema import Doubles
    from .product_page import ProductPage

MAX_SPOTS: Final = 300
LEAST: Final = -4.0
SURE: Final = 1.5
"""Score of a price from which on it is the product's, and from which on it is right
where a declaration differs."""

MAX_APART: Final = 4
"""Blocks between a price and the one that was asked before, or the title and a brand;
words of a label."""

MAX_LINE: Final = 80
"""Characters of a line with a fact."""

MIN_INSIDE: Final = 7
"""Letters of the phrases that are searched inside of a line, too."""

STATES: Final = ("OutOfStock", "Discontinued", "PreOrder", "BackOrder", "InStock")
"""What a page may say of a product, in the order in which it counts."""

_GONE: Final = frozenset(STATES[:2])
_RATING: Final = re.compile(
    r"(?<![0-9.,])(?P<value>[0-9]{1,2}(?:[.,][0-9]{1,2})?)\s*"
    r"(?:(?:/|(?:out of|of|von|sur|de|su|van|av|af|z|ze|из)\s)\s*"
    r"(?P<best>5|10)(?![0-9])|"
    r"(?P<stars>stars|sterne|étoiles|estrellas|stelle|sterren|gwiazdek)\b)"
    r"|^(?P<bare>[0-5][.,][0-9]{1,2})(?:\s*\([^()]*\))?$",
    re.IGNORECASE,
)
_COUNT: Final = re.compile(
    r"(?<![0-9.,])[0-9]{1,3}(?:[.,\u202f\xa0]?[0-9]{3})*(?![0-9])"
)


def odds(model: Mapping[str, float], columns: Mapping[str, Any]) -> Doubles:
    """The log-odds of rows by a *model*, given their *columns* by name."""
    parts = [w * np.array(columns[n], np.float64) for n, w in model.items() if n]
    total: Doubles = np.sum(parts, axis=0)
    return total + model[""]


class SeenPrice(NamedTuple):
    """The price of the product, the one before, how sure it is, all that are shown."""

    price: Price
    regular: str | None
    odds: float
    amounts: tuple[float, ...]


def find_price(page: ProductPage, region: str) -> SeenPrice | None:
    """The likeliest price of the page's product; ``None`` if none is shown."""
    spots = shown_prices(page, region)
    if not spots:
        return None
    return likeliest(
        spots, odds(read_models("products")["price"], price_columns(page, spots))
    )


def likeliest(spots: list[PriceSpot], likely: Doubles) -> SeenPrice:
    """The likeliest of some prices, and the one beside it that was asked before."""
    best = int(np.argmax(likely))
    own = spots[best].price.amount
    regular = (
        spot.price.amount
        for spot in spots
        if spot.is_old
        and abs(spot.block - spots[best].block) <= MAX_APART
        and float(spot.price.amount) > float(own)
    )
    amounts = tuple(float(each.price.amount) for each in spots)
    return SeenPrice(
        spots[best].price, next(regular, None), float(likely[best]), amounts
    )


def shown_prices(page: ProductPage, region: str) -> list[PriceSpot]:
    """The prices of the page, those below the title first."""
    digits = page.document.blocks.digits
    blocks = [block for block in page.blocks if digits[block]]
    blocks.sort(key=lambda block: (block < page.title, abs(block - page.title)))
    found = find_price_spots(page.document, blocks, region)
    return [s for s in islice(found, MAX_SPOTS) if float(s.price.amount)]


def price_columns(page: ProductPage, spots: list[PriceSpot]) -> dict[str, Any]:
    """What is measured of each price, by name."""
    document = page.document
    element = np.array([spot.element for spot in spots], np.int32)
    block = np.array([spot.block for spot in spots], np.int32)
    near, around, apart = page.names(element.tolist())
    after = [spot.text[spot.price.end :].lstrip(" *¹²³)") for spot in spots]
    per = read_phrases("products")["per_price"]
    return {
        "old": [spot.is_old for spot in spots],
        "said": [spot.is_other for spot in spots],
        "price": near & int(Name.PRICE) != 0,
        "product": around & int(Name.PRODUCT) != 0,
        "other": near & int(Name.OTHER) != 0,
        "related": apart & int(Name.RELATED) != 0,
        "linked": document.elements.link[element] >= 0,
        "words": np.log1p(document.blocks.words[block]),
        "per": [text.casefold().startswith(per) for text in after],
        "below": np.log1p(np.maximum(block - page.title, 0)),
        "later": np.log1p(np.arange(len(spots))),
    }


def page_columns(
    page: ProductPage,
    types: Mapping[str, float],
    seen: SeenPrice | None,
    facts: Mapping[str, str],
) -> dict[str, list[float]]:
    """What tells whether a page is about one product, by name; of one row."""
    said = [*page.said.values()]
    carts = said.count("cart")
    found = {
        "price": seen.odds if seen else LEAST,
        "no price": seen is None,
        "cart": carts > 0,
        "many carts": carts > 2,
        "state": any(_said(line) in _states() for line in _stock_lines(page)),
        "sku": "sku" in facts or "gtin" in facts or "mpn" in facts,
        "brand": "brand" in facts,
        "headings": np.log1p(len(page.document.headings)),
        "words": np.log1p(max(int(page.document.blocks.words.sum()), 100)),
        "type": types.get("product", 0.0),
        "list": max(types.get("listing", 0.0), types.get("collection", 0.0)),
        "untyped": not types,
    }
    return {name: [float(value)] for name, value in found.items()}


@cache
def _states() -> dict[str, str]:
    return {each: state for state in reversed(STATES) for each in phrases_of(state)}


@lru_cache(maxsize=4096)
def state_of(line: str) -> str | None:
    """The availability that a short line says, after its label or anywhere in it."""
    plain = _said(line)
    inside = (each for each in _states() if len(each) >= MIN_INSIDE and each in plain)
    return _states().get(plain) or _states().get(max(inside, key=len, default=""))


def _said(line: str) -> str:
    return letters(line.partition(":")[2] or line)


def _stock_lines(page: ProductPage) -> Iterator[str]:
    """The short lines below the title, those of related things apart."""
    for block, line in page.lines:
        if block >= page.title and len(line) <= MAX_LINE and block not in page.aside:
            yield line


def find_state(page: ProductPage) -> str | None:
    """The availability that lines below the title or names of elements say.

    Who can buy a product has it in stock: beside a button lines say the contrary of
    other variants, but for one above all buttons that may be in advertisements.
    """
    found = {*map(state_of, _stock_lines(page))}
    for name, state in ((Name.INSTOCK, "InStock"), (Name.OUTSTOCK, "OutOfStock")):
        found |= {state} if page.named(name) else set()
    if page.is_sold:
        found = (found - _GONE) | {"InStock"}
    return next((state for state in STATES if state in found), None)


def find_rating(page: ProductPage) -> dict[str, Any]:
    """``rating``, ``best_rating`` and ``review_count``, of those that are shown."""
    found: dict[str, Any] = {}
    for line, is_named in _rating_lines(page):
        match = _RATING.search(line)
        # "1/5" alone is a picture of a gallery, "2 of 5" what is left.
        if match and "rating" not in found and (is_named or match["stars"]):
            value = float((match["value"] or match["bare"]).replace(",", "."))
            best = float(match["best"] or 5)
            found |= {"rating": value, "best_rating": best} if value <= best else {}
        if "review_count" not in found and (n := _count_in(line, is_named=is_named)):
            found["review_count"] = n
    return found


@cache
def _reviews() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Words for reviews behind a number, and such words at the end of a text."""
    phrases = sorted(read_phrases("products")["reviews"], key=len, reverse=True)
    words = "|".join(map(re.escape, phrases))
    return re.compile(rf"\s?(?:{words})(?!\w)"), re.compile(rf"(?:{words})\s?\($")


def _count_in(line: str, *, is_named: bool) -> int:
    """The number before a word for reviews, or in brackets behind it or alone; or 0."""
    behind, before = _reviews()
    line = line.casefold()
    for match in _COUNT.finditer(line):
        start, end = match.span()
        in_brackets = line[start - 1 : start] == "(" and line[end : end + 1] == ")"
        named = in_brackets and (is_named or before.search(line, 0, start))
        if named or behind.match(line, end):
            return int("".join(filter(str.isdigit, match[0])))
    return 0


def _rating_lines(page: ProductPage) -> Iterator[tuple[str, bool]]:
    """The lines and labels of what is named as a rating; then lines with a digit."""
    document, named = page.document, set()
    for element in page.named(Name.RATING):
        named.add(int(document.elements.first_block[element]))
        yield (document.attribute(element, "aria-label") or "")[:MAX_LINE], True
    reviews = (*read_phrases("products")["reviews"], "★", "out of")
    for block, line in page.lines:
        is_short = document.blocks.digits[block] and len(line) <= MAX_LINE
        if is_short and block not in page.aside:
            plain = line.casefold()
            yield line, block in named or any(each in plain for each in reviews)
