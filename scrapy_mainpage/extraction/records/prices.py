"""Prices in a text: an amount beside a sign or code of a currency.

>>> read_price("Now only 1.299,00 €")
Price(amount='1299.00', currency='EUR', start=9, end=19)
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from ...addresses import parts_of
from ..document.tags import codes
from ..vocabulary import read_phrases
from .view import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..document.document import Document

MAX_CHARACTERS: Final = 1000
"""Characters of a text that are searched."""

MAX_PRICES: Final = 100
"""Prices of one text."""

MAX_RUNS: Final = 60
"""Pieces of text of one block that are searched."""

_STRUCK: Final = codes("del s strike")
_RAISED: Final = codes("sup sub small")
_OLD_NAME = re.compile(
    r"(?i)(?:^|(?<!with)(?<!has)[\s_-])(?:old|was|strike\w*|struck\w*|line-?through|through|crossed|stroke|before"
    r"|compare|rrp|msrp|uvp|list-?price|regular-?price|original-?price|retail\w*|previous|vorher"
    r"|ancien|antes|anterior|stara|alt|prev)(?:$|[\s_-])|(?<!with-)(?<!has-)(?:old|was|list|compare|retail|original)"
    r"_?-?price|price_?-?(?:old|was|before|original|regular|compare|strike)|line-through"
)
_TAIL = re.compile(r"\W+$")
_CENTS_NAME = re.compile(r"(?i)cent|decimal|fraction|dec\b|sup\b|kop")

_CODES: Final = (
    "AED ALL AMD ARS AUD AZN BAM BDT BGN BHD BRL BYN CAD CHF CLP CNY COP CRC CZK DKK "
    "DOP DZD EGP EUR GBP GEL HKD HRK HUF IDR ILS INR ISK JOD JPY KES KRW KWD KZT LKR "
    "MAD MDL MKD MXN MYR NGN NOK NPR NZD OMR PEN PHP PKR PLN PYG QAR RON RSD RUB SAR "
    "SEK SGD THB TND TRY TWD UAH USD UYU UZS VND ZAR"
).split()
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
    "تومان": "IRT", "ریال": "IRR", "ден": "MKD", "дин": "RSD",
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
}  # fmt: skip
"""Currencies that share a sign, by country; any other has that of :data:`_USUAL`."""

_USUAL: Final = {"$": "USD", "¥": "JPY", "kr": "SEK", "Rs": "INR"}
_COUNTRIES: Final = {"zh": "cn", "nb": "no", "nn": "no", "da": "dk", "is": "is"}
"""Countries of languages that are written in one of them above all."""

_THREE_DECIMALS: Final = frozenset({"BHD", "JOD", "KWD", "OMR", "TND"})
_DIGITS: Final = str.maketrans(
    "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹０１２３４５６７８９٫٬", "0123456789" * 3 + ".,"
)

_NUMBER = re.compile(
    r"(?<![0-9])(?:[0-9]{1,3}(?:[.,'’\xa0\u202f ][0-9]{2,3})*[.,'’\xa0\u202f ][0-9]{3}"
    r"(?:[.,][0-9]{1,2})?|[0-9]{1,10}(?:[.,][0-9]{1,3})?|[.,][0-9]{2})(?![0-9])"
)
_ROUND = re.compile(r"[.,]?[-–—]{1,2}(?=[\s€])|[.,]?[-–—]{1,2}$")
_CENTS = re.compile(r"[0-9]{2}(?![0-9.,])")
_LONGEST: Final = max(map(len, _SIGNS))
_ANY_SIGN: Final = re.compile("|".join([*map(re.escape, _SIGNS), r"R\s?[0-9]"]))
_LEADING: Final = frozenset("$£¥₹")
"""Signs that stand before the amount: before a digit they are of the next one."""


@cache
def _endings(section: str) -> tuple[frozenset[str], tuple[int, ...]]:
    """The phrases of a *section* of the vocabulary, and their lengths."""
    found = frozenset(_TAIL.sub("", each) for each in read_phrases("products")[section])
    return found, tuple(sorted(set(map(len, found))))


def _ends_with(before: str, section: str) -> bool:
    """Whether a text ends with a phrase of a *section*, signs behind it apart."""
    said = _TAIL.sub("", before.casefold())
    phrases, sizes = _endings(section)
    return any(
        said[-size:] in phrases and not said[-size - 1 : -size].isalnum()
        for size in sizes
    )


@lru_cache(maxsize=4096)
def _is_old_name(names: str) -> bool:
    return bool(_OLD_NAME.search(names))


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
    taken = 0
    for match in islice(_NUMBER.finditer(text), MAX_PRICES):
        start, end, number = *match.span(), match[0]
        start, sign = _sign_before(text, start, taken)
        if sign:
            end, code = _sign_after(text, end)
            sign = code if code in _CODES else sign
            end = end if code in _CODES else match.end()
        else:
            end, sign = _sign_after(text, end)
            cents = sign and sign[-1] == "€" and _CENTS.match(text, end)
            if cents and number.isdigit():
                number, end = f"{number}.{cents[0]}", cents.end()
        currency = currency_of(sign, region)
        amount = read_amount(number, currency) if sign else None
        if amount:
            taken = end
            yield Price(amount, currency, start, end)


def _sign_before(text: str, end: int, taken: int) -> tuple[int, str]:
    """The sign before *end* with its place; empty if there is none after *taken*."""
    stop = end
    while (
        stop > taken
        and end - stop < 3
        and (text[stop - 1].isspace() or text[stop - 1] == ":")
    ):
        stop -= 1
    for size in range(min(_LONGEST, stop - taken), 0, -1):
        sign = text[stop - size : stop]
        known = sign in _SIGNS or sign == "R"
        if known and not (
            sign[0].isalpha() and text[stop - size - 1 : stop - size].isalpha()
        ):
            return stop - size, sign
    return end, ""


def _sign_after(text: str, start: int) -> tuple[int, str]:
    """The end of the sign after *start*, and the sign; empty if there is none."""
    dash = _ROUND.match(text, start)
    first = dash.end() if dash else start
    begin = first
    while begin - first < 3 and text[begin : begin + 1].isspace():
        begin += 1
    for size in range(_LONGEST, 0, -1):
        sign, rest = text[begin : begin + size], text[begin + size : begin + size + 1]
        if sign not in _SIGNS or (sign[-1].isalpha() and rest.isalpha()):
            continue
        if sign[-1] not in _LEADING or not rest.isdigit():
            return begin + len(sign), sign
    return start, ""


def read_price(text: str, region: str = "") -> Price | None:
    """The price that a short text says: of several the first that is asked now.

    A number without a currency is one where there is no other.
    """
    found = [*find_prices(text, region)]
    before = [text[max(0, each.start - 30) : each.start] for each in found]
    pairs = [
        (p, b)
        for p, b in zip(found, before, strict=True)
        if not _ends_with(b, "other_price")
    ]
    asked = [price for price, words in pairs if not _ends_with(words, "old_price")]
    if found:
        return next(iter(asked or (price for price, _ in pairs)), None)
    text = text[:MAX_CHARACTERS].translate(_DIGITS)
    match = _NUMBER.search(text)
    amount = read_amount(match[0]) if match else None
    return Price(amount, None, *match.span()) if match and amount else None


def read_amount(number: str, currency: str | None = None) -> str | None:
    """A number of any country as a decimal number; ``None`` for what is none.

    >>> read_amount("1.299,5"), read_amount("1,299"), read_amount("0.99")
    ('1299.5', '1299', '0.99')
    """
    number = number.strip().translate(_DIGITS)
    marks = re.findall("[.,]", number)
    decimals = re.search(r"[.,]([0-9]+)$", number)
    digits = re.sub(r"\D", "", number)
    if not digits or len(digits) > 15:
        return None
    if not decimals or (marks.count(marks[-1]) > 1):
        return str(int(digits))
    places = len(decimals[1])
    if places == 3 and len(set(marks)) == 1 and currency not in _THREE_DECIMALS:
        whole = number[: decimals.start()]
        if whole not in {"", "0"}:
            return str(int(digits))
    return f"{int(digits[:-places] or 0)}.{digits[-places:]}"


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
    tag = re.split("[-_]", (language or "").lower())
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
    before: str
    after: str
    """The text before it, and behind it, in its block."""
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
        if not _ANY_SIGN.search(document.block_text(block)):
            continue
        text, starts, owners = _text_of_runs(document, block)
        for price in find_prices(text, region):
            place = bisect_right(starts, price.end - 1) - 1
            element = owners[place]
            before = text[max(0, price.start - 30) : price.start]
            names = names_of(document, element, ["class"], 2)
            is_old = _ends_with(before, "old_price") or is_struck(document, element)
            is_old = is_old or _is_old_name(names)
            after = text[price.end : price.end + 20]
            spot = (
                element,
                block,
                before,
                after,
                is_old,
                _ends_with(before, "other_price"),
            )
            yield PriceSpot(price, *spot)


def _text_of_runs(document: Document, block: int) -> tuple[str, list[int], list[int]]:
    """The text of a block, and where in it each run begins with its element."""
    runs, tags = document.runs, document.elements.tag
    first = int(document.blocks.first_run[block])
    end = min(int(document.blocks.end_run[block]), first + MAX_RUNS)
    if end - first == 1:
        return document.block_text(block), [0], [int(runs.element[first])]
    text, starts, owners = "", [0], [int(document.blocks.element[block])]
    for run in range(first, end):
        if runs.kind[run]:
            text += " "
            continue
        part = document.text[runs.start[run] : runs.end[run]].decode("utf-8", "replace")
        element = int(runs.element[run])
        if text[-1:].isdigit() and part[:2].isdigit() and not part[2:3].isdigit():
            names = document.attribute(element, "class") or ""
            if tags[element] in _RAISED or _CENTS_NAME.search(names):
                text += "."
        starts.append(len(text))
        owners.append(element)
        text += part
        if len(text) > MAX_CHARACTERS:
            break
    return text, starts, owners


def is_struck(document: Document, element: int) -> bool:
    """Whether *element* is in one of the few elements around it that strike through."""
    tags, parents = document.elements.tag, document.elements.parent
    for _ in range(4):
        if element < 0:
            break
        if tags[element] in _STRUCK:
            return True
        element = int(parents[element])
    return False
