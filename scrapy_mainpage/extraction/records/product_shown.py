"""The price, the rating and the features that a product page shows."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..vocabulary import read_phrases
from .prices import Price, PriceSpot, find_price_spots
from .specifications import MIN_LINES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.schema import Mask
    from .product_page import ProductPage

MAX_SPOTS: Final = 300
"""Prices among which the product's is searched, from the title on."""

MAX_DISTANCE: Final = 250
"""Text blocks below the title that are searched."""

MIN_SCORE: Final = 2.0
"""The least score of the product's price; see :func:`_score`."""

SURE_SCORE: Final = 5.0
"""The score from which on what is seen is right where a declaration differs."""

LIKELY_SCORE: Final = 4.0
"""The same where a button is on a page with too little text to have a type."""

MAX_LABEL: Final = 14
"""Characters before a price that are no sentence."""

_LEVELS: Final = 5
_NEAR: Final = 3
_PRICE_NAME: Final = re.compile(
    r"(?i)price|preis|prix|precio|prezzo|preco|cena|amount|\bprc"
)
_NOW_NAME: Final = re.compile(
    r"(?i)current|sale|final|special|actual|our-?price|now|main-?price|product-?price|"
    r"price-?product|buy-?box|pdp|summary|offer"
)
_OTHER_NAME: Final = re.compile(
    r"(?i)shipping|delivery|unit-?price|price-?per|per-?unit|base-?price|instal|klarna|afterpay|"
    r"affirm|sezzle|monthly|financ|saving|discount|you-?save|coupon|badge|threshold|total|"
    r"warranty|protection|option|add-?on|filter|tax|subscri|versand|rate|footnote"
)
_AFTER: Final = re.compile(
    r"(?i)\s*(?:/|per\b|pro\b|par\b|je\b|x\s?[0-9]|a month|monthly|mtl|off\b|rabatt|"
    r"save|sparen|shipping|versand|delivery|\+)"
)
MAX_LINE: Final = 80
"""Characters of a line with a rating."""

MAX_BEFORE: Final = 3
MAX_AFTER: Final = 60
"""Blocks above and below the title in which a rating is the product's."""

MAX_FEATURES: Final = 50
MIN_WORDS: Final = 3
"""Words of a feature, in the mean of a list."""

_RATING: Final = re.compile(
    r"(?<![0-9.,])([0-9]{1,2}(?:[.,][0-9]{1,2})?)\s*"
    r"(?:(?:/|(?:out of|of|von|sur|de|su|van|av|af|z|ze|из)\s)\s*(5|10)(?![0-9])|"
    r"(?:stars|sterne|étoiles|estrellas|stelle|sterren|gwiazdek)\b)",
    re.IGNORECASE,
)
_COUNT: Final = re.compile(
    r"(?<![0-9.,])(?:[0-9]{1,3}(?:[.,\u202f\xa0][0-9]{3})+|[0-9]{1,6})(?![0-9])"
)
_BARE: Final = re.compile(r"([0-5][.,][0-9]{1,2})(?:\s*\([0-9.,]+\))?")
_NAME: Final = re.compile(
    r"(?i)rating|rated|review|\bstars?\b|bewertung|avis\b|stern|étoile|estrell|stell[ae]"
    r"|★|out of [0-9]"
)
_WORDS: Final = (b"ating", b"eview", b"stars", b"ewertung")


class SeenPrice(NamedTuple):
    """The price of the product, the one before a reduction, and how sure they are.

    ``amounts`` are those of all prices on the page.
    """

    price: Price
    regular: str | None
    score: float
    amounts: frozenset[float]


def find_price(page: ProductPage, region: str) -> SeenPrice | None:
    """The price of the page's product; ``None`` if none is likely enough."""
    digits = page.document.blocks.digits
    blocks = [block for block in page.blocks if digits[block]]
    below = [b for b in blocks if 0 <= b - page.title <= MAX_DISTANCE]
    above = [block for block in blocks if block < page.title]
    order = (*below, *reversed(above))
    spots = [*islice(find_price_spots(page.document, order, region), MAX_SPOTS)]
    asked = [s for s in spots if not (s.is_old or s.is_other) and float(s.price.amount)]
    scores = _scores(page, asked)
    best = max(scores, key=lambda amount: scores[amount][0], default=None)
    if best is None or scores[best][0] < MIN_SCORE:
        return None
    score, spot = scores[best]
    amounts = frozenset(float(each.price.amount) for each in spots)
    return SeenPrice(spot.price, _regular(page, spots, spot), score, amounts)


def _scores(
    page: ProductPage, spots: list[PriceSpot]
) -> dict[str, tuple[float, PriceSpot]]:
    """Of each amount its best spot, and its score with those of its repetitions."""
    cards = _templates_of_cards(page, spots)
    found: dict[str, list[tuple[float, int, PriceSpot]]] = defaultdict(list)
    for spot in spots:
        score = _score(page, spot)
        if int(page.document.templates[spot.element]) in cards:
            score -= 2
        found[spot.price.amount].append((score, -spot.block, spot))
    best = {}
    for amount, rated in found.items():
        score, _, spot = max(rated)
        again = sum(other > MIN_SCORE for other, *_ in rated) - 1
        best[amount] = (score + 0.5 * min(max(again, 0), 2), spot)
    return best


