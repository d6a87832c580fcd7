"""Dates as written, to ISO 8601, no more precise than they were given.

ISO dates, epochs and numbers are read here, dates in words by dateparser. A date that
can be read in two ways (03/04/2020) is only read where the page's language settles it.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Any

from .calendars import foreign_dates, to_gregorian

FIRST_YEAR = 1990
_OWN_FORMS = ("fa", "ps", "ckb", "lt", "lv")
"""Languages whose dates are of another calendar or form even in plain letters."""
MAX_DATE_CHARACTERS = 100
"""dateparser takes < 20 ms for so many, whatever they are."""

_SLACK = timedelta(days=2)

# PHP's "T" gives the zone's abbreviation where ISO has the letter: 2018-11-28CET11:59.
_ISO = re.compile(
    r"([0-9]{4})(?:[-/]([0-9]{1,2})(?:-([0-9]{1,2})"
    r"(?:(?:\s|[A-Z]{1,4})\s*([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,:]([0-9]{1,9}))?)?"
    r"\s*(Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)?(?:\s*(?:Z|UTC))?)?)?)?",
    re.IGNORECASE,
)
_COMPACT = re.compile(
    r"([0-9]{4})([0-9]{2})([0-9]{2})(?:T?([0-9]{2})([0-9]{2})([0-9]{2})?)?()"
    r"([+-][0-9]{4}|Z)?Z?"
)
_EPOCH = re.compile(r"1[0-9]{9}(?:[0-9]{3})?")
_YEAR_FIRST = re.compile(
    r"(?P<year>[0-9]{4})\s*[-/.年년]\s*(?P<month>[0-9]{1,2})\s*[-/.月월]\s*"
    r"(?P<day>[0-9]{1,2})[日일]?"
)
_NUMBERS = re.compile(
    r"(?<![0-9])([0-9]{1,2})\s*([-/.])\s*([0-9]{1,2})\s*\2\s*([0-9]{4})(?![0-9])"
)
# The zone of far more pages than Israel's and Ireland's, which dateparser takes.
_INDIAN = re.compile(r"\bIST\b")
_NOISE = re.compile(
    r"\b[A-Z]{3,4}(?=[+-][0-9])|\([^)]*\)|\[[^\]]*\]|\b(?:hrs?|uhr|o'clock)\b\.?",
    re.IGNORECASE,
)
_WRITTEN = re.compile(r"(?=.*(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])).*[^\W\d_]{2}")
_LABEL = re.compile(r"^\D{1,40}:\s")
_DAY = re.compile(
    r"(?<![0-9])(?<![0-9]:)[0-9]{1,2}(?:st|nd|rd|th|er|º|\.)?\s*(?:de\s+|of\s+)?"
    r"[^\W\d_]{3,12}[.,]?\s*(?:del?\s+)?[0-9]{4}(?![0-9])"
    r"|(?<![^\W\d_])[^\W\d_]{3,12}\.?\s+[0-9]{1,2}(?:st|nd|rd|th)?,?\s+[0-9]{4}(?![0-9])"
)
# Tried after the declared language; all 200 of dateparser take seconds to load.
_LANGUAGES = tuple(
    "en de fr es it pt nl pl ru uk cs sv da nb fi hu ro tr el bg ja zh ko ar".split()
)
# What dateparser takes milliseconds for: most dates of forums, lists and bylines.
_MONTH_NAMES = (
    "january jan januar januari janvier janv enero ene gennaio gen janeiro"
    " stycznia января",
    "february feb februar februari février févr fevr febrero febbraio fevereiro fev"
    " lutego февраля",
    "march mar märz mrz maart mars marzo março marca марта",
    "april apr avril avr abril abr aprile kwietnia апреля",
    "may mai mei mayo maggio mag maio maj maja мая",
    "june jun juni juin junio giugno giu junho czerwca июня",
    "july jul juli juillet juil julio luglio lug julho lipca июля",
    "august aug août aout agosto ago augustus augusti sierpnia августа",
    "september sep sept septembre septiembre settembre setembro września сентября",
    "october oct oktober okt octobre octubre ottobre ott outubro października октября",
    "november nov novembre noviembre novembro listopada ноября",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro"
    " grudnia декабря",
)
_MONTH_OF = {
    name: month for month, names in enumerate(_MONTH_NAMES, 1) for name in names.split()
}
_PLAIN = re.compile(
    r"(?:[^\W\d_]{2,12}\.?,?\s{1,3})?"
    r"(?:(?P<day>[0-9]{1,2})(?:st|nd|rd|th|er|º|\.)?\s{1,3}(?:de\s{1,3}|of\s{1,3})?"
    r"(?P<name>[^\W\d_]{3,12})\.?,?\s{1,3}(?:del?\s{1,3})?(?P<year>[0-9]{4})"
    r"|(?P<first>[^\W\d_]{3,12})\.?\s{1,3}(?P<second>[0-9]{1,2})(?:st|nd|rd|th)?,?\s{1,3}"
    r"(?P<last>[0-9]{4}))"
    r"(?:\s{0,2}[,:|–-]?\s{0,2}(?:at\s{1,3}|um\s{1,3}|à\s{1,3}|kl\.?\s{1,3})?"
    r"(?P<hour>[01]?[0-9]|2[0-3]):(?P<minute>[0-5][0-9])(?::(?P<seconds>[0-5][0-9]))?"
    r"\s?(?P<half>[ap]\.?m\.?)?)?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[0-9]+")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_MAY_DATE = re.compile(r"\d{4}|年")
_SECONDS = re.compile(r":[0-9]{2}:[0-9]{2}")
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


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
        text = _with_plain_digits(value).strip(" \t\r\n\"'")
        if not text.isascii() or (language or "").startswith(_OWN_FORMS):
            text = to_gregorian(text, language).strip()
        return _read(text, language)
    except (ValueError, OverflowError):
        return None


def is_iso_date(text: str) -> bool:
    """Whether *text* has the form of an ISO date, a year at least."""
    return len(text) <= MAX_DATE_CHARACTERS and bool(_ISO.fullmatch(text))


def dates_in(text: str) -> list[tuple[int, str]]:
    """The dates in *text* that have a day and a year, each with its place."""
    if not _MAY_DATE.search(text):
        return []
    plain = _with_plain_digits(text)
    found = (pattern.finditer(plain) for pattern in (_DAY, _YEAR_FIRST, _NUMBERS))
    matches = {match.start(): match[0] for each in found for match in each}
    if not plain.isascii():
        matches |= {match.start(): match[0] for match in foreign_dates(plain)}
    return sorted(matches.items())


def _with_plain_digits(text: str) -> str:
    if text.isascii() or not _OTHER_DIGIT.search(text):
        return text
    return "".join(str(int(c)) if c.isdecimal() else c for c in text)


def _read(text: str, language: str | None) -> str | None:
    if match := _ISO.fullmatch(text) or _COMPACT.fullmatch(text):
        return _from_parts(*match.groups())
    if _EPOCH.fullmatch(text):
        moment = datetime.fromtimestamp(int(text[:10]), timezone.utc)
        return _checked(moment, moment.isoformat())
    text = _NOISE.sub(" ", _INDIAN.sub("+0530", text))
    if match := _YEAR_FIRST.search(text):
        year, month, day = match.groups()
    elif match := _NUMBERS.search(text):
        first, mark, second, year = match.groups()
        order = _order(int(first), mark, int(second), language)
        if order is None:
            return None
        day, month = order
    else:
        # Without a written month nothing says which number is which.
        return _read_words(text, language) if _WRITTEN.match(text) else None
    if not 1 <= int(month) <= 12:
        return None
    before = text[: match.start()]
    # A time may stand before the day; a weekday or a label says nothing new.
    time = before if re.search("[0-9]", before) else ""
    day = f"{day} {_MONTHS[int(month) - 1]} {year}"
    rest = f"{time} {text[match.end() :]}".strip()
    return (rest and _read_words(f"{day} {rest}", "en")) or _read_words(day, "en")


def _read_plain(text: str) -> str | None:
    """A day with the name of its month, and its time, in a few languages.

    >>> _read_plain("Fri 5. März 2021, 14:05"), _read_plain("May 3rd, 2021 at 1:15 pm")
    ('2021-03-05T14:05', '2021-05-03T13:15')
    """
    match = _PLAIN.fullmatch(text)
    month = _MONTH_OF.get((match["name"] or match["first"]).lower()) if match else None
    if not match or not month:
        return None
    day, year = match["day"] or match["second"], match["year"] or match["last"]
    moment = datetime(int(year), month, int(day))
    if not match["hour"]:
        return _checked(moment, moment.date().isoformat())
    hour, half = int(match["hour"]), (match["half"] or "").lower()[:1]
    if half and not 1 <= hour <= 12:
        return None
    hour = hour % 12 + 12 * (half == "p") if half else hour
    seconds = match["seconds"]
    moment = moment.replace(
        hour=hour, minute=int(match["minute"]), second=int(seconds or 0)
    )
    timespec = "seconds" if seconds else "minutes"
    return _checked(moment, moment.isoformat(timespec=timespec))


def _read_words(text: str, language: str | None) -> str | None:
    """A date with a written month: the whole text, else a day in it."""
    text = _LABEL.sub("", text).strip()
    if plain := _read_plain(text):
        return plain
    found = _parse(text, language)
    if found is None and (match := _DAY.search(text)):
        found = _read_plain(match[0]) or _parse(match[0], language)
    return found


@lru_cache(maxsize=256)
def _parse(text: str, language: str | None) -> str | None:
    has_day = len(_NUMBER.findall(text)) > 1
    own = (language.partition("-")[0],) if language else ()
    for name in dict.fromkeys((*own, *_LANGUAGES)):
        found = _parser(name, has_day).get_date_data(text)
        if found.date_obj is None:
            continue
        moment = found.date_obj
        if not has_day:
            return _checked(moment, f"{moment.year}-{moment.month:02}")
        if found.period != "time":
            return _checked(moment, moment.date().isoformat())
        timespec = "auto" if _SECONDS.search(text) else "minutes"
        return _checked(moment, moment.isoformat(timespec=timespec))
    return None


@lru_cache(maxsize=200)
def _parser(language: str, has_day: bool) -> Any:
    # It takes 0.15 s to import, and nearly all dates are ISO.
    from dateparser.date import DateDataParser

    settings = {
        "PARSERS": ["absolute-time"],
        # Missing parts would be those of today.
        "REQUIRE_PARTS": ["year", "month", *(("day",) if has_day else ())],
        "RETURN_TIME_AS_PERIOD": True,
    }
    try:
        return DateDataParser([language], settings=settings)
    except ValueError:  # a language that it does not know
        return _parser("en", has_day)


def _from_parts(
    year: str,
    month: str | None,
    day: str | None,
    hour: str | None,
    minute: str | None,
    second: str | None,
    fraction: str | None,
    zone: str | None,
) -> str | None:
    moment = datetime(
        int(year),
        int(month or 1),
        int(day or 1),
        int(hour or 0),
        int(minute or 0),
        int(second or 0),
        int((fraction or "0").ljust(6, "0")[:6]),
        _offset(zone),
    )
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
    digits = zone[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if zone[0] == "-" else offset)


def _checked(moment: datetime, text: str) -> str | None:
    """*text*, if the *moment* that it stands for can be a page's date."""
    latest = datetime.now(timezone.utc).date() + _SLACK
    return text if date(FIRST_YEAR, 1, 1) <= moment.date() <= latest else None


def _order(
    first: int, mark: str, second: int, language: str | None
) -> tuple[int, int] | None:
    """Day and month, where the numbers, the mark or the language settle it."""
    if second > 12 >= first:
        return second, first
    if second > 12:
        return None
    if first > 12 or first == second or mark == ".":
        return first, second
    if language in {None, "en", "en-ca", "en-ph"}:
        return None
    return (second, first) if language == "en-us" else (first, second)
