"""The rating, the number of reviews and the features that a product page shows."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from ..vocabulary import read_phrases
from .specifications import MIN_LINES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.schema import Mask
    from .product_page import ProductPage

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
    """The number before a word for reviews, or in brackets behind one; else 0.

    In what is named as a rating brackets are enough.
    """
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
