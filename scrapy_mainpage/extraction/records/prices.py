"""Prices in a text: an amount beside a sign or code of a currency.

>>> read_price("Now only 1.299,00 €")
Price(amount='1299.00', currency='EUR', start=9, end=19)
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from ...addresses import parts_of
from ..document.tags import codes
from ..vocabulary import read_phrases
from .product_names import Name, read_names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from ..document.document import Document

MAX_CHARACTERS: Final = 300
"""Characters of a text that are searched, and a tenth as many prices and runs."""

_STRUCK: Final = codes("del s strike")
_RAISED: Final = codes("sup sub small")
_CODES: Final = frozenset(
    "AED ALL AMD ARS AUD AZN BAM BDT BGN BHD BRL BYN CAD CHF CLP CNY COP CRC CZK DKK "
    "DOP DZD EGP EUR GBP GEL HKD HRK HUF IDR ILS INR ISK JOD JPY KES KRW KWD KZT LKR "
    "MAD MDL MKD MXN MYR NGN NOK NPR NZD OMR PEN PHP PKR PLN PYG QAR RON RSD RUB SAR "
    "SEK SGD THB TND TRY TWD UAH USD UYU UZS VND ZAR".split()
)
_SIGNS: Final = {
    "US$": "USD", "U$S": "USD", "AU$": "AUD", "A$": "AUD", "CA$": "CAD", "C$": "CAD",
    "CDN$": "CAD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "R$": "BRL", "MX$": "MXN",
    "NT$": "TWD", "$": "$", "€": "EUR", "£": "GBP", "￡": "GBP", "¥": "¥", "￥": "¥",
    "RMB": "CNY", "元": "CNY", "円": "JPY", "₹": "INR", "Rs.": "Rs", "Rs": "Rs",
    "₽": "RUB", "руб": "RUB", "р.": "RUB", "₩": "KRW", "원": "KRW", "₺": "TRY",
    "TL": "TRY", "₪": "ILS", "₫": "VND", "đ": "VND", "฿": "THB", "บาท": "THB",
    "₱": "PHP", "₦": "NGN", "₴": "UAH", "грн": "UAH", "₸": "KZT", "zł": "PLN",
    "zl": "PLN", "Kč": "CZK", "Ft": "HUF", "lei": "RON", "Lei": "RON", "лв": "BGN",
    "kr": "kr", "Kr": "kr", "KR": "kr", "Fr.": "CHF", "SFr": "CHF", "Euro": "EUR",
    "euro": "EUR", "RM": "MYR", "Rp": "IDR", "د.إ": "AED", "ر.س": "SAR", "دج": "DZD",
    "تومان": "IRT", "ریال": "IRR", "ден": "MKD", "дин": "RSD", ",-": "-", ":-": "-",
    ",–": "-", ".–": "-", ",—": "-", ".—": "-",
    **{code: code for code in _CODES},
}  # fmt: skip
_BY_REGION: Final = {
    "$": {
        "au": "AUD", "ca": "CAD", "nz": "NZD", "sg": "SGD", "hk": "HKD", "mx": "MXN",
        "ar": "ARS", "cl": "CLP", "co": "COP", "tw": "TWD", "uy": "UYU",
    },
    "¥": {"cn": "CNY"},
    "kr": {"no": "NOK", "dk": "DKK", "is": "ISK"},
    "Rs": {"pk": "PKR", "lk": "LKR", "np": "NPR"},
    "-": {"se": "SEK", "no": "NOK", "dk": "DKK", "cz": "CZK", "ch": "CHF"},
}  # fmt: skip
"""Currencies that share a sign, by country; any other has that of :data:`_USUAL`."""

_USUAL: Final = {"$": "USD", "¥": "JPY", "kr": "SEK", "Rs": "INR", "-": "EUR"}
_COUNTRIES: Final = {
    "zh": "cn", "nb": "no", "nn": "no", "da": "dk", "is": "is", "sv": "se", "cs": "cz",
}  # fmt: skip
"""Countries of languages that are written in one of them above all."""

_THREE_DECIMALS: Final = frozenset({"BHD", "JOD", "KWD", "OMR", "TND"})
_DIGITS: Final = str.maketrans(
    "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹０１２３４５６７８９٫٬", "0123456789" * 3 + ".,"
)


_BEFORE: Final = [*(sign for sign, code in _SIGNS.items() if code != "-"), "R"]
_LEADING: Final = "$£¥₹-–—"
"""Signs that before a digit are of the next amount."""


def _any_of(signs: Collection[str], *, is_after: bool) -> str:
    """A pattern of *signs*, the longest first; letters are no part of a word."""
    found: dict[bool, list[str]] = {True: [], False: []}
    for sign in sorted(signs, key=len, reverse=True):
        end = r"(?![^\W\d_])" if sign[-1].isalpha() else ""
        end = "(?![0-9])" if sign[-1] in _LEADING else end
        found[sign[0].isalpha()].append(re.escape(sign) + end * is_after)
    # Once for all letters: a test before each of many signs takes far longer.
    begin = "" if is_after else r"(?<![^\W\d_])"
    words = rf"{begin}(?:{'|'.join(found[True])})"
    return rf"(?:{'|'.join([*found[False], words])})"


_PRICE: Final = re.compile(
    rf"(?:(?P<before>{_any_of(_BEFORE, is_after=False)})[\s:]{{0,3}})?"
    r"(?<![0-9])(?P<number>[0-9]{1,3}(?:[.,'’\xa0\u202f ][0-9]{2,3}){0,5}"
    r"[.,'’\xa0\u202f ][0-9]{3}(?:[.,][0-9]{1,2})?"
    r"|[0-9]{1,10}(?:[.,][0-9]{1,3})?|[.,][0-9]{2})(?![0-9])"
    r"(?:(?:[.,]?[-–—]{1,2}(?=[\s€]|$))?\s{0,2}"
    rf"(?P<after>(?(before){_any_of(_CODES, is_after=True)}|"
    rf"{_any_of(_SIGNS, is_after=True)})))?"
    r"(?P<cents>(?<=[0-9]€)[0-9]{2}(?![0-9.,]))?"
)
_ANY_SIGN: Final = re.compile(_any_of(_SIGNS, is_after=False) + r"|R\s?[0-9]")


class Price(NamedTuple):
    """An amount as a decimal number, the code of its currency, its place in a text."""

    amount: str
    currency: str | None
    start: int = 0
    end: int = 0


def find_prices(text: str, region: str = "") -> Iterator[Price]:
    """The prices of a *text*, in its order.

    *region* is the country of the page (see :func:`region_of`); it says which dollar,
    krone or yen a sign is of.
    """
    text = text[:MAX_CHARACTERS].translate(_DIGITS)
    for match in islice(_PRICE.finditer(text), MAX_CHARACTERS // 10):
        before, number, after, cents = match.groups()
        # "$5 CAD": a code says more than a sign.
        sign = after if after in _CODES else before or after
        currency = currency_of(sign, region)
        # "AMD 9800X3D" and "KR 12GB" name a thing.
        is_name = before and before.isalpha() and not after and number.isdigit()
        if is_name and text[match.end() : match.end() + 1].isalpha():
            continue
        number = f"{number}.{cents}" if cents and number.isdigit() else number
        amount = read_amount(number, currency) if sign else None
        if amount:
            yield Price(amount, currency, match.start(), match.end())


def read_price(text: str, region: str = "") -> Price | None:
    """The price that a short text says: of several the first that is asked now.

    A number without a currency is one where there is no other.
    """
    found = [*find_prices(text, region)]
    before = [text[max(0, each.start - 30) : each.start] for each in found]
    asked = [
        (_ends_with(words, "old_price"), price.start, price)
        for price, words in zip(found, before, strict=True)
        if not _ends_with(words, "other_price")
    ]
    if found:
        return min(asked)[2] if asked else None
    text = text[:MAX_CHARACTERS].translate(_DIGITS)
    match = _PRICE.search(text)
    amount = read_amount(match["number"]) if match else None
    return Price(amount, None, *match.span("number")) if match and amount else None


def read_amount(number: str, currency: str | None = None) -> str | None:
    """A number of any country as a decimal number; ``None`` for what is none.

    >>> read_amount("1.299,5"), read_amount("1,299"), read_amount("0.99")
    ('1299.5', '1299', '0.99')
    """
    number = number.strip().translate(_DIGITS)
    digits = "".join(filter(str.isdigit, number))
    if not digits or len(digits) > 15:
        return None
    marks = [mark for mark in number if mark in ".,"]
    whole, _, decimals = number.rpartition(marks[-1]) if marks else (number, "", "")
    is_grouped = len(decimals) == 3 and len(set(marks)) == 1
    is_grouped = (
        is_grouped and currency not in _THREE_DECIMALS and whole not in {"", "0"}
    )
    if not decimals.isdigit() or marks.count(marks[-1]) > 1 or is_grouped:
        return str(int(digits))
    return f"{int(digits[: -len(decimals)] or 0)}.{decimals}"


def currency_of(sign: str | None, region: str = "") -> str | None:
    """The code of ISO 4217 of a sign or code; ``None`` for an unknown one."""
    if sign == "R":
        return "ZAR"
    code = _SIGNS.get(sign or "") or _SIGNS.get((sign or "").strip().upper())
    if code in _USUAL:
        return _BY_REGION[code].get(region, _USUAL[code])
    return code


def region_of(url: str | None, language: str | None) -> str:
    """The country of a page in lower case, by its language tag or its host; or "".

    >>> region_of("https://a.example.com.au/", "en"), region_of(None, "sv-SE")
    ('au', 'se')
    """
    tag = (language or "").lower().replace("_", "-").split("-")
    if len(tag) > 1 and len(tag[-1]) == 2 and tag[-1] != "us":
        return tag[-1]
    ending = (parts_of(url).hostname or "").rpartition(".")[2]
    if len(ending) == 2 and ending not in {"io", "co", "ai", "me", "tv"}:
        return ending
    return _COUNTRIES.get(tag[0], "")


class PriceSpot(NamedTuple):
    """A price on the page: its innermost element, its block, how it stands there."""

    price: Price
    element: int
    block: int
    text: str
    """The text of its block, in which it has its place."""
    is_old: bool
    """Whether it is struck through, or its classes or words say that it was before."""
    is_other: bool
    """Whether its words say that it is no price of a thing: shipping, an instalment."""


def find_price_spots(
    document: Document, blocks: Iterable[int], region: str = ""
) -> Iterator[PriceSpot]:
    """The prices of the *blocks*, each with its place.

    Raised cents (``12<sup>99</sup>``) are read as such.
    """
    for block in blocks:
        if not _ANY_SIGN.search(document.block_text(block)[:MAX_CHARACTERS]):
            continue
        text, starts, owners = _text_of_runs(document, block)
        for price in find_prices(text, region):
            element = owners[bisect_right(starts, price.end - 1) - 1]
            before = text[max(0, price.start - 30) : price.start]
            is_old = _ends_with(before, "old_price") or _is_old(document, element)
            is_other = _ends_with(before, "other_price")
            yield PriceSpot(price, element, block, text, is_old, is_other)


@cache
def _endings(section: str) -> tuple[frozenset[str], tuple[int, ...]]:
    """The phrases of a *section* of the vocabulary, and their lengths."""
    found = frozenset(map(_without_marks, read_phrases("products")[section]))
    return found, tuple(sorted(set(map(len, found))))


def _without_marks(text: str) -> str:
    end = len(text)
    while end and not (text[end - 1].isalnum()):
        end -= 1
    return text[:end]


def _ends_with(before: str, section: str) -> bool:
    """Whether a text ends with a phrase of a *section*, signs behind it apart."""
    said = _without_marks(before.casefold())
    phrases, sizes = _endings(section)
    return any(
        said[-size:] in phrases and not said[-size - 1 : -size].isalnum()
        for size in sizes
    )


def _text_of_runs(document: Document, block: int) -> tuple[str, list[int], list[int]]:
    """The text of a block, and where in it each run begins with its element."""
    runs, tags = document.runs, document.elements.tag
    first = int(document.blocks.first_run[block])
    end = min(int(document.blocks.end_run[block]), first + MAX_CHARACTERS // 10)
    if end - first == 1:
        return document.block_text(block), [0], [int(runs.element[first])]
    text, starts, owners = "", [0], [int(document.blocks.element[block])]
    for run in range(first, end):
        if runs.kind[run]:
            text += " "
            continue
        part = document.text[runs.start[run] : runs.end[run]].decode("utf-8", "replace")
        element = int(runs.element[run])
        if text[-1:].isdigit() and part[:1].isdigit():
            is_cents = part[:2].isdigit() and not part[2:3].isdigit()
            is_raised = tags[element] in _RAISED or _are_said(
                document, element, Name.CENTS
            )
            text += "." if is_cents and is_raised else " "
        starts.append(len(text))
        owners.append(element)
        text += part
        if len(text) > MAX_CHARACTERS:
            break
    return text, starts, owners


def _are_said(document: Document, element: int, name: Name) -> bool:
    """Whether class or id of an *element* say the *name*."""
    return int(document.once(read_names)[element]) & name != 0


def _is_old(document: Document, element: int) -> bool:
    """Whether one of few elements around it strikes *element* through or says so."""
    tags, parents = document.elements.tag, document.elements.parent
    for level in range(4):
        is_named = level < 2 and _are_said(document, element, Name.OLD)
        if element < 0 or tags[element] in _STRUCK or is_named:
            return element >= 0
        element = int(parents[element])
    return False
