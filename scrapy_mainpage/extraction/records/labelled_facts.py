"""Facts that a page labels ("Location: Leeds"), where its declaration has none."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ...records import Event, Job, Place, Recipe
from ..metadata.dates import normalise_date
from ..title_rule import letters
from ..vocabulary import read_phrases
from .product_page import ProductPage
from .specifications import find_specifications

if TYPE_CHECKING:
    from .products import Content

_Record = TypeVar("_Record", Job, Event, Recipe, Place)

MAX_TIME: Final = 60 * 24 * 7
"""Minutes of a recipe."""

MAX_DAY: Final = 60
"""Characters of a date."""

MIN_DIGITS: Final = 6
"""Digits of a telephone number."""

_HOURS: Final = re.compile(
    r"(\d+)\s*(?:h\b|hr|hour|std|stunde|heure|hora|ora\b|ore\b|uur|godz|час|ч\b|tim|小时|時間|시간)",
    re.IGNORECASE,
)
_MINUTES: Final = re.compile(r"(\d+)\s*(?:m\b|min|мин|分|분)", re.IGNORECASE)
_POINTS: Final = re.compile(r"\s*\d\d?\.\s?\d\d?\.")
"""Such a date begins with the day."""

_MAIL: Final = re.compile(r"[^\s@<>()]{1,64}@[^\s@<>()]{1,190}\.\w{2,24}")


def _text(value: str) -> str | None:
    return value or None


def _day(value: str) -> str | None:
    """The day, also one to come, in ISO 8601."""
    if known := normalise_date(value):
        return known
    if len(value) > MAX_DAY or not any(map(str.isdigit, value)):
        return None
    import dateparser

    settings: dict[str, Any] = {"REQUIRE_PARTS": ["day", "month", "year"]}
    if _POINTS.match(value):
        settings["DATE_ORDER"] = "DMY"
    found = dateparser.parse(value, settings=settings)
    return found.date().isoformat() if found else None


def _duration(value: str) -> str | None:
    """The time as a duration of ISO 8601: "1 h 30 min" is ``PT1H30M``."""
    hours, minutes = _HOURS.search(value), _MINUTES.search(value)
    total = 60 * int(hours[1][:4]) if hours else 0
    total += int(minutes[1][:5]) if minutes else 0
    if not 0 < total <= MAX_TIME:
        return None
    parts = (f"{total // 60}H" * (total >= 60), f"{total % 60}M" * (total % 60 > 0))
    return "PT" + "".join(parts)


def _telephone(value: str) -> str | None:
    return value if sum(map(str.isdigit, value)) >= MIN_DIGITS else None


def _mail(value: str) -> str | None:
    found = _MAIL.search(value)
    return found[0] if found else None


def _place(value: str) -> Place | None:
    return Place(name=value) if value else None


_Readers = dict[str, Callable[[str], Any]]

#: Fields by record, each with the reader of its value.
_FIELDS: Final[dict[type[Any], _Readers]] = {
    Job: {
        "location": _text,
        "company": _text,
        "employment_type": _text,
        "valid_through": _day,
        "date_posted": _day,
    },
    Event: {"start": _day, "place": _place, "organizer": _text},
    Recipe: {
        "servings": _text,
        "prep_time": _duration,
        "cook_time": _duration,
        "total_time": _duration,
        "cuisine": _text,
    },
    Place: {"address": _text, "telephone": _telephone, "email": _mail},
}


def completed(content: Content, record: _Record) -> _Record:
    """The record with the labelled facts of the page for fields that it leaves open."""
    readers = _FIELDS[type(record)]
    lacking = [name for name in readers if getattr(record, name) is None]
    if not lacking:
        return record
    page = ProductPage(content.document, content.title_block)
    found: dict[str, Any] = {}
    for label, text in find_specifications(page):
        plain = letters(label)
        for name in lacking:
            if name not in found and plain in _labels(name):
                value = readers[name](text)
                found |= {} if value is None else {name: value}
    return replace(record, **found)


@cache
def _labels(name: str) -> frozenset[str]:
    """The labels of a field as letters alone."""
    return frozenset(map(letters, read_phrases("record_facts")[name])) - {""}
