"""Dates as written, to ISO 8601, no more precise than they were given.

ISO dates, epochs and compact forms are read here, all others as :mod:`.written_dates`
finds them in a text. One that can be read in two ways (03/04/2020) is only read where
the page's language settles it.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone, tzinfo
from email.utils import parsedate_tz
from functools import lru_cache
from string import ascii_uppercase
from typing import Final

from .written_dates import PERSIAN_LANGUAGES, find_dates, find_month, gregorian

FIRST_YEAR: Final = 1990
MAX_DATE_CHARACTERS: Final = 100
MAX_TO_CLOCK: Final = 16
"""Characters between a date and its time."""

_SLACK: Final = timedelta(days=2)

# PHP's "T" gives the zone's abbreviation where ISO has the letter: 2018-11-28CET11:59.
_ISO: Final = re.compile(
    r"([0-9]{4})(?:[-/]([0-9]{1,2})(?:-([0-9]{1,2})"
    r"(?:(?:\s|[A-Z]{1,4})\s*([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,:]([0-9]{1,9}))?)?"
    r"\s*(Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)?(?:\s*(?:Z|UTC))?)?)?)?",
    re.IGNORECASE,
)
_COMPACT: Final = re.compile(
    r"([0-9]{4})([0-9]{2})([0-9]{2})(?:T?([0-9]{2})([0-9]{2})([0-9]{2})?)?()"
    r"([+-][0-9]{4}|Z)?Z?"
)
_EPOCH: Final = re.compile(r"1[0-9]{9}(?:[0-9]{3})?")
_CLOCK: Final = re.compile(
    r"(?<![0-9])(?P<half>오전|오후|午前|午後|上午|下午|晚上)?\s?(?P<hour>[0-9]{1,2})"
    r"(?:\s?[:h]\s?(?=[0-9])|\.(?=[0-9]{2}(?![.0-9]))|\s?[時时點点시]\s?)"
    r"(?P<minute>[0-9]{1,2})?(?![0-9])(?::(?P<second>[0-9]{2})(?:[.,][0-9]+)?)?"
    r"(?:\s?(?P<after>[ap])\.?m\b)?(?:\s?(?P<zone>(?-i:[A-Z]{3,4})?\s?[+-][0-9]{2}"
    r"(?::?[0-9]{2})?(?![0-9])|(?-i:Z|[A-Z]{3})\b))?",
    re.IGNORECASE,
)
_AFTERNOON: Final = frozenset({"오후", "午後", "下午", "晚上", "p"})
_OTHER_DIGIT: Final = re.compile(r"(?![0-9])\d")


def normalise_date(value: object, language: str | None = None) -> str | None:
    """*value* (a string, or seconds or milliseconds since 1970) as ISO 8601.

    Only the parts that it gives: ``"2020"``, ``"2020-03"``, ``"2020-03-04T10:00"``.
    *language*, a BCP 47 tag, settles the order of day and month. ``None`` for what is
    no date, before 1990 or more than two days ahead.

    >>> normalise_date("Wed, 04 Mar 2020 10:00:00 GMT")
    '2020-03-04T10:00:00+00:00'
    >>> normalise_date("03/04/2020"), normalise_date("03/04/2020", "en-gb")
    (None, '2020-04-03')
    """
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value) if 0 < value < 10**14 else None
    if not isinstance(value, str) or len(value) > MAX_DATE_CHARACTERS:
        return None
    try:
        return _read(_with_plain_digits(value).strip(" \t\r\n\"'"), language)
    except (ValueError, OverflowError):
        return None


def is_iso_date(text: str) -> bool:
    """Whether *text* has the form of an ISO date, a year at least."""
    return len(text) <= MAX_DATE_CHARACTERS and bool(_ISO.fullmatch(text))


def dates_in(text: str) -> list[tuple[int, str]]:
    """The dates in *text* that have a day and a year, each with its place."""
    text = _with_plain_digits(text)
    found = find_dates(text)
    return [(day.start, text[day.start : day.end]) for day in found]


def _with_plain_digits(text: str) -> str:
    if text.isascii() or not _OTHER_DIGIT.search(text):
        return text
    return "".join(str(int(c)) if c.isdecimal() else c for c in text)


@lru_cache(maxsize=1024)
def _read(text: str, language: str | None) -> str | None:
    own = (language or "").partition("-")[0]
    match = _ISO.fullmatch(text) or _COMPACT.fullmatch(text)
    if match and not (own in PERSIAN_LANGUAGES and text < str(FIRST_YEAR)):
        return _from_parts(*match.groups())
    if _EPOCH.fullmatch(text):
        moment = datetime.fromtimestamp(int(text[:10]), timezone.utc)
        return _checked(moment, moment.isoformat())
    written = next(find_dates(text, language), None)
    if written is None:
        year, month = find_month(text, language)
        first = gregorian(year, month, 1) if month else None
        return _checked(first, first.isoformat()[: len("2020-03")]) if first else None
    order = written.month, written.day
    if written.sign and (own_order := _order(*order, written.sign, language)) != order:
        if own_order is None:
            return None
        order = own_order
    day = gregorian(written.year, *order, own)
    if day is None:
        return None
    return _checked(day, _with_clock(text, written.start, written.end, day))


def _with_clock(text: str, start: int, end: int, day: date) -> str:
    """The *day* with its time, which stands behind it in the *text*, or before."""
    inside = text[start:end] if ":" in text[start:end] else ""
    before = text[max(0, start - MAX_TO_CLOCK) : start]
    found = clock_in(text[end:]), _CLOCK.search(inside), _CLOCK.search(before)
    if (match := next(filter(None, found), None)) is None:
        return day.isoformat()
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    half = (match["half"] or match["after"] or "").lower()
    if half:
        hour = hour % 12 + 12 * (half in _AFTERNOON)
    if hour > 23 or minute > 59:
        return day.isoformat()
    moment = datetime(
        day.year, day.month, day.day, hour, minute, int(match["second"] or 0),
        tzinfo=_zone(match["zone"]),
    )  # fmt: skip
    return moment.isoformat(timespec="seconds" if match["second"] else "minutes")


def clock_in(text: str) -> re.Match[str] | None:
    """The time at the beginning of a *text*, after a few characters."""
    match = _CLOCK.search(text)
    return match if match and match.start() <= MAX_TO_CLOCK else None


def _zone(text: str | None) -> tzinfo | None:
    """The zone that is written behind a time; ``None`` for an unknown abbreviation."""
    name = (text or "").replace(":", "").replace(" ", "")
    offset = name.lstrip(ascii_uppercase)
    if offset or name in {"", "Z", "UTC", "GMT"}:
        return _offset(offset or name)
    parts = parsedate_tz(f"1 Jan 2000 00:00:00 {name}")
    seconds = parts[9] if parts else None
    return timezone(timedelta(seconds=seconds)) if seconds else None


def _from_parts(*parts: str | None) -> str | None:
    _, month, day, hour, _, second, fraction, zone = parts
    least = zip(parts, "111000", strict=False)
    text = " ".join(part or low for part, low in least)
    moment = datetime.strptime(text, "%Y %m %d %H %M %S")
    microsecond = int((fraction or "0").ljust(6, "0")[:6])
    moment = moment.replace(microsecond=microsecond, tzinfo=_offset(zone))
    if month is None:
        return _checked(moment, f"{moment.year}")
    if day is None:
        return _checked(moment, f"{moment.year}-{moment.month:02}")
    if hour is None:
        return _checked(moment, moment.date().isoformat())
    return _checked(moment, moment.isoformat(timespec="auto" if second else "minutes"))


def _offset(zone: str | None) -> tzinfo | None:
    if not zone:
        return None
    if zone.upper() in {"Z", "UTC", "GMT"}:
        return timezone.utc
    return datetime.strptime(zone.replace(":", "").ljust(5, "0"), "%z").tzinfo


def _checked(moment: date, text: str) -> str | None:
    """*text*, if the *moment* that it stands for can be a page's date."""
    day = moment.date() if isinstance(moment, datetime) else moment
    latest = datetime.now(timezone.utc).date() + _SLACK
    return text if date(FIRST_YEAR, 1, 1) <= day <= latest else None


def _order(
    month: int, day: int, sign: str, language: str | None
) -> tuple[int, int] | None:
    """Month and day of a date that is written day first, where that is settled.

    By the numbers, the sign between them, or the language.
    """
    if month > 12 >= day:
        return day, month
    if day > 12 or day == month or sign == ".":
        return month, day
    if language in {None, "en", "en-ca", "en-ph"}:
        return None
    return (day, month) if language == "en-us" else (month, day)