def _templates_of_cards(page: ProductPage, spots: list[PriceSpot]) -> set[int]:
    """The templates that show several prices: of cards, of rows of a table."""
    amounts: dict[int, set[str]] = defaultdict(set)
    counts: Counter[int] = Counter()
    for spot in spots:
        template = int(page.document.templates[spot.element])
        counts[template] += 1
        amounts[template].add(spot.price.amount)
    return {t for t in counts if counts[t] > 2 and len(amounts[t]) > 1}


@lru_cache(maxsize=4096)
def _kinds_of(name: str) -> tuple[bool, bool, bool]:
    """Whether classes name a price, the one that is asked now, and another one."""
    patterns = (_PRICE_NAME, _NOW_NAME, _OTHER_NAME)
    price, now, other = (bool(pattern.search(name)) for pattern in patterns)
    return price, now, other


def _score(page: ProductPage, spot: PriceSpot) -> float:
    document, element = page.document, spot.element
    kinds = [_kinds_of(name) for name in page.names(element, _LEVELS)]
    score = 2.0 * any(kind[0] for kind in kinds[:_NEAR])
    score += 1.0 * any(kind[1] for kind in kinds)
    score -= 3.0 * any(kind[2] for kind in kinds[:_NEAR])
    if page.is_aside(element):
        score -= 4
    if document.elements.link[element] >= 0:
        score -= 3
    length = len(page.texts[spot.block])
    begins = spot.price.start <= MAX_LABEL
    score += 1 if length <= 30 or begins else -min(length / 60, 2)
    score -= 2.5 * bool(_AFTER.match(spot.after))
    score += _nearness(spot.block - page.title)
    distance = min((abs(b - spot.block) for b in page.buttons), default=1000)
    return score + (1.5 if distance <= 8 else 0.75 if distance <= 20 else 0)


def _nearness(distance: int) -> float:
    """How near a block is below the title; of one above it less."""
    if distance < 0:
        return 1.5 if distance > -5 else 0.5 if distance > -8 else -1.0
    steps = ((12, 2.0), (40, 1.0), (100, 0.0))
    return next((score for most, score in steps if distance <= most), -1.0)


def _regular(page: ProductPage, spots: list[PriceSpot], own: PriceSpot) -> str | None:
    """The higher price beside the own one that was asked before."""
    for spot in spots:
        near = abs(spot.block - own.block) <= 4 and not page.is_aside(spot.element)
        is_higher = float(spot.price.amount) > float(own.price.amount)
        if spot.is_old and near and is_higher:
            return spot.price.amount
    return None


def find_rating(page: ProductPage) -> dict[str, Any]:
    """``rating``, ``best_rating`` and ``review_count``, of those that are shown."""
    found: dict[str, Any] = {}
    for line, is_named in _lines(page):
        match = _RATING.search(line)
        # "1/5" alone is a picture of a gallery, "2 of 5" what is left.
        if match and match[2] and not (is_named or _NAME.search(line)):
            match = None
        match = match or (_BARE.fullmatch(line) if is_named else None)
        if match and "rating" not in found and (value := _number(match[1])):
            best = int((match.re is _RATING and match[2]) or 5)
            if value <= best:
                found |= {"rating": value, "best_rating": float(best)}
        if "review_count" not in found and (n := _count_in(line, is_named=is_named)):
            found["review_count"] = n
        if len(found) > 2:
            break
    return found


def _number(text: str) -> float:
    return float(text.replace(",", "."))


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
            return int(re.sub(r"\D", "", match[0]))
    return 0


def _lines(page: ProductPage) -> Iterator[tuple[str, bool]]:
    """The lines and labels of what is named as a rating; then lines with a digit."""
    document = page.document
    for element in page.elements_named(*_WORDS):
        first = int(document.elements.first_block[element])
        is_near = -MAX_BEFORE <= first - page.title <= MAX_AFTER
        if is_near and not page.is_aside(element):
            yield (document.attribute(element, "aria-label") or "")[:MAX_LINE], True
            is_line = int(document.elements.end_block[element]) - first == 1
            text = page.texts.get(first, "") if is_line else ""
            if len(text) <= MAX_LINE and _NAME.search(page.name(element)):
                yield text, True
    digits = document.blocks.digits
    for block, line in page.lines:
        is_below = block >= page.title - MAX_BEFORE
        if is_below and digits[block] and len(line) <= MAX_LINE:
            element = int(document.blocks.element[block])
            if not page.is_aside(element):
                yield line, False


def find_features(page: ProductPage, main: Mask) -> tuple[str, ...]:
    """The lines of the first list of whole phrases in the main content."""
    document = page.document
    blocks, parents = document.blocks, document.elements.parent
    lists: dict[int, dict[int, str]] = {}
    for block, text in page.texts.items():
        item = int(blocks.item[block])
        if item >= 0 and block > page.title and main[block]:
            # Of an item with several blocks the text is no line.
            lines = lists.setdefault(int(parents[item]), {})
            lines[item] = "" if item in lines or blocks.linked_words[block] else text
    for element, lines in lists.items():
        texts = [text for text in lines.values() if text]
        words = sum(len(text.split()) for text in texts)
        is_list = len(texts) == len(lines) >= MIN_LINES
        if is_list and words >= MIN_WORDS * len(texts) and not page.is_aside(element):
            return tuple(texts[:MAX_FEATURES])
    return ()
