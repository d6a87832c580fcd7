"""Fields of a product in texts that rules of a site have found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..title_rule import letters
from .prices import currency_of, read_price
from .product_declared import read_gtin, read_state
from .product_page import phrases_of
from .specifications import STATES

if TYPE_CHECKING:
    from collections.abc import Mapping

_LABEL: Final = re.compile(r"[^\W\d_][^\d:：]{0,30}[:：]\s*")
"""What stands before a value: "Article number:"."""


def read_fields(texts: Mapping[str, str], region: str) -> dict[str, Any]:
    """The values that the *texts* of fields say, without those that say none.

    *region* is the country of the page (see :func:`.prices.region_of`).
    """
    values: dict[str, str | None] = {}
    for name, text in texts.items():
        if name in {"price", "regular_price"}:
            if price := read_price(text, region, bare=True):
                values[name] = price.amount
                values.setdefault("currency", price.currency)
        else:
            values[name] = _read(name, text, region)
    return {name: value for name, value in values.items() if value}


def _read(name: str, text: str, region: str) -> str | None:
    value = text if name in {"name", "description"} else _LABEL.sub("", text, count=1)
    if name == "gtin":
        return read_gtin(value)
    if name == "currency":
        return currency_of(value.strip(), region)
    if name != "availability":
        return value
    plain = letters(value)
    said = (s for s in STATES if any(each in plain for each in phrases_of(s)))
    return read_state(value) or next(said, None)
